/* asleep.h - a job of which nobody runs is left alone until one of its processes takes a page.
 *
 * Ten looks a second at processes that sleep would be most of what watching them costs.  Where the
 * kernel lets us, it wakes us instead (source/proc/fault_alarm.h). */
#ifndef GPUT_SAMPLE_ASLEEP_H
#define GPUT_SAMPLE_ASLEEP_H

#include "sample/tree/tree.h"

/* After a look: sets alarms if `may_sleep` and nobody has used CPU time since the look before, else
 * takes them off.  True: they are set. */
bool gput__asleep_see(struct gput__tree *tree, bool may_sleep);
/* One of them rang, or the run is over. */
void gput__asleep_wake(struct gput__tree *tree);

#endif
