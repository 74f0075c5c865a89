/* daemon.c - a daemon by the book (fork, setsid, fork) takes memory and time; main waits for it.
 *
 * setsid=0: an orphan in the same session.  leave=1: main does not wait but ends after seconds= and
 * leaves the daemon behind, alive for linger= seconds more. */
#include "appetite.h"

struct word {
    double cpu;
    long maxrss;
    pid_t pid;
};

static struct word of_this_process(void)
{
    struct rusage ru;

    getrusage(RUSAGE_SELF, &ru);
    return (struct word){ .cpu = seconds_of(ru.ru_utime) + seconds_of(ru.ru_stime),
                          .maxrss = ru.ru_maxrss,
                          .pid = getpid() };
}

static void be_the_daemon(size_t bytes, double share, double seconds, double linger, int tell)
{
    char *p = take(bytes);
    struct word word;

    burn_share(share, 0.1, seconds);
    sleep_for(linger);
    give_back(p, bytes);
    word = of_this_process();
    if (write(tell, &word, sizeof(word)) != sizeof(word))
        _exit(98);
    _exit(0);
}

int main(int argc, char **argv)
{
    struct truth t = truth_start(argv, "daemon", " bytes share seconds setsid leave linger ");
    double share = arg_num(argv, "share", 0.5), seconds = arg_num(argv, "seconds", 6);
    struct word word = { 0 };
    int ends[2], leave = arg_int(argv, "leave", 0);
    pid_t pid;

    (void)argc;
    t.touched = arg_bytes(argv, "bytes", 500e6);
    if (pipe2(ends, O_CLOEXEC) < 0)
        die("pipe");
    pid = fork_or_die();
    if (pid == 0) {
        if (arg_int(argv, "setsid", 1))
            setsid();
        if (fork_or_die() == 0) {
            /* The tracker's streams are not the daemon's: a reader must not wait for it. */
            int null = open("/dev/null", O_RDWR | O_CLOEXEC);

            for (int fd = 0; null >= 0 && fd < 3; fd++)
                dup2(null, fd);
            signal(SIGPIPE, SIG_IGN);
            be_the_daemon(t.touched, share, seconds, arg_num(argv, "linger", 0), ends[1]);
        }
        _exit(0);
    }
    wait_for(pid);
    close(ends[1]);
    if (leave)
        sleep_for(seconds);
    else if (read(ends[0], &word, sizeof(word)) != sizeof(word))
        die("the daemon's word");
    if (word.pid)
        wait_for_stranger(word.pid);
    truth_add(&t, ", \"daemon_cpu\": %.6f, \"daemon_maxrss\": %ld", word.cpu, word.maxrss * 1024);
    truth_print(&t);
    return 0;
}
