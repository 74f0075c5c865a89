/* truth.c - start() and stop() against what was really used: 500 MB for 0.3 s and two seconds of
 * one core, in the program itself and in a child; and that no helper is in any figure.
 *
 * Started with a word it is that child, or a program with a tracker inside for an outer one. */
#include "capi.h"

#define BYTES ((size_t)122071 * PAGE) /* 500 MB in whole pages */
#define HOLD_S 0.3
#define BURN_S 2.0

/* What the machine's other work may add to a figure of time. */
#define SLACK_S 0.03

static double cpu_now(void)
{
    return clock_s(CLOCK_PROCESS_CPUTIME_ID);
}

static void appetite(void)
{
    char *memory = take(BYTES);

    sleep_for(HOLD_S);
    give_back(memory, BYTES);
    burn(BURN_S);
}

static void near_bytes(double value, double truth, const char *what)
{
    OK(value >= 0.98 * truth && value <= 1.02 * truth, "%s: %.1f MB for %.1f MB", what, value / 1e6,
       truth / 1e6);
}

static void near_seconds(double value, double truth, const char *what)
{
    double slack = 0.02 * truth > SLACK_S ? 0.02 * truth : SLACK_S;

    OK(value >= truth - slack && value <= truth + slack, "%s: %.3f s of CPU for %.3f s", what,
       value, truth);
}

/* Percent over the whole time: the seconds once more. */
static double seconds_by_mean(const struct gput_usage *u, const struct gput_percentages *p)
{
    return p->mean_sum_percent.value * u->compute_time.time.value / 100;
}

static void no_helper_in(const struct gput_usage *u, double n_processes, const char *what)
{
    OK(u->totals.max_n_processes.value <= n_processes, "%s: at most %.0f processes", what,
       n_processes);
}

static void the_program_itself(void)
{
    struct gput_options o = GPUT_OPTIONS_INIT;
    double base = (double)resident_bytes(), cpu = cpu_now(), wall = now_s();
    struct gput_tracker *t = started(&o);
    struct gput_usage u;

    appetite();
    cpu = cpu_now() - cpu;
    gput_tracker_stop(t, 0, NULL);
    wall = now_s() - wall;
    u = usage_of(t);
    near_bytes(u.max_ram.main.total_rss.value, base + (double)BYTES, "500 MB for 0.3 s: main");
    near_bytes(u.max_ram.combined.total_rss.value, base + (double)BYTES, "combined");
    OK(u.max_ram.descendants.total_rss.value == 0, "descendants: none");
    near_seconds(u.totals.main_cpu_seconds.value, cpu, "main");
    near_seconds(seconds_by_mean(&u, &u.cpu_utilization.combined), cpu, "mean x time, combined");
    OK(u.totals.descendants_cpu_seconds.value == 0, "descendants: none");
    OK(u.compute_time.time.value <= wall && u.compute_time.time.value > 0.9 * wall - 0.2,
       "time: %.3f s of %.3f s around it", u.compute_time.time.value, wall);
    no_helper_in(&u, 1, "the program itself");
    gput_tracker_close(t);
}

static void a_child(const char *self)
{
    struct gput_options o = GPUT_OPTIONS_INIT;
    struct gput_tracker *t = started(&o);
    struct rusage used = { 0 };
    struct gput_usage u;
    double cpu;
    pid_t pid = fork_or_die();

    if (pid == 0) {
        execl(self, self, "appetite", (char *)NULL);
        _exit(127);
    }
    while (wait4(pid, NULL, 0, &used) < 0 && errno == EINTR)
        ;
    cpu = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
    gput_tracker_stop(t, 0, NULL);
    u = usage_of(t);
    near_bytes(u.max_ram.descendants.total_rss.value, (double)used.ru_maxrss * 1024,
               "a child of 500 MB: descendants");
    OK(u.max_ram.main.total_rss.value < (double)BYTES / 2, "which are not main's");
    near_seconds(u.totals.descendants_cpu_seconds.value, cpu, "a child: descendants");
    near_seconds(seconds_by_mean(&u, &u.cpu_utilization.descendants), cpu, "mean x time");
    OK(u.totals.main_cpu_seconds.value < 0.1 + SLACK_S, "main has only waited: %.3f s",
       u.totals.main_cpu_seconds.value);
    OK(u.cpu_utilization.descendants_n_threads.value == 1 &&
           u.cpu_utilization.combined_n_threads.value == 2,
       "one thread each");
    no_helper_in(&u, 2, "a child");
    gput_tracker_close(t);
}

/* A helper that has much to do: a record each millisecond. */
static double with_a_busy_helper(void)
{
    struct gput_options o = GPUT_OPTIONS_INIT;
    struct gput_tracker *t;
    double cost;

    o.sleep_time = 0.001;
    t = started(&o);
    burn(1.0);
    gput_tracker_stop(t, 0, NULL);
    cost = usage_of(t).tracker.cpu_seconds.value;
    gput_tracker_close(t);
    return cost;
}

/* The helper of one tracker is reaped while another one runs: the kernel counts its time among that
 * of our children. */
static void a_helper_beside_another(void)
{
    struct gput_options o = quick();
    struct gput_tracker *t = started(&o);
    struct gput_usage u;
    double cost = with_a_busy_helper();

    gput_tracker_stop(t, 0, NULL);
    u = usage_of(t);
    OK(u.totals.descendants_cpu_seconds.value <= 0.5 * cost,
       "a helper that took %.3f s is not among the descendants: %.3f s", cost,
       u.totals.descendants_cpu_seconds.value);
    OK(u.max_ram.descendants.total_rss.value == 0 &&
           u.cpu_utilization.combined_n_threads.value == n_threads(),
       "nor its memory and threads");
    no_helper_in(&u, 1, "a helper beside another");
    gput_tracker_close(t);
}

static void an_outer_tracker(char *self)
{
    char *argv[] = { self, "inner", NULL };
    struct gput_options o = quick();
    struct gput_tracker *t = opened(&o);
    struct gput_usage u;

    if (gput_tracker_spawn(t, argv, NULL) < 0 || gput_tracker_wait(t) < 0)
        bail("an outer tracker", "cannot run");
    u = usage_of(t);
    OK(u.job.ending == GPUT_EXITED && u.job.code == 0, "a program that tracks itself is tracked");
    no_helper_in(&u, 1, "seen from outside");
    OK(u.max_ram.descendants.total_rss.value == 0 &&
           u.cpu_utilization.descendants_n_threads.value == 0 &&
           u.cpu_utilization.combined_n_threads.value == 1,
       "seen from outside: no memory and no thread of a helper");
    OK(u.totals.descendants_cpu_seconds.value < 0.02 && u.totals.main_cpu_seconds.value > 0.99,
       "seen from outside: %.3f s of CPU in main, %.3f s in descendants",
       u.totals.main_cpu_seconds.value, u.totals.descendants_cpu_seconds.value);
    near_seconds(u.totals.cpu_user_seconds.value + u.totals.cpu_system_seconds.value,
                 u.totals.main_cpu_seconds.value, "seen from outside: user and system");
    gput_tracker_close(t);
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "appetite")) {
        appetite();
        return 0;
    }
    if (argc == 2 && !strcmp(argv[1], "inner"))
        return with_a_busy_helper() > 0.02 ? 0 : 1; /* too little to be missed outside: no test */
    the_program_itself();
    a_child(argv[0]);
    a_helper_beside_another();
    an_outer_tracker(argv[0]);
    return DONE();
}
