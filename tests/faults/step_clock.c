/* step_clock.c - preloaded: a wall clock that is set while the program runs.
 *
 * STEP_CLOCK is "0.5:3600 1.0:-7200": half a second after the start it goes forward by an hour, a
 * second after the start back by two.  What the program starts has the true clock. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#define SHOWN __attribute__((visibility("default")))
#define MOST_STEPS 8

typedef int gettime(clockid_t, struct timespec *);

static struct {
    double at, by;
} steps[MOST_STEPS];
static size_t n_steps;
static double start;
static gettime *real_gettime;

static double monotonic(void)
{
    struct timespec ts;

    real_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

__attribute__((constructor)) static void begin(void)
{
    const char *p = getenv("STEP_CLOCK");
    char *end;

    real_gettime = (gettime *)dlsym(RTLD_NEXT, "clock_gettime");
    while (p && *p && n_steps < MOST_STEPS) {
        steps[n_steps].at = strtod(p, &end);
        steps[n_steps++].by = strtod(end + 1, &end);
        p = end;
    }
    start = monotonic();
    unsetenv("LD_PRELOAD");
    unsetenv("STEP_CLOCK");
}

static long step(void)
{
    double now = monotonic() - start, by = 0;

    for (size_t i = 0; i < n_steps; i++)
        by += now >= steps[i].at ? steps[i].by : 0;
    return (long)by;
}

SHOWN int clock_gettime(clockid_t id, struct timespec *ret)
{
    int r;

    if (!real_gettime)
        real_gettime = (gettime *)dlsym(RTLD_NEXT, "clock_gettime");
    r = real_gettime(id, ret);
    if (r == 0 && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE))
        ret->tv_sec += step();
    return r;
}

SHOWN time_t time(time_t *ret)
{
    struct timespec ts;

    clock_gettime(CLOCK_REALTIME, &ts);
    if (ret)
        *ret = ts.tv_sec;
    return ts.tv_sec;
}

SHOWN int gettimeofday(struct timeval *restrict ret, void *restrict zone)
{
    struct timespec ts;

    (void)zone;
    clock_gettime(CLOCK_REALTIME, &ts);
    *ret = (struct timeval){ ts.tv_sec, ts.tv_nsec / 1000 };
    return 0;
}
