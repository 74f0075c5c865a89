/* gpu_all.c - the GPUs of all brands that a machine has, as one back end.
 *
 * Each device is handed on to its brand's own back end, which knows it by a number of its own. */
#include "source/gpu/gpu_all.h"

#include <errno.h>
#include <stdlib.h>

enum { MOST_BRANDS = 3 };

struct part {
    const struct gput__gpu_ops *ops;
    void *gpus;
    unsigned first, n; /* its devices among all */
};

struct all {
    struct part parts[MOST_BRANDS];
    unsigned n_parts, n;
};

int gput__gpu_all_new(void **ret_gpus)
{
    *ret_gpus = calloc(1, sizeof(struct all));
    return *ret_gpus ? 0 : -ENOMEM;
}

void gput__gpu_all_add(void *gpus, const struct gput__gpu_ops *ops, void *of_brand)
{
    struct all *a = gpus;
    struct part *p = &a->parts[a->n_parts];

    if (a->n_parts == MOST_BRANDS) {
        ops->close(of_brand);
        return;
    }
    *p = (struct part){ ops, of_brand, a->n, ops->count(of_brand) };
    a->n += p->n;
    a->n_parts++;
}

/* Whose it is; `*i` becomes its own number. */
static const struct part *part_of(const struct all *a, unsigned *i)
{
    const struct part *p = a->parts;

    while (p < a->parts + a->n_parts && *i >= p->first + p->n)
        p++;
    if (p == a->parts + a->n_parts)
        return NULL;
    *i -= p->first;
    return p;
}

static unsigned count(const void *gpus)
{
    return ((const struct all *)gpus)->n;
}

static int describe(void *gpus, unsigned i, struct gput__gpu_info *ret)
{
    const struct part *p = part_of(gpus, &i);
    int r = p ? p->ops->describe(p->gpus, i, ret) : -EINVAL;

    if (!p)
        return r;
    ret->brand = p->ops->brand;
    ret->is_drm = p->ops->is_drm;
    ret->parent += ret->is_mig ? p->first : 0;
    return r;
}

static int read(void *gpus, unsigned i, unsigned what, struct gput__gpu_reading *ret)
{
    const struct part *p = part_of(gpus, &i);

    return p ? p->ops->read(p->gpus, i, what, ret) : -EINVAL;
}

static int processes(void *gpus, unsigned i, const pid_t *job, size_t n_job,
                     struct gput__gpu_processes *ret)
{
    const struct part *p = part_of(gpus, &i);

    return p ? p->ops->processes(p->gpus, i, job, n_job, ret) : -EINVAL;
}

static int history(void *gpus, unsigned i, int64_t since_us, gput__gpu_sample_fn *each, void *ctx)
{
    const struct part *p = part_of(gpus, &i);

    return p && p->ops->history ? p->ops->history(p->gpus, i, since_us, each, ctx) : -ENOTSUP;
}

static int energy(void *gpus, unsigned i, double *ret_joules)
{
    const struct part *p = part_of(gpus, &i);

    return p && p->ops->energy ? p->ops->energy(p->gpus, i, ret_joules) : -ENOTSUP;
}

static int process_utilization(void *gpus, unsigned i, int64_t since_us,
                               void (*each)(void *ctx, pid_t pid, int64_t time_us, double percent),
                               void *ctx)
{
    const struct part *p = part_of(gpus, &i);

    return p && p->ops->process_utilization
               ? p->ops->process_utilization(p->gpus, i, since_us, each, ctx)
               : -ENOTSUP;
}

static int work(void *gpus, unsigned i, struct gput__gpu_work *ret, const char **ret_why)
{
    const struct part *p = part_of(gpus, &i);

    return p && p->ops->work ? p->ops->work(p->gpus, i, ret, ret_why) : -ENOTSUP;
}

static int counts(void *gpus, unsigned i, unsigned which, struct gput__gpu_counts *ret)
{
    const struct part *p = part_of(gpus, &i);

    return p && p->ops->counts ? p->ops->counts(p->gpus, i, which, ret) : -ENOTSUP;
}

static void close_all(void *gpus)
{
    struct all *a = gpus;

    for (unsigned k = 0; a && k < a->n_parts; k++)
        a->parts[k].ops->close(a->parts[k].gpus);
    free(a);
}

const struct gput__gpu_ops gput__gpu_all = {
    .count = count,
    .describe = describe,
    .read = read,
    .processes = processes,
    .history = history,
    .energy = energy,
    .process_utilization = process_utilization,
    .work = work,
    .counts = counts,
    .close = close_all,
};
