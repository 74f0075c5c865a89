/* sys_cpu.c - /proc/stat: CPU time of the whole machine, and how many cores it has. */
#include "source/machine/sys_cpu.h"

#include <errno.h>
#include <string.h>

#include "base/least.h"
#include "base/text/scan.h"

int gput__sys_cpu_parse(const char *text, struct gput__sys_cpu *ret)
{
    uint64_t user, nice, system, irq, softirq, stolen;
    const char *p = text + 3;

    if (strncmp(text, "cpu ", 4) || gput__scan_u64(&p, &user) < 0 ||
        gput__scan_u64(&p, &nice) < 0 || gput__scan_u64(&p, &system) < 0 ||
        gput__scan_skip(&p, 2) < 0 || /* idle, iowait */
        gput__scan_u64(&p, &irq) < 0 || gput__scan_u64(&p, &softirq) < 0)
        return -EBADMSG;
    if (gput__scan_u64(&p, &stolen) < 0) /* none before Linux 2.6.11 */
        stolen = 0;
    *ret = (struct gput__sys_cpu){ .busy = user + nice + system + irq + softirq,
                                   .user = user + nice,
                                   .kernel = system,
                                   .stolen = stolen };
    return 0;
}

double gput__sys_cpu_stolen(const struct gput__sys_cpu *then, const struct gput__sys_cpu *now)
{
    double busy = (double)gput__minus(now->busy, then->busy);
    double stolen = (double)gput__minus(now->stolen, then->stolen);

    return stolen > 0 ? stolen / (busy + stolen) : 0;
}

/* Of an older kernel the last numbers are missing: then the line ends before them. */
static bool scan_core(const char *p, struct gput__sys_core *ret)
{
    uint64_t time[8] = { 0 }; /* user, nice, system, idle, iowait, irq, softirq, stolen */
    struct gput__sys_core core;
    const char *end = strchr(p, '\n');
    uint64_t id;

    if (!end || gput__scan_u64(&p, &id) < 0 || id > UINT32_MAX)
        return false; /* cut short */
    core = (struct gput__sys_core){ .id = (unsigned)id };
    for (int i = 0; i < 8; i++) {
        const char *rest = p;

        if (gput__scan_u64(&rest, &time[i]) < 0 || rest > end) {
            if (i < 7)
                return false;
            break;
        }
        p = rest;
        core.all += time[i];
        core.busy += i != 3 && i != 4 && i != 7 ? time[i] : 0;
    }
    *ret = core;
    return true;
}

bool gput__sys_cpu_next_core(const char **p, struct gput__sys_core *ret)
{
    for (const char *line = *p; line && *line;) {
        const char *next = strchr(line, '\n');

        if (!strncmp(line, "cpu", 3) && line[3] >= '0' && line[3] <= '9' &&
            scan_core(line + 3, ret)) {
            *p = next + 1;
            return true;
        }
        line = next ? next + 1 : NULL;
    }
    return false;
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
