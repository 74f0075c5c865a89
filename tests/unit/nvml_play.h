/* nvml_play.h - the NVIDIA back end opened on a stand-in that performs a script, see tests/nvml. */
#ifndef NVML_PLAY_H
#define NVML_PLAY_H

#include <stdint.h>
#include <time.h>

#include "fixture.h"
#include "source/gpu/gpu.h"
#include "tap.h"

#define ALL 0x3fu /* of enum gput__gpu_what */

static const struct gput__gpu_ops *const ops = &gput__gpu_nvml;

/* The stand-ins: all symbols of today, only unsuffixed ones, up to _v2, early _v3. */
static const char *full, *unsuffixed, *v2, *early_v3;

struct play {
    struct fixture dir;
    void *gpus;
    int r;
    char why[256];
};

static inline void begin(struct play *p, const char *lib, const char *script)
{
    struct gput__gpu_config config = { .proc = &p->dir.root, .nvml_path = lib };
    char path[64];

    fixture_begin(&p->dir);
    fixture_write(&p->dir, "script", script);
    fixture_path(&p->dir, "script", path, sizeof(path));
    setenv("GPUT_NVML_SCRIPT", path, 1);
    fixture_path(&p->dir, "log", path, sizeof(path));
    setenv("GPUT_NVML_LOG", path, 1);
    fixture_write(&p->dir, "meminfo", "MemTotal: 2048 kB\nMemAvailable: 1024 kB\n");
    p->gpus = NULL;
    p->why[0] = '\0';
    p->r = ops->open(&config, &p->gpus, p->why, sizeof(p->why));
}

/* For tests that make no sense without devices. */
static inline void begin_well(struct play *p, const char *lib, const char *script)
{
    begin(p, lib, script);
    fixture_need(p->r == 0, p->why);
}

static inline void end(struct play *p)
{
    ops->close(p->gpus);
    fixture_end(&p->dir);
}

/* How often the library was called so. */
static inline unsigned calls(const struct play *p, const char *function)
{
    static char log[1 << 20];
    char key[80];
    unsigned n = 0;

    snprintf(key, sizeof(key), " %s ", function);
    if (gput__root_read(&p->dir.root, "log", log, sizeof(log)) < 0)
        return 0;
    for (const char *at = log; (at = strstr(at, key)); at++)
        n++;
    return n;
}

static inline struct gput__gpu_info info_of(struct play *p, unsigned i)
{
    struct gput__gpu_info info = { .parent = 77 };

    fixture_need(ops->describe(p->gpus, i, &info) == 0, "describe");
    return info;
}

static inline struct gput__gpu_reading reading_of(struct play *p, unsigned i, unsigned what)
{
    struct gput__gpu_reading r = { .known = 1u << 31 };

    ops->read(p->gpus, i, what, &r);
    return r;
}

/* One GPU of which all is known. */
static const char usual[] = "gpu GPU-0 A\ntotal 1000\nreserved 100\nused 50\nutil 42\npower 70500\n"
                            "temp 61\nclock 1500\nmemclock 2600\nthrottle 0x4\nenergy 5000\n"
                            "process compute 7 30\nprocess graphics 8 20\n";

static inline void ignore_sample(void *ctx, int64_t time_us, double percent)
{
    (void)ctx;
    (void)time_us;
    (void)percent;
}

static inline void ignore_user(void *ctx, pid_t pid, int64_t time_us, double percent)
{
    (void)pid;
    ignore_sample(ctx, time_us, percent);
}

static inline void find_libraries(int argc, char **argv)
{
    fixture_need(argc == 5, "usage: TEST FULL UNSUFFIXED V2 EARLY_V3");
    full = argv[1];
    unsuffixed = argv[2];
    v2 = argv[3];
    early_v3 = argv[4];
}

#endif
