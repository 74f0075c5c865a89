/* life.c - a tracker from open to close: the order of calls, options, figures, other processes. */
#include <stddef.h>

#include "capi.h"

#define MB 1000000.0

static void version(void)
{
    OK(strcmp(gput_version(), GPUT_VERSION) == 0, "the version is %s", gput_version());
}

/* --- a whole life --------------------------------------------------------------------------- */

static bool looks_whole(const struct gput_usage *u)
{
    char *text = written(u, GPUT_TEXT, 0), *json = written(u, GPUT_JSON, 0);
    char *full = written(u, GPUT_JSON, 1);
    bool ok = strncmp(text, "Max RAM:\n   Unit: bytes\n", 24) == 0 &&
              strstr(text, "\nCompute time:\n   Unit: seconds\n") && json[0] == '{' &&
              json[strlen(json) - 2] == '}' && json[strlen(json) - 1] == '\n' &&
              strstr(json, "\"max_gpu_ram\"") && !strstr(json, "\"sources\"") &&
              strstr(full, "\"sources\"") && strlen(full) > strlen(json);

    free(text);
    free(json);
    free(full);
    return ok;
}

/* Live figures come with the next record. */
static bool ram_reaches(const struct gput_tracker *t, double bytes)
{
    WAIT_UNTIL(now_of(t).ram >= bytes);
    return now_of(t).ram >= bytes;
}

static void while_it_runs(struct gput_tracker *t)
{
    struct gput_now now, later;
    struct gput_usage u;
    size_t size = 50 * 1000 * PAGE / 4;
    char *memory = take(size);

    OK(ram_reaches(t, (double)size), "now() tells of %.0f MB more", (double)size / MB);
    give_back(memory, size);
    burn(0.3);
    now = now_of(t);
    OK(now.n_processes == 1 && now.ram_peak >= (double)size && now.elapsed > 0.2,
       "peak %.0f MB, %d process, %.2f s", now.ram_peak / MB, now.n_processes, now.elapsed);
    sleep_for(0.05);
    later = now_of(t);
    OK(later.elapsed > now.elapsed, "time goes on between records too");
    u = usage_of(t);
    OK(u.job.ending == GPUT_RUNNING && u.job.pid == getpid() && u.job.n_left == 0,
       "usage() while it runs: so far");
    OK(u.max_ram.main.total_rss.value >= (double)size && u.compute_time.time.value > 0.2 &&
           looks_whole(&u),
       "with figures, text and JSON");
}

static void a_whole_life(void)
{
    struct gput_options o = quick();
    struct gput_tracker *t = opened(&o);
    struct gput_usage u;
    struct gput_now now;
    double begin = now_s(), wall;
    int fds = n_fds();

    OK(n_children(NULL) == 0 && gput_tracker_check(t, NULL) == 0,
       "open starts nobody, and there is nothing to check without gpu_uuids");
    OK(gput_tracker_start(t, NULL) == 0 && n_children(NULL) == 1, "start: the helper is a child");
    now = now_of(t);
    OK(now.n_processes == 1 && now.ram > 0, "figures are there from the first moment on");
    OK(getsid(helper_pid()) == helper_pid(), "in a session of its own");
    while_it_runs(t);
    OK(gput_tracker_stop(t, 0, NULL) == 0 && n_children(NULL) == 0, "stop: it is gone");
    OK(n_fds() == fds, "and no descriptor is held");
    wall = now_s() - begin;
    u = usage_of(t);
    OK(u.job.ending == GPUT_DETACHED && !u.job.command && u.job.pid == getpid(),
       "the process itself lives on");
    OK(u.compute_time.time.value <= wall && u.compute_time.time.value > wall - 0.5 - wall / 2 &&
           u.compute_time.time.source == GPUT_EXACT,
       "%.3f s between start and stop, %.3f s around them", u.compute_time.time.value, wall);
    OK(u.max_ram.main.total_rss.value > 50 * MB && u.max_ram.descendants.total_rss.value == 0 &&
           u.max_ram.combined.total_rss.value >= u.max_ram.main.total_rss.value,
       "memory is main's alone");
    OK(u.totals.main_cpu_seconds.value > 0.3 && u.totals.max_n_processes.value == 1 &&
           u.cpu_utilization.main_n_threads.value == n_threads(),
       "CPU %.2f s, one process, its threads", u.totals.main_cpu_seconds.value);
    OK(u.tracker.n_records.value >= 2 && u.tracker.cpu_seconds.value > 0 &&
           u.tracker.max_rss.value > 0,
       "what the tracking took: %.0f records, %.0f ms, %.1f MB", u.tracker.n_records.value,
       u.tracker.cpu_seconds.value * 1000, u.tracker.max_rss.value / MB);
    OK(looks_whole(&u) && gput_tracker_left(t, NULL, 0) == 0, "text, JSON; nobody is left");
    OK(gput_tracker_close(t) == NULL && gput_tracker_close(NULL) == NULL, "close gives NULL");
}

/* --- the order of calls --------------------------------------------------------------------- */

static void wrong_order(void)
{
    struct gput_options o = quick();
    struct gput_tracker *t = opened(&o);
    struct gput_error e = { "?", "?" };
    struct gput_now now = now_of(t);
    struct gput_usage u = { .size = sizeof(u) };
    double time;

    OK(gput_tracker_stop(t, 0, &e) == -EINVAL && e.field[0] == '\0' && strcmp(e.text, "?") != 0,
       "stop before start: %s", e.text);
    OK(now.n_processes == 0 && now.ram == 0 && now.elapsed == 0, "now() before start: nothing");
    OK(gput_tracker_usage(t, &u) < 0 || u.compute_time.time.value == 0, "nor is there a time");
    OK(gput_tracker_start(t, &e) == 0, "it can be started all the same");
    OK(gput_tracker_start(t, &e) == -EALREADY && n_children(NULL) == 1, "start twice: %s", e.text);
    OK(gput_tracker_start(t, NULL) == -EALREADY, "also without an error to fill");
    OK(gput_tracker_stop(t, 1, &e) == 0, "the first goes on until stop");
    time = usage_of(t).compute_time.time.value;
    OK(gput_tracker_stop(t, 1, &e) == -EALREADY, "stop twice: %s", e.text);
    OK(gput_tracker_start(t, &e) == -EALREADY && n_children(NULL) == 0, "start again: %s", e.text);
    OK(usage_of(t).compute_time.time.value == time && now_of(t).elapsed == time,
       "the figures stay those of the first stop");
    gput_tracker_close(t);
}

static void close_at_any_time(void)
{
    struct gput_options o = quick();
    int fds = n_fds();
    struct gput_tracker *t = opened(&o);

    gput_tracker_close(t);
    OK(n_fds() == fds, "close after open leaves no descriptor");
    t = started(&o);
    OK(n_fds() > fds, "a started tracker has some");
    gput_tracker_close(t);
    OK(n_children(NULL) == 0 && n_fds() == fds, "close while it runs: no helper, no descriptor");
}

/* --- options -------------------------------------------------------------------------------- */

static void refused(const struct gput_options *o, int want, const char *field)
{
    struct gput_tracker *t = NULL;
    struct gput_error e = { "?", "?" };

    OK(gput_tracker_open(o, &t, &e) == want && !t && strcmp(e.field, field) == 0 &&
           gput_tracker_open(o, &t, NULL) == want,
       "refused: %s: %s", e.field, e.text);
}

static void bad_options(void)
{
    struct scratch s;
    struct gput_options o = quick();

    o.sleep_time = 0.0001;
    refused(&o, -EINVAL, "sleep_time");
    o = quick();
    o.ram_unit = "gb";
    refused(&o, -EINVAL, "ram_unit");
    o = quick();
    o.time_unit = "years";
    refused(&o, -EINVAL, "time_unit");
    o = quick();
    o.n_expected_cores = -1;
    refused(&o, -EINVAL, "n_expected_cores");
    o = quick();
    o.gpu_brand = "voodoo";
    refused(&o, -EINVAL, "gpu_brand");
    o = quick();
    o.process_id = -4;
    refused(&o, -EINVAL, "process_id");
    o = quick();
    scratch_begin(&s);
    put_text(scratch_file(&s, "old.csv"), "old");
    o.tracking_file = scratch_file(&s, "old.csv");
    refused(&o, -EEXIST, "tracking_file");
    scratch_end(&s);
}

static void structs_of_older_callers(void)
{
    struct gput_options o = quick();
    struct {
        struct gput_usage usage;
        char behind[64];
    } room;
    struct gput_tracker *t;
    uint32_t size = (uint32_t)offsetof(struct gput_usage, totals);

    o.size = offsetof(struct gput_options, process_id);
    memset((char *)&o + o.size, 0x5a, sizeof(o) - o.size); /* not pointers, not a process */
    t = started(&o);
    memset(&room, 0x5a, sizeof(room));
    room.usage.size = size;
    OK(gput_tracker_usage(t, &room.usage) == 0 && room.usage.size == size &&
           room.usage.job.pid == getpid(),
       "options of an older caller: the rest is not read");
    OK(*((unsigned char *)&room + size) == 0x5a && room.behind[0] == 0x5a,
       "a usage struct of an older caller: nothing is written behind it");
    room.usage.size = sizeof(room);
    OK(gput_tracker_usage(t, &room.usage) == 0 && room.usage.size == sizeof(struct gput_usage) &&
           room.behind[0] == 0x5a,
       "one of a newer caller: size says what was filled");
    room.usage.size = 2;
    OK(gput_tracker_usage(t, &room.usage) == -EINVAL, "one without a size is refused");
    gput_tracker_close(t);
}

/* --- warnings ------------------------------------------------------------------------------- */

struct heard {
    int n, n_elsewhere, n_records;
    pthread_t self;
    char line[200];
};

static void hear(void *ctx, const char *line)
{
    struct heard *h = ctx;

    h->n++;
    h->n_elsewhere += !pthread_equal(pthread_self(), h->self);
    snprintf(h->line, sizeof(h->line), "%s", line);
}

static void hear_record(void *ctx, const struct gput_tracker *t)
{
    (void)t;
    ((struct heard *)ctx)->n_records++;
}

static void warnings(void)
{
    struct heard h = { .self = pthread_self() };
    struct gput_options o = quick();
    struct gput_tracker *t;

    o.on = (struct gput_callbacks){ .ctx = &h, .warn = hear, .record = hear_record };
    o.gpu_brand = "nvidia";
    o.nvml_path = "/nowhere/libnvidia-ml.so.1";
    t = started(&o);
    OK(h.n <= 1, "start hands on what is known at once");
    sleep_for(0.2);
    (void)usage_of(t);
    gput_tracker_stop(t, 0, NULL);
    OK(h.n == 1 && h.n_elsewhere == 0 && !strchr(h.line, '\n'),
       "one warning, once, on this thread");
    OK(strstr(h.line, "GPU") || strstr(h.line, "libnvidia-ml"), "which says: %s", h.line);
    OK(h.n_records == 0, "records are not told after start()");
    gput_tracker_close(t);
}

/* --- several, and others -------------------------------------------------------------------- */

static void several_at_once(void)
{
    enum { N = 6 };
    struct gput_options o = quick();
    struct gput_tracker *t[N];
    bool alone = true;

    for (int i = 0; i < N; i++)
        t[i] = started(&o);
    OK(n_children(NULL) == N, "%d trackers of one process have a helper each", N);
    burn(0.2);
    for (int i = 0; i < N; i++) {
        int k = (i * 5 + 3) % N; /* each once, in another order */

        OK(gput_tracker_stop(t[k], 0, NULL) == 0 && n_children(NULL) == N - 1 - i,
           "tracker %d is stopped, the others go on", k);
    }
    for (int i = 0; i < N; i++) {
        struct gput_usage u = usage_of(t[i]);

        alone &= u.totals.max_n_processes.value == 1 &&
                 u.max_ram.descendants.total_rss.value == 0 &&
                 u.totals.descendants_cpu_seconds.value <= 0.01 + 0.005 * N &&
                 u.totals.main_cpu_seconds.value >= 0.19;
        printf("# tracker %d: %g processes, %g bytes and %g s of descendants, %g s of main\n", i,
               u.totals.max_n_processes.value, u.max_ram.descendants.total_rss.value,
               u.totals.descendants_cpu_seconds.value, u.totals.main_cpu_seconds.value);
        gput_tracker_close(t[i]);
    }
    OK(alone, "each measures the process, and none of them a helper");
}

static void another_process(void)
{
    struct gput_options o = quick();
    struct gput_tracker *t;
    struct gput_error e = { "?", "?" };
    struct gput_usage u;
    size_t size = 40 * 1000 * PAGE / 4;
    pid_t pid = fork_or_die();

    if (pid == 0) {
        die_with_parent(getppid());
        take(size);
        burn_share(0.5, 0.05, LONG);
        _exit(0);
    }
    o.process_id = pid;
    t = started(&o);
    OK(ram_reaches(t, (double)size), "another process is tracked by its id");
    WAIT_UNTIL(usage_of(t).totals.main_cpu_seconds.value > 0.02);
    kill(pid, SIGKILL);
    status_of(pid);
    sleep_for(0.3);
    OK(gput_tracker_stop(t, 0, &e) == 0, "its end is not an error of stop()");
    u = usage_of(t);
    OK(u.job.pid == pid && u.job.ending == GPUT_GONE, "the result says that it is gone");
    OK(u.max_ram.main.total_rss.value >= (double)size && u.totals.main_cpu_seconds.value > 0.02,
       "and holds its figures: %.1f MB, %.2f s", u.max_ram.main.total_rss.value / MB,
       u.totals.main_cpu_seconds.value);
    gput_tracker_close(t);

    t = opened(&o);
    OK(gput_tracker_start(t, &e) == -ESRCH && n_children(NULL) == 0, "no such process: %s: %s",
       e.field, e.text);
    OK(gput_tracker_stop(t, 0, NULL) == -EINVAL, "what did not start cannot be stopped");
    gput_tracker_close(t);
}

/* --- files ---------------------------------------------------------------------------------- */

static void result_files(void)
{
    struct scratch s;
    struct gput_options o = quick();
    struct gput_tracker *t;
    struct gput_usage u;
    char *during, *after, *json, *rows;

    scratch_begin(&s);
    o.resource_usage_file = scratch_file(&s, "usage.json");
    o.tracking_file = scratch_file(&s, "rows.csv");
    t = started(&o);
    sleep_for(1.5);
    during = text_of(scratch_file(&s, "usage.json"));
    OK(during && during[0] == '{' && strstr(during, "\"compute_time\""),
       "the usage file is there after a second");
    gput_tracker_stop(t, 0, NULL);
    u = usage_of(t);
    json = written(&u, GPUT_JSON, 0);
    after = text_of(scratch_file(&s, "usage.json"));
    OK(after && strcmp(after, json) == 0, "at the end it is the JSON of the result");
    rows = text_of(scratch_file(&s, "rows.csv"));
    OK(rows && strstr(rows, "main_ram") && strstr(rows, "timestamp\r\n"),
       "the tracking file has its columns");
    OK(n_entries(s.path) == 2, "no other file is left");
    free(during);
    free(after);
    free(json);
    free(rows);
    gput_tracker_close(t);
    scratch_end(&s);
}

/* How often memory that grows is looked at in the first fraction of a second. */
static double looks_at_growth(const char *file)
{
    struct gput_options o = quick();
    size_t size = 100 * 1000 * PAGE / 4;
    char *memory = map_bytes(size, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct gput_tracker *t;
    double looks;

    o.sleep_time = 10;
    o.resource_usage_file = file;
    t = started(&o);
    for (int i = 0; i < 25; i++) {
        touch(memory + size / 25 * (size_t)i, size / 25);
        burn(0.005);
    }
    gput_tracker_stop(t, 0, NULL);
    looks = usage_of(t).tracker.n_polls.value;
    gput_tracker_close(t);
    give_back(memory, size);
    return looks;
}

static double best_of_three(const char *file)
{
    double best = 0;

    for (int i = 0; i < 3; i++) {
        double looks = looks_at_growth(file);

        best = looks > best ? looks : best;
    }
    return best;
}

/* What it takes to write the file must not be paid by looks that are left out. */
static void a_usage_file_does_not_blind(void)
{
    struct scratch s;
    double with, without = best_of_three(NULL);

    scratch_begin(&s);
    with = best_of_three(scratch_file(&s, "usage.json"));
    OK(with > without / 3, "with a usage file %.0f looks, %.0f without", with, without);
    scratch_end(&s);
}

/* --- the other ways to track ---------------------------------------------------------------- */

static void a_command(void)
{
    char *argv[] = { "sh", "-c", "sleep 30 & echo $! >&2; exit 7", NULL };
    char *nothing[] = { "/nowhere/program", NULL };
    struct gput_options o = quick();
    struct gput_tracker *t = opened(&o);
    struct gput_error e = { "?", "?" };
    struct gput_usage u;
    pid_t left[4] = { 0 };

    OK(gput_tracker_spawn(t, argv, &e) == 0 && gput_tracker_wait(t) == 0, "a command: spawn, wait");
    u = usage_of(t);
    OK(u.job.ending == GPUT_EXITED && u.job.code == 7 && strstr(u.job.command, "exit 7") &&
           looks_whole(&u),
       "its end and its figures");
    OK(gput_tracker_left(t, left, 4) == 1 && u.job.n_left == 1 && left[0] > 0,
       "one descendant is left");
    OK(gput_tracker_start(t, &e) == -EALREADY, "a tracker of a command cannot start(): %s", e.text);
    gput_tracker_close(t);
    if (left[0] > 0 && kill(left[0], SIGKILL) == 0)
        wait_for(left[0]); /* we are its parent now */

    t = opened(&o);
    OK(gput_tracker_spawn(t, nothing, &e) == -ENOENT, "no such program: %s", e.text);
    gput_tracker_close(t);
}

static void a_running_process(void)
{
    struct gput_options o = quick();
    struct gput_tracker *t = opened(&o);
    pid_t pid = fork_or_die();

    if (pid == 0) {
        burn(0.3);
        _exit(0);
    }
    OK(gput_tracker_attach(t, pid, NULL) == 0 && gput_tracker_wait(t) == 0,
       "a running process: attach, wait");
    OK(usage_of(t).job.ending == GPUT_GONE && usage_of(t).job.pid == pid, "until it is gone");
    gput_tracker_close(t);
    wait_for(pid);
    t = opened(&o);
    OK(gput_tracker_attach(t, pid, NULL) == -ESRCH, "which then cannot be attached to");
    gput_tracker_close(t);
}

static void doctor(void)
{
    char *text = NULL, *json = NULL;

    OK(gput_doctor(NULL, GPUT_TEXT, &text) == 0 && strstr(text, "GPUs:"), "doctor as text");
    OK(gput_doctor(NULL, GPUT_JSON, &json) == 0 && json[0] == '{', "doctor as JSON");
    free(text);
    free(json);
}

int main(void)
{
    version();
    a_whole_life();
    wrong_order();
    close_at_any_time();
    bad_options();
    structs_of_older_callers();
    warnings();
    several_at_once();
    another_process();
    result_files();
    a_usage_file_does_not_blind();
    doctor();
    a_running_process();
    a_command(); /* last: this process is a subreaper from then on */
    return DONE();
}
