/* gpu_fixture.h - a machine of tests/fixtures/gpu as the roots of a GPU back end. */
#ifndef GPU_FIXTURE_H
#define GPU_FIXTURE_H

#include <stdlib.h>

#include "fixture.h"
#include "source/gpu/gpu.h"

#define KIB UINT64_C(1024)
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)

struct machine {
    const char *folder; /* of all machines */
    const char *name;
    struct gput__root proc, sys;
    struct gput__gpu_config config;
};

static inline void machine_root(const struct machine *m, int moment, const char *what,
                                struct gput__root *ret)
{
    char path[2048];

    gput__root_close(ret);
    fixture_need((size_t)snprintf(path, sizeof(path), "%s/%s/%d/%s", m->folder, m->name, moment,
                                  what) < sizeof(path),
                 "long path");
    fixture_need(gput__root_open(path, NULL, ret) == 0, path);
}

/* The same roots show another moment from here on. */
static inline void machine_moment(struct machine *m, int moment)
{
    machine_root(m, moment, "proc", &m->proc);
    machine_root(m, moment, "sys", &m->sys);
}

static inline void machine_begin(struct machine *m, const char *folder, const char *name)
{
    *m = (struct machine){
        .folder = folder, .name = name, .proc = GPUT__ROOT_NONE, .sys = GPUT__ROOT_NONE
    };
    m->config = (struct gput__gpu_config){ .proc = &m->proc, .sys = &m->sys };
    machine_moment(m, 0);
}

static inline void machine_end(struct machine *m)
{
    gput__root_close(&m->proc);
    gput__root_close(&m->sys);
}

/* Opens a back end on the machine; the test cannot go on without it. */
static inline void *machine_open(struct machine *m, const struct gput__gpu_ops *ops)
{
    char why[128] = "";
    void *gpus = NULL;

    fixture_need(ops->open(&m->config, &gpus, why, sizeof(why)) == 0, why);
    return gpus;
}

/* Bytes of a process, -1: not in the list, -2: it does not say. */
static inline long long bytes_of(const struct gput__gpu_processes *p, pid_t pid)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->list[i].pid == pid)
            return p->list[i].has_memory ? (long long)p->list[i].memory : -2;
    return -1;
}

#endif
