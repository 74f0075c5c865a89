/* gpu_nvml_lists.c - NVIDIA GPUs through their management library: what comes in lists, which are
 * the processes on a device and the driver's own histories. */
#include "source/gpu/gpu_nvml.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Lists move while they are read; nothing real is longer than this. */
#define MAX_ENTRIES 65536u

/* Room for at least n entries of a size; returns for how many there is. */
static uint32_t make_room(struct gput__nvml *nvml, uint32_t n, size_t size)
{
    size_t room = nvml->scratch_size / size;
    void *bigger;

    if (room < n) {
        bigger = realloc(nvml->scratch, n * size);
        if (!bigger)
            return 0;
        nvml->scratch = bigger;
        nvml->scratch_size = n * size;
        room = n;
    }
    return room > MAX_ENTRIES ? MAX_ENTRIES : (uint32_t)room;
}

/* One list to be asked for: a call of the library with its arguments, entries of `size` bytes. */
struct query {
    int (*ask)(struct gput__nvml *, struct gput__nvml_gpu *, struct query *, uint32_t *count);
    size_t size;
    uint32_t room;    /* to begin with, then what there was */
    bool full_is_cut; /* too small a buffer is filled and not complained of */
    enum gput__nvml_list which;
    uint64_t since;
    int type;
};

/* Fills the scratch and asks again with more room while it is too small. */
static int fetch(struct gput__nvml *nvml, struct gput__nvml_gpu *g, struct query *q,
                 uint32_t *ret_n)
{
    uint32_t n;
    int code;

    for (;;) {
        q->room = make_room(nvml, q->room, q->size);
        if (q->room == 0)
            return -ENOMEM;
        n = q->room;
        code = q->ask(nvml, g, q, &n);
        if (code != GPUT__NVML_INSUFFICIENT_SIZE &&
            !(code == GPUT__NVML_SUCCESS && q->full_is_cut && n >= q->room))
            break;
        if (q->room == MAX_ENTRIES)
            return -EOVERFLOW;
        q->room = n <= MAX_ENTRIES && n > q->room ? n + n / 4 : q->room * 2;
    }
    *ret_n = n < q->room ? n : q->room;
    return gput__nvml_answer(g, code);
}

/* --- processes ------------------------------------------------------------------------------ */

#define POISON 0xa5 /* neither 0 nor all ones, which drivers write themselves */

/* The size of a record by how far n of them were written into a poisoned buffer for `room`. */
static size_t infer_stride(const unsigned char *buf, uint32_t n, uint32_t room)
{
    size_t end = (size_t)room * GPUT__NVML_PROCESS_MAX;
    size_t each;

    while (end > 0 && buf[end - 1] == POISON)
        end--;
    /* beyond the records: all that it was given was cleared first */
    each = end > (size_t)n * GPUT__NVML_PROCESS_MAX ? end / room : (end + n - 1) / n;
    return each <= 16 ? 16 : each <= 24 ? 24 : GPUT__NVML_PROCESS_MAX;
}

static int ask_processes(struct gput__nvml *nvml, struct gput__nvml_gpu *g, struct query *q,
                         uint32_t *count)
{
    if (!nvml->strides[q->which])
        memset(nvml->scratch, POISON, (size_t)q->room * GPUT__NVML_PROCESS_MAX);
    return nvml->api.processes[q->which](g->device, count, nvml->scratch);
}

/* A process that computes and draws is in two lists with the same figure: the larger counts, not
 * the sum. */
static int merge(struct gput__gpu_processes *p, const struct gput__nvml_process *record)
{
    pid_t pid = (pid_t)record->pid;
    bool has_memory = record->memory != GPUT__NVML_NO_U64;
    uint64_t memory = has_memory ? record->memory : 0;

    for (size_t i = 0; i < p->n; i++) {
        if (p->list[i].pid != pid)
            continue;
        p->list[i].has_memory |= has_memory;
        if (p->list[i].memory < memory)
            p->list[i].memory = memory;
        return 0;
    }
    return gput__gpu_add_process(p, pid, has_memory, memory);
}

static int read_list(struct gput__nvml *nvml, struct gput__nvml_gpu *g, enum gput__nvml_list which,
                     struct gput__gpu_processes *ret)
{
    struct query q = { ask_processes, .size = GPUT__NVML_PROCESS_MAX, .room = 32, .which = which };
    struct gput__nvml_process record;
    uint32_t n = 0;
    int r;

    if (!nvml->api.processes[which])
        return -ENOTSUP;
    r = fetch(nvml, g, &q, &n);
    if (r == 0 && n > 0 && !nvml->strides[which])
        nvml->strides[which] = infer_stride(nvml->scratch, n, q.room);
    for (uint32_t k = 0; r == 0 && k < n; k++) {
        memcpy(&record, (const char *)nvml->scratch + k * nvml->strides[which], sizeof(record));
        if (record.pid <= INT_MAX)
            r = merge(ret, &record);
    }
    return r == -ENODATA ? 0 : r;
}

int gput__nvml_processes(void *gpus, unsigned i, const pid_t *job, size_t n_job,
                         struct gput__gpu_processes *ret)
{
    struct gput__nvml *nvml = gpus;
    int error = -ENOTSUP, none;
    struct gput__nvml_gpu *g = gput__nvml_pick(nvml, i, &none);

    (void)job;
    (void)n_job;
    if (!g)
        return none;
    if (g->is_partitioned)
        return -ENOTSUP;
    ret->n = 0;
    for (enum gput__nvml_list which = 0; which < GPUT__NVML_N_LISTS; which++) {
        int r = read_list(nvml, g, which, ret);

        if (r == 0)
            error = 0;
        else if (r == -ENOMEM || g->is_lost || (r != -ENOTSUP && which != GPUT__NVML_MPS))
            return r; /* a part of the list would be taken for all of it */
    }
    return error;
}

/* --- the history of a device ---------------------------------------------------------------- */

/* -ENOTSUP: this driver has no such history, or none of a MIG instance. */
static int fetch_history(struct gput__nvml *nvml, unsigned i, bool has_call, struct query *q,
                         uint32_t *ret_n)
{
    int none;
    struct gput__nvml_gpu *g = gput__nvml_pick(nvml, i, &none);

    if (!g)
        return none;
    return has_call && !g->info.is_mig ? fetch(nvml, g, q, ret_n) : -ENOTSUP;
}

/* Negative if it is no percentage. */
static double percent_of(const struct gput__nvml_sample *s, int type)
{
    double v;

    switch (type) {
    case GPUT__NVML_DOUBLE:
        v = s->value.f64;
        break;
    case GPUT__NVML_UINT:
        v = s->value.u32;
        break;
    case GPUT__NVML_ULONG:
    case GPUT__NVML_ULONGLONG:
        v = (double)s->value.u64;
        break;
    case GPUT__NVML_LONGLONG:
        v = (double)s->value.i64;
        break;
    case GPUT__NVML_INT:
        v = s->value.i32;
        break;
    case GPUT__NVML_USHORT:
        v = s->value.u16;
        break;
    default:
        return -1;
    }
    return v >= 0 && v <= 100 ? v : -1;
}

static int by_time(const void *a, const void *b)
{
    uint64_t x = ((const struct gput__nvml_sample *)a)->time_us;
    uint64_t y = ((const struct gput__nvml_sample *)b)->time_us;

    return (x > y) - (x < y);
}

static int ask_samples(struct gput__nvml *nvml, struct gput__nvml_gpu *g, struct query *q,
                       uint32_t *count)
{
    return nvml->api.samples(g->device, GPUT__NVML_SAMPLES_GPU_UTILIZATION, q->since, &q->type,
                             count, nvml->scratch);
}

int gput__nvml_history(void *gpus, unsigned i, int64_t since_us, gput__gpu_sample_fn *each,
                       void *ctx)
{
    struct gput__nvml *nvml = gpus;
    struct query q = {
        ask_samples,         .size = sizeof(struct gput__nvml_sample),       .room = 256,
        .full_is_cut = true, .since = since_us > 0 ? (uint64_t)since_us : 0, .type = -1
    };
    uint32_t n = 0;
    int r = fetch_history(nvml, i, nvml->api.samples != NULL, &q, &n), given = 0;
    struct gput__nvml_sample *samples = nvml->scratch;

    if (r < 0)
        return r;
    qsort(samples, n, sizeof(*samples), by_time);
    for (uint32_t k = 0; k < n; k++) {
        double percent = percent_of(&samples[k], q.type);

        if (samples[k].time_us <= q.since || samples[k].time_us > INT64_MAX || percent < 0)
            continue;
        each(ctx, (int64_t)samples[k].time_us, percent);
        given = 1;
    }
    return given ? 0 : -ENODATA;
}

/* --- the history of processes --------------------------------------------------------------- */

static int ask_utilization(struct gput__nvml *nvml, struct gput__nvml_gpu *g, struct query *q,
                           uint32_t *count)
{
    return nvml->api.process_utilization(g->device, nvml->scratch, count, q->since);
}

/* Entries never filled, averages of long ago and values that cannot be are written too. */
static bool is_sound(const struct gput__nvml_process_sample *s, uint64_t since)
{
    return s->pid > 0 && s->pid <= INT_MAX && s->time_us > since && s->time_us <= INT64_MAX &&
           s->sm <= 100;
}

int gput__nvml_process_utilization(void *gpus, unsigned i, int64_t since_us,
                                   void (*each)(void *ctx, pid_t pid, int64_t time_us,
                                                double percent),
                                   void *ctx)
{
    struct gput__nvml *nvml = gpus;
    struct query q = { ask_utilization, .size = sizeof(struct gput__nvml_process_sample),
                       .room = 128, .since = since_us > 0 ? (uint64_t)since_us : 0 };
    uint32_t n = 0;
    int r = fetch_history(nvml, i, nvml->api.process_utilization != NULL, &q, &n), given = 0;
    const struct gput__nvml_process_sample *s = nvml->scratch;

    if (r < 0)
        return r;
    for (uint32_t k = 0; k < n; k++) {
        if (!is_sound(&s[k], q.since))
            continue;
        each(ctx, (pid_t)s[k].pid, (int64_t)s[k].time_us, s[k].sm);
        given = 1;
    }
    return given ? 0 : -ENODATA;
}
