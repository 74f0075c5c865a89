/* duty_cycle.c - burns the processor for on= seconds, rests for off=, again and again.
 *
 * threads=N: N threads at once, each of them so.  leader=ends: the first thread has ended when the
 * others begin; /proc then shows the process as a zombie. */
#include "appetite.h"

#include <pthread.h>

struct duty {
    double on, period, seconds;
};

static void *work(void *arg)
{
    const struct duty *d = arg;

    burn_share(d->on / d->period, d->period, d->seconds);
    return NULL;
}

static struct truth truth;

/* The last one out, when the first thread is not there to join the others. */
static void *work_and_print(void *arg)
{
    sleep_for(0.1); /* until the first thread has ended */
    work(arg);
    truth_print(&truth);
    exit(0);
}

static void start_thread(void *(*body)(void *), struct duty *d, pthread_t *ret)
{
    if (pthread_create(ret, NULL, body, d) != 0)
        die("pthread_create");
}

int main(int argc, char **argv)
{
    static struct duty d;
    int threads = arg_int(argv, "threads", 1);
    pthread_t thread[64];

    (void)argc;
    truth = truth_start(argv, "duty_cycle", " on off seconds threads leader ");
    d.on = arg_num(argv, "on", 0.5);
    d.period = d.on + arg_num(argv, "off", 0.5);
    d.seconds = arg_num(argv, "seconds", 12);
    if (threads < 1 || threads > 64)
        return 99;
    if (strcmp(arg_text(argv, "leader", "stays"), "ends") == 0) {
        start_thread(work_and_print, &d, &thread[0]);
        pthread_exit(NULL);
    }
    for (int i = 1; i < threads; i++)
        start_thread(work, &d, &thread[i]);
    work(&d);
    for (int i = 1; i < threads; i++)
        pthread_join(thread[i], NULL);
    truth_print(&truth);
    return 0;
}
