/* steady.c - holds bytes= and burns share= of a core, without a page fault after its start.
 *
 * ready=FILE is made once the memory is there, for a test that attaches then. */
#include "appetite.h"

int main(int argc, char **argv)
{
    struct truth t = truth_start(argv, "steady", " bytes share period seconds ready ");
    double share = arg_num(argv, "share", 0.01), period = arg_num(argv, "period", 0.1);
    double seconds = arg_num(argv, "seconds", 5);
    const char *ready = arg_text(argv, "ready", NULL);
    char *p;

    (void)argc;
    t.touched = arg_bytes(argv, "bytes", 1e8);
    p = take(t.touched);
    if (ready) {
        int fd = open(ready, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

        if (fd < 0 || close(fd) < 0)
            die(ready);
    }
    if (share > 0)
        burn_share(share, period, seconds);
    else
        sleep_for(seconds);
    give_back(p, t.touched);
    truth_print(&t);
    return 0;
}
