/* system.c - system calls that only Linux has. */
#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/kcmp.h>
#include <linux/memfd.h>
#include <sys/auxv.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <unistd.h>

#ifndef STATX_INO /* an older C library, which has no statx() */
#include <linux/stat.h>
#endif

int gput__process_handle(pid_t pid)
{
    return (int)syscall(SYS_pidfd_open, pid, 0);
}

int gput__process_handle_kill(int handle, int signal)
{
    return (int)syscall(SYS_pidfd_send_signal, handle, signal, NULL, 0);
}

bool gput__same_memory(pid_t a, pid_t b)
{
    return syscall(SYS_kcmp, a, b, KCMP_VM, 0, 0) == 0;
}

int gput__event_open(void)
{
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

void gput__event_raise(int event)
{
    (void)eventfd_write(event, 1);
}

void gput__event_clear(int event)
{
    eventfd_t n;

    (void)eventfd_read(event, &n);
}

int gput__memory_file(const char *name)
{
    return (int)syscall(SYS_memfd_create, name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

int gput__rename_to_new(const char *from, const char *to)
{
    return syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 1u /* RENAME_NOREPLACE */) < 0
               ? -errno
               : 0;
}

int gput__close_from(int first)
{
#ifdef SYS_close_range
    return syscall(SYS_close_range, (unsigned)first, ~0u, 0u) < 0 ? -errno : 0;
#else
    (void)first;
    return -ENOSYS;
#endif
}

void gput__clock_quality(bool *ret_is_synchronized, double *ret_max_error)
{
    struct timex t = { 0 };
    int state = adjtimex(&t);

    *ret_is_synchronized = state >= 0 && state != TIME_ERROR && !(t.status & STA_UNSYNC);
    *ret_max_error = state < 0 ? 0 : (double)t.maxerror / 1e6;
}

int gput__identify_file(int folder, const char *name, struct gput__file_id *ret)
{
#if defined(SYS_statx) && defined(AT_STATX_DONT_SYNC)
    struct statx st;

    if (syscall(SYS_statx, folder, name, AT_STATX_DONT_SYNC, STATX_INO, &st) < 0)
        return -errno;
    *ret =
        (struct gput__file_id){ (uint64_t)st.stx_dev_major << 32 | st.stx_dev_minor, st.stx_ino };
#else
    struct stat st;

    if (fstatat(folder, name, &st, 0) < 0)
        return -errno;
    *ret = (struct gput__file_id){ st.st_dev, st.st_ino };
#endif
    return 0;
}

bool gput__has_more_rights(void)
{
    return getauxval(AT_SECURE);
}

int gput__drop_capabilities(void)
{
    struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { { 0 } };

    return syscall(SYS_capset, &head, none) < 0 ? -errno : 0;
}

void gput__never_gain_rights(void)
{
    (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

pid_t gput__thread_id(void)
{
    return (pid_t)syscall(SYS_gettid);
}

void gput__name_process(const char *name)
{
    (void)prctl(PR_SET_NAME, name);
}

const void *gput__program_headers(void)
{
    return (const void *)(uintptr_t)getauxval(AT_PHDR);
}
