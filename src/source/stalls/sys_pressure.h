/* sys_pressure.h - pressure stall information: for how long tasks could not go on for want of something.
 *
 * /proc/pressure/cpu, memory and io are the machine's, cpu.pressure, memory.pressure and io.pressure a
 * control group's. */
#ifndef GPUT_SOURCE_SYS_PRESSURE_H
#define GPUT_SOURCE_SYS_PRESSURE_H

#include <stdbool.h>
#include <stdint.h>

struct gput__sys_pressure {
    uint64_t some_us; /* while at least one task waited */
    uint64_t full_us; /* while all that were not asleep waited, and none ran */
    bool has_full;    /* of the CPU only since Linux 5.13 */
};

/* -EBADMSG: not such a file. */
int gput__sys_pressure_parse(const char *text, struct gput__sys_pressure *ret);

#endif
