/* fault_alarm.h - a signal at the next page fault of a sleeping process (perf events).
 *
 * The caller's thread gets SIGIO with each page fault of the thread `tid`, and of what that starts from
 * now on, until the descriptor is closed.  Only for those that sleep: it makes each switch to and from
 * a process a little more expensive. */
#ifndef GPUT_SOURCE_FAULT_ALARM_H
#define GPUT_SOURCE_FAULT_ALARM_H

#include <sys/types.h>

/* A descriptor; -ESRCH: it is gone; anything else: there are no such alarms here. */
int gput__fault_alarm_open(pid_t tid);

#endif
