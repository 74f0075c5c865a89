/* labels.c - what a system call is about, from its number and arguments. */
#include "labels.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { NONE, PATH, DESCRIPTOR, NUMBER };

/* Which argument tells what a call is about, and how. */
static const struct {
    long nr;
    enum kind kind;
    int arg;
    int also; /* a further argument, a number; 0: none */
} about[] = {
    { SYS_open, PATH, 0, 0 },
    { SYS_openat, PATH, 1, 0 },
    { SYS_stat, PATH, 0, 0 },
    { SYS_lstat, PATH, 0, 0 },
    { SYS_newfstatat, PATH, 1, 0 },
    { SYS_statx, PATH, 1, 0 },
    { SYS_access, PATH, 0, 0 },
    { SYS_faccessat, PATH, 1, 0 },
    { SYS_faccessat2, PATH, 1, 0 },
    { SYS_readlink, PATH, 0, 0 },
    { SYS_readlinkat, PATH, 1, 0 },
    { SYS_unlink, PATH, 0, 0 },
    { SYS_unlinkat, PATH, 1, 0 },
    { SYS_rename, PATH, 0, 0 },
    { SYS_renameat2, PATH, 1, 0 },
    { SYS_mkdir, PATH, 0, 0 },
    { SYS_statfs, PATH, 0, 0 },
    { SYS_execve, PATH, 0, 0 },
    { SYS_read, DESCRIPTOR, 0, 0 },
    { SYS_pread64, DESCRIPTOR, 0, 0 },
    { SYS_write, DESCRIPTOR, 0, 0 },
    { SYS_pwrite64, DESCRIPTOR, 0, 0 },
    { SYS_close, DESCRIPTOR, 0, 0 },
    { SYS_fstat, DESCRIPTOR, 0, 0 },
    { SYS_lseek, DESCRIPTOR, 0, 0 },
    { SYS_getdents64, DESCRIPTOR, 0, 0 },
    { SYS_ftruncate, DESCRIPTOR, 0, 0 },
    { SYS_fsync, DESCRIPTOR, 0, 0 },
    { SYS_fdatasync, DESCRIPTOR, 0, 0 },
    { SYS_fallocate, DESCRIPTOR, 0, 0 },
    { SYS_fchmod, DESCRIPTOR, 0, 0 },
    { SYS_fchown, DESCRIPTOR, 0, 0 },
    { SYS_fstatfs, DESCRIPTOR, 0, 0 },
    { SYS_flock, DESCRIPTOR, 0, 0 },
    { SYS_fcntl, DESCRIPTOR, 0, 1 },
    { SYS_ioctl, DESCRIPTOR, 0, 1 },
    { SYS_timerfd_settime, DESCRIPTOR, 0, 0 },
    { SYS_bind, DESCRIPTOR, 0, 0 },
    { SYS_sendto, DESCRIPTOR, 0, 0 },
    { SYS_recvfrom, DESCRIPTOR, 0, 0 },
    { SYS_sendmsg, DESCRIPTOR, 0, 0 },
    { SYS_recvmsg, DESCRIPTOR, 0, 0 },
    { SYS_setsockopt, DESCRIPTOR, 0, 2 },
    { SYS_prctl, NUMBER, 0, 0 },
    { SYS_clock_gettime, NUMBER, 0, 0 },
    { SYS_rt_sigaction, NUMBER, 0, 0 },
    { SYS_rt_sigprocmask, NUMBER, 0, 0 },
    { SYS_prlimit64, NUMBER, 1, 0 },
    { SYS_futex, NUMBER, 1, 0 },
    { SYS_socket, NUMBER, 0, 2 },
    { SYS_madvise, NUMBER, 2, 0 },
};

static void read_path(pid_t tid, unsigned long long at, char *ret, size_t size)
{
    struct iovec here = { ret, size - 1 }, there = { (void *)(uintptr_t)at, size - 1 };
    ssize_t n = process_vm_readv(tid, &here, 1, &there, 1, 0);

    if (n < 0) { /* the page behind it is not there */
        here.iov_len = there.iov_len = 4096 - (at & 4095);
        if (here.iov_len > size - 1)
            here.iov_len = there.iov_len = size - 1;
        n = process_vm_readv(tid, &here, 1, &there, 1, 0);
    }
    ret[n < 0 ? 0 : n] = '\0';
}

static void read_descriptor(pid_t tid, int fd, char *ret, size_t size)
{
    char link[64];
    ssize_t n;

    snprintf(link, sizeof(link), "/proc/%d/fd/%d", tid, fd);
    n = readlink(link, ret, size - 1);
    ret[n < 0 ? 0 : n] = '\0';
}

/* The length of a number: digits, or a long row of hexadecimal ones. */
static size_t number_length(const char *p)
{
    size_t digits = strspn(p, "0123456789"), n = strspn(p, "0123456789abcdef");

    return n >= 6 && strcspn(p, "0123456789") < n ? n : digits;
}

/* From run to run the same: each number becomes one N, blanks and line ends "_". */
static void append_name(char *label, const char *name)
{
    size_t n = strlen(label);

    for (const char *p = name; *p && n < LABEL_SIZE - 1;) {
        size_t length = number_length(p);

        label[n++] = length ? 'N' : *p <= ' ' ? '_' : *p;
        p += length ? length : 1;
    }
    label[n] = '\0';
}

/* CPU clocks of other processes are negative numbers made of their pids. */
static int plain_number(long nr, unsigned long long arg)
{
    return nr == SYS_clock_gettime && (int)arg < 0 ? -1 : (int)arg;
}

void label_of(pid_t tid, long nr, const unsigned long long args[6], char ret[LABEL_SIZE])
{
    char name[200];
    size_t i = 0, n = sizeof(about) / sizeof(*about);

    snprintf(ret, LABEL_SIZE, "%ld", nr);
    while (i < n && about[i].nr != nr)
        i++;
    if (i == n)
        return;
    if (about[i].kind == NUMBER) {
        snprintf(ret + strlen(ret), LABEL_SIZE - strlen(ret), " %d",
                 plain_number(nr, args[about[i].arg]));
    } else {
        if (about[i].kind == PATH)
            read_path(tid, args[about[i].arg], name, sizeof(name));
        else
            read_descriptor(tid, (int)args[about[i].arg], name, sizeof(name));
        strcat(ret, " ");
        append_name(ret, name);
    }
    if (about[i].also)
        snprintf(ret + strlen(ret), LABEL_SIZE - strlen(ret), ":%d", (int)args[about[i].also]);
}
