/* test_io.c - bytes and CPU modes of a job whose processes come and go, below a /proc that the test
 * writes. */
#include "sample/tree/io.h"

#include <math.h>

#include "fixture.h"
#include "sample/job.h"
#include "sample/tree/cpu.h"
#include "tap.h"

#define S INT64_C(1000000000)
#define SINCE (100 * S)
#define TRACKER 99
#define MAIN 100
#define OLD 9000 /* ticks since boot: a second before tracking began */
#define NEW 10050

static struct fixture f;

/* Ticks of itself and of children that were waited for; bytes likewise.  Whoever moved bytes has
 * used CPU time too. */
struct proc {
    pid_t pid, ppid;
    unsigned long user, kernel, waited_user, waited_kernel, start;
    long long read, written; /* -1: no such file */
};

static void write_process(struct proc p)
{
    char name[32], text[400];

    snprintf(text, sizeof(text),
             "%d (a) S %d 1 1 0 -1 0 0 0 0 0 %lu %lu %lu %lu 20 0 1 0 %lu 0 10 0 0 0 1000\n", p.pid,
             p.ppid, p.user, p.kernel, p.waited_user, p.waited_kernel, p.start ? p.start : NEW);
    snprintf(name, sizeof(name), "%d/stat", p.pid);
    fixture_write(&f, name, text);
    snprintf(text, sizeof(text), "rchar: 9\nwchar: 9\nread_bytes: %lld\nwrite_bytes: %lld\n",
             p.read, p.written);
    snprintf(name, sizeof(name), "%d/io", p.pid);
    fixture_write(&f, name, text);
}

static void drop(pid_t pid)
{
    char name[32];

    snprintf(name, sizeof(name), "%d", pid);
    fixture_remove(&f, name);
}

static void begin(struct gput__tree *tree, bool older)
{
    fixture_begin(&f);
    write_process((struct proc){ .pid = MAIN,
                                 .ppid = TRACKER,
                                 .user = older,
                                 .written = older ? 5000 : 0,
                                 .start = older ? OLD : NEW });
    gput__tree_open(tree, &f.root, TRACKER, SINCE);
    fixture_need(gput__tree_set_main(tree, MAIN, older) == 0, "set_main");
    gput__io_read(tree, false);
}

static void end(struct gput__tree *tree)
{
    gput__tree_close(tree);
    fixture_end(&f);
}

/* A poll, and the bytes written so far. */
static uint64_t written(struct gput__tree *tree)
{
    static int64_t now = SINCE + 2 * S;
    uint64_t read = 0, wrote = 0;

    now += S;
    gput__tree_poll(tree, now);
    gput__io_glance(tree);
    gput__io_read(tree, false);
    return gput__io_sum(tree, false, &read, &wrote) ? wrote : UINT64_MAX;
}

static void waited_for(void)
{
    struct gput__tree tree;

    begin(&tree, false);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .user = 1, .written = 70 });
    OK(written(&tree) == 70, "a child's bytes are the job's");
    drop(101);
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .user = 1, .written = 95 });
    OK(written(&tree) == 95, "its parent has inherited them, with the last ones: once");
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .user = 2, .written = 100 });
    OK(written(&tree) == 100, "and goes on");
    end(&tree);
}

/* The clock of a parent that runs just now may stand where it stood. */
static void clock_lags(void)
{
    struct gput__tree tree;

    begin(&tree, false);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .user = 1, .written = 70 });
    (void)written(&tree);
    drop(101);
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .user = 0, .written = 95 });
    OK(written(&tree) == 95, "a parent that inherits is read whatever its clock says");
    end(&tree);
}

static void not_waited_for(void)
{
    struct gput__tree tree;

    begin(&tree, false);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .user = 1, .written = 70 });
    (void)written(&tree);
    drop(101);
    OK(written(&tree) == 70, "nobody has inherited: they are kept");
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .user = 1, .written = 30 });
    OK(written(&tree) == 100, "and what the parent moves itself comes on top");
    write_process((struct proc){ .pid = 102, .ppid = TRACKER, .user = 1, .written = 11 });
    OK(written(&tree) == 111, "an orphan is the job's");
    drop(102);
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .user = 2, .written = 90 });
    OK(written(&tree) == 171, "and stays so when it is gone, whatever others do");
    end(&tree);
}

static void a_branch_dies(void)
{
    struct gput__tree tree;

    begin(&tree, false);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .user = 1, .written = 10 });
    write_process((struct proc){ .pid = 102, .ppid = 101, .user = 1, .written = 20 });
    OK(written(&tree) == 30, "a child and its child");
    drop(102);
    drop(101);
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .user = 1, .written = 35 });
    OK(written(&tree) == 35, "both are gone at once, and main has what both had");
    end(&tree);
}

/* It was there at the poll, and not any more when its bytes were to be read. */
static void gone_in_between(void)
{
    struct gput__tree tree;
    uint64_t read, wrote = 0;

    begin(&tree, false);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .user = 1, .written = 70 });
    (void)written(&tree);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .user = 2, .written = 70 });
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .user = 1, .written = 0 });
    gput__tree_poll(&tree, SINCE + 50 * S);
    drop(101);
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .user = 1, .written = 80 });
    gput__io_read(&tree, false);
    OK(gput__io_sum(&tree, false, &read, &wrote) && wrote == 80, "it is not counted twice");
    OK(written(&tree) == 80, "neither when the next poll finds it gone");
    end(&tree);
}

static void before_the_tracking(void)
{
    struct gput__tree tree;

    begin(&tree, true);
    write_process(
        (struct proc){ .pid = 101, .ppid = MAIN, .user = 1, .written = 8000, .start = OLD });
    OK(written(&tree) == 0, "bytes from before the tracking are none of it");
    write_process(
        (struct proc){ .pid = 101, .ppid = MAIN, .user = 2, .written = 8040, .start = OLD });
    OK(written(&tree) == 40, "what comes is");
    drop(101);
    write_process((struct proc){
        .pid = MAIN, .ppid = TRACKER, .user = 2, .written = 5000 + 8050 + 7, .start = OLD });
    OK(written(&tree) == 57, "a parent that inherits them all has only the new ones");
    end(&tree);
}

static void main_alone(void)
{
    struct gput__tree tree;
    uint64_t read = 0, wrote = 0;

    begin(&tree, false);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .user = 1, .written = 70 });
    write_process(
        (struct proc){ .pid = MAIN, .ppid = TRACKER, .user = 1, .read = 3, .written = 5 });
    gput__tree_poll(&tree, SINCE + 3 * S);
    gput__io_read(&tree, true);
    OK(gput__io_sum(&tree, true, &read, &wrote) && read == 3 && wrote == 5, "main alone");
    end(&tree);
}

static void hidden(void)
{
    struct gput__tree tree;
    uint64_t read, wrote;

    fixture_begin(&f);
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER });
    fixture_remove(&f, "100/io");
    gput__tree_open(&tree, &f.root, TRACKER, SINCE);
    fixture_need(gput__tree_set_main(&tree, MAIN, false) == 0, "set_main");
    gput__io_read(&tree, false);
    OK(!gput__io_sum(&tree, false, &read, &wrote), "where it is not ours to see nothing is said");
    end(&tree);
}

/* --- CPU modes ------------------------------------------------------------------------------ */

struct modes {
    double user, kernel, children;
};

static struct modes modes_of(struct gput__job *j, struct gput__tree *tree)
{
    static int64_t now = SINCE + 2 * S;
    struct gput__memory memory = { 0 };
    struct gput__sample s = { 0 };
    uint64_t main_ns, others_ns;

    now += S;
    gput__tree_poll(tree, now);
    gput__tree_cpu(tree, &main_ns, &others_ns);
    gput__sample_set(&s, GPUT__MAIN_CPU, (double)main_ns / 1e9);
    gput__sample_set(&s, GPUT__COMBINED_CPU, (double)(main_ns + others_ns) / 1e9);
    gput__job_measure(j, &memory, tree, &s);
    return (struct modes){ s.value[GPUT__JOB_USER_CPU], s.value[GPUT__JOB_KERNEL_CPU],
                           s.value[GPUT__JOB_N_CHILDREN] };
}

static bool are(struct modes m, double user, double kernel, double children)
{
    bool ok =
        fabs(m.user - user) < 1e-6 && fabs(m.kernel - kernel) < 1e-6 && m.children == children;

    if (!ok)
        printf("# %g s of user, %g s of kernel time, %g children\n", m.user, m.kernel, m.children);
    return ok;
}

static void cpu_modes(void)
{
    struct gput__tree tree;
    struct gput__job job = { 0 };

    begin(&tree, false);
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .user = 30, .kernel = 10 });
    OK(are(modes_of(&job, &tree), 0.3, 0.1, 0), "one process: as its ticks");
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .user = 50, .kernel = 50 });
    OK(are(modes_of(&job, &tree), 0.8, 0.6, 1), "with a child");
    drop(101);
    write_process((struct proc){ .pid = MAIN,
                                 .ppid = TRACKER,
                                 .user = 30,
                                 .kernel = 10,
                                 .waited_user = 60,
                                 .waited_kernel = 60 });
    OK(are(modes_of(&job, &tree), 0.9, 0.7, 0), "that was waited for");
    end(&tree);
}

static void modes_of_the_lost(void)
{
    struct gput__tree tree;
    struct gput__job job = { 0 };
    struct modes m;

    begin(&tree, false);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .user = 80, .kernel = 20 });
    write_process((struct proc){ .pid = 102, .ppid = MAIN });
    (void)modes_of(&job, &tree);
    drop(101);
    write_process((struct proc){ .pid = 102, .ppid = MAIN, .user = 40, .kernel = 10 });
    m = modes_of(&job, &tree);
    OK(fabs(m.user + m.kernel - 1.5) < 0.021,
       "one that nobody waited for hides nothing of the others");
    OK(m.user > 1.1 && m.kernel > 0.2, "of neither mode");
    end(&tree);
}

int main(void)
{
    waited_for();
    clock_lags();
    not_waited_for();
    a_branch_dies();
    gone_in_between();
    before_the_tracking();
    main_alone();
    hidden();
    cpu_modes();
    modes_of_the_lost();
    return DONE();
}
