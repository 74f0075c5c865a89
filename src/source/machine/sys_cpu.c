/* sys_cpu.c - /proc/stat: CPU time of the whole machine, and how many cores it has. */
#include "source/machine/sys_cpu.h"

#include <errno.h>
#include <string.h>

#include "base/text/scan.h"

int gput__sys_cpu_parse(const char *text, struct gput__sys_cpu *ret)
{
    uint64_t user, nice, system, irq, softirq;
    const char *p = text + 3;

    if (strncmp(text, "cpu ", 4) || gput__scan_u64(&p, &user) < 0 ||
        gput__scan_u64(&p, &nice) < 0 || gput__scan_u64(&p, &system) < 0 ||
        gput__scan_skip(&p, 2) < 0 || /* idle, iowait */
        gput__scan_u64(&p, &irq) < 0 || gput__scan_u64(&p, &softirq) < 0)
        return -EBADMSG;
    *ret = (struct gput__sys_cpu){ .busy = user + nice + system + irq + softirq,
                                   .user = user + nice,
                                   .kernel = system };
    return 0;
}

unsigned gput__sys_cpu_count(const char *text)
{
    unsigned n = 0;

    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        n += !strncmp(line, "cpu", 3) && line[3] >= '0' && line[3] <= '9';
    }
    return n;
}
