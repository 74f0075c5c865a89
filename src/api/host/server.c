/* server.c - reads the facts of the machine that struct gput_server shows. */
#include "api/host/server.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "api/tracker.h"
#include "base/clock.h"
#include "base/text/text.h"
#include "sample/gpu/gpus.h"
#include "source/cgroup/cgroup.h"
#include "source/machine/cpu_model.h"
#include "source/machine/disks.h"
#include "source/machine/os_release.h"
#include "source/machine/sys_cpu.h"
#include "source/machine/sys_memory.h"

#define DRIVER_PATIENCE_NS (10 * GPUT__NS_PER_S)
/* Lines of all cores: more than a thousand. */
#define PROC_STAT_ROOM (256 * 1024)
/* The records of one core are some 1.5 kB long. */
#define CPUINFO_ROOM (8 * 1024)

struct gpu_texts {
    char name[96], uuid[96];
};

struct gput__server {
    struct gput_server facts;
    struct gput__root proc, sys;
    char os[32], kernel[96], architecture[32];
    struct gput__server_names names;
    struct gput_server_gpu *gpus;
    struct gpu_texts *gpu_texts;
    char gpu_why[256];
    struct gput__disk *found_disks;
    struct gput_disk *disks;
};

static const char *or_null(const char *text)
{
    return text[0] ? text : NULL;
}

/* --- the system ----------------------------------------------------------------------------- */

static const char *read_line(const struct gput__root *root, const char *name, char *ret, size_t cap)
{
    if (gput__root_read(root, name, ret, cap) <= 0)
        return NULL;
    return or_null(gput__text_tidy(ret));
}

void gput__server_names_read(const struct gput__root *proc, struct gput__server_names *ret)
{
    char text[CPUINFO_ROOM];

    *ret = (struct gput__server_names){ 0 };
    if (!read_line(proc, "sys/kernel/hostname", ret->hostname, sizeof(ret->hostname)))
        ret->hostname[0] = '\0';
    gput__os_release_read(proc, &ret->release);
    if (gput__root_read(proc, "cpuinfo", text, sizeof(text)) > 0)
        gput__cpu_model_parse(text, ret->cpu_model, sizeof(ret->cpu_model));
}

static void read_system(struct gput__server *s)
{
    struct gput_server *f = &s->facts;
    struct utsname name;

    f->os = read_line(&s->proc, "sys/kernel/ostype", s->os, sizeof(s->os));
    f->kernel = read_line(&s->proc, "sys/kernel/osrelease", s->kernel, sizeof(s->kernel));
    f->architecture =
        read_line(&s->proc, "sys/kernel/arch", s->architecture, sizeof(s->architecture));
    if (!f->architecture && s->proc.live && uname(&name) == 0) { /* before Linux 6.1 */
        snprintf(s->architecture, sizeof(s->architecture), "%.31s", name.machine);
        f->architecture = s->architecture;
    }
    gput__server_names_read(&s->proc, &s->names);
    f->hostname = or_null(s->names.hostname);
    f->cpu_model = or_null(s->names.cpu_model);
    f->distribution = or_null(s->names.release.name);
    f->distribution_id = or_null(s->names.release.id);
    f->distribution_version = or_null(s->names.release.version);
}

static void read_cpus(struct gput__server *s)
{
    char *text = malloc(PROC_STAT_ROOM);

    if (!text)
        return;
    if (gput__root_read(&s->proc, "stat", text, PROC_STAT_ROOM) > 0)
        s->facts.vcpus = (int)gput__sys_cpu_count(text);
    free(text);
}

static void read_memory(struct gput__server *s)
{
    struct gput__sys_memory memory;
    char text[4096];

    s->facts.memory = NAN;
    if (gput__root_read(&s->proc, "meminfo", text, sizeof(text)) > 0 &&
        gput__sys_memory_parse(text, &memory) == 0)
        s->facts.memory = (double)memory.total;
}

static void read_limits(struct gput__server *s)
{
    struct gput_server *f = &s->facts;
    double cores = f->vcpus > 0 ? (double)f->vcpus : (double)NAN;
    struct gput__cgroup c;

    gput__cgroup_read(&s->proc, &s->sys, 0, &c);
    f->memory_cgroup = c.has_memory_limit ? (double)c.memory_limit : NAN;
    f->cores_cgroup = c.has_cpu_limit ? c.cpu_limit : NAN;
    f->cores_affinity = (int)gput__affinity(&s->proc, 0);
    f->memory_effective = fmin(f->memory, f->memory_cgroup); /* NAN loses against a number */
    f->cores_effective = fmin(cores, f->cores_cgroup);
    if (f->cores_affinity > 0)
        f->cores_effective = fmin(f->cores_effective, f->cores_affinity);
}

static int read_disks(struct gput__server *s)
{
    unsigned n;
    int r = gput__disks_read(&s->sys, &s->found_disks, &n);

    if (r < 0)
        return r;
    s->disks = calloc(n ? n : 1, sizeof(*s->disks));
    if (!s->disks)
        return -ENOMEM;
    for (unsigned i = 0; i < n; i++) {
        const struct gput__disk *d = &s->found_disks[i];

        s->disks[i] =
            (struct gput_disk){ d->name, or_null(d->model), (double)d->size, d->is_rotational };
    }
    s->facts.disks = s->disks;
    s->facts.n_disks = (int)n;
    return 0;
}

/* --- GPUs ----------------------------------------------------------------------------------- */

static void add_gpu(struct gput__server *s, const struct gput__gpus *g, unsigned from, unsigned to)
{
    const struct gput__gpu_info *info = &g->found.devices[from].info;
    struct gpu_texts *texts = &s->gpu_texts[to];

    snprintf(texts->name, sizeof(texts->name), "%s", info->name);
    snprintf(texts->uuid, sizeof(texts->uuid), "%s", info->uuid);
    gput__text_tidy(texts->name);
    gput__text_tidy(texts->uuid);
    s->gpus[to] = (struct gput_server_gpu){
        .name = texts->name,
        .uuid = texts->uuid,
        .brand = gput_gpu_brand(info->brand),
        .memory = info->has_memory_total ? (double)info->memory_total : NAN,
    };
}

static int add_gpus(struct gput__server *s, const struct gput__gpus *g)
{
    unsigned n = 0;

    s->gpus = calloc(g->found.n ? g->found.n : 1, sizeof(*s->gpus));
    s->gpu_texts = calloc(g->found.n ? g->found.n : 1, sizeof(*s->gpu_texts));
    if (!s->gpus || !s->gpu_texts)
        return -ENOMEM;
    for (unsigned i = 0; i < g->found.n; i++)
        if (gput__gpus_counts(g, i))
            add_gpu(s, g, i, n++);
    s->facts.gpus = s->gpus;
    s->facts.n_gpus = (int)n;
    snprintf(s->gpu_why, sizeof(s->gpu_why), "%s", n ? "" : g->found.why);
    return 0;
}

/* The name that most of them have; of several the first. */
static const char *most_common(const struct gput_server *f)
{
    const char *best = NULL;
    int most = 0;

    for (int i = 0; i < f->n_gpus; i++) {
        int n = 0;

        for (int k = 0; k < f->n_gpus; k++)
            n += !strcmp(f->gpus[i].name, f->gpus[k].name);
        if (n > most) {
            most = n;
            best = f->gpus[i].name;
        }
    }
    return best;
}

static void sum_up_gpus(struct gput__server *s)
{
    struct gput_server *f = &s->facts;

    f->gpu_name = most_common(f);
    f->gpu_why = or_null(s->gpu_why);
    f->gpu_memory = f->n_gpus < 0 ? NAN : 0;
    for (int i = 0; i < f->n_gpus; i++)
        f->gpu_memory += f->gpus[i].memory; /* one that is not known makes the sum so */
}

static int read_gpus(struct gput__server *s, const struct gput_options *o)
{
    struct gput__gpu_plan plan = {
        .config = { .proc = &s->proc,
                    .sys = &s->sys,
                    .nvml_path = o->nvml_path,
                    .dev_is_live = s->proc.live },
        .brand = o->gpu_brand,
        .start_ns = gput__now(),
        .start_us = gput__clock_ns(CLOCK_REALTIME) / 1000,
        .period_ns = GPUT__NS_PER_S,
        .no_watch = true,
    };
    struct gput__gpus *g = NULL;
    int r = gput__gpus_start(&plan, &g);

    s->facts.n_gpus = -1;
    if (r == 0 && gput__gpus_wait(g, DRIVER_PATIENCE_NS)) {
        pthread_mutex_lock(&g->lock);
        r = add_gpus(s, g);
        pthread_mutex_unlock(&g->lock);
    } else {
        snprintf(s->gpu_why, sizeof(s->gpu_why), "%s",
                 r < 0 ? "no thread for the GPUs" : "the GPU driver did not answer in time");
    }
    gput__gpus_close(g);
    sum_up_gpus(s);
    return r == -ENOMEM ? r : 0;
}

/* --- all of it ------------------------------------------------------------------------------ */

struct gput__server *gput__server_read(const struct gput_options *o)
{
    struct gput__server *s = calloc(1, sizeof(*s));

    if (!s)
        return NULL;
    /* Without one of them what it would tell is not known. */
    s->proc = s->sys = GPUT__ROOT_NONE;
    (void)gput__root_open(o->proc_root, "/proc", &s->proc);
    (void)gput__root_open(o->sys_root, "/sys", &s->sys);
    read_system(s);
    read_cpus(s);
    read_memory(s);
    read_limits(s);
    if (read_disks(s) < 0 || read_gpus(s, o) < 0) {
        gput__server_free(s);
        return NULL;
    }
    return s;
}

const struct gput_server *gput__server_facts(const struct gput__server *s)
{
    return &s->facts;
}

void gput__server_free(struct gput__server *s)
{
    if (!s)
        return;
    gput__root_close(&s->proc);
    gput__root_close(&s->sys);
    free(s->gpus);
    free(s->gpu_texts);
    free(s->found_disks);
    free(s->disks);
    free(s);
}
