/* test_extras.c - open files and swap of a job, below a /proc that the test writes. */
#include "sample/extras.h"

#include "fixture.h"
#include "tap.h"

#define SINCE INT64_C(100000000000)
#define TRACKER 99
#define MAIN 100
#define CHILD 101
#define START 10050

static struct fixture f;
static struct gput__tree tree;
static struct gput__extras extras;
static bool no_swap;

static void write_process(pid_t pid, pid_t ppid, unsigned n_files, unsigned swap_kib)
{
    char name[64], text[200];

    snprintf(name, sizeof(name), "%d/stat", pid);
    snprintf(text, sizeof(text),
             "%d (a) S %d 1 1 0 -1 0 0 0 0 0 1 1 0 0 20 0 1 0 %d 0 10 0 0 0 1000\n", pid, ppid,
             START);
    fixture_write(&f, name, text);
    snprintf(name, sizeof(name), "%d/status", pid);
    snprintf(text, sizeof(text), "Name:\ta\nVmRSS:\t   40 kB\nVmSwap:\t %u kB\n", swap_kib);
    fixture_write(&f, name, text);
    for (unsigned i = 0; i < n_files; i++) {
        snprintf(name, sizeof(name), "%d/fd/%u", pid, i);
        fixture_write(&f, name, "");
    }
}

/* A folder that is none stands for one that may not be read. */
static void hide_files(pid_t pid)
{
    char name[64];

    snprintf(name, sizeof(name), "%d/fd", pid);
    fixture_remove(&f, name);
    fixture_write(&f, name, "");
}

static void begin(void)
{
    fixture_begin(&f);
    extras = (struct gput__extras){ 0 };
    no_swap = true;
    write_process(MAIN, TRACKER, 4, 0);
    write_process(CHILD, MAIN, 3, 0);
    gput__tree_open(&tree, &f.root, TRACKER, SINCE);
    fixture_need(gput__tree_set_main(&tree, MAIN, false) == 0, "set_main");
    gput__tree_poll(&tree, SINCE + 1000000000);
    fixture_need(tree.n == 2, "a child");
}

static void end(void)
{
    gput__tree_close(&tree);
    fixture_end(&f);
}

static struct gput__sample measure(bool main_only)
{
    struct gput__sample s = { 0 };

    gput__extras_measure(&extras, &tree, main_only, no_swap, &s);
    return s;
}

static bool is(const struct gput__sample *s, enum gput__metric m, double value, bool is_part)
{
    return gput__sample_has(s, m) && s->value[m] == value &&
           gput__metric_set_has(&s->parts, m) == is_part;
}

static void files_of_several(void)
{
    struct gput__sample s;

    begin();
    s = measure(false);
    OK(is(&s, GPUT__JOB_OPEN_FILES, 7, false), "those of main and of its child");
    s = measure(true);
    OK(is(&s, GPUT__JOB_OPEN_FILES, 4, false), "of main alone");
    write_process(CHILD, MAIN, 250, 0);
    s = measure(false);
    OK(is(&s, GPUT__JOB_OPEN_FILES, 254, false), "without a clock everybody is counted anew");
    end();
}

static void who_stands_still(void)
{
    struct gput__sample s;

    begin();
    tree.tasks[0].cpu.has_clock = tree.tasks[1].cpu.has_clock = true;
    (void)measure(false);
    write_process(MAIN, TRACKER, 10, 0);
    write_process(CHILD, MAIN, 10, 0);
    s = measure(false);
    OK(is(&s, GPUT__JOB_OPEN_FILES, 7, false), "who has not run is not read again");
    tree.tasks[1].cpu.own_ns.now++;
    s = measure(false);
    OK(is(&s, GPUT__JOB_OPEN_FILES, 14, false), "who has is");
    end();
}

static void what_may_not_be_read(void)
{
    struct gput__sample s;

    begin();
    hide_files(CHILD);
    s = measure(false);
    OK(is(&s, GPUT__JOB_OPEN_FILES, 4, true), "one is left out, and that is told");
    end();
    begin();
    hide_files(MAIN);
    hide_files(CHILD);
    s = measure(false);
    OK(!gput__sample_has(&s, GPUT__JOB_OPEN_FILES), "nobody can be read: not known");
    OK(is(&s, GPUT__JOB_SWAP, 0, false), "the swap is known all the same");
    end();
}

static void the_end(void)
{
    struct gput__sample s = { 0 };

    begin();
    gput__extras_repeat(&extras, &s);
    OK(!gput__sample_has(&s, GPUT__JOB_OPEN_FILES), "nothing before the first record");
    (void)measure(false);
    fixture_remove(&f, "100");
    fixture_remove(&f, "101");
    s = measure(false);
    OK(is(&s, GPUT__JOB_OPEN_FILES, 7, false), "who has ended leaves the last count");
    tree.n = 0;
    s = measure(false);
    OK(is(&s, GPUT__JOB_OPEN_FILES, 7, false), "nor does nobody change it");
    end();
}

static void swap(void)
{
    struct gput__sample s;

    begin();
    write_process(MAIN, TRACKER, 0, 300);
    write_process(CHILD, MAIN, 0, 20);
    s = measure(false);
    OK(is(&s, GPUT__JOB_SWAP, 0, false), "where none of the swap is used nobody is asked");
    no_swap = false;
    s = measure(false);
    OK(is(&s, GPUT__JOB_SWAP, 320 * 1024, false), "what of both is swapped out");
    s = measure(true);
    OK(is(&s, GPUT__JOB_SWAP, 300 * 1024, false), "what of main is");
    fixture_remove(&f, "101/status");
    fixture_write(&f, "101/status/x", "");
    s = measure(false);
    OK(is(&s, GPUT__JOB_SWAP, 300 * 1024, true), "who may not be read is left out");
    end();
}

int main(void)
{
    files_of_several();
    who_stands_still();
    what_may_not_be_read();
    the_end();
    swap();
    return DONE();
}
