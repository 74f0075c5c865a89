/* test_alone.c - whether main is the whole job, asked of the running kernel about real processes. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "sample/tree.h"
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
            alarm(10); /* its parent's death is no longer its own */
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
    for (int i = 0; i < 40; i++)
        start(rest);
}

/* A job whose main does that, then waits. */
static void job(void (*act)(void), bool expected, const char *words)
{
    struct gput__root proc;
    struct gput__tree tree;
    char byte;
    pid_t pid = fork_one();

    if (pid == 0) {
        act();
        say_ready();
        live();
    }
    if (read(ready[0], &byte, 1) != 1 || gput__root_open(NULL, "/proc", &proc) < 0)
        exit(1);
    gput__tree_open(&tree, &proc, getpid(), gput__now() - GPUT__NS_PER_S);
    OK(gput__tree_set_main(&tree, pid, false) == 0 && gput__tree_main_is_alone(&tree) == expected,
       "%s", words);
    gput__tree_look(&tree, gput__now());
    OK((tree.n == 1) == (act == nobody || act == threads || act == many_threads),
       "%s: whoever there is is found", words);
    gput__tree_close(&tree);
    gput__root_close(&proc);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

/* A helper is a child of main's, and asks for itself. */
static void asked_by_a_child(void)
{
    struct gput__root proc;
    struct gput__tree tree;
    int status = 1;
    pid_t pid = fork();

    if (pid == 0) {
        bool alone = gput__root_open(NULL, "/proc", &proc) == 0;

        gput__tree_open(&tree, &proc, 0, gput__now());
        _exit(!alone || gput__tree_set_main(&tree, getppid(), true) < 0 ||
              !gput__tree_main_is_alone(&tree));
    }
    OK(waitpid(pid, &status, 0) == pid && status == 0, "who asks does not count as a child");
}

int main(void)
{
    if (pipe(ready) < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
        return 1;
    asked_by_a_child();
    job(nobody, true, "a process alone");
    job(threads, true, "with threads");
    job(many_threads, false, "with more threads than are asked for");
    job(a_child, false, "with a child");
    job(a_child_of_a_thread, false, "with a child of a thread's");
    job(an_orphan, false, "with an orphan"); /* stays a child of ours: the last one */
    return DONE();
}
