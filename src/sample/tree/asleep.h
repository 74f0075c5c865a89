/* asleep.h - a job without running processes is polled every two seconds, or when one has a page fault.
 *
 * Ten polls a second of sleeping processes would be most of the cost of watching them.  Where the
 * kernel allows it, it wakes us instead (source/proc/fault_alarm.h). */
#ifndef GPUT_SAMPLE_ASLEEP_H
#define GPUT_SAMPLE_ASLEEP_H

#include "sample/tree/tree.h"

/* After a poll: sets alarms if `may_sleep` and no process has used CPU time since the poll before, else
 * takes them off.  True: they are set. */
bool gput__asleep_see(struct gput__tree *tree, bool may_sleep);
/* One of them rang, or the run is over. */
void gput__asleep_wake(struct gput__tree *tree);

#endif
