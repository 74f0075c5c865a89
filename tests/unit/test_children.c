/* test_children.c - who is found by the kernel's lists of children, of real processes. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "sample/tree/discover.h"
#include "tap.h"

static int ready[2];

static void say_ready(void)
{
    if (write(ready[1], "", 1) != 1)
        _exit(1);
}

static void live(void)
{
    for (;;)
        pause();
}

static pid_t fork_one(void)
{
    pid_t pid = fork();

    if (pid < 0)
        exit(1);
    if (pid == 0)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    return pid;
}

static void a_child(void)
{
    if (fork_one() == 0)
        live();
}

static void nobody(void)
{
}

static void an_orphan(void)
{
    pid_t between = fork();

    if (between == 0) {
        if (fork() == 0) {
            live();
        }
        _exit(0);
    }
    waitpid(between, NULL, 0);
}

static void *rest(void *arg)
{
    (void)arg;
    live();
    return NULL;
}

static void *fork_and_rest(void *arg)
{
    a_child();
    say_ready();
    return rest(arg);
}

static void start(void *(*run)(void *))
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, run, NULL))
        _exit(1);
}

static void threads(void)
{
    for (int i = 0; i < 3; i++)
        start(rest);
}

static void a_child_of_a_thread(void)
{
    char byte;

    threads();
    start(fork_and_rest);
    if (read(ready[0], &byte, 1) != 1)
        _exit(1);
}

static void many_threads(void)
{
    for (int i = 0; i < 80; i++)
        start(rest);
}

static void many_children(void)
{
    for (int i = 0; i < 200; i++)
        a_child();
}

static pid_t start_job(void (*act)(void))
{
    char byte;
    pid_t pid = fork_one();

    if (pid == 0) {
        act();
        say_ready();
        live();
    }
    if (read(ready[0], &byte, 1) != 1)
        exit(1);
    return pid;
}

static void open_tree(struct gput__tree *tree, struct gput__root *proc, pid_t pid)
{
    if (gput__root_open(NULL, "/proc", proc) < 0)
        exit(1);
    gput__tree_open(tree, proc, getpid(), gput__now() - GPUT__NS_PER_S);
    if (gput__tree_set_main(tree, pid, false) < 0)
        exit(1);
}

static void close_tree(struct gput__tree *tree, struct gput__root *proc, pid_t pid)
{
    kill(pid, SIGSTOP); /* nobody else is born */
    gput__tree_recheck(tree);
    gput__tree_poll(tree, gput__now());
    for (uint32_t i = 0; i < tree->n; i++)
        kill(tree->tasks[i].pid, SIGKILL);
    kill(pid, SIGKILL);
    gput__tree_close(tree);
    gput__root_close(proc);
    while (waitpid(-1, NULL, 0) > 0)
        ; /* its children die with it and are ours to wait for */
}

/* A job whose main does that, then waits. */
static void job(void (*act)(void), uint32_t n, const char *words)
{
    struct gput__root proc;
    struct gput__tree tree;
    pid_t pid = start_job(act);

    open_tree(&tree, &proc, pid);
    gput__tree_poll(&tree, gput__now());
    gput__tree_poll(&tree, gput__now());
    OK(tree.n == n, "%s: whoever there is is found: %u", words, tree.n);
    OK((tree.births.scanned_ns == 0) == (act != many_threads), "%s: %s", words,
       act == many_threads ? "by a search of /proc" : "without a search of /proc");
    close_tree(&tree, &proc, pid);
}

static pid_t to_fork;

static void fork_when_told(int sig)
{
    (void)sig;
    a_child();
    say_ready();
}

static void wait_for_word(void)
{
    signal(SIGUSR1, fork_when_told);
}

/* However often it was found without children before. */
static void one_is_born_later(void)
{
    struct gput__root proc;
    struct gput__tree tree;
    int found = 0;
    char byte;

    to_fork = start_job(wait_for_word);
    open_tree(&tree, &proc, to_fork);
    for (uint32_t i = 0; i < 50; i++) {
        gput__tree_poll(&tree, gput__now());
        found += tree.n == i + 1;
        kill(to_fork, SIGUSR1);
        if (read(ready[0], &byte, 1) != 1)
            exit(1);
    }
    OK(found == 50, "whoever is born between two polls is found at the next: %d of 50", found);
    OK(tree.births.scanned_ns == 0, "without a search of /proc");
    close_tree(&tree, &proc, to_fork);
}

/* A helper is a child of main's, and searches for itself. */
static void asked_by_a_child(void)
{
    struct gput__root proc;
    struct gput__tree tree;
    int status = 1;
    pid_t pid = fork();

    if (pid == 0) {
        bool is_open = gput__root_open(NULL, "/proc", &proc) == 0;

        gput__tree_open(&tree, &proc, 0, gput__now());
        if (!is_open || gput__tree_set_main(&tree, getppid(), true) < 0)
            _exit(1);
        gput__tree_poll(&tree, gput__now());
        _exit(tree.n != 1);
    }
    OK(waitpid(pid, &status, 0) == pid && status == 0, "who asks does not count as a child");
}

int main(void)
{
    if (pipe(ready) < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
        return 1;
    asked_by_a_child();
    job(nobody, 1, "a process alone");
    job(threads, 1, "with threads");
    job(many_threads, 1, "with more threads than are asked for");
    job(a_child, 2, "with a child");
    job(many_children, 201, "with many children");
    job(a_child_of_a_thread, 2, "with a child of a thread's");
    one_is_born_later();
    job(an_orphan, 2, "with an orphan");
    return DONE();
}
