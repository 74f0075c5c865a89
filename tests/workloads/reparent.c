/* reparent.c - n orphans in turn: each loses its parent before it begins to burn cpu=, and hands
 * its time over by a pipe because no wait() of the job will ever see it.
 *
 * middle=S: the parent in between lives for S seconds beside the orphan-to-be and then dies. */
#include "appetite.h"

struct word {
    double cpu;
    pid_t pid;
};

static void be_an_orphan(double cpu, size_t bytes, pid_t parent, int tell)
{
    struct word word;
    char *p;

    while (getppid() == parent)
        sleep_for(0.001);
    p = take(bytes);
    burn_to(cpu);
    give_back(p, bytes);
    word = (struct word){ .cpu = clock_s(CLOCK_PROCESS_CPUTIME_ID), .pid = getpid() };
    _exit(write(tell, &word, sizeof(word)) != sizeof(word));
}

int main(int argc, char **argv)
{
    struct truth t = truth_start(argv, "reparent", " n cpu bytes middle ");
    double cpu = arg_num(argv, "cpu", 0.1), middle = arg_num(argv, "middle", 0), sum = 0;
    struct word word;
    int n = arg_int(argv, "n", 10), ends[2];

    (void)argc;
    t.touched = arg_bytes(argv, "bytes", 20e6);
    if (pipe2(ends, O_CLOEXEC) < 0)
        die("pipe");
    for (int i = 0; i < n; i++) {
        pid_t pid = fork_or_die();

        if (pid == 0) {
            pid_t self = getpid();

            if (fork_or_die() == 0)
                be_an_orphan(cpu, t.touched, self, ends[1]);
            sleep_for(middle);
            _exit(0);
        }
        wait_for(pid);
        if (read(ends[0], &word, sizeof(word)) != sizeof(word))
            die("the orphan's word");
        wait_for_stranger(word.pid);
        sum += word.cpu;
    }
    truth_add(&t, ", \"orphans_cpu\": %.6f", sum);
    truth_print(&t);
    return 0;
}
