/* test_loop.c - the loop of a run: that each source it waits for is handled, in which order, and how
 * runs end.
 *
 * Jobs are real.  The linker puts functions of the test's own in the place of those that the loop
 * calls (see meson.build): they write a letter into a trace and go on to the real ones. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/inside/helper.h"
#include "tap.h"

/* A loop that asks so often has not handled what has told. */
#define MOST_ROUNDS 20000
/* A job that nothing else has let go ends after so many records: then the checks say what was missed. */
#define MOST_RECORDS 200

static struct {
    char trace[MOST_ROUNDS * 4];
    size_t n;
    unsigned n_rounds, n_records;
    unsigned record_round; /* the one that made the last record */
    bool poll_fails;
    int scan_fd, birth_fd; /* in the place of the real ones; -1: these */
    bool was_scanned, was_called;
    bool stops_when_called;
    char quits_at; /* 'R': at the first record; else lets the job go when that letter is traced */
    int go;        /* a byte lets the job go */
    struct gput_tracker *t;
} now;

static void let_go(void)
{
    if (now.go >= 0 && write(now.go, "", 1) == 1)
        now.go = -1;
}

static void note(char letter)
{
    if (now.n < sizeof(now.trace) - 1)
        now.trace[now.n++] = letter;
    if (letter == now.quits_at)
        let_go();
}

/* --- what the loop calls --------------------------------------------------------------------- */

int __real_poll(struct pollfd *fds, nfds_t n, int timeout);
int __wrap_poll(struct pollfd *fds, nfds_t n, int timeout);
int __wrap___poll_chk(struct pollfd *fds, nfds_t n, int timeout, size_t size);
void __real_gput__stop_read_signals(struct gput_tracker *t, int64_t at);
void __wrap_gput__stop_read_signals(struct gput_tracker *t, int64_t at);
void __real_gput__record_main_end(struct gput_tracker *t, const siginfo_t *told, int64_t at);
void __wrap_gput__record_main_end(struct gput_tracker *t, const siginfo_t *told, int64_t at);
void __real_gput__record_departure(struct gput_tracker *t, int64_t at, enum gput_ending ending);
void __wrap_gput__record_departure(struct gput_tracker *t, int64_t at, enum gput_ending ending);
void __real_gput__sampler_reaped(struct gput__sampler *s, pid_t pid, const struct rusage *usage);
void __wrap_gput__sampler_reaped(struct gput__sampler *s, pid_t pid, const struct rusage *usage);
void __real_gput__finish(struct gput_tracker *t, int64_t at);
void __wrap_gput__finish(struct gput_tracker *t, int64_t at);
void __real_gput__measure_tick(struct gput_tracker *t, int64_t at, bool is_scanned);
void __wrap_gput__measure_tick(struct gput_tracker *t, int64_t at, bool is_scanned);
void __real_gput__measure_births(struct gput_tracker *t);
void __wrap_gput__measure_births(struct gput_tracker *t);
void __real_gput__measure_gpus(struct gput_tracker *t, int64_t at);
void __wrap_gput__measure_gpus(struct gput_tracker *t, int64_t at);
int __real_gput__sampler_scan_fd(const struct gput__sampler *s);
int __wrap_gput__sampler_scan_fd(const struct gput__sampler *s);
int __real_gput__listening_fd(const struct gput__listening *l, const struct gput__sampler *s,
                              const struct gput__schedule *schedule);
int __wrap_gput__listening_fd(const struct gput__listening *l, const struct gput__sampler *s,
                              const struct gput__schedule *schedule);
bool __wrap_gput__service_told(struct gput_tracker *t, bool is_called);
int64_t __wrap_gput__service_due(const struct gput_tracker *t);
void __wrap_gput__service_show(struct gput_tracker *t, int64_t at);

/* Questions after a single descriptor are not rounds of the loop. */
int __wrap_poll(struct pollfd *fds, nfds_t n, int timeout)
{
    if (n == 1)
        return __real_poll(fds, n, timeout);
    if (++now.n_rounds > MOST_ROUNDS) {
        printf("Bail out! the loop goes round and round: ...%s\n", now.trace + now.n - 20);
        kill(now.t->job.pid, SIGKILL);
        exit(1);
    }
    note('|');
    if (!now.poll_fails)
        return __real_poll(fds, n, timeout);
    errno = ENOMEM;
    return -1;
}

int __wrap___poll_chk(struct pollfd *fds, nfds_t n, int timeout, size_t size)
{
    (void)size;
    return __wrap_poll(fds, n, timeout);
}

void __wrap_gput__stop_read_signals(struct gput_tracker *t, int64_t at)
{
    note('S');
    __real_gput__stop_read_signals(t, at);
}

void __wrap_gput__record_main_end(struct gput_tracker *t, const siginfo_t *told, int64_t at)
{
    note('M');
    __real_gput__record_main_end(t, told, at);
}

void __wrap_gput__record_departure(struct gput_tracker *t, int64_t at, enum gput_ending ending)
{
    note('D');
    __real_gput__record_departure(t, at, ending);
}

void __wrap_gput__sampler_reaped(struct gput__sampler *s, pid_t pid, const struct rusage *usage)
{
    note('W');
    __real_gput__sampler_reaped(s, pid, usage);
}

void __wrap_gput__finish(struct gput_tracker *t, int64_t at)
{
    note('F');
    __real_gput__finish(t, at);
}

void __wrap_gput__measure_tick(struct gput_tracker *t, int64_t at, bool is_scanned)
{
    eventfd_t n;

    note('T');
    now.was_scanned |= is_scanned;
    if (now.scan_fd >= 0)
        (void)eventfd_read(now.scan_fd, &n);
    __real_gput__measure_tick(t, at, is_scanned);
}

void __wrap_gput__measure_births(struct gput_tracker *t)
{
    eventfd_t n;

    note('B');
    if (now.birth_fd >= 0)
        (void)eventfd_read(now.birth_fd, &n);
    __real_gput__measure_births(t);
}

void __wrap_gput__measure_gpus(struct gput_tracker *t, int64_t at)
{
    note('G');
    __real_gput__measure_gpus(t, at);
}

int __wrap_gput__sampler_scan_fd(const struct gput__sampler *s)
{
    return now.scan_fd >= 0 ? now.scan_fd : __real_gput__sampler_scan_fd(s);
}

int __wrap_gput__listening_fd(const struct gput__listening *l, const struct gput__sampler *s,
                              const struct gput__schedule *schedule)
{
    return now.birth_fd >= 0 ? now.birth_fd : __real_gput__listening_fd(l, s, schedule);
}

bool __wrap_gput__service_told(struct gput_tracker *t, bool is_called)
{
    (void)t;
    note(is_called ? 'C' : 'c');
    now.was_called |= is_called;
    return is_called && now.stops_when_called;
}

int64_t __wrap_gput__service_due(const struct gput_tracker *t)
{
    (void)t;
    return INT64_MAX;
}

void __wrap_gput__service_show(struct gput_tracker *t, int64_t at)
{
    (void)t;
    (void)at;
}

/* --- jobs ------------------------------------------------------------------------------------ */

/* A process that says when it is ready, and ends when it is let go. */
struct job {
    int ready[2], go[2];
    char words[2][16]; /* the same, for its command line */
    pid_t pid;         /* forked; 0: not yet */
};

static void need(bool ok, const char *what)
{
    if (ok)
        return;
    printf("Bail out! %s\n", what);
    exit(1);
}

static void leave(int sig)
{
    (void)sig;
    _exit(7);
}

static void wait_to_go(int ready, int go)
{
    char c;

    need(write(ready, "", 1) == 1, "write");
    while (read(go, &c, 1) < 0 && errno == EINTR)
        ;
    _exit(5);
}

/* In the job: `wait` ends by TERM with 7 and when it is let go with 5; of `orphan` a child does so. */
static int be_a_job(char **argv)
{
    signal(SIGTERM, leave);
    if (!strcmp(argv[1], "orphan") && fork() > 0)
        return 4;
    wait_to_go(atoi(argv[2]), atoi(argv[3]));
    return 1;
}

static void begin_job(struct job *j)
{
    memset(&now, 0, sizeof(now));
    now.scan_fd = now.birth_fd = -1;
    *j = (struct job){ 0 };
    /* A job has no end of ours: it goes where the test is killed. */
    need(pipe2(j->ready, O_CLOEXEC) == 0 && pipe2(j->go, O_CLOEXEC) == 0 &&
             fcntl(j->ready[1], F_SETFD, 0) == 0 && fcntl(j->go[0], F_SETFD, 0) == 0,
         "pipe");
    snprintf(j->words[0], sizeof(j->words[0]), "%d", j->ready[1]);
    snprintf(j->words[1], sizeof(j->words[1]), "%d", j->go[0]);
    now.go = j->go[1];
}

static void await_ready(const struct job *j)
{
    char c;

    need(read(j->ready[0], &c, 1) == 1, "the job is not ready");
}

static void end_job(struct job *j)
{
    for (int i = 0; i < 2; i++) {
        close(j->ready[i]);
        close(j->go[i]);
    }
    gput_tracker_close(now.t);
}

static void on_record(void *ctx, const struct gput_tracker *t)
{
    (void)ctx;
    (void)t;
    now.record_round = now.n_rounds;
    if (now.quits_at == 'R')
        gput_tracker_quit(now.t);
    if (++now.n_records == MOST_RECORDS)
        let_go();
}

static struct gput_options quick(void)
{
    /* of a brand that is not there: the machine's own GPUs are left alone */
    return (struct gput_options){ .size = sizeof(struct gput_options),
                                  .sleep_time = 0.01,
                                  .gpu_brand = "nvidia",
                                  .nvml_path = "/nowhere/libnvidia-ml.so.1",
                                  .on = { .record = on_record } };
}

static struct gput_tracker *opened(const struct gput_options *o)
{
    struct gput_error err = { "", "" };

    if (gput_tracker_open(o, &now.t, &err) < 0)
        need(false, err.text);
    return now.t;
}

static struct gput_tracker *spawned(const struct gput_options *o, struct job *j, const char *kind)
{
    char *argv[] = { (char *)"/proc/self/exe", (char *)kind, j->words[0], j->words[1], NULL };
    struct gput_tracker *t = opened(o);
    struct gput_error err = { "", "" };

    if (gput_tracker_spawn(t, argv, &err) < 0)
        need(false, err.text);
    await_ready(j);
    return t;
}

static struct gput_tracker *attached(const struct gput_options *o, struct job *j)
{
    struct gput_tracker *t = opened(o);
    struct gput_error err = { "", "" };

    j->pid = fork();
    need(j->pid >= 0, "fork");
    if (j->pid == 0) {
        close(j->go[1]);
        wait_to_go(j->ready[1], j->go[0]);
    }
    await_ready(j);
    if (gput_tracker_attach(t, j->pid, &err) < 0)
        need(false, err.text);
    return t;
}

/* The exit code of a process that was attached to, -1: somebody else has waited for it. */
static int code_of(const struct job *j)
{
    int status;

    return waitpid(j->pid, &status, 0) == j->pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int count(char letter)
{
    int n = 0;

    for (size_t i = 0; i < now.n; i++)
        n += now.trace[i] == letter;
    return n;
}

/* What was done after the last wait. */
static const char *last_round(void)
{
    const char *at = strrchr(now.trace, '|');

    return at ? at + 1 : "";
}

static bool ended(const struct gput_tracker *t, enum gput_ending how, int code)
{
    if (t->end.how == how && t->end.code == code && count('F') == 1 && t->end.at_ns)
        return true;
    printf("# ended %d with %d: %.200s\n", t->end.how, t->end.code, now.trace);
    return false;
}

/* --- how runs end ---------------------------------------------------------------------------- */

static void by_itself(const char *script, enum gput_ending how, int code, const char *what)
{
    char *argv[] = { (char *)"/bin/sh", (char *)"-c", (char *)script, NULL };
    struct gput_options o = quick();
    struct gput_tracker *t;
    struct job j;

    begin_job(&j);
    t = opened(&o);
    need(gput_tracker_spawn(t, argv, NULL) == 0, "spawn");
    OK(gput_tracker_wait(t) == 0 && ended(t, how, code), "%s", what);
    OK(count('M') == 1 && count('D') == 0 && strstr(last_round(), "MF"),
       "main is taken once, and that is the end: nothing is measured in between");
    end_job(&j);
}

/* Kernels without pidfds, and programs whose SIGCHLD another one reads: one of the two must do. */
static void told_by_one_source(bool by_signal)
{
    struct gput_options o = quick();
    struct gput_tracker *t;
    struct job j;

    begin_job(&j);
    t = spawned(&o, &j, "wait");
    need(by_signal || t->job.pidfd >= 0, "no pidfd");
    if (by_signal) {
        close(t->job.pidfd);
        t->job.pidfd = -1;
    } else {
        close(t->signals.fd);
        t->signals.fd = -1;
    }
    now.quits_at = 'T';
    OK(gput_tracker_wait(t) == 0 && ended(t, GPUT_EXITED, 5), "%s",
       by_signal ? "SIGCHLD alone tells the end" : "so does the pidfd alone");
    OK(by_signal ? !strcmp(last_round(), "SMF") : !strcmp(last_round(), "MF") && !count('S'),
       "and what else there was is read before: %s", last_round());
    end_job(&j);
}

static void signals_are_passed_on(void)
{
    struct gput_options o = quick();
    struct gput_tracker *t;
    struct job j;

    begin_job(&j);
    t = spawned(&o, &j, "wait");
    kill(getpid(), SIGTERM);
    OK(gput_tracker_wait(t) == 0 && ended(t, GPUT_EXITED, 7),
       "a TERM to us ends the job, and not us");
    OK(!strncmp(now.trace, "|S", 2) && t->stop.first_term_ns && !t->stop.timed_out,
       "signals come first");
    end_job(&j);
}

static void time_limit(void)
{
    struct gput_options o = quick();
    struct gput_tracker *t;
    struct job j;

    begin_job(&j);
    o.timeout = 0.03;
    o.sleep_time = 3600; /* no record wakes us */
    o.flags = GPUT_NO_WATCH;
    t = spawned(&o, &j, "wait");
    OK(gput_tracker_wait(t) == 0 && ended(t, GPUT_EXITED, 7) && t->stop.timed_out,
       "the timer wakes the loop for the time limit alone");
    OK(count('T') > 0 && strchr(now.trace, 'T') < strchr(now.trace, 'M'),
       "the job is signalled, and then waited for");
    end_job(&j);
}

static void last_descendant(void)
{
    struct gput_options o = quick();
    struct gput_tracker *t;
    struct job j;

    begin_job(&j);
    o.flags = GPUT_WAIT_DESCENDANTS;
    t = spawned(&o, &j, "orphan");
    now.quits_at = 'M';
    OK(gput_tracker_wait(t) == 0 && ended(t, GPUT_EXITED, 4), "main has ended");
    OK(count('M') == 1 && count('W') == 1 && strchr(now.trace, 'M') < strchr(now.trace, 'W') &&
           strstr(last_round(), "WF"),
       "the run goes on until its orphan is waited for: %s", last_round());
    end_job(&j);
}

static void quit(void)
{
    struct gput_options o = quick();
    struct gput_tracker *t;
    struct job j;

    begin_job(&j);
    t = attached(&o, &j);
    now.quits_at = 'R';
    OK(gput_tracker_wait(t) == 0 && ended(t, GPUT_DETACHED, 0),
       "quit() in the callback of a record");
    OK(now.n_records == 1 && now.record_round == now.n_rounds && strstr(last_round(), "DF"),
       "the run is over before the next wait: %s", last_round());
    OK(kill(j.pid, 0) == 0 && waitpid(j.pid, NULL, WNOHANG) == 0, "the process lives on");
    let_go();
    OK(code_of(&j) == 5, "and is its parent's");
    end_job(&j);
}

static void attached_goes(bool has_pidfd)
{
    struct gput_options o = quick();
    struct gput_tracker *t;
    struct job j;

    begin_job(&j);
    t = attached(&o, &j);
    if (!has_pidfd) {
        close(t->job.pidfd);
        t->job.pidfd = -1;
    }
    now.quits_at = 'T';
    OK(gput_tracker_wait(t) == 0 && ended(t, GPUT_GONE, 0),
       "an attached process that ends is gone%s", has_pidfd ? "" : ", also where no pidfd tells");
    OK(count('M') == 0 && count('W') == 0 && count('D') == 1 && code_of(&j) == 5,
       "its status is left to its parent");
    end_job(&j);
}

/* --- what is waited for ---------------------------------------------------------------------- */

static void poll_that_fails(void)
{
    struct gput_options o = quick();
    struct gput_tracker *t;
    struct job j;

    begin_job(&j);
    t = spawned(&o, &j, "wait");
    now.poll_fails = true;
    now.quits_at = 'T';
    OK(gput_tracker_wait(t) == 0 && ended(t, GPUT_EXITED, 5),
       "where poll() fails the end is seen too");
    OK(count('T') > 0 && count('M') == 1, "and records are made when they are due");
    end_job(&j);
}

static void timer_that_fails(void)
{
    struct gput_options o = quick();
    struct gput_tracker *t;
    struct job j;

    begin_job(&j);
    t = spawned(&o, &j, "wait");
    close(t->timer_fd);
    t->timer_fd = -1;
    now.quits_at = 'T';
    OK(gput_tracker_wait(t) == 0 && ended(t, GPUT_EXITED, 5) && count('T') > 0,
       "without a timer the loop wakes up all the same");
    end_job(&j);
}

/* One source that told something before the loop began. */
static int told(void)
{
    int fd = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);

    need(fd >= 0, "eventfd");
    return fd;
}

static void each_source(void)
{
    struct gput__service service = { .socket = -1, .client_fd = -1 };
    struct gput_options o = quick();
    struct gput_tracker *t;
    struct job j;

    begin_job(&j);
    o.sleep_time = 3600; /* nothing is due */
    o.flags = GPUT_NO_WATCH;
    t = attached(&o, &j);
    t->service = &service;
    service.socket = told();
    now.scan_fd = told();
    now.birth_fd = told();
    if (t->gpu.thread->changed < 0)
        t->gpu.thread->changed = told();
    now.stops_when_called = false;
    kill(getpid(), SIGUSR1);
    now.quits_at = 'G';
    OK(gput_tracker_wait(t) == 0 && ended(t, GPUT_GONE, 0),
       "a run of a helper ends with the process");
    OK(!strncmp(now.trace, "|SCTBG|", 7), "all that has told is handled, in this order: %.7s",
       now.trace);
    OK(now.was_scanned && count('B') == 1 && count('G') == 1,
       "a tick learns of the scan; births and GPUs are seen once");
    OK(code_of(&j) == 5, "the process is still its parent's");
    close(service.socket);
    close(now.scan_fd);
    close(now.birth_fd);
    end_job(&j);
}

static void client(bool by_socket)
{
    struct gput__service service = { .socket = -1, .client_fd = -1 };
    struct gput_options o = quick();
    struct gput_tracker *t;
    struct job j;
    int fd;

    begin_job(&j);
    o.sleep_time = 3600;
    o.flags = GPUT_NO_WATCH;
    t = attached(&o, &j);
    t->service = &service;
    fd = told();
    if (by_socket)
        service.socket = fd;
    else
        service.client_fd = fd;
    now.stops_when_called = true;
    OK(gput_tracker_wait(t) == 0 && ended(t, GPUT_DETACHED, 0) && !strcmp(now.trace, "|CDF"),
       "%s: %.20s",
       by_socket ? "a client that says stop ends the run" : "so does one that has ended",
       now.trace);
    let_go();
    OK(code_of(&j) == 5, "the process lives on until it ends itself");
    close(fd);
    end_job(&j);
}

int main(int argc, char **argv)
{
    if (argc == 4)
        return be_a_job(argv);
    by_itself("exit 3", GPUT_EXITED, 3, "a job that ends at once");
    by_itself("kill -KILL $$", GPUT_SIGNALED, SIGKILL, "a job that ends by a signal");
    told_by_one_source(true);
    told_by_one_source(false);
    signals_are_passed_on();
    time_limit();
    last_descendant();
    quit();
    attached_goes(true);
    attached_goes(false);
    poll_that_fails();
    timer_that_fails();
    each_source();
    client(true);
    client(false);
    return DONE();
}
