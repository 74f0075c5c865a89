/* thread.c - threads of the library: signals are the main thread's business. */
#include "base/thread.h"

#include <signal.h>
#include <time.h>

int gput__thread_start(pthread_t *ret, size_t stack, void *(*run)(void *), void *arg)
{
    pthread_attr_t attr;
    sigset_t all, old;
    int r;

    sigfillset(&all);
    pthread_attr_init(&attr);
    if (stack)
        pthread_attr_setstacksize(&attr, stack);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    r = pthread_create(ret, &attr, run, arg);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    pthread_attr_destroy(&attr);
    return -r;
}

void gput__cond_init(pthread_cond_t *ret)
{
    pthread_condattr_t monotonic;

    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(ret, &monotonic);
    pthread_condattr_destroy(&monotonic);
}
