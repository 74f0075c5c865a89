/* metric.c - THE metric table, from its rows. */
#include "model/metric.h"

#include <string.h>

#include "model/gpu_work.h"

#define AT(member) offsetof(struct gput_usage, member)

#define STATUS "/proc/PID/status"
#define SMAPS "/proc/PID/smaps, shared pages once"
#define STAT "/proc/PID/stat"
#define CPU_CLOCK "CPU clock of each process, /proc/PID/stat, wait4(2)"
#define DRIVER "the GPU driver"
#define COUNTERS "the GPU driver, from counters of the hardware"
#define MEMINFO "/proc/meminfo"
#define SPACE "/proc/self/mountinfo, statvfs(3)"

#define AT_POLLS "the largest seen at polls and records"
#define NO_MEMINFO "/proc/meminfo cannot be read"
#define NO_PRESSURE "the job has no control group of its own, or the kernel keeps no pressure of it"
#define NO_QUOTA "no CPU quota is set"
#define OF_MACHINE " of the machine"

#define METRIC(id, ...) [id] = { __VA_ARGS__ },
const struct gput__metric_info gput__metrics[GPUT__N_METRICS] = {
#include "model/metric_rows.h"
};

_Static_assert(GPUT__GPUS_NVLINK_TX - GPUT__GPUS_ENGINE == (int)GPUT__WORK_NVLINK_TX,
               "they are in the order of model/gpu_work.h");

enum gput__metric gput__metric_find(const char *name)
{
    int m = 0;

    while (m < GPUT__N_METRICS && strcmp(gput__metrics[m].name, name) != 0)
        m++;
    return (enum gput__metric)m;
}

bool gput__metric_is_of_gpus(enum gput__metric m)
{
    return gput__metrics[m].scope == GPUT__SCOPE_GPUS || gput__metrics[m].unit == GPUT__GPU_BYTES ||
           gput__metrics[m].hardware == GPUT__EXPECTED_GPUS;
}

bool gput__metric_set_is_empty(const struct gput__metric_set *s)
{
    static const struct gput__metric_set none;

    return memcmp(s, &none, sizeof(none)) == 0;
}
