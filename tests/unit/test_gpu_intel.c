/* test_gpu_intel.c - Intel GPUs on dumps of machines.  usage: test_gpu_intel FOLDER_OF_MACHINES */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "gpu_fixture.h"
#include "tap.h"

enum {
    ALL = GPUT__GPU_MEMORY | GPUT__GPU_UTILIZATION | GPUT__GPU_POWER | GPUT__GPU_TEMPERATURE |
          GPUT__GPU_CLOCKS | GPUT__GPU_THROTTLE,
};

static const struct gput__gpu_ops *const ops = &gput__gpu_intel;

static void wait_ms(long ms)
{
    struct timespec t = { 0, ms * 1000000 };

    nanosleep(&t, NULL);
}

/* When two calls were made: the time between them was no less than `inner` and no more than `outer`
 * nanoseconds, so what was divided by it is known between bounds. */
struct between {
    int64_t before_first, after_first, before_second, after_second, after_again;
};

static bool is_rate(double value, double amount, const struct between *t)
{
    double outer = gput__seconds(t->after_second - t->before_first);
    double inner = gput__seconds(t->before_second - t->after_first);

    return value >= amount / outer * 0.999999 && value <= amount / inner * 1.000001;
}

/* --- integrated, i915 ------------------------------------------------------------------------- */

static void i915(const char *folder)
{
    static const pid_t job[] = { 3100, 3101 };
    struct gput__gpu_processes p = { 0 };
    struct gput__gpu_reading r;
    struct gput__gpu_info info;
    struct between t;
    struct gput__gpu_work work;
    const char *why = NULL;
    struct machine m;
    double joules = 7;
    void *gpus;

    machine_begin(&m, folder, "intel-i915");
    gpus = machine_open(&m, ops);
    OK(ops->count(gpus) == 1 && ops->describe(gpus, 0, &info) == 0, "one GPU");
    OK(!strcmp(info.name, "Intel GPU 0x46a6") && !strcmp(info.uuid, "0000:00:02.0"), "%s",
       info.name);
    OK(info.is_unified && info.has_memory_total && info.memory_total == 16 * GIB,
       "its memory is the machine's");
    OK(ops->energy(gpus, 0, &joules) == -ENOTSUP && joules == 7, "no energy counter");
    OK(ops->read(gpus, 0, ALL, &r) == 0 && r.known == GPUT__GPU_CLOCKS && r.clock_mhz == 1300,
       "before the job was polled: only its clock");

    t.before_first = gput__now();
    OK(ops->processes(gpus, 0, job, 2, &p) == 0 && p.n == 2, "two processes");
    t.after_first = gput__now();
    OK(bytes_of(&p, 3100) == (long long)(96 * MIB) && bytes_of(&p, 3101) == (long long)(32 * MIB),
       "the shared client counts once");
    OK(ops->read(gpus, 0, ALL, &r) == 0 && !(r.known & GPUT__GPU_UTILIZATION) &&
           (r.known & GPUT__GPU_MEMORY) && r.memory_used == 128 * MIB,
       "the job's memory is known, its utilisation not yet");
    OK(ops->work(gpus, 0, &work, &why) == -EAGAIN && why, "what it did: from here on");

    wait_ms(150);
    machine_moment(&m, 1);
    t.before_second = gput__now();
    OK(ops->processes(gpus, 0, job, 2, &p) == 0 && p.n == 2, "again");
    t.after_second = gput__now();
    /* render: 10 ms of one engine; video: 30 ms of two: the busier class is video, 15 ms */
    OK(ops->read(gpus, 0, ALL, &r) == 0 && (r.known & GPUT__GPU_UTILIZATION) &&
           is_rate(r.utilization, 100 * 0.015, &t),
       "the busiest class, each engine of it: %g %%", r.utilization);
    OK(ops->read(gpus, 0, GPUT__GPU_UTILIZATION, &r) == 0 && is_rate(r.utilization, 1.5, &t),
       "the figure stays until the job is polled again");
    OK(ops->work(gpus, 0, &work, &why) == 0 && work.known == 1u << GPUT__WORK_ENGINE &&
           is_rate(work.value[GPUT__WORK_ENGINE], 100 * 0.01, &t),
       "engines that compute or draw were active for 10 ms: %g %%", work.value[GPUT__WORK_ENGINE]);
    OK(ops->work(gpus, 0, &work, &why) == -EALREADY, "nothing is new since");

    wait_ms(20);
    machine_moment(&m, 2);
    OK(ops->processes(gpus, 0, job, 2, &p) == 0 && ops->read(gpus, 0, ALL, &r) == 0 &&
           (r.known & GPUT__GPU_UTILIZATION) && r.utilization == 0,
       "a counter that stepped back");
    OK(ops->processes(gpus, 0, job, 0, &p) == 0 && p.n == 0 && ops->read(gpus, 0, ALL, &r) == 0 &&
           !(r.known & GPUT__GPU_MEMORY) && (r.known & GPUT__GPU_UTILIZATION) && r.utilization == 0,
       "no clients: idle as far as the job goes, memory unknown");
    ops->close(gpus);
    ops->close(NULL);
    free(p.list);
    machine_end(&m);
}

/* --- discrete, xe ----------------------------------------------------------------------------- */

static void xe(const char *folder)
{
    static const pid_t job[] = { 4100, 4101 };
    struct gput__gpu_processes p = { 0 };
    struct gput__gpu_reading r, again = { 0 };
    struct gput__gpu_info info;
    struct between t;
    struct machine m;
    double joules;
    void *gpus;

    machine_begin(&m, folder, "intel-xe");
    gpus = machine_open(&m, ops);
    OK(ops->describe(gpus, 0, &info) == 0 && !strcmp(info.name, "Intel GPU 0xe20b") &&
           !strcmp(info.pci, "0000:03:00.0"),
       "%s", info.name);
    OK(!info.is_unified && info.has_memory_total && info.memory_total == 12 * GIB,
       "its own memory");
    OK(ops->energy(gpus, 0, &joules) == 0 && joules == 1000, "energy of the card, not the package");
    t.before_first = gput__now();
    OK(ops->read(gpus, 0, ALL, &r) == 0 && r.known == (GPUT__GPU_TEMPERATURE | GPUT__GPU_CLOCKS) &&
           r.temperature_c == 48 && r.clock_mhz == 2850,
       "memory and power are not known at first, and not 0");
    t.after_first = gput__now();
    OK(ops->processes(gpus, 0, job, 2, &p) == 0 && p.n == 2 &&
           bytes_of(&p, 4100) == (long long)(2 * GIB) &&
           bytes_of(&p, 4101) == (long long)(512 * MIB),
       "VRAM of each, the shared client once, no GTT");

    wait_ms(40);
    machine_moment(&m, 1);
    OK(ops->processes(gpus, 0, job, 2, &p) == 0, "again");
    t.before_second = gput__now();
    OK(ops->read(gpus, 0, ALL, &r) == 0, "the next moment");
    t.after_second = gput__now();
    OK(ops->read(gpus, 0, GPUT__GPU_POWER, &again) == 0, "and at once again");
    t.after_again = gput__now();
    /* of 10 M cycles rcs 2.5 M and 1 M; ccs 12 M of four engines, 30 % */
    OK((r.known & GPUT__GPU_UTILIZATION) && r.utilization == 35, "35 %%: %g", r.utilization);
    OK((r.known & GPUT__GPU_MEMORY) && r.memory_used == 2560 * MIB, "the job's memory");
    OK((r.known & GPUT__GPU_POWER) && is_rate(r.power_watts, 3, &t), "3 J since: %g W",
       r.power_watts);
    OK(again.power_watts == r.power_watts ||
           t.after_again - t.before_second >= 10 * GPUT__NS_PER_MS,
       "asked again at once: the same");

    wait_ms(20);
    machine_moment(&m, 2);
    /* of 20 M cycles: client 3 stepped back, client 5 went on by 8 M */
    OK(ops->processes(gpus, 0, job, 2, &p) == 0 &&
           ops->read(gpus, 0, GPUT__GPU_UTILIZATION, &r) == 0 && r.utilization == 40,
       "40 %%: %g", r.utilization);
    wait_ms(20);
    machine_moment(&m, 0);
    OK(ops->read(gpus, 0, GPUT__GPU_POWER, &r) == 0 && r.known == 0,
       "a counter that began anew gives no power");
    ops->close(gpus);
    free(p.list);
    machine_end(&m);
}

/* --- machines that the test makes ------------------------------------------------------------- */

struct made {
    struct fixture sys, proc;
    void *gpus;
};

static void made_begin(struct made *m, const char *pci, const char *driver)
{
    char text[128];

    fixture_begin(&m->sys);
    fixture_begin(&m->proc);
    snprintf(text, sizeof(text), "DRIVER=%s\nPCI_SLOT_NAME=%s\n", driver, pci);
    fixture_write(&m->sys, "class/drm/card0/device/vendor", "0x8086\n");
    fixture_write(&m->sys, "class/drm/card0/device/device", "0x56a0\n");
    fixture_write(&m->sys, "class/drm/card0/device/uevent", text);
}

static void made_open(struct made *m)
{
    struct gput__gpu_config config = { .proc = &m->proc.root, .sys = &m->sys.root };
    char why[96] = "";

    fixture_need(ops->open(&config, &m->gpus, why, sizeof(why)) == 0, why);
}

static void made_end(struct made *m)
{
    ops->close(m->gpus);
    fixture_end(&m->sys);
    fixture_end(&m->proc);
}

static void made_client(struct made *m, int pid, const char *text)
{
    char name[64], path[128];

    snprintf(name, sizeof(name), "%d/fdinfo/4", pid);
    fixture_write(&m->proc, name, text);
    snprintf(name, sizeof(name), "%d/fd/.keep", pid);
    fixture_write(&m->proc, name, "");
    snprintf(name, sizeof(name), "%d/fd/4", pid);
    fixture_path(&m->proc, name, path, sizeof(path));
    unlink(path);
    fixture_need(symlink("/dev/dri/renderD128", path) == 0, path);
}

/* Mainline i915 does not show the memory of a discrete card. */
static void discrete_i915(void)
{
    struct gput__gpu_reading r;
    struct gput__gpu_info info;
    struct made m;

    made_begin(&m, "0000:03:00.0", "i915");
    made_open(&m);
    OK(ops->describe(m.gpus, 0, &info) == 0 && !info.is_unified && !info.has_memory_total,
       "a card behind a bridge is not the machine's memory");
    made_end(&m);

    made_begin(&m, "0000:03:00.0", "i915");
    fixture_write(&m.sys, "class/drm/card0/lmem_total_bytes", "17179869184\n");
    fixture_write(&m.sys, "class/drm/card0/lmem_avail_bytes", "17000000000\n");
    made_open(&m);
    OK(ops->describe(m.gpus, 0, &info) == 0 && info.memory_total == 16 * GIB, "where it does");
    OK(ops->read(m.gpus, 0, GPUT__GPU_MEMORY, &r) == 0 && r.known == GPUT__GPU_MEMORY &&
           r.memory_used == 179869184,
       "used by all");
    made_end(&m);
}

static void two_tiles_and_sensors(void)
{
    struct gput__gpu_info info;
    struct made m;
    double joules = 0;

    made_begin(&m, "0000:4d:00.0", "xe");
    fixture_write(&m.sys, "class/drm/card0/device/tile0/physical_vram_size_bytes", "1000\n");
    fixture_write(&m.sys, "class/drm/card0/device/tile1/physical_vram_size_bytes", "2000\n");
    fixture_write(&m.sys, "class/drm/card0/device/hwmon/hwmon1/name", "xe_gt0\n");
    fixture_write(&m.sys, "class/drm/card0/device/hwmon/hwmon1/energy1_input", "1\n");
    fixture_write(&m.sys, "class/drm/card0/device/hwmon/hwmon2/name", "xe\n");
    fixture_write(&m.sys, "class/drm/card0/device/hwmon/hwmon2/energy2_input", "4500000000000\n");
    fixture_write(&m.sys, "class/drm/card0/device/hwmon/hwmon3/name", "xe_gt1\n");
    fixture_write(&m.sys, "class/drm/card0/device/hwmon/hwmon3/energy1_input", "2\n");
    made_open(&m);
    OK(ops->describe(m.gpus, 0, &info) == 0 && info.memory_total == 3000, "both tiles");
    OK(ops->energy(m.gpus, 0, &joules) == 0 && joules == 4500000,
       "the whole device's sensors; the package where the card has none");
    made_end(&m);
}

/* Before Linux 5.19 i915 tells nothing: unknown, not idle. */
static void mute_driver(void)
{
    static const pid_t job[] = { 5 };
    struct gput__gpu_processes p = { 0 };
    struct gput__gpu_reading r;
    struct made m;

    made_begin(&m, "0000:00:02.0", "i915");
    made_open(&m);
    made_client(&m, 5, "pos: 0\nflags: 2\n");
    for (int i = 0; i < 2; i++) {
        OK(ops->processes(m.gpus, 0, job, 1, &p) == 0 && p.n == 0, "poll %d", i);
        wait_ms(2);
    }
    OK(ops->read(m.gpus, 0, ALL, &r) == 0 && r.known == 0, "unknown");
    made_client(&m, 5,
                "drm-driver: amdgpu\ndrm-pdev: 0000:09:00.0\ndrm-client-id: 1\n"
                "drm-engine-gfx: 5 ns\ndrm-resident-vram: 4096\n");
    OK(ops->processes(m.gpus, 0, job, 1, &p) == 0 && p.n == 0, "another device's client");
    OK(ops->read(m.gpus, 0, ALL, &r) == 0 && r.known == GPUT__GPU_UTILIZATION && r.utilization == 0,
       "the job has no client here");
    made_client(&m, 5,
                "drm-driver: i915\ndrm-pdev: 0000:00:02.0\ndrm-client-id: 2\n"
                "drm-engine-render: 5 ns\n");
    OK(ops->processes(m.gpus, 0, job, 1, &p) == 0 && p.n == 1 && bytes_of(&p, 5) == -2,
       "Linux 5.19 to 6.4: a client whose memory is not told");
    made_client(&m, 5,
                "drm-driver: i915\ndrm-pdev: 0000:00:02.0\ndrm-client-id: 2\n"
                "drm-resident-system0: 0\n");
    OK(ops->processes(m.gpus, 0, job, 1, &p) == 0 && bytes_of(&p, 5) == 0 &&
           ops->read(m.gpus, 0, GPUT__GPU_MEMORY, &r) == 0 && r.known == 0,
       "a job that uses nothing does not tell what others use");
    made_end(&m);
    free(p.list);
}

static void lost_and_asleep(void)
{
    struct gput__gpu_reading r = { .known = 77 };
    struct gput__gpu_processes p = { 0 };
    struct made m;

    made_begin(&m, "0000:03:00.0", "xe");
    fixture_write(&m.sys, "class/drm/card0/device/hwmon/hwmon2/temp2_input", "40000\n");
    fixture_write(&m.sys, "class/drm/card0/device/power/runtime_status", "suspended\n");
    made_open(&m);
    OK(ops->read(m.gpus, 0, GPUT__GPU_TEMPERATURE, &r) == 0 && r.known == 0, "asleep");
    fixture_write(&m.sys, "class/drm/card0/device/power/runtime_status", "active\n");
    OK(ops->read(m.gpus, 0, GPUT__GPU_TEMPERATURE, &r) == 0 && r.temperature_c == 40, "awake");
    fixture_remove(&m.sys, "class/drm/card0");
    r.known = 77;
    OK(ops->read(m.gpus, 0, ALL, &r) == -ENODEV && r.known == 77, "lost");
    OK(ops->processes(m.gpus, 0, NULL, 0, &p) == -ENODEV, "its processes too");
    made_end(&m);
}

static void no_card(void)
{
    struct gput__gpu_config config = { .proc = &GPUT__ROOT_NONE, .sys = &GPUT__ROOT_NONE };
    char why[96] = "";
    void *gpus = NULL;

    OK(ops->open(&config, &gpus, why, sizeof(why)) == -ENODEV && why[0] && !gpus, "%s", why);
}

int main(int argc, char **argv)
{
    fixture_need(argc > 1, "no folder of machines was named");
    i915(argv[1]);
    xe(argv[1]);
    discrete_i915();
    two_tiles_and_sensors();
    mute_driver();
    lost_and_asleep();
    no_card();
    return DONE();
}
