/* bustle.c - a tree where processes come and go and memory moves, then an idle one.
 *
 * n workers; every= seconds each takes bytes=, forks a child that takes as much and lives for half
 * of that time, and gives its memory back.  After seconds= of it all sleep for hold= seconds. */
#include "appetite.h"

static _Noreturn void be_short(size_t bytes, double seconds)
{
    take(bytes);
    sleep_for(seconds);
    _exit(0);
}

static _Noreturn void be_a_worker(pid_t parent, double begin, double every, int rounds,
                                  size_t bytes, double hold)
{
    die_with_parent(parent);
    for (int i = 0; i < rounds; i++) {
        char *p;
        pid_t child;

        sleep_until(begin + i * every);
        p = take(bytes);
        child = fork_or_die();
        if (child == 0)
            be_short(bytes, every / 2);
        wait_for(child);
        give_back(p, bytes);
    }
    sleep_for(hold);
    _exit(0);
}

int main(int argc, char **argv)
{
    struct truth t = truth_start(argv, "bustle", " n every bytes seconds hold ");
    int n = arg_int(argv, "n", 20), rounds;
    double every = arg_num(argv, "every", 1), begin = now_s();
    size_t bytes = arg_bytes(argv, "bytes", 1e6);
    pid_t me = getpid();

    (void)argc;
    rounds = (int)(arg_num(argv, "seconds", 5) / every);
    for (int i = 0; i < n; i++)
        if (fork_or_die() == 0)
            be_a_worker(me, begin + every * i / n, every, rounds, bytes, arg_num(argv, "hold", 0));
    for (int i = 0; i < n; i++)
        wait_for(-1);
    t.touched = 2 * (size_t)n * bytes;
    truth_add(&t, ", \"births\": %d", n * rounds);
    truth_print(&t);
    return 0;
}
