/* fork_storm.c - n short processes as fast as they go, at most width= of them at once.
 *
 * cpu=: what each burns.  exec=1: each runs `true`.  orphans=1: each is the child of a process that
 * has died, so that nobody of the job waits for it. */
#include "appetite.h"

static void be_short(double cpu, int exec)
{
    if (exec)
        execlp("true", "true", (char *)NULL);
    burn_to(cpu);
    _exit(0);
}

int main(int argc, char **argv)
{
    struct truth t = truth_start(argv, "fork_storm", " n width cpu exec orphans ");
    int n = arg_int(argv, "n", 10000), width = arg_int(argv, "width", 8), running = 0;
    int exec = arg_int(argv, "exec", 0), orphans = arg_int(argv, "orphans", 0);
    double cpu = arg_num(argv, "cpu", 0);

    (void)argc;
    for (int i = 0; i < n; i++) {
        if (fork_or_die() == 0) {
            if (orphans && fork_or_die() != 0)
                _exit(0);
            be_short(cpu, exec);
        }
        if (++running == width) {
            wait_for(-1);
            running--;
        }
    }
    while (running-- > 0)
        wait_for(-1);
    truth_add(&t, ", \"n\": %d, \"asked_cpu\": %.6f", n, n * cpu);
    truth_print(&t);
    return 0;
}
