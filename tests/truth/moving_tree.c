/* moving_tree.c - small trees of processes that are hard to measure, each with a ledger.
 *
 *     moving_tree SCENE FILE name=value ...      writes the truth (see ledger.h) to FILE
 *
 * Children end with all they hold: the kernel frees it some milliseconds after the ledger says so. */
#include "ledger.h"
#include <stdbool.h>
#include <sys/syscall.h>

enum { FORK_PAGES = 8, MAX_CHILDREN = 64 };
#define EXIT_SECONDS 7e-5 /* of CPU after the last entry, of a child that holds nothing */

static struct ledger *ledger;
static int alive[2];    /* all children inherit the writing end */
static char extra[200]; /* further members of the result */

static char *take_units(size_t bytes)
{
    char *p = map_bytes(bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    for (size_t at = 0; at < bytes; at += UNIT_BYTES) {
        size_t n = bytes - at < UNIT_BYTES ? bytes - at : UNIT_BYTES;

        touch(p + at, n);
        ledger_add(ledger, (int64_t)(n / PAGE));
    }
    return p;
}

static void begin_child(void)
{
    ledger_lock(ledger);
    ledger->n_alive++;
    ledger_unlock(ledger);
    ledger_enter(ledger, FORK_PAGES);
}

static _Noreturn void end_child(size_t bytes)
{
    ledger_leave(ledger, FORK_PAGES + (uint32_t)(bytes / PAGE), EXIT_SECONDS);
    _exit(0);
}

/* Until nobody else is left, whoever waits for them. */
static void wait_for_all(void)
{
    char c;

    close(alive[1]);
    while (read(alive[0], &c, 1) < 0 && errno == EINTR)
        ;
}

/* Until all of n children have what they want; then for `hold` seconds. */
static void hold_together(unsigned n, double hold)
{
    atomic_fetch_add(&ledger->n_ready, 1);
    while (atomic_load(&ledger->n_ready) < n)
        sleep_for(0.001);
    sleep_for(hold);
}

static unsigned long private_kib(pid_t pid)
{
    unsigned long sum = 0, kib;
    char path[64], line[256];
    FILE *f;

    snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", (int)pid);
    f = fopen(path, "re");
    while (f && fgets(line, sizeof(line), f))
        if (sscanf(line, "Private_Clean: %lu kB", &kib) == 1 ||
            sscanf(line, "Private_Dirty: %lu kB", &kib) == 1)
            sum += kib;
    if (f)
        fclose(f);
    return sum;
}

/* A new child each `every` seconds, of `bytes` for `life` seconds. */
static void run_turnover(char **argv)
{
    double every = arg_num(argv, "every", 0.04), life = arg_num(argv, "life", 1);
    size_t bytes = arg_bytes(argv, "bytes", 20e6);
    int n = (int)(arg_num(argv, "seconds", 2.5) / every);
    double begin = now_s();

    for (int i = 0; i < n; i++) {
        sleep_until(begin + i * every);
        if (fork_or_die() == 0) {
            begin_child();
            take_units(bytes);
            sleep_until(begin + i * every + life);
            end_child(bytes);
        }
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ;
    }
}

static char *map_kind(const char *kind, size_t bytes, const char *path)
{
    int fd = -1;
    char *p;

    if (strcmp(kind, "file") == 0)
        fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    else if (strcmp(kind, "memfd") == 0)
        fd = memfd_create("slices", MFD_CLOEXEC);
    if (strcmp(kind, "anon") == 0)
        return map_bytes(bytes, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (fd < 0 || ftruncate(fd, (off_t)bytes) < 0)
        die(kind);
    p = map_bytes(bytes, MAP_SHARED, fd, 0);
    close(fd);
    return p;
}

/* Each child touches its own part of one shared mapping.  "private" is what smaps says of it. */
static void run_slices(char **argv)
{
    unsigned n = (unsigned)arg_int(argv, "n", 8);
    size_t bytes = arg_bytes(argv, "bytes", 50e6);
    double hold = arg_num(argv, "hold", 0.8);
    char *p = map_kind(arg_text(argv, "kind", "anon"), n * bytes, arg_text(argv, "path", ""));
    pid_t pids[MAX_CHILDREN];
    unsigned long kib;

    for (unsigned i = 0; i < n; i++) {
        pids[i] = fork_or_die();
        if (pids[i] == 0) {
            begin_child();
            touch(p + i * bytes, bytes);
            ledger_add(ledger, (int64_t)(bytes / PAGE));
            hold_together(n, hold);
            end_child(bytes);
        }
    }
    while (atomic_load(&ledger->n_ready) < n)
        sleep_for(0.001);
    kib = private_kib(getpid());
    for (unsigned i = 0; i < n; i++)
        kib += private_kib(pids[i]);
    snprintf(extra, sizeof(extra), ", \"private\": %lu", kib * 1024);
}

/* Children that use `cpu` seconds each, and that no process of the job waits for. */
static void run_unwaited(char **argv)
{
    bool twice = arg_int(argv, "twice", 0) != 0;
    int n = arg_int(argv, "n", 3);
    double cpu = arg_num(argv, "cpu", 1);

    if (!twice)
        signal(SIGCHLD, SIG_IGN);
    for (int i = 0; i < n; i++) {
        pid_t pid = fork_or_die();

        if (pid == 0) {
            begin_child();
            if (twice && fork_or_die() != 0)
                end_child(0);
            if (twice)
                begin_child();
            burn_to(cpu);
            end_child(0);
        }
        if (twice)
            wait_for(pid);
    }
}

/* After `quiet` seconds n children of `bytes`, all at once for `hold` seconds.  early=1: the
 * children are there from the start and sleep. */
static void run_spikes(char **argv)
{
    unsigned n = (unsigned)arg_int(argv, "n", 4);
    bool early = arg_int(argv, "early", 0) != 0;
    size_t bytes = arg_bytes(argv, "bytes", 100e6);
    double begin = now_s() + arg_num(argv, "quiet", 4.5), hold = arg_num(argv, "hold", 0.1);

    if (!early)
        sleep_until(begin);
    for (unsigned i = 0; i < n; i++)
        if (fork_or_die() == 0) {
            begin_child();
            sleep_until(begin);
            take_units(bytes);
            sleep_for(hold);
            end_child(bytes);
        }
    while (wait(NULL) > 0)
        ;
    sleep_for(arg_num(argv, "after", 0.3));
}

/* Children of one's parent.  by=main: of the process that started the job. */
static void run_clone_parent(char **argv)
{
    unsigned n = (unsigned)arg_int(argv, "n", 3);
    size_t bytes = arg_bytes(argv, "bytes", 100e6);
    double hold = arg_num(argv, "hold", 0.8);
    bool by_main = strcmp(arg_text(argv, "by", "child"), "main") == 0;

    if (!by_main && fork_or_die() != 0)
        return;
    if (!by_main)
        begin_child();
    for (unsigned i = 0; i < n; i++)
        if (syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0) == 0) {
            begin_child();
            take_units(bytes);
            hold_together(n, hold);
            end_child(bytes);
        }
    if (!by_main) {
        sleep_for(hold);
        end_child(0);
    }
}

static int only_sleep(void *seconds)
{
    sleep_for(*(double *)seconds);
    _exit(0);
}

/* Two processes with one memory, the third of which, their parent, is gone. */
static void run_clone_vm(char **argv)
{
    size_t bytes = arg_bytes(argv, "bytes", 100e6);
    static double hold;

    hold = arg_num(argv, "hold", 1.2);
    if (fork_or_die() != 0) {
        wait(NULL);
        return;
    }
    begin_child();
    take_units(bytes);
    sleep_for(0.1);
    for (int i = 0; i < 2; i++) {
        char *stack = map_bytes(64 * 1024, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        if (clone(only_sleep, stack + 64 * 1024, CLONE_VM | SIGCHLD, &hold) < 0)
            die("clone");
    }
    _exit(0); /* the memory stays, and in the ledger */
}

/* One child after the other: never more than one process at work. */
static void run_serial(char **argv)
{
    int n = arg_int(argv, "n", 100);
    double cpu = arg_num(argv, "cpu", 0.017);

    for (int i = 0; i < n; i++) {
        pid_t pid = fork_or_die();

        if (pid == 0) {
            begin_child();
            burn_to(cpu);
            end_child(0);
        }
        wait_for(pid);
    }
}

static const struct scene {
    const char *name;
    void (*run)(char **argv);
    const char *words;
} scenes[] = {
    { "turnover", run_turnover, " every life bytes seconds " },
    { "slices", run_slices, " n bytes hold kind path " },
    { "unwaited", run_unwaited, " n cpu twice " },
    { "spikes", run_spikes, " n bytes quiet hold early after " },
    { "clone_parent", run_clone_parent, " n bytes hold by " },
    { "clone_vm", run_clone_vm, " bytes hold " },
    { "serial", run_serial, " n cpu " },
};

int main(int argc, char **argv)
{
    const struct scene *scene = NULL;
    int fd;

    for (size_t i = 0; argc >= 3 && i < sizeof(scenes) / sizeof(scenes[0]); i++)
        if (strcmp(argv[1], scenes[i].name) == 0)
            scene = &scenes[i];
    if (!scene) {
        fprintf(stderr, "usage: moving_tree SCENE FILE name=value ...\n");
        return 99;
    }
    arg_check(argv + 2, scene->words);
    sleep_for(arg_num(argv + 2, "delay", 0));
    ledger = ledger_create(&fd);
    if (pipe(alive) < 0)
        die("pipe");
    ledger->n_alive = 1;
    ledger_enter(ledger, (uint32_t)(resident_bytes() / PAGE));
    scene->run(argv + 2);
    wait_for_all();
    return ledger_finish(ledger, argv[2], extra);
}
