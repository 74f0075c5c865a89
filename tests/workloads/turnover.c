/* turnover.c - n processes at a time for seconds=, each replaced as soon as it ends.
 *
 * A process lives for life= seconds, some twice as long and some half, takes bytes= and burns cpu=
 * seconds. */
#include "appetite.h"

static double life_of(unsigned i, double life)
{
    static const double shares[] = { 0.5, 1, 1.5, 2, 0.7, 1.3 };

    return life * shares[i % (sizeof(shares) / sizeof(*shares))];
}

static _Noreturn void live(pid_t parent, size_t bytes, double cpu, double seconds)
{
    double end = now_s() + seconds;

    die_with_parent(parent);
    take(bytes);
    burn_to(cpu);
    sleep_until(end);
    _exit(0);
}

int main(int argc, char **argv)
{
    struct truth t = truth_start(argv, "turnover", " n life bytes cpu seconds ");
    int n = arg_int(argv, "n", 200), alive = 0;
    double life = arg_num(argv, "life", 2), cpu = arg_num(argv, "cpu", 0);
    double seconds = arg_num(argv, "seconds", 10);
    size_t bytes = arg_bytes(argv, "bytes", 1e5);
    pid_t me = getpid();
    unsigned born = 0;

    (void)argc;
    while (now_s() - t.start < seconds) {
        for (; alive < n; alive++, born++)
            if (fork_or_die() == 0)
                live(me, bytes, cpu, life_of(born, life));
        wait_for(-1);
        alive--;
    }
    for (; alive > 0; alive--)
        wait_for(-1);
    t.touched = (size_t)n * bytes;
    truth_add(&t, ", \"n\": %d, \"births\": %u", n, born);
    truth_print(&t);
    return 0;
}
