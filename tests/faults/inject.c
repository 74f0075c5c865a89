/* inject.c - runs a command and makes system calls of it fail, those inside the C library too.
 *
 * usage: inject -r REPORT [-c CALL] [-f FIRST] [-l LAST] [-e ERRNO] -- COMMAND...
 *
 * The command runs under our own process id.  A process of nobody's follows it by ptrace(2), with all
 * its threads, and its children up to their exec: what it starts is left alone.  Nothing is counted
 * before the command's own first instruction: the dynamic linker's calls are not its own.
 *
 * CALL is a number ("257": all such calls) or a label ("257 N/stat": such calls on that file; each
 * row of digits in a name is one N).  Of those calls number FIRST to LAST (0: to the end) are not
 * made and answer ERRNO; close() is made all the same, as the kernel does it.  REPORT is there once
 * the command has ended: a line "failed LABEL" for each such call; without -c a line
 * "call LABEL" for each call there was. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "labels.h"

enum { MAX_TASKS = 4096 };

struct task {
    pid_t tid;
    bool is_child;  /* of the command, before its exec */
    bool in_call;   /* the next stop is the end of a call */
    bool is_failed; /* the call under way is to answer an error */
    bool is_new;    /* has not made its first stop */
};

static struct {
    const char *report, *call;
    unsigned long first, last, seen;
    int error;
    FILE *out;
    pid_t main;
    struct task tasks[MAX_TASKS];
    size_t n_tasks;
    bool counts; /* the command itself has begun */
    long entry_word;
} it = { .first = 1, .last = 1, .error = EIO };

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "inject: %s: %s\n", what, strerror(errno));
    exit(99);
}

/* --- who is followed ------------------------------------------------------------------------- */

static struct task *find(pid_t tid)
{
    for (size_t i = 0; i < it.n_tasks; i++)
        if (it.tasks[i].tid == tid)
            return &it.tasks[i];
    return NULL;
}

static struct task *add(pid_t tid)
{
    struct task *t = find(tid);

    if (t)
        return t;
    if (it.n_tasks == MAX_TASKS)
        die("too many threads");
    t = &it.tasks[it.n_tasks++];
    *t = (struct task){ .tid = tid, .is_new = true };
    return t;
}

static void forget(pid_t tid)
{
    struct task *t = find(tid);

    if (t)
        *t = it.tasks[--it.n_tasks];
}

/* --- where the command begins ---------------------------------------------------------------- */

static uintptr_t entry_of(pid_t pid)
{
    char path[64];
    uint64_t pair[2];
    uintptr_t entry = 0;
    int fd;

    snprintf(path, sizeof(path), "/proc/%d/auxv", pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && read(fd, pair, sizeof(pair)) == (ssize_t)sizeof(pair))
        if (pair[0] == AT_ENTRY)
            entry = (uintptr_t)pair[1];
    if (fd >= 0)
        close(fd);
    if (!entry)
        die("no entry point");
    return entry;
}

/* A trap in the place of the command's first instruction. */
static void stop_at_entry(pid_t pid)
{
    uintptr_t at = entry_of(pid);

    errno = 0;
    it.entry_word = ptrace(PTRACE_PEEKTEXT, pid, (void *)at, NULL);
    if (errno || ptrace(PTRACE_POKETEXT, pid, (void *)at, (void *)((it.entry_word & ~0xffL) | 0xcc)))
        die("the entry point");
}

static void begin(pid_t pid)
{
    uintptr_t at = entry_of(pid);
    struct user_regs_struct regs;

    ptrace(PTRACE_POKETEXT, pid, (void *)at, (void *)it.entry_word);
    ptrace(PTRACE_GETREGS, pid, NULL, &regs);
    regs.rip = at;
    ptrace(PTRACE_SETREGS, pid, NULL, &regs);
    it.counts = true;
}

/* --- calls ----------------------------------------------------------------------------------- */

static bool is_meant(const char *label)
{
    size_t n;

    if (!it.call)
        return false;
    n = strlen(it.call);
    return strncmp(label, it.call, n) == 0 &&
           (label[n] == '\0' || (label[n] == ' ' && !strchr(it.call, ' ')));
}

static void skip_call(pid_t tid)
{
    struct user_regs_struct regs;

    ptrace(PTRACE_GETREGS, tid, NULL, &regs);
    regs.orig_rax = (unsigned long long)-1;
    ptrace(PTRACE_SETREGS, tid, NULL, &regs);
}

static void answer_error(pid_t tid)
{
    struct user_regs_struct regs;

    ptrace(PTRACE_GETREGS, tid, NULL, &regs);
    regs.rax = (unsigned long long)-(long long)it.error;
    ptrace(PTRACE_SETREGS, tid, NULL, &regs);
}

static void at_call(struct task *t)
{
    struct __ptrace_syscall_info info;
    char label[LABEL_SIZE];

    if (ptrace(PTRACE_GET_SYSCALL_INFO, t->tid, (void *)sizeof(info), &info) <= 0)
        return;
    t->in_call = info.op == PTRACE_SYSCALL_INFO_ENTRY;
    if (!t->in_call) {
        if (t->is_failed)
            answer_error(t->tid);
        t->is_failed = false;
        return;
    }
    if (!it.counts)
        return;
    label_of(t->tid, (long)info.entry.nr, (const unsigned long long *)info.entry.args, label);
    if (!it.call)
        fprintf(it.out, "call %s\n", label);
    if (!is_meant(label))
        return;
    it.seen++;
    if (it.seen < it.first || (it.last && it.seen > it.last))
        return;
    fprintf(it.out, "failed %s\n", label);
    t->is_failed = true;
    if (info.entry.nr != SYS_close)
        skip_call(t->tid);
}

/* --- stops ----------------------------------------------------------------------------------- */

static void resume(pid_t tid, int sig)
{
    ptrace(it.counts ? PTRACE_SYSCALL : PTRACE_CONT, tid, NULL, (void *)(long)sig);
}

static bool is_thread_of_main(pid_t tid)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/%d/task/%d", it.main, tid);
    return access(path, F_OK) == 0;
}

static void at_event(struct task *t, int event)
{
    unsigned long message = 0;

    ptrace(PTRACE_GETEVENTMSG, t->tid, NULL, &message);
    switch (event) {
    case PTRACE_EVENT_CLONE:
    case PTRACE_EVENT_FORK:
    case PTRACE_EVENT_VFORK:
        add((pid_t)message)->is_child = !is_thread_of_main((pid_t)message);
        break;
    case PTRACE_EVENT_EXEC:
        if (t->is_child) { /* the job: it is none of ours */
            pid_t tid = t->tid;

            forget(tid);
            ptrace(PTRACE_DETACH, tid, NULL, NULL);
            return;
        }
        stop_at_entry(t->tid);
        break;
    default:
        break;
    }
    resume(t->tid, 0);
}

static void at_stop(pid_t tid, int status)
{
    struct task *t = add(tid);
    int sig = WSTOPSIG(status), event = status >> 16;
    bool was_new = t->is_new;

    t->is_new = false;
    if (sig == (SIGTRAP | 0x80)) {
        at_call(t);
        resume(tid, 0);
    } else if (event == PTRACE_EVENT_STOP && !was_new && sig != SIGTRAP) {
        ptrace(PTRACE_LISTEN, tid, NULL, NULL); /* stopped as a group */
    } else if (event == PTRACE_EVENT_STOP) {
        if (tid != it.main && !t->is_child)
            t->is_child = !is_thread_of_main(tid);
        resume(tid, 0);
    } else if (event) {
        at_event(t, event);
    } else if (sig == SIGTRAP && !it.counts && tid == it.main) {
        begin(tid);
        resume(tid, 0);
    } else {
        resume(tid, sig);
    }
}

static void follow(void)
{
    int status;
    pid_t tid;

    while (it.n_tasks > 0 && (tid = waitpid(-1, &status, __WALL)) > 0) {
        if (WIFSTOPPED(status))
            at_stop(tid, status);
        else
            forget(tid);
    }
}

/* --- beginning and end ----------------------------------------------------------------------- */

static FILE *open_report(char **ret_name)
{
    FILE *f;

    if (asprintf(ret_name, "%s.new", it.report) < 0)
        die("memory");
    f = fopen(*ret_name, "we");
    if (!f)
        die(*ret_name);
    return f;
}

static _Noreturn void trace(int go)
{
    long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
                   PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC;
    char *name;

    it.out = open_report(&name);
    if (ptrace(PTRACE_SEIZE, it.main, NULL, (void *)options) < 0)
        die("ptrace");
    add(it.main)->is_new = false;
    if (write(go, "", 1) < 0)
        die("go");
    /* Nobody may wait for the end of what we were given. */
    close_range(0, 2, 0);
    close(go);
    follow();
    if (fclose(it.out) != 0 || rename(name, it.report) < 0)
        _exit(99);
    _exit(0);
}

/* A grandchild, so that the command does not find it among its children. */
static void start_tracer(void)
{
    int allow[2], go[2];
    char byte;
    pid_t pid;

    if (pipe2(allow, O_CLOEXEC) < 0 || pipe2(go, O_CLOEXEC) < 0)
        die("pipe");
    it.main = getpid();
    pid = fork();
    if (pid < 0)
        die("fork");
    if (pid == 0) {
        setsid();
        if (fork() != 0)
            _exit(0);
        close(go[0]);
        close(allow[1]);
        if (read(allow[0], &byte, 1) < 0)
            die("start");
        trace(go[1]);
    }
    waitpid(pid, NULL, 0);
    (void)prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    close(go[1]);
    close(allow[1]); /* now it may */
    if (read(go[0], &byte, 1) != 1)
        exit(99);
    close(go[0]);
    close(allow[0]);
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

int main(int argc, char **argv)
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
            return 99;
    }
    if (!it.report || optind == argc) {
        fprintf(stderr, "usage: inject -r REPORT [-c CALL] [-f FIRST] [-l LAST] [-e ERRNO] -- "
                        "COMMAND...\n");
        return 99;
    }
    start_tracer();
    execvp(argv[optind], argv + optind);
    die(argv[optind]);
}
