/* gpu.c - what the GPU back ends share. */
#include "source/gpu/gpu.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/grow.h"

int gput__gpu_add_process(struct gput__gpu_processes *p, pid_t pid, bool has_memory,
                          uint64_t memory)
{
    for (size_t i = 0; i < p->n; i++) {
        if (p->list[i].pid != pid)
            continue;
        p->list[i].has_memory |= has_memory;
        p->list[i].memory += memory;
        return 0;
    }
    if (GPUT__GROW(p->list, p->cap, p->n + 1) < 0)
        return -ENOMEM;
    p->list[p->n++] = (struct gput__gpu_process){ pid, has_memory, memory };
    return 0;
}

int gput__gpu_drm_present(const struct gput__gpu_config *config, char *ret_why, size_t cap)
{
    if (config->sys->fd >= 0 && faccessat(config->sys->fd, "class/drm", F_OK, 0) == 0)
        return 0;
    snprintf(ret_why, cap, "there is no /sys/class/drm");
    return -ENODEV;
}
