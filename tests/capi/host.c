/* host.c - whatever the calling program does besides: forks, threads, signals, waits for anybody,
 * runs out of descriptors, is killed; and nothing is left however often. */
#include <malloc.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include "capi.h"

#define SOME_BYTES ((size_t)5000 * PAGE)

/* Started, used and stopped well. */
static bool works(void)
{
    struct gput_options o = quick();
    struct gput_tracker *t = opened(&o);
    bool ok = gput_tracker_start(t, NULL) == 0;

    burn(0.02);
    ok = ok && gput_tracker_stop(t, 0, NULL) == 0 &&
         usage_of(t).totals.main_cpu_seconds.value > 0.01;
    gput_tracker_close(t);
    return ok;
}

/* --- fork ----------------------------------------------------------------------------------- */

/* In the child of a program that tracks itself. */
static bool the_copy_does_nothing(void *ctx)
{
    struct gput_tracker *t = ctx;
    struct gput_usage u = { .size = sizeof(u) };
    struct gput_now now;
    struct gput_error e;

    WAIT_UNTIL(now_of(t).n_processes >= 2); /* the shared snapshot is shared */
    gput_tracker_now(t, &now);
    (void)gput_tracker_usage(t, &u);
    (void)gput_tracker_stop(t, 0.1, &e);
    return gput_tracker_stop(t, 0, NULL) != -ETIMEDOUT && gput_tracker_close(t) == NULL && works();
}

static void forks(void)
{
    struct gput_options o = quick();
    struct gput_tracker *t = started(&o);
    pid_t helper = helper_pid();
    struct gput_usage u;

    OK(in_child(the_copy_does_nothing, t),
       "a forked child stops and closes its copy, and can track "
       "itself");
    OK(!has_ended(helper) && usage_of(t).job.ending == GPUT_RUNNING, "the original goes on");
    burn(0.2);
    OK(gput_tracker_stop(t, 0, NULL) == 0 && has_ended(helper), "until it is stopped");
    u = usage_of(t);
    OK(u.totals.max_n_processes.value >= 2 && u.totals.main_cpu_seconds.value >= 0.19,
       "the child was one of the job's processes, main's figures go on to the end");
    gput_tracker_close(t);
}

/* A child that lives on must not keep anything of the tracker alive. */
static void a_child_that_stays(void)
{
    struct gput_options o = quick();
    struct gput_tracker *t = started(&o);
    pid_t child = fork_or_die();

    if (child == 0) {
        die_with_parent(getppid());
        sleep_for(LONG);
        _exit(0);
    }
    OK(gput_tracker_stop(t, 0, NULL) == 0 && !has_ended(child),
       "stop() does not wait for a child that has copies of our descriptors");
    gput_tracker_close(t);
    kill(child, SIGKILL);
    wait_for(child);
}

static void nothing_is_inherited(void)
{
    struct gput_options o = quick();
    struct gput_tracker *t;
    int before, with;
    static const char count[] = "exit $(ls /proc/self/fd | wc -l)";

    before = system(count);
    t = started(&o);
    with = system(count);
    OK(before == with, "a program started meanwhile inherits no descriptor");
    gput_tracker_close(t);
}

/* --- threads -------------------------------------------------------------------------------- */

static void *start_it(void *ctx)
{
    struct gput_error e;

    return gput_tracker_start(ctx, &e) == 0 ? ctx : NULL;
}

static void *stop_it(void *ctx)
{
    return gput_tracker_stop(ctx, 0, NULL) == 0 ? ctx : NULL;
}

static void threads(void)
{
    struct gput_options o = quick();
    struct gput_tracker *t = opened(&o);
    int before = n_threads();
    pid_t helper;

    in_thread(start_it, t);
    helper = helper_pid();
    burn(0.3); /* a helper bound to the thread that started it would be gone by now */
    OK(!has_ended(helper) && usage_of(t).job.ending == GPUT_RUNNING,
       "the thread that started has ended: the helper goes on");
    OK(n_threads() == before, "no thread is left in the program");
    in_thread(stop_it, t);
    OK(has_ended(helper) && usage_of(t).totals.main_cpu_seconds.value >= 0.29,
       "another thread stops it; all is measured");
    gput_tracker_close(t);
}

/* --- signals and children ------------------------------------------------------------------- */

static bool same_signals(const sigset_t *mask, const struct sigaction *old)
{
    sigset_t now_mask;
    bool same = true;

    sigprocmask(SIG_BLOCK, NULL, &now_mask);
    for (int s = 1; s < 32; s++) {
        struct sigaction now;

        same &= sigismember(mask, s) == sigismember(&now_mask, s);
        if (s != SIGKILL && s != SIGSTOP && sigaction(s, NULL, &now) == 0)
            same &= now.sa_handler == old[s].sa_handler && now.sa_flags == old[s].sa_flags;
    }
    return same;
}

static void signals_stay(void)
{
    struct gput_options o = quick();
    struct sigaction old[32];
    struct gput_tracker *t;
    sigset_t mask;

    sigprocmask(SIG_BLOCK, NULL, &mask);
    for (int s = 1; s < 32; s++)
        sigaction(s, NULL, &old[s]);
    t = started(&o);
    OK(same_signals(&mask, old), "start() leaves mask and handlers alone");
    gput_tracker_stop(t, 0, NULL);
    gput_tracker_close(t);
    OK(same_signals(&mask, old), "so do stop() and close()");
}

static bool works_with_sigchld_ignored(void *ctx)
{
    (void)ctx;
    signal(SIGCHLD, SIG_IGN);
    return works() && works();
}

static atomic_bool thief_goes_on = true;
static atomic_int n_stolen;

static void *reap_anybody(void *ctx)
{
    (void)ctx;
    while (thief_goes_on)
        if (waitpid(-1, NULL, WNOHANG) > 0)
            n_stolen++;
    return NULL;
}

static void children_are_reaped_by_others(void)
{
    pthread_t thief;
    int n = 0;

    OK(in_child(works_with_sigchld_ignored, NULL), "SIGCHLD is ignored");
    if (pthread_create(&thief, NULL, reap_anybody, NULL) != 0)
        bail("pthread_create", "failed");
    for (int i = 0; i < 20; i++)
        n += works();
    thief_goes_on = false;
    pthread_join(thief, NULL);
    OK(n == 20, "a thread waits for any child: %d of 20 work, %d helpers were stolen", n, n_stolen);
    OK(n_children(NULL) == 0, "and none is left");
}

/* --- scarcity ------------------------------------------------------------------------------- */

static bool works_without_streams(void *ctx)
{
    int others;

    (void)ctx;
    close(0);
    close(1);
    close(2);
    others = n_fds();
    return works() && n_fds() == others;
}

/* Descriptors end after more and more steps of start(): each is a clean failure. */
static bool fails_cleanly_without_descriptors(void *ctx)
{
    struct gput_options o = quick();
    int first = n_fds(), n_failed = 0;

    (void)ctx;
    for (int room = 0; room < 40; room++) {
        struct rlimit limit = { (rlim_t)(first + room), (rlim_t)first + 1000 };
        struct gput_tracker *t = NULL;
        int r;

        setrlimit(RLIMIT_NOFILE, &limit);
        r = gput_tracker_open(&o, &t, NULL);
        if (r == 0)
            r = gput_tracker_start(t, NULL);
        if (r == 0)
            r = gput_tracker_stop(t, 0, NULL);
        gput_tracker_close(t);
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
        if (n_fds() != first || n_children(NULL) != 0)
            return false;
        if (r == 0)
            return n_failed > 0 && room < 39;
        if (r != -EMFILE)
            return false;
        n_failed++;
    }
    return false;
}

/* The memory that is shared with the helper is a file to the kernel, but no reason to be killed. */
static bool survives_a_limit_of_files(void *ctx)
{
    struct rlimit limit = { 0, RLIM_INFINITY };
    struct gput_options o = quick();
    struct gput_tracker *t = opened(&o);
    int r;

    (void)ctx;
    setrlimit(RLIMIT_FSIZE, &limit);
    r = gput_tracker_start(t, NULL);
    gput_tracker_close(t);
    return r == 0 && n_children(NULL) == 0;
}

static void scarcity(void)
{
    OK(in_child(works_without_streams, NULL), "standard streams are closed");
    OK(in_child(fails_cleanly_without_descriptors, NULL),
       "without descriptors start() fails and leaves nothing, until there are enough");
    OK(in_child(survives_a_limit_of_files, NULL), "no file may be written: the program lives on");
}

/* --- a pid namespace ------------------------------------------------------------------------ */

#define NOT_ALLOWED 77

/* In the first process of a new pid namespace, with a /proc of its own. */
static int as_pid_1(void)
{
    if (mount("proc", "/proc", "proc", 0, NULL) < 0)
        return NOT_ALLOWED;
    return getpid() == 1 && works() && n_children(NULL) == 0 ? 0 : 1;
}

static int in_pid_namespace(void)
{
    pid_t pid;

    if (unshare(CLONE_NEWPID | CLONE_NEWNS) < 0 &&
        unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS) < 0)
        return NOT_ALLOWED;
    (void)mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
    pid = fork_or_die();
    if (pid == 0)
        _exit(as_pid_1());
    return WEXITSTATUS(status_of(pid));
}

static void pid_namespace(void)
{
    pid_t pid = fork_or_die();
    int code;

    if (pid == 0)
        _exit(in_pid_namespace());
    code = WEXITSTATUS(status_of(pid));
    OK(code == 0 || code == NOT_ALLOWED, "the program is PID 1 of a pid namespace%s",
       code == NOT_ALLOWED ? " # SKIP not allowed here" : "");
}

/* --- the end of the program ----------------------------------------------------------------- */

struct doomed {
    const char *file;
    int told; /* write end: the helper's pid */
};

static bool wait_for_doom(void *ctx)
{
    struct doomed *d = ctx;
    struct gput_options o = quick();
    struct gput_tracker *t;
    pid_t helper;

    o.resource_usage_file = d->file;
    t = started(&o);
    helper = helper_pid();
    take(SOME_BYTES);
    WAIT_UNTIL(now_of(t).ram >= SOME_BYTES);
    if (write(d->told, &helper, sizeof(helper)) != (ssize_t)sizeof(helper))
        return false;
    sleep_for(LONG);
    return false;
}

/* Killed, it leaves a whole usage file and no helper. */
static void killed_program(void)
{
    struct scratch s;
    struct doomed d;
    int ends[2];
    pid_t helper = 0, pid;
    double rss = 0;
    char *json, *total;

    scratch_begin(&s);
    d.file = scratch_file(&s, "usage.json");
    if (pipe2(ends, O_CLOEXEC) < 0)
        bail("pipe2", strerror(errno));
    d.told = ends[1];
    pid = fork_or_die();
    if (pid == 0)
        _exit(wait_for_doom(&d));
    if (read(ends[0], &helper, sizeof(helper)) != (ssize_t)sizeof(helper))
        bail("the doomed program", "it says nothing");
    kill(pid, SIGKILL);
    wait_for(pid);
    OK(ends_within(helper, 2), "the program is killed: its helper ends within two seconds");
    json = text_of(d.file);
    total = json ? strstr(json, "\"total_rss\": ") : NULL;
    rss = total ? strtod(total + 13, NULL) : 0;
    OK(json && json[strlen(json) - 2] == '}' && rss >= SOME_BYTES,
       "the usage file is whole, with all of its memory: %.1f MB", rss / 1e6);
    OK(n_entries(s.path) == 1, "and nothing lies beside it");
    free(json);
    close(ends[0]);
    close(ends[1]);
    scratch_end(&s);
}

/* --- again and again ------------------------------------------------------------------------ */

static void cycle(void)
{
    struct gput_options o = quick();
    struct gput_tracker *t = started(&o);

    (void)usage_of(t);
    if (gput_tracker_stop(t, 0, NULL) < 0)
        bail("stop", "failed in a cycle");
    (void)usage_of(t);
    gput_tracker_close(t);
}

/* Bytes; 0 where the C library does not tell. */
static size_t heap_in_use(void)
{
#ifdef HAVE_MALLINFO2
    return mallinfo2().uordblks;
#else
    return 0;
#endif
}

static void nothing_grows(void)
{
    int n = is_full() ? 10000 : is_sanitized() ? 60 : 300;
    int fds, mappings;
    size_t heap, resident;

    for (int i = 0; i < 10; i++)
        cycle();
    fds = n_fds();
    mappings = n_mappings();
    heap = heap_in_use();
    resident = resident_bytes();
    for (int i = 0; i < n; i++)
        cycle();
    OK(n_fds() == fds, "%d cycles: %d descriptors as before", n, fds);
    OK(n_mappings() < mappings + 20, "%d mappings, %d before", n_mappings(), mappings);
    OK(n_children(NULL) == 0, "no child");
    /* malloc keeps some of what was freed; a leak is that of each cycle. */
    OK(is_sanitized() || (heap_in_use() < heap + 16000 && resident_bytes() < resident + 60 * PAGE),
       "no memory: %.1f kB now, %.1f kB before", (double)resident_bytes() / 1e3,
       (double)resident / 1e3);
}

int main(void)
{
    forks();
    a_child_that_stays();
    nothing_is_inherited();
    threads();
    signals_stay();
    children_are_reaped_by_others();
    scarcity();
    pid_namespace();
    killed_program();
    nothing_grows();
    return DONE();
}
