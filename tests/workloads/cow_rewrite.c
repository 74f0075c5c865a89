/* cow_rewrite.c - a parent, n children; one of them rewrites half of what it inherited and forks
 * again.  RSS of nobody moves: only the copy-on-write faults tell that the total rose by half. */
#include "appetite.h"

int main(int argc, char **argv)
{
    struct truth t = truth_start(argv, "cow_rewrite", " bytes n before hold ");
    size_t bytes = arg_bytes(argv, "bytes", 1e9), half = bytes / 2 / PAGE * PAGE;
    double before = arg_num(argv, "before", 1), hold = arg_num(argv, "hold", 3);
    int n = arg_int(argv, "n", 4);
    pid_t me = getpid();
    char *p = take(bytes);

    (void)argc;
    for (int i = 0; i < n; i++)
        if (fork_or_die() == 0) {
            pid_t child, self = getpid();

            die_with_parent(me);
            sleep_for(before);
            if (i == 0) {
                touch(p, half);
                child = fork_or_die();
                if (child == 0)
                    die_with_parent(self);
                sleep_for(hold);
                if (child > 0)
                    wait_for(child);
                _exit(0);
            }
            sleep_for(hold);
            _exit(0);
        }
    for (int i = 0; i < n; i++)
        wait_for(-1);
    t.touched = bytes + half;
    give_back(p, bytes);
    truth_print(&t);
    return 0;
}
