/* sys_cpu.h - /proc/stat: CPU time of the whole machine, and how many cores it has. */
#ifndef GPUT_SOURCE_SYS_CPU_H
#define GPUT_SOURCE_SYS_CPU_H

#include <stdint.h>

/* Clock ticks that all cores together worked: user, nice, system, irq, softirq.  Time waiting for
 * disks and time stolen by the hypervisor is not work of this machine.  -EBADMSG: no such line. */
int gput__sys_cpu_parse(const char *text, uint64_t *ret_busy_ticks);

/* The lines cpu0, cpu1 ...; 0 if there are none. */
unsigned gput__sys_cpu_count(const char *text);

#endif
