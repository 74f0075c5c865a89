/* children_in_turn.c - n children one after the other, each with cpu= seconds and bytes=.
 *
 * exec=1: each child is a new program (this one, as child=1).
 * ignore=1: SIGCHLD is ignored, so that the kernel drops the children's times. */
#include "appetite.h"

static void be_a_child(double cpu, size_t bytes)
{
    char *p = take(bytes);

    burn_to(cpu); /* taking the memory is part of it */
    give_back(p, bytes);
}

int main(int argc, char **argv)
{
    static const char names[] = " n cpu bytes gap exec child ignore ";
    int n = arg_int(argv, "n", 200);
    double cpu = arg_num(argv, "cpu", 0.03), gap = arg_num(argv, "gap", 0);
    size_t bytes = arg_bytes(argv, "bytes", 50e6);
    char cpu_word[64], bytes_word[64];
    struct truth t;

    (void)argc;
    if (arg_int(argv, "child", 0)) {
        be_a_child(cpu, bytes);
        return 0;
    }
    t = truth_start(argv, "children_in_turn", names);
    t.touched = bytes;
    snprintf(cpu_word, sizeof(cpu_word), "cpu=%.6f", cpu);
    snprintf(bytes_word, sizeof(bytes_word), "bytes=%zu", bytes);
    if (arg_int(argv, "ignore", 0))
        signal(SIGCHLD, SIG_IGN);
    for (int i = 0; i < n; i++) {
        pid_t pid = fork_or_die();

        if (pid == 0) {
            if (arg_int(argv, "exec", 0))
                execl("/proc/self/exe", "child_in_turn", "child=1", cpu_word, bytes_word,
                      (char *)NULL);
            be_a_child(cpu, bytes);
            _exit(0);
        }
        wait_for(pid);
        sleep_for(gap);
    }
    truth_add(&t, ", \"n\": %d, \"asked_cpu\": %.6f", n, n * cpu);
    truth_print(&t);
    return 0;
}
