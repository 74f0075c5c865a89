/* grow.c - takes memory at rate= bytes a second until it has bytes=, and holds it for hold= seconds.
 *
 * where=child: a child does.  stubborn=1: TERM is ignored, by all of them. */
#include "appetite.h"

#include <stdbool.h>

#define STEP 0.002

static void grow(size_t bytes, double rate, double hold)
{
    char *p = map_bytes(bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    double start = now_s();
    size_t step = (size_t)(rate * STEP) / PAGE * PAGE, done = 0;

    for (int i = 1; done < bytes; i++) {
        size_t n = step < bytes - done ? step : bytes - done;

        touch(p + done, n);
        done += n;
        sleep_until(start + i * STEP);
    }
    sleep_for(hold);
    give_back(p, bytes);
}

int main(int argc, char **argv)
{
    struct truth t = truth_start(argv, "grow", " bytes rate hold where stubborn ");
    double rate = arg_num(argv, "rate", 5e8), hold = arg_num(argv, "hold", 1);
    bool is_child = strcmp(arg_text(argv, "where", "self"), "child") == 0;
    pid_t me = getpid(), child = -1;

    (void)argc;
    t.touched = arg_bytes(argv, "bytes", 2e9);
    if (arg_int(argv, "stubborn", 0))
        signal(SIGTERM, SIG_IGN);
    if (is_child)
        child = fork_or_die();
    if (child == 0)
        die_with_parent(me);
    if (child > 0)
        wait_for(child);
    else
        grow(t.touched, rate, hold);
    if (child != 0)
        truth_print(&t);
    return 0;
}
