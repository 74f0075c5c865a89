/* pressure.c - for how long tasks of the machine waited for a CPU, memory or a disk. */
#include "sample/machine/pressure.h"

#include <unistd.h>

#include "source/stalls/sys_pressure.h"

/* All tasks of a machine never wait for a CPU: one of them runs. */
static const struct {
    const char *file;
    enum gput__metric some, full;
} of[] = {
    { "pressure/cpu", GPUT__SYSTEM_CPU_PRESSURE, GPUT__N_METRICS },
    { "pressure/memory", GPUT__SYSTEM_MEMORY_PRESSURE, GPUT__SYSTEM_MEMORY_PRESSURE_FULL },
    { "pressure/io", GPUT__SYSTEM_IO_PRESSURE, GPUT__SYSTEM_IO_PRESSURE_FULL },
};
enum { N_FILES = sizeof(of) / sizeof(*of) };

void gput__pressure_open(struct gput__pressure *p)
{
    *p = (struct gput__pressure){ { -1, -1, -1 }, false };
}

void gput__pressure_close(struct gput__pressure *p)
{
    for (int i = 0; i < N_FILES; i++)
        if (p->fd[i] >= 0)
            close(p->fd[i]);
}

void gput__pressure_read(struct gput__pressure *p, const struct gput__root *proc,
                         struct gput__sample *ret)
{
    bool any = false;

    if (p->is_absent)
        return;
    for (int i = 0; i < N_FILES; i++) {
        struct gput__sys_pressure now;
        char text[512];

        if (gput__root_reread(proc, of[i].file, &p->fd[i], text, sizeof(text)) <= 0 ||
            gput__sys_pressure_parse(text, &now) < 0)
            continue;
        any = true;
        gput__sample_set(ret, of[i].some, (double)now.some_us / 1e6);
        if (now.has_full && of[i].full != GPUT__N_METRICS)
            gput__sample_set(ret, of[i].full, (double)now.full_us / 1e6);
    }
    p->is_absent = !any;
}
