/* duty_cycle.c - burns the processor for on= seconds, rests for off=, again and again.
 *
 * threads=N: N threads at once, each of them so. */
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

int main(int argc, char **argv)
{
    struct truth t = truth_start(argv, "duty_cycle", " on off seconds threads ");
    struct duty d = { .on = arg_num(argv, "on", 0.5), .seconds = arg_num(argv, "seconds", 12) };
    int threads = arg_int(argv, "threads", 1);
    pthread_t thread[64];

    (void)argc;
    d.period = d.on + arg_num(argv, "off", 0.5);
    if (threads < 1 || threads > 64)
        return 99;
    for (int i = 1; i < threads; i++)
        if (pthread_create(&thread[i], NULL, work, &d) != 0)
            die("pthread_create");
    work(&d);
    for (int i = 1; i < threads; i++)
        pthread_join(thread[i], NULL);
    truth_print(&t);
    return 0;
}
