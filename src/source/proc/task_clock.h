/* task_clock.h - the CPU time of a process, from a counter that outlives it (perf events).
 *
 * The CPU time of a process without a waiting parent is gone with it; such a counter still has it.
 * It makes each switch to and from that process a little more expensive, so only those get one. */
#ifndef GPUT_SOURCE_TASK_CLOCK_H
#define GPUT_SOURCE_TASK_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A descriptor that counts the thread `tid` from now on, with the threads that it starts; with all that
 * it forks, too.  -ESRCH: it is gone; anything else: there are no such counters here. */
int gput__task_clock_open(pid_t tid, bool with_forks);

/* Nanoseconds that were used since it was opened. */
int gput__task_clock_read(int fd, uint64_t *ret_ns);

#endif
