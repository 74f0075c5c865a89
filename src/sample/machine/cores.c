/* cores.c - CPU time of the machine, and how busy each of its cores was between two reads. */
#include "sample/machine/cores.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/least.h"
#include "source/machine/sys_cpu.h"

/* Of a smaller file the first line is all that is needed. */
#define FIRST_SIZE 4096
/* No machine has more cores by far: a number beyond is a fault of the text. */
#define MOST_CORES 65536
/* Ticks; over fewer one more or less would be too much of it. */
#define LEAST_TICKS 8
/* So much of a core is all of it. */
#define BUSY 0.9

void gput__cores_open(struct gput__cores *c)
{
    *c = (struct gput__cores){ .fd = -1, .tick_s = 1.0 / (double)sysconf(_SC_CLK_TCK) };
}

void gput__cores_close(struct gput__cores *c)
{
    if (c->fd >= 0)
        close(c->fd);
    free(c->text);
    free(c->last);
}

void gput__cores_want_each(struct gput__cores *c)
{
    c->is_each_wanted = true;
}

/* Behind the cores stand the counts of interrupts, which may be far longer and are not needed. */
static bool ends_in_cores(const char *text)
{
    const char *line = strrchr(text, '\n');

    line = line ? line + 1 : text;
    return strncmp(line, "cpu", strlen(line) < 3 ? strlen(line) : 3) == 0;
}

static bool grow(struct gput__cores *c)
{
    size_t size = c->size ? 2 * c->size : FIRST_SIZE;
    char *text = realloc(c->text, size);

    if (!text)
        return false;
    c->text = text;
    c->size = size;
    return true;
}

static bool read_text(struct gput__cores *c, const struct gput__root *proc)
{
    ssize_t n;

    if (!c->size && !grow(c))
        return false;
    do
        n = gput__root_reread(proc, "stat", &c->fd, c->text, c->size);
    while (n > 0 && c->is_each_wanted && (size_t)n + 1 == c->size && ends_in_cores(c->text) &&
           grow(c));
    return n > 0;
}

static bool has_room(struct gput__cores *c, unsigned id)
{
    unsigned n = c->n_last ? c->n_last : 8;
    struct gput__core_time *last;

    if (id < c->n_last)
        return true;
    if (id >= MOST_CORES)
        return false;
    while (n <= id)
        n *= 2;
    last = realloc(c->last, n * sizeof(*last));
    if (!last)
        return false;
    memset(last + c->n_last, 0, (n - c->n_last) * sizeof(*last));
    c->last = last;
    c->n_last = n;
    return true;
}

/* A core that has just come counts from the next read on. */
static void judge_cores(struct gput__cores *c, struct gput__sample *ret)
{
    double busiest = -1, n_busy = 0;
    const char *p = c->text;
    struct gput__sys_core core;

    while (gput__sys_cpu_next_core(&p, &core)) {
        struct gput__core_time *last = has_room(c, core.id) ? &c->last[core.id] : NULL;
        double share;

        if (!last || (core.all >= last->all && core.all - last->all < LEAST_TICKS))
            continue;
        if (last->all && core.all > last->all) {
            share = (double)gput__minus(core.busy, last->busy) / (double)(core.all - last->all);
            busiest = share > busiest ? share : busiest;
            n_busy += share >= BUSY;
        }
        *last = (struct gput__core_time){ core.busy, core.all };
    }
    if (busiest < 0)
        return;
    gput__sample_set(ret, GPUT__SYSTEM_BUSIEST_CORE, busiest < 1 ? 100 * busiest : 100);
    gput__sample_set(ret, GPUT__SYSTEM_BUSY_CORES, n_busy);
}

void gput__cores_read(struct gput__cores *c, const struct gput__root *proc,
                      struct gput__sample *ret)
{
    struct gput__sys_cpu cpu;

    if (!read_text(c, proc) || gput__sys_cpu_parse(c->text, &cpu) < 0)
        return;
    gput__sample_set(ret, GPUT__SYSTEM_CPU, (double)cpu.busy * c->tick_s);
    gput__sample_set(ret, GPUT__SYSTEM_USER_CPU, (double)cpu.user * c->tick_s);
    gput__sample_set(ret, GPUT__SYSTEM_KERNEL_CPU, (double)cpu.kernel * c->tick_s);
    gput__sample_set(ret, GPUT__SYSTEM_STOLEN_CPU, (double)cpu.stolen * c->tick_s);
    if (c->is_each_wanted)
        judge_cores(c, ret);
}
