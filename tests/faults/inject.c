/* inject.c - runs a command and makes system calls of it fail, those inside the C library too.
 *
 * usage: inject -r REPORT [-c CALL] [-f FIRST] [-l LAST] [-e ERRNO] -- COMMAND...
 *
 * The command runs under our own process id.  Its calls of one number are put before a process of
 * nobody's by seccomp(2), which lets them pass or answers in the kernel's place; all other calls are
 * as fast as ever.  The threads of the command count, and its children up to their exec; what it
 * starts is let pass.  So are the calls of the dynamic linker before the command's own first one.
 *
 * CALL is a number ("257": all such calls) or a label ("257 N/stat": such calls on that file, see
 * labels.h).  Of those calls number FIRST to LAST (0: to the end) are not made and answer ERRNO.
 * REPORT is there once the command has ended: a line "failed LABEL" for each such call; without -c a
 * line "call LABEL" for each call there was. */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "labels.h"

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif

static struct {
    const char *report, *call;
    unsigned long first, last, seen;
    int error;
    FILE *out;
    char *new_report;
    pid_t main;
    int main_fd, listener;
    char program[4096]; /* what the command is */
    bool has_begun;     /* the dynamic linker is done */
} it = { .first = 1, .last = 1, .error = EIO, .main_fd = -1, .listener = -1 };

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "inject: %s: %s\n", what, strerror(errno));
    exit(99);
}

/* --- whose call it is ------------------------------------------------------------------------- */

static void program_of(pid_t pid, char *ret, size_t size)
{
    char link[64];
    ssize_t n;

    snprintf(link, sizeof(link), "/proc/%d/exe", pid);
    n = readlink(link, ret, size - 1);
    ret[n < 0 ? 0 : n] = '\0';
}

static bool is_of_the_command(pid_t tid)
{
    char program[sizeof(it.program)];

    program_of(tid, program, sizeof(program));
    return strcmp(program, it.program) == 0;
}

/* Whether an instruction is the dynamic linker's. */
static bool is_in_linker(pid_t tid, uint64_t ip)
{
    char path[64], line[4096];
    bool found = false;
    FILE *maps;

    snprintf(path, sizeof(path), "/proc/%d/maps", tid);
    maps = fopen(path, "re");
    while (maps && !found && fgets(line, sizeof(line), maps)) {
        unsigned long from, to;

        found = sscanf(line, "%lx-%lx", &from, &to) == 2 && ip >= from && ip < to &&
                strstr(line, "/ld-linux");
    }
    if (maps)
        fclose(maps);
    return found;
}

static bool counts(const struct seccomp_notif *n)
{
    pid_t tid = (pid_t)n->pid;

    if (!is_of_the_command(tid))
        return false;
    it.has_begun = it.has_begun || !is_in_linker(tid, n->data.instruction_pointer);
    return it.has_begun;
}

/* --- what becomes of it ----------------------------------------------------------------------- */

static bool is_meant(const char *label)
{
    size_t n;

    if (!it.call)
        return false;
    n = strlen(it.call);
    return strncmp(label, it.call, n) == 0 &&
           (label[n] == '\0' || (label[n] == ' ' && !strchr(it.call, ' ')));
}

static bool fails(const struct seccomp_notif *n)
{
    char label[LABEL_SIZE];

    if (!counts(n))
        return false;
    label_of((pid_t)n->pid, n->data.nr, (const unsigned long long *)n->data.args, label);
    if (!it.call && it.out)
        fprintf(it.out, "call %s\n", label);
    if (!is_meant(label))
        return false;
    it.seen++;
    if (it.seen < it.first || (it.last && it.seen > it.last))
        return false;
    if (it.out)
        fprintf(it.out, "failed %s\n", label);
    return true;
}

static void answer(void)
{
    struct seccomp_notif n = { 0 };
    struct seccomp_notif_resp r = { .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE };

    if (syscall(SYS_ioctl, it.listener, SECCOMP_IOCTL_NOTIF_RECV, &n) < 0)
        return; /* the caller was killed meanwhile */
    r.id = n.id;
    if (fails(&n)) {
        r.flags = 0;
        r.error = n.data.nr == SYS_brk ? 0 : -it.error; /* brk() fails by not moving */
    }
    (void)syscall(SYS_ioctl, it.listener, SECCOMP_IOCTL_NOTIF_SEND, &r);
}

/* --- the process that answers ----------------------------------------------------------------- */

static void open_report(void)
{
    if (asprintf(&it.new_report, "%s.new", it.report) < 0)
        die("memory");
    it.out = fopen(it.new_report, "we");
    if (!it.out)
        die(it.new_report);
}

static void close_report(void)
{
    if (it.out && fclose(it.out) == 0)
        (void)rename(it.new_report, it.report);
    it.out = NULL;
}

/* The job may outlive the command, and nobody else answers its calls. */
static _Noreturn void serve(void)
{
    for (;;) {
        struct pollfd fds[] = { { .fd = it.listener, .events = POLLIN },
                                { .fd = it.out ? it.main_fd : -1, .events = POLLIN } };

        if (poll(fds, 2, -1) < 0)
            continue;
        if (fds[0].revents & POLLIN)
            answer();
        else if (fds[0].revents)
            break; /* nobody is left */
        if (fds[1].revents)
            close_report();
    }
    close_report();
    _exit(0);
}

/* What the two tell each other without a call: any of them may be under way already. */
struct shared {
    atomic_int number, taken;
};

/* Lets all calls pass until the command has taken our place. */
static void await_exec(void)
{
    char own[sizeof(it.program)], now[sizeof(it.program)];

    program_of(getpid(), own, sizeof(own));
    for (;;) {
        struct pollfd p = { .fd = it.listener, .events = POLLIN };
        bool is_asked = poll(&p, 1, 1) > 0;

        program_of(it.main, now, sizeof(now));
        if (strcmp(now, own) != 0)
            break;
        if (is_asked)
            answer();
    }
    strcpy(it.program, now);
}

static _Noreturn void be_the_kernel(struct shared *s)
{
    int number;

    it.main_fd = (int)syscall(SYS_pidfd_open, it.main, 0);
    while ((number = atomic_load(&s->number)) < 0)
        usleep(100);
    it.listener = (int)syscall(SYS_pidfd_getfd, it.main_fd, number, 0);
    if (it.listener < 0)
        die("the listener");
    /* Nobody may wait for the end of what we were given. */
    for (int fd = 0; fd <= 2; fd++)
        close(fd);
    atomic_store(&s->taken, 1);
    await_exec();
    serve();
}

/* --- the command ------------------------------------------------------------------------------ */

static int install_filter(void)
{
    unsigned nr = it.call ? (unsigned)atoi(it.call) : 0;
    struct sock_filter one[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 0, 2),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, it.call ? SECCOMP_RET_ALLOW : SECCOMP_RET_USER_NOTIF),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
    };
    struct sock_fprog program = { sizeof(one) / sizeof(*one), one };

    (void)prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        die("prctl");
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                        SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV,
                        &program);
}

/* A grandchild, so that the command does not find it among its children. */
static void start_server(struct shared *s)
{
    pid_t pid = fork();

    if (pid < 0)
        die("fork");
    if (pid == 0) {
        setsid();
        if (fork() != 0)
            _exit(0);
        open_report();
        be_the_kernel(s);
    }
    waitpid(pid, NULL, 0);
}

static unsigned long number(const char *text)
{
    char *end;
    unsigned long n = strtoul(text, &end, 10);

    if (end == text || *end) {
        fprintf(stderr, "inject: not a number: %s\n", text);
        exit(99);
    }
    return n;
}

static void take_options(int argc, char **argv)
{
    int c;

    while ((c = getopt(argc, argv, "+r:c:f:l:e:")) != -1) {
        if (c == 'r')
            it.report = optarg;
        else if (c == 'c')
            it.call = optarg;
        else if (c == 'f')
            it.first = number(optarg);
        else if (c == 'l')
            it.last = number(optarg);
        else if (c == 'e')
            it.error = (int)number(optarg);
        else
            exit(99);
    }
    if (!it.report || optind == argc) {
        fprintf(stderr, "usage: inject -r REPORT [-c CALL] [-f FIRST] [-l LAST] [-e ERRNO] -- "
                        "COMMAND...\n");
        exit(99);
    }
}

int main(int argc, char **argv)
{
    struct shared *s;
    int listener;

    take_options(argc, argv);
    s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s == MAP_FAILED)
        die("mmap");
    atomic_store(&s->number, -1);
    it.main = getpid();
    start_server(s);
    listener = install_filter();
    if (listener < 0)
        die("seccomp");
    atomic_store(&s->number, listener);
    while (!atomic_load(&s->taken))
        ;
    execvp(argv[optind], argv + optind);
    die(argv[optind]);
}
