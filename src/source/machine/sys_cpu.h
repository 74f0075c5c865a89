/* sys_cpu.h - /proc/stat: CPU time of the whole machine, and how many cores it has. */
#ifndef GPUT_SOURCE_SYS_CPU_H
#define GPUT_SOURCE_SYS_CPU_H

#include <stdbool.h>
#include <stdint.h>

/* Clock ticks of all cores together. */
struct gput__sys_cpu {
    uint64_t busy;   /* user, nice, system, irq, softirq: waiting for disks and what the hypervisor
                        stole is not work of this machine */
    uint64_t user;   /* user and nice; the kernel counts the time of guests in them */
    uint64_t kernel; /* system alone */
    uint64_t stolen; /* by the hypervisor, for somebody else */
};

/* -EBADMSG: no such line. */
int gput__sys_cpu_parse(const char *text, struct gput__sys_cpu *ret);

/* Which share of what ran or wanted to run between two moments was stolen. */
double gput__sys_cpu_stolen(const struct gput__sys_cpu *then, const struct gput__sys_cpu *now);

/* One core: clock ticks that it worked, as `busy` above, and all of its time. */
struct gput__sys_core {
    unsigned id;
    uint64_t busy, all;
};
/* The next line cpu0, cpu1 ... from *p on, which then stands behind it; false: there is none. */
bool gput__sys_cpu_next_core(const char **p, struct gput__sys_core *ret);

/* The lines cpu0, cpu1 ...; 0 if there are none. */
unsigned gput__sys_cpu_count(const char *text);

#endif
