/* idle_tree.c - n idle children for hold= seconds.  depth=N: in chains of N. */
#include "appetite.h"

/* A chain of children of children.  The last one ends when the pipe is closed, and with it the one
 * that waits for it, up to the first. */
static _Noreturn void be_a_chain(int length, pid_t parent, int end)
{
    pid_t child = 0;
    char none;

    for (; length > 0 && child == 0; length--) {
        die_with_parent(parent);
        parent = getpid();
        child = length > 1 ? fork_or_die() : -1;
    }
    if (child > 0)
        wait_for(child);
    else if (read(end, &none, 1) < 0)
        _exit(98);
    _exit(0);
}

int main(int argc, char **argv)
{
    struct truth t = truth_start(argv, "idle_tree", " n depth hold ");
    int n = arg_int(argv, "n", 100), depth = arg_int(argv, "depth", 1), ends[2], made = 0;
    pid_t me = getpid();
    double ready;

    (void)argc;
    if (pipe2(ends, O_CLOEXEC) < 0)
        die("pipe");
    while (made < n) {
        int length = n - made < depth ? n - made : depth;

        if (fork_or_die() == 0) {
            close(ends[1]);
            be_a_chain(length, me, ends[0]);
        }
        made += length;
    }
    ready = now_s() - t.start;
    sleep_for(arg_num(argv, "hold", 2));
    close(ends[1]);
    while (wait(NULL) > 0 || errno == EINTR)
        ;
    truth_add(&t, ", \"n\": %d, \"ready\": %.6f", made, ready);
    truth_print(&t);
    return 0;
}
