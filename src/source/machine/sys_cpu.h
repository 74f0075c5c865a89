/* sys_cpu.h - /proc/stat: CPU time of the whole machine, and how many cores it has. */
#ifndef GPUT_SOURCE_SYS_CPU_H
#define GPUT_SOURCE_SYS_CPU_H

#include <stdint.h>

/* Clock ticks of all cores together. */
struct gput__sys_cpu {
    uint64_t busy;   /* user, nice, system, irq, softirq: waiting for disks and what the hypervisor
                        stole is not work of this machine */
    uint64_t user;   /* user and nice; the kernel counts the time of guests in them */
    uint64_t kernel; /* system alone */
};

/* -EBADMSG: no such line. */
int gput__sys_cpu_parse(const char *text, struct gput__sys_cpu *ret);

/* The lines cpu0, cpu1 ...; 0 if there are none. */
unsigned gput__sys_cpu_count(const char *text);

#endif
