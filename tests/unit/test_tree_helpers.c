/* test_tree_helpers.c - helpers of trackers are none of the job's, and whoever pretends to be one is. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sample/tree/helpers.h"
#include "tap.h"
#include "tree_fixture.h"

static void run_program(const char *pid, const char *program)
{
    char name[32], path[2048];

    snprintf(name, sizeof(name), "%s/exe", pid);
    fixture_remove(&f, name);
    fixture_path(&f, name, path, sizeof(path));
    fixture_need(symlink(program, path) == 0, path);
}

/* "self" is the tracker, as in the kernel's /proc. */
static void run_our_program(pid_t pid)
{
    char text[32];

    fixture_write(&f, "self/stat", "");
    fixture_write(&f, "bin/gpu-tracker", "");
    run_program("self", "../bin/gpu-tracker");
    snprintf(text, sizeof(text), "%d/comm", pid);
    fixture_write(&f, text, "");
    snprintf(text, sizeof(text), "%d", pid);
    run_program(text, "../bin/gpu-tracker");
}

/* A tracker inside of the job has a helper, which is a child of whoever tracks. */
static void helpers_are_left_out(void)
{
    struct gput__tree tree;

    begin(&tree);
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .utime = 5 });
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .utime = 20, .name = "gput-helper" });
    run_our_program(101);
    run_our_program(102);
    run_our_program(103);
    write_process((struct proc){ .pid = 102, .ppid = MAIN, .utime = 8, .name = "gpu-tracker" });
    fixture_write_bytes(&f, "102/cmdline",
                        "gpu-tracker\0gput-helper\0"
                        "7",
                        26);
    write_process((struct proc){ .pid = 103, .ppid = MAIN, .utime = 2, .name = "gpu-tracker" });
    fixture_write_bytes(&f, "103/cmdline", "gpu-tracker\0-e\0true", 20);
    poll_once(&tree);
    OK(tree.n == 2 && gput__tree_find(&tree, 103) && cpu_is(&tree, 5, 2),
       "by its name or its arguments; the command itself is a process as others are");
    drop(101);
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .utime = 5, .cutime = 20 });
    poll_once(&tree);
    OK(cpu_is(&tree, 5, 2), "dead: not by way of its parent's count either");
    drop(102);
    poll_once(&tree);
    OK(cpu_is(&tree, 5, 2), "another, whose time is not in that count yet");
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .utime = 5, .cutime = 38 });
    poll_once(&tree);
    OK(cpu_is(&tree, 5, 12), "comes off when it is: 18 ticks more, 8 of them the helper's");
    OK(tree.helpers.used.waited_ns == 28 * tick, "what they used is known for the end");
    end(&tree);
}

/* What a helper uses between its last poll and its end. */
static void the_end_of_helpers(bool others_died, bool is_told)
{
    struct gput__tree tree;

    begin(&tree);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .utime = 20, .name = "gput-helper" });
    run_our_program(101);
    if (others_died)
        write_process((struct proc){ .pid = 102, .ppid = MAIN });
    poll_once(&tree);
    drop(101);
    drop(102);
    poll_once(&tree);
    tree.births.events = is_told ? open("/dev/null", O_RDONLY) : -1;
    gput__helpers_apply_waited(&tree, 23 * tick);
    OK(tree.helpers.used.waited_ns == (others_died || !is_told ? 20 : 23) * tick, "%s: %s",
       others_died ? "another died too"
       : is_told   ? "all births are told"
                   : "not all are",
       others_died || !is_told ? "only what was seen is the helper's" : "all is the helper's");
    if (tree.births.events >= 0)
        close(tree.births.events);
    tree.births.events = -1;
    end(&tree);
}

/* Seen before it had its name. */
static void a_helper_that_is_found_out_later(void)
{
    struct gput__tree tree;

    begin(&tree);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .utime = 1 });
    poll_once(&tree);
    OK(tree.n == 2 && cpu_is(&tree, 0, 1), "a child like others");
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .utime = 9, .name = "gput-helper" });
    run_our_program(101);
    poll_once(&tree);
    OK(tree.n == 1 && cpu_is(&tree, 0, 0), "with its name it is none of the job's");
    poll_once(&tree);
    OK(tree.n == 1 && cpu_is(&tree, 0, 0), "and is not taken in again");
    drop(101);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .utime = 3, .start = 10500 });
    write_last_pid(101);
    poll_once(&tree);
    poll_once(&tree);
    OK(tree.n == 2, "somebody else with its pid is");
    end(&tree);
}

static char *find_other_program(const void *ctx)
{
    char path[2048];

    fixture_path(ctx, "bin/other", path, sizeof(path));
    return strdup(path);
}

/* A process that calls itself a helper would be in nobody's figures. */
static void pretenders(void)
{
    struct gput__tree tree;

    begin(&tree);
    run_our_program(101);
    fixture_write(&f, "bin/other", "");
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .utime = 7, .name = "gput-helper" });
    run_program("101", "../bin/other");
    write_process((struct proc){ .pid = 102, .ppid = MAIN, .utime = 4, .name = "gpu-tracker" });
    fixture_write_bytes(&f, "102/cmdline",
                        "gpu-tracker\0gput-helper\0"
                        "7",
                        26);
    run_program("102", "../bin/other");
    write_process((struct proc){ .pid = 103, .ppid = MAIN, .utime = 2, .name = "gput-helper" });
    write_process((struct proc){ .pid = 104, .ppid = MAIN, .utime = 1, .name = "gpu-tracker" });
    fixture_write(&f, "104/cmdline", "");
    poll_once(&tree);
    OK(tree.n == 5 && cpu_is(&tree, 0, 14),
       "who runs another program is no helper, whatever it says");
    OK(!gput__tree_find(&tree, 104)->life.is_starting, "nor is it about to become one");
    write_process(
        (struct proc){ .pid = 101, .ppid = MAIN, .state = 'Z', .utime = 9, .name = "gput-helper" });
    fixture_remove(&f, "101/exe");
    poll_once(&tree);
    OK(tree.n == 5 && cpu_is(&tree, 0, 16), "nor in its death, when nobody can tell any more");
    end(&tree);

    begin(&tree);
    tree.helpers.program = (struct gput__finder){ find_other_program, &f };
    run_our_program(101);
    fixture_write(&f, "bin/other", "");
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .utime = 7, .name = "gput-helper" });
    run_program("101", "../bin/other");
    poll_once(&tree);
    OK(tree.n == 1 && cpu_is(&tree, 0, 0),
       "the program that we would start ourselves is known too");
    end(&tree);
}

static void children_of_a_helper(void)
{
    struct gput__tree tree;

    begin(&tree);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .utime = 7, .name = "gput-helper" });
    run_our_program(101);
    poll_once(&tree);
    write_process((struct proc){ .pid = 102, .ppid = 101, .utime = 5 });
    write_process((struct proc){ .pid = 103, .ppid = 102, .utime = 3 });
    write_last_pid(103);
    poll_once(&tree);
    OK(tree.n == 3 && cpu_is(&tree, 0, 8), "nobody hides behind a helper");
    end(&tree);
}

/* Our program with foreign code in it: by what it does it is found out. */
static void helpers_that_are_none(void)
{
    struct gput__tree tree;

    begin(&tree);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .utime = 7, .name = "gput-helper" });
    write_process((struct proc){ .pid = 102, .ppid = MAIN, .utime = 4, .name = "gput-helper" });
    run_our_program(101);
    run_our_program(102);
    poll_once(&tree);
    OK(tree.n == 1 && tree.helpers.n == 2, "two helpers");
    write_process((struct proc){
        .pid = 101, .ppid = MAIN, .utime = 8, .pages = 80000, .name = "gput-helper" });
    poll_once(&tree);
    poll_once(&tree);
    OK(tree.n == 2 && cpu_is(&tree, 0, 8), "none is as large as that: it counts from its birth on");
    poll_once(&tree);
    OK(tree.n == 2 && gput__tree_find(&tree, 101), "and stays where it is");
    fixture_write(&f, "bin/other", "");
    run_program("102", "../bin/other");
    write_process((struct proc){
        .pid = 102, .ppid = MAIN, .utime = 5, .stack = 0x7777, .name = "gput-helper" });
    poll_once(&tree);
    poll_once(&tree);
    OK(tree.n == 3 && cpu_is(&tree, 0, 13), "one that runs another program since is none");
    drop(101);
    write_process((struct proc){ .pid = MAIN, .ppid = TRACKER, .cutime = 8 });
    poll_once(&tree);
    OK(cpu_is(&tree, 0, 13), "what it used stays the job's when it has ended");
    end(&tree);

    begin(&tree);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .utime = 7, .name = "gput-helper" });
    run_our_program(101);
    poll_once(&tree);
    write_process((struct proc){ .pid = 101, .ppid = MAIN, .utime = 90000, .name = "gput-helper" });
    poll_once(&tree);
    poll_once(&tree);
    OK(tree.n == 2 && cpu_is(&tree, 0, 90000), "none is busy for longer than it lives");
    end(&tree);
}

int main(void)
{
    helpers_are_left_out();
    the_end_of_helpers(false, true);
    the_end_of_helpers(true, true);
    the_end_of_helpers(false, false);
    a_helper_that_is_found_out_later();
    pretenders();
    children_of_a_helper();
    helpers_that_are_none();
    return DONE();
}
