/* clock.h - the clocks the tracker goes by, in nanoseconds. */
#ifndef GPUT_BASE_CLOCK_H
#define GPUT_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define GPUT__NS_PER_S INT64_C(1000000000)
#define GPUT__NS_PER_MS INT64_C(1000000)

static inline int64_t gput__clock_ns(clockid_t id)
{
    struct timespec ts = { 0 };

    clock_gettime(id, &ts);
    return ts.tv_sec * GPUT__NS_PER_S + ts.tv_nsec;
}

/* Time since boot, time asleep included: deadlines, elapsed time, and what /proc/PID/stat counts
 * start times in. */
static inline int64_t gput__now(void)
{
    return gput__clock_ns(CLOCK_BOOTTIME);
}

static inline double gput__seconds(int64_t ns)
{
    return (double)ns / 1e9;
}

#endif
