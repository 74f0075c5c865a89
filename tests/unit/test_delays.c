/* test_delays.c - for how long the threads of a job waited, below a /proc that the test writes. */
#include "sample/tree/delays.h"

#include "fixture.h"
#include "source/proc/proc_schedstat.h"
#include "tap.h"

#define SINCE INT64_C(100000000000)
#define SECOND INT64_C(1000000000)
#define TRACKER 99
#define MAIN 100
#define START 10050

static struct fixture f;
static struct gput__tree tree;
static struct gput__delays delays;

static void write_main(char state, unsigned threads)
{
    char text[200];

    snprintf(text, sizeof(text),
             "%d (a) %c %d 1 1 0 -1 0 0 0 0 0 1 1 0 0 20 0 %u 0 %d 0 10 0 0 0 1000\n", MAIN, state,
             TRACKER, threads, START);
    fixture_write(&f, "100/stat", text);
}

static void write_thread(pid_t tid, const char *schedstat, unsigned io_ticks)
{
    char name[64], text[300];

    snprintf(name, sizeof(name), "100/task/%d/schedstat", tid);
    fixture_write(&f, name, schedstat);
    snprintf(name, sizeof(name), "100/task/%d/stat", tid);
    snprintf(text, sizeof(text),
             "%d (a) S 99 1 1 0 -1 0 0 0 0 0 1 1 0 0 20 0 1 0 %d 0 10 0 0 0 1000 "
             "0 0 0 0 0 0 0 0 0 17 0 0 0 %u 0 0\n",
             tid, START, io_ticks);
    fixture_write(&f, name, text);
}

static struct gput__sample read_at(int64_t seconds)
{
    struct gput__sample s = { 0 };

    gput__tree_poll(&tree, SINCE + seconds * SECOND);
    gput__delays_poll(&delays, &tree, SINCE + seconds * SECOND);
    gput__delays_read(&delays, &tree, false);
    gput__delays_tell(&delays, 0.01, &s);
    return s;
}

static bool is(const struct gput__sample *s, enum gput__metric m, double value)
{
    if (gput__sample_has(s, m) && s->value[m] > value - 1e-9 && s->value[m] < value + 1e-9)
        return true;
    printf("# %s: %g, not %g%s\n", gput__metrics[m].name, s->value[m], value,
           gput__sample_has(s, m) ? "" : " (not known)");
    return false;
}

static void begin(bool is_older)
{
    fixture_begin(&f);
    delays = (struct gput__delays){ 0 };
    write_main('S', 2);
    write_thread(MAIN, "5000000 1000000000 7\n", 100);
    write_thread(101, "5000000 500000000 7\n", 0);
    gput__tree_open(&tree, &f.root, TRACKER, SINCE);
    fixture_need(gput__tree_set_main(&tree, MAIN, is_older) == 0, "set_main");
}

static void end(void)
{
    gput__tree_close(&tree);
    fixture_end(&f);
}

static void threads(void)
{
    struct gput__sample s;

    begin(false);
    s = read_at(1);
    OK(is(&s, GPUT__JOB_RUN_QUEUE, 1.5), "of a job that we started all counts");
    OK(!gput__sample_has(&s, GPUT__JOB_IO_WAIT), "without delay accounting zeros are not told");
    write_thread(MAIN, "6000000 1200000000 8\n", 100);
    fixture_remove(&f, "100/task/101/schedstat");
    fixture_remove(&f, "100/task/101/stat");
    write_thread(102, "1000000 300000000 1\n", 0);
    s = read_at(2);
    OK(is(&s, GPUT__JOB_RUN_QUEUE, 2.0), "one thread went on, one ended and one came");
    write_thread(MAIN, "6000000 1100000000 8\n", 100);
    s = read_at(3);
    OK(is(&s, GPUT__JOB_RUN_QUEUE, 2.0), "a count that fell adds nothing");
    end();
}

static void accounting(void)
{
    struct gput__sample s;

    begin(true);
    fixture_write(&f, "sys/kernel/task_delayacct", "1\n");
    s = read_at(1);
    OK(is(&s, GPUT__JOB_IO_WAIT, 0) && is(&s, GPUT__JOB_RUN_QUEUE, 0),
       "what an attached process waited before does not count");
    write_thread(101, "5000000 600000000 7\n", 25);
    write_thread(103, "5000000 100000000 7\n", 5);
    s = read_at(2);
    OK(is(&s, GPUT__JOB_IO_WAIT, 0.3), "25 ticks, and 5 of a thread that came");
    OK(is(&s, GPUT__JOB_RUN_QUEUE, 0.2), "likewise for a CPU");
    end();
    begin(false);
    fixture_write(&f, "sys/kernel/task_delayacct", "0\n");
    s = read_at(1);
    OK(!gput__sample_has(&s, GPUT__JOB_IO_WAIT), "switched off");
    end();
}

static void blocked(void)
{
    struct gput__sample s;

    begin(false);
    s = read_at(1);
    OK(is(&s, GPUT__JOB_BLOCKED, 0), "it sleeps");
    write_main('D', 2);
    (void)read_at(2);
    write_main('D', 2);
    s = read_at(3);
    OK(is(&s, GPUT__JOB_BLOCKED, 2), "blocked at two polls");
    write_main('S', 2);
    (void)read_at(4);
    s = read_at(100);
    OK(is(&s, GPUT__JOB_BLOCKED, 2), "no more");
    write_main('D', 2);
    s = read_at(200);
    OK(is(&s, GPUT__JOB_BLOCKED, 3), "a state stands for a second at most");
    end();
}

static void without_counts(void)
{
    struct gput__sample s;

    begin(false);
    fixture_remove(&f, "100/task/100/schedstat");
    fixture_remove(&f, "100/task/101/schedstat");
    s = read_at(1);
    OK(!gput__sample_has(&s, GPUT__JOB_RUN_QUEUE), "no such file: not known, and not zero");
    end();
}

static void text(void)
{
    static const char whole[] = "123 456 7\n";
    char cut[sizeof(whole)] = "";
    struct gput__proc_schedstat s = { .ran_ns = 77 };
    int taken = 0;

    for (size_t n = 0; n < 8; n++) {
        cut[n] = '\0';
        taken += gput__proc_schedstat_parse(cut, &s) == 0;
        cut[n] = whole[n];
    }
    OK(taken == 0 && s.ran_ns == 77, "no cut is taken");
    OK(gput__proc_schedstat_parse(whole, &s) == 0 && s.ran_ns == 123 && s.waited_ns == 456,
       "the whole is");
    OK(gput__proc_schedstat_parse("1 x 3\n", &s) < 0 && s.ran_ns == 123, "words are not");
}

int main(void)
{
    threads();
    accounting();
    blocked();
    without_counts();
    text();
    return DONE();
}
