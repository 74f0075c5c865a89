/* comm_name.c - a process with a name that a careless parser of /proc/PID/stat trips over, and a
 * child of the same name, each with its own appetite. */
#include "appetite.h"

int main(int argc, char **argv)
{
    struct truth t = truth_start(argv, "comm_name", " name bytes child_bytes share seconds ");
    size_t bytes = arg_bytes(argv, "bytes", 50e6),
           child_bytes = arg_bytes(argv, "child_bytes", 80e6);
    double share = arg_num(argv, "share", 0.3), seconds = arg_num(argv, "seconds", 2);
    pid_t child;
    char *p;

    (void)argc;
    prctl(PR_SET_NAME, arg_text(argv, "name", "a) b"));
    child = fork_or_die();
    p = take(child == 0 ? child_bytes : bytes);
    burn_share(child == 0 ? share / 2 : share, 0.1, seconds);
    give_back(p, child == 0 ? child_bytes : bytes);
    if (child == 0)
        _exit(0);
    wait_for(child);
    t.touched = bytes + child_bytes;
    truth_add(&t, ", \"main_touched\": %zu, \"child_touched\": %zu", bytes, child_bytes);
    truth_print(&t);
    return 0;
}
