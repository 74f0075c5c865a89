/* test_gpus.c - the thread that watches GPUs, and whose memory is the job's, on dumps of machines and
 * the stand-in for NVIDIA's library.  usage: test_gpus FOLDER_OF_MACHINES STANDIN */
#include "sample/gpu/gpus.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "gpu_fixture.h"
#include "sample/gpu/gpu_read.h"
#include "sample/gpu/gpu_share.h"
#include "tap.h"

#define SECOND GPUT__NS_PER_S

static const char *standin;

static struct gput__gpus *started(struct machine *m, const char *brand, const char *nvml)
{
    struct gput__gpu_plan plan = {
        .config = m->config,
        .brand = brand,
        .start_ns = gput__now(),
        .start_us = gput__clock_ns(CLOCK_REALTIME) / 1000,
        .period_ns = SECOND,
        .want_all = true,
    };
    struct gput__gpus *g = NULL;

    plan.config.nvml_path = nvml;
    fixture_need(gput__gpus_start(&plan, &g) == 0 && gput__gpus_wait(g, 10 * SECOND), "GPUs");
    return g;
}

static void script(struct fixture *dir, const char *text)
{
    char path[64];

    fixture_begin(dir);
    fixture_write(dir, "script", text);
    fixture_path(dir, "script", path, sizeof(path));
    setenv("GPUT_NVML_SCRIPT", path, 1);
}

static void two_brands(const char *folder)
{
    struct gput__gpus *g;
    struct fixture dir;
    struct machine m;

    script(&dir, "gpu GPU-a NVIDIA Test\ntotal 1000\nused 1\n");
    machine_begin(&m, folder, "amd-discrete");
    g = started(&m, NULL, standin);
    OK(g->found.n == 2 && g->found.devices[0].info.brand == GPUT_NVIDIA &&
           g->found.devices[1].info.brand == GPUT_AMD && g->busy.lanes[1].counts,
       "NVIDIA and AMD in one run");
    OK(gput__gpus_finish(g, gput__clock_ns(CLOCK_REALTIME) / 1000, 10 * SECOND) &&
           g->found.devices[0].memory.used == 1 && g->found.devices[1].memory.used == 6 * GIB &&
           g->found.devices[1].sensors.max_power == 212.5,
       "each read by its own driver");
    gput__gpus_close(g);
    machine_end(&m);
    machine_begin(&m, folder, "intel-i915");
    g = started(&m, NULL, standin);
    OK(g->found.n == 2 && g->found.devices[1].info.brand == GPUT_INTEL && g->busy.lanes[0].counts,
       "NVIDIA and Intel");
    OK(g->busy.lanes[1].counts == !g->found.devices[1].info.is_unified,
       "one on the processor's chip does not count beside it");
    gput__gpus_close(g);
    machine_end(&m);
    machine_begin(&m, folder, "amd-apu");
    g = started(&m, NULL, standin);
    OK(g->found.n == 2 && g->found.devices[1].info.is_unified && !g->busy.lanes[1].counts,
       "nor does AMD's");
    gput__gpus_close(g);
    g = started(&m, NULL, "/nowhere/libnvidia-ml.so.1");
    OK(g->found.n == 1 && g->busy.lanes[0].counts, "where it is alone it does");
    gput__gpus_close(g);
    machine_end(&m);
    machine_begin(&m, folder, "amd-discrete");
    g = started(&m, "amd", standin);
    OK(g->found.n == 1 && g->found.devices[0].info.brand == GPUT_AMD, "AMD when asked for");
    gput__gpus_close(g);
    g = started(&m, NULL, "/nowhere/libnvidia-ml.so.1");
    OK(g->found.n == 1 && g->found.devices[0].info.brand == GPUT_AMD,
       "AMD where there is no NVIDIA");
    gput__gpus_close(g);
    g = started(&m, "intel", standin);
    OK(g->found.n == 0 && g->found.state == GPUT__GPUS_NONE && strstr(g->found.why, "intel: "),
       "none: %s", g->found.why);
    OK(gput__gpus_finish(g, 0, 0), "with nothing there is nothing to wait for");
    gput__gpus_close(g);
    machine_end(&m);
    fixture_end(&dir);
}

static void choosing(void)
{
    struct gput__root none = GPUT__ROOT_NONE;
    struct machine m = { .config = { .proc = &none, .sys = &none } };
    struct gput__gpus *g;
    struct fixture dir;
    char bad[64] = "";

    script(&dir, "gpu GPU-a A\ntotal 9\nused 1\ngpu GPU-ab B\ntotal 9\nused 1\n");
    g = started(&m, NULL, standin);
    OK(gput__gpus_choose(g, "GPU-ab", bad, sizeof(bad)) == 0 && !g->busy.lanes[0].counts &&
           g->busy.lanes[1].counts,
       "one of two");
    OK(gput__gpus_choose(g, "GPU-ab,GPU-a", bad, sizeof(bad)) == 0 && g->busy.lanes[0].counts,
       "both");
    OK(gput__gpus_choose(g, "GPU-a,GPU", bad, sizeof(bad)) == -ENOENT && !strcmp(bad, "GPU"),
       "a part of a name is none");
    OK(gput__gpus_choose(g, "", bad, sizeof(bad)) == -ENOENT, "nor is nothing");
    OK(gput__gpus_choose(g, NULL, bad, sizeof(bad)) == 0 && g->busy.lanes[1].counts, "all");
    gput__gpus_close(g);
    fixture_end(&dir);
}

/* A table of the job as a poll would leave it. */
static void fill_tree(struct gput__tree *tree, const struct gput__root *proc, const pid_t *pids,
                      uint32_t n)
{
    *tree = (struct gput__tree){ .proc = proc,
                                 .births = { .events = -1, .fd_loadavg = -1 },
                                 .version = 1 };
    tree->tasks = calloc(n, sizeof(*tree->tasks));
    for (uint32_t i = 0; i < n; i++) {
        tree->tasks[i] =
            (struct gput__task){ .pid = pids[i],
                                 .is_main = i == 0,
                                 .life = { .state = 'S', .threads = 1, .is_past_exec = true },
                                 .files = { -1, -1, -1 } };
        gput__pidmap_set(&tree->index, pids[i], i);
    }
    tree->n = tree->cap = n;
    tree->who.main_pid = pids[0];
}

static void clients_of_amd(const char *folder)
{
    static const pid_t job[] = { 1200, 1201 };
    struct gput__sample sample = { 0 };
    struct gput__gpu_share share = { 0 };
    struct gput__tree tree;
    struct gput__gpus *g;
    struct machine m;

    machine_begin(&m, folder, "amd-discrete");
    fill_tree(&tree, &m.proc, job, 2);
    g = started(&m, NULL, "/nowhere/libnvidia-ml.so.1");
    gput__gpu_share_update(&share, g, &tree,
                           &sample); /* tells the thread whose clients to search for */
    OK(gput__gpus_finish(g, gput__clock_ns(CLOCK_REALTIME) / 1000, 10 * SECOND), "a last reading");
    gput__gpu_share_update(&share, g, &tree, &sample);
    OK(sample.value[GPUT__MAIN_GPU_RAM] == 3.0 * (double)GIB, "main: 3 GiB");
    OK(sample.value[GPUT__DESCENDANTS_GPU_RAM] == 1.5 * (double)GIB,
       "the child without the client that both hold: %g", sample.value[GPUT__DESCENDANTS_GPU_RAM]);
    OK(sample.value[GPUT__COMBINED_GPU_RAM] == 4.5 * (double)GIB, "together");
    OK(sample.value[GPUT__SYSTEM_GPU_RAM] == 6.0 * (double)GIB, "the device as the kernel says");
    OK(share.how == GPUT__BY_PID && share.n_users == 2 && !share.others, "by pid");
    OK(gput__gpu_busy_mean(&g->busy) == 97 && g->busy.max == 97, "busy without a history");
    OK(g->found.devices[0].sensors.has_power && g->found.devices[0].sensors.max_power == 212.5,
       "power");
    gput__gpus_close(g);
    gput__tree_close(&tree);
    machine_end(&m);
}

/* A process that has left the table since the driver was asked is still the job's. */
static void one_that_died(void)
{
    static const pid_t job[] = { 100, 101 };
    struct gput__sample sample = { 0 };
    struct gput__gpu_share share = { 0 };
    struct gput__gpu_process list[] = { { 100, true, 5 }, { 101, true, 7 }, { 555, true, 11 } };
    struct gput__gpu_device device = { .memory = { .is_known = true, .used = 30 },
                                       .processes = { .all = { list, 3, 3 }, .are_known = true } };
    struct gput__gpu_lane lane = { .counts = true };
    struct gput__gpus g = {
        .found = { .state = GPUT__GPUS_READY, .devices = &device, .n = 1, .seq = 1 },
        .busy = { .lanes = &lane, .n = 1 }
    };
    struct gput__tree tree;
    struct fixture dir;

    fixture_begin(&dir);
    fixture_write(&dir, "555/status", "Name:\tx\nVmRSS:\t 4 kB\n");
    pthread_mutex_init(&g.lock, NULL);
    pthread_cond_init(&g.wake, NULL);
    fill_tree(&tree, &dir.root, job, 2);
    gput__gpu_share_update(&share, &g, &tree, &sample);
    OK(sample.value[GPUT__MAIN_GPU_RAM] == 5 && sample.value[GPUT__DESCENDANTS_GPU_RAM] == 7,
       "both");
    OK(share.others, "and somebody else");
    tree.n = 1;
    gput__pidmap_drop(&tree.index, 101);
    list[1].memory = 9;
    g.found.seq++;
    gput__gpu_share_update(&share, &g, &tree, &sample);
    OK(sample.value[GPUT__DESCENDANTS_GPU_RAM] == 9 && share.users[1].max_memory == 9,
       "the child that died is still known");
    free(g.asked.job);
    gput__tree_close(&tree);
    fixture_end(&dir);
}

static unsigned n_readings, n_of_sensors;

static int count_reading(void *gpus, unsigned i, unsigned what, struct gput__gpu_reading *ret)
{
    (void)gpus;
    (void)i;
    n_readings++;
    n_of_sensors += (what & GPUT__GPU_POWER) != 0;
    *ret = (struct gput__gpu_reading){ .known = what, .memory_used = 7, .power_watts = 300 };
    return 0;
}

/* Records may come faster than power and heat move. */
static void sensors(void)
{
    static const struct gput__gpu_ops ops = { .brand = GPUT_NVIDIA, .read = count_reading };
    struct gput__gpu_device device = { .memory = { .is_known = true, .first = 7, .used = 7 },
                                       .utilization = { .has_history = true },
                                       .processes = { .are_known = true } };
    struct gput__gpu_lane lane = { .counts = true };
    struct gput__gpus g = { .found = { .ops = &ops, .devices = &device, .n = 1 },
                            .asked = { .plan = { .want_all = true } },
                            .changed = -1,
                            .busy = { .lanes = &lane, .n = 1 } };

    pthread_mutex_init(&g.lock, NULL);
    pthread_mutex_lock(&g.lock);
    (void)gput__gpus_read(&g, true);
    OK(n_of_sensors == 1 && device.sensors.max_power == 300, "power is read with the first record");
    (void)gput__gpus_read(&g, false);
    device.sensors.read_ns =
        gput__now() + SECOND; /* however slow the machine is, no time has passed */
    (void)gput__gpus_read(&g, true);
    OK(n_readings == 3 && n_of_sensors == 1, "not with one that follows at once");
    device.sensors.read_ns = gput__now() - SECOND;
    (void)gput__gpus_read(&g, true);
    OK(n_of_sensors == 2 && device.sensors.power_s >= 1,
       "but a while later, and then for all the time");
    pthread_mutex_unlock(&g.lock);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    standin = argv[2];
    two_brands(argv[1]);
    choosing();
    clients_of_amd(argv[1]);
    one_that_died();
    sensors();
    return DONE();
}
