/* touch_spike.c - holds memory for a moment somewhere in a longer run.
 *
 * where=self: the spike is main's; where=child: that of a child which lives on until the end;
 * where=short: that of a child which lives for the spike alone.
 * then=exec: the program replaces itself by a small one after the spike (VmHWM starts afresh). */
#include "appetite.h"

static void spike(size_t bytes, double hold)
{
    char *p = take(bytes);

    sleep_for(hold);
    give_back(p, bytes);
}

int main(int argc, char **argv)
{
    struct truth t = truth_start(argv, "touch_spike", " bytes at hold total where then ");
    size_t bytes = arg_bytes(argv, "bytes", 1e9);
    double at = arg_num(argv, "at", 2), hold = arg_num(argv, "hold", 0.2);
    double total = arg_num(argv, "total", 6);
    const char *where = arg_text(argv, "where", "self");
    double start = now_s();
    pid_t me = getpid(), child = 0;

    (void)argc;
    t.touched = bytes;
    if (strcmp(where, "child") == 0 && (child = fork_or_die()) == 0) {
        die_with_parent(me);
        sleep_until(start + at);
        spike(bytes, hold);
        sleep_until(start + total);
        _exit(0);
    }
    sleep_until(start + at);
    if (strcmp(where, "short") == 0 && (child = fork_or_die()) == 0) {
        spike(bytes, hold);
        _exit(0);
    }
    if (strcmp(where, "self") == 0)
        spike(bytes, hold);
    if (strcmp(arg_text(argv, "then", "stay"), "exec") == 0) {
        char left[64];

        truth_print(&t);
        snprintf(left, sizeof(left), "%.3f", total - (now_s() - start));
        execlp("sleep", "sleep", left, (char *)NULL);
        die("exec");
    }
    sleep_until(start + total);
    if (child)
        wait_for(child);
    truth_print(&t);
    return 0;
}
