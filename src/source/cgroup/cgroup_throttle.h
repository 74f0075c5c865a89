/* cgroup_throttle.h - for how long a control group was held back because its CPU quota was used up. */
#ifndef GPUT_SOURCE_CGROUP_THROTTLE_H
#define GPUT_SOURCE_CGROUP_THROTTLE_H

#include <stdint.h>

struct gput__throttled {
    uint64_t periods;   /* of the quota in which the group ran */
    uint64_t held_back; /* of these, in which it was throttled */
    uint64_t ns;        /* for so long, of each core on which it waited */
};

/* "cpu.stat", versions 1 and 2.  -EBADMSG: the text does not tell. */
int gput__throttled_parse(const char *text, struct gput__throttled *ret);

#endif
