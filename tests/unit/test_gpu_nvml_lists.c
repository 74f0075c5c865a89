/* test_gpu_nvml_lists.c - the NVIDIA back end: processes, instances, histories, energy. */
#include <errno.h>

#include "nvml_play.h"

/* --- processes ------------------------------------------------------------------------------ */

/* -1: not listed; -2: without memory. */
static int64_t memory_of(const struct gput__gpu_processes *list, pid_t pid)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->list[i].pid == pid)
            return list->list[i].has_memory ? (int64_t)list->list[i].memory : -2;
    return -1;
}

static void strides(void)
{
    const char *libs[] = { unsuffixed, v2, full, early_v3 };
    static const char *const scripts[] = {
        "gpu G A\ntotal 9\nused 1\nprocess compute 11 5000000000\n",
        "gpu G A\ntotal 9\nused 1\nprocess compute 11 5000000000\nprocess compute 12 6000\n"
        "process compute 13 na\n",
        "clear\ngpu G A\ntotal 9\nused 1\nprocess compute 11 5000000000\n"
        "process compute 12 6000\nprocess compute 13 na\n",
    };
    struct gput__gpu_processes list = { 0 };
    struct play p;

    for (size_t l = 0; l < 4; l++)
        for (size_t s = 0; s < 3; s++) {
            begin_well(&p, libs[l], scripts[s]);
            OK(ops->processes(p.gpus, 0, NULL, 0, &list) == 0 && list.n == (s ? 3u : 1u) &&
                   memory_of(&list, 11) == 5000000000 &&
                   (!s || (memory_of(&list, 12) == 6000 && memory_of(&list, 13) == -2)),
               "library %zu, script %zu: the size of a record is found", l, s);
            end(&p);
        }
    free(list.list);
}

static void merged_lists(void)
{
    struct gput__gpu_processes list = { 0 };
    struct play p;

    begin_well(&p, full,
               "gpu G A\ntotal 9\nused 1\nprocess compute 1 100\nprocess compute 2 na\n"
               "process compute 3 na\nprocess graphics 1 100\nprocess graphics 2 70\n"
               "process graphics 4 5\nprocess mps 1 130\nprocess mps 4 3\nprocess mps 5 1\n");
    for (int round = 0; round < 2; round++)
        OK(ops->processes(p.gpus, 0, NULL, 0, &list) == 0 && list.n == 5 &&
               memory_of(&list, 1) == 130 && memory_of(&list, 2) == 70 &&
               memory_of(&list, 3) == -2 && memory_of(&list, 4) == 5 && memory_of(&list, 5) == 1,
           "in several lists: the largest, not the sum; the list begins anew");
    free(list.list);
    end(&p);
}

static void many_processes(void)
{
    const char *libs[] = { unsuffixed, v2, full, early_v3 };
    struct gput__gpu_processes list = { 0 };
    static char script[8192];
    int right = 0;
    struct play p;
    size_t n = (size_t)snprintf(script, sizeof(script), "gpu G A\ntotal 9\nused 1\n");

    for (int i = 0; i < 100; i++)
        n += (size_t)snprintf(script + n, sizeof(script) - n, "process compute %d %d\n", 1000 + i,
                              i * 3);
    for (size_t l = 0; l < 4; l++, right = 0) {
        begin_well(&p, libs[l], script);
        OK(ops->processes(p.gpus, 0, NULL, 0, &list) == 0 && list.n == 100, "100 processes");
        for (int i = 0; i < 100; i++)
            right += memory_of(&list, 1000 + i) == i * 3;
        OK(right == 100, "each with its memory");
        end(&p);
    }
    free(list.list);
}

static void moving_processes(void)
{
    struct gput__gpu_processes list = { 0 };
    char script[300], name[64];
    struct fixture files;
    struct play p;

    fixture_begin(&files);
    fixture_path(&files, "pid", name, sizeof(name));
    setenv("GPUT_TEST_MAIN", "4711", 1);
    snprintf(script, sizeof(script),
             "gpu G A\ntotal 9\nused 1\nprocess compute $GPUT_TEST_MAIN 5\n"
             "process compute $GPUT_TEST_NONE 6\nprocess compute 8 7 2 4\nprocess compute @%s 9\n"
             "process compute 12 3 1.5s\n",
             name);
    begin_well(&p, full, script);
    ops->processes(p.gpus, 0, NULL, 0, &list);
    OK(list.n == 1 && memory_of(&list, 4711) == 5, "a pid from the environment");
    fixture_write(&files, "pid", "42\n");
    ops->processes(p.gpus, 0, NULL, 0, &list);
    OK(list.n == 3 && memory_of(&list, 8) == 7 && memory_of(&list, 42) == 9,
       "one that begins at the 2nd call, one from a file");
    ops->processes(p.gpus, 0, NULL, 0, &list);
    nanosleep(&(struct timespec){ 1, 510000000 }, NULL);
    ops->processes(p.gpus, 0, NULL, 0, &list);
    OK(list.n == 3 && memory_of(&list, 8) == -1 && memory_of(&list, 12) == 3,
       "it ends at the 4th; one begins after a while");
    free(list.list);
    fixture_end(&files);
    end(&p);
}

static void process_errors(void)
{
    static const struct {
        const char *rule;
        int r;
        size_t n;
    } cases[] = {
        { "fail nvmlDeviceGetMPSComputeRunningProcesses 3\n", 0, 2 },
        { "fail nvmlDeviceGetMPSComputeRunningProcesses 4\n", 0, 2 },
        { "fail nvmlDeviceGetMPSComputeRunningProcesses 15\n", -ENODEV, 0 },
        { "fail nvmlDeviceGetGraphicsRunningProcesses 3\n", 0, 1 },
        { "fail nvmlDeviceGetGraphicsRunningProcesses 6\n", 0, 1 },
        { "fail nvmlDeviceGetComputeRunningProcesses 999\n", -EIO, 0 },
        { "list !3\n", -ENOTSUP, 0 },
        { "list !4\n", -EACCES, 0 },
        { "list !15\n", -ENODEV, 0 },
        { "list !7\n", -EOVERFLOW, 0 },
    };
    struct gput__gpu_processes list = { 0 };
    char script[300];
    struct play p;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        int r;

        snprintf(script, sizeof(script), "%s%s", usual, cases[i].rule);
        begin_well(&p, full, script);
        r = ops->processes(p.gpus, 0, NULL, 0, &list);
        OK(r == cases[i].r && (r < 0 || list.n == cases[i].n), "%.*s: %d",
           (int)strlen(cases[i].rule) - 1, cases[i].rule, r);
        end(&p);
    }
    free(list.list);
}

/* --- MIG and unified memory ----------------------------------------------------------------- */

static const char partitioned[] =
    "gpu GPU-w NVIDIA A100\ntotal 40000\nused 600\npower 100000\nutil !3\nprocess compute 5 400\n"
    "mig MIG-a NVIDIA A100 MIG 3g.20gb\ntotal 20000\nused 300\nprocess compute 5 300\nutil 9\n"
    "energy 5\n"
    "gap\n"
    "mig MIG-b NVIDIA A100 MIG 1g.5gb\ntotal 5000\nused 200\nprocess compute 5 100\n"
    "mig MIG-c NVIDIA A100 MIG 1g.5gb\ntotal 5000\nused 100\n"
    "gpu GPU-x NVIDIA A100\ntotal 40000\nused 7\n";

static void instances(void)
{
    struct gput__gpu_processes list = { 0 };
    struct gput__gpu_reading r;
    struct gput__gpu_info info;
    uint64_t total = 0, used = 0;
    double joules;
    struct play p;

    begin_well(&p, full, partitioned);
    OK(ops->count(p.gpus) == 5, "two GPUs, the first with 3 instances");
    info = info_of(&p, 0);
    OK(!strcmp(info.uuid, "GPU-w") && !info.is_mig && info.memory_total == 40000,
       "the whole GPU first, with all of the memory");
    info = info_of(&p, 2);
    OK(!strcmp(info.uuid, "MIG-b") && info.is_mig && info.parent == 0 &&
           info.memory_total == 5000 && !strcmp(info.name, "NVIDIA A100 MIG 1g.5gb") &&
           !strcmp(info.pci, "0000:10:00.0"),
       "an instance behind a gap of the numbers, at its GPU's address");
    for (unsigned i = 0; i < 5; i++) {
        total += info_of(&p, i).is_mig ? 0 : info_of(&p, i).memory_total;
        used += reading_of(&p, i, GPUT__GPU_MEMORY).memory_used;
    }
    OK(total == 80000 && used == 607, "sums over all count nothing twice");
    r = reading_of(&p, 0, ALL);
    OK(r.known == GPUT__GPU_POWER && r.power_watts == 100, "power is the whole GPU's");
    r = reading_of(&p, 1, ALL);
    OK(r.known == GPUT__GPU_MEMORY && r.memory_used == 300, "memory is the instance's");
    OK(ops->read(p.gpus, 1, GPUT__GPU_UTILIZATION, &r) == -ENOTSUP &&
           ops->energy(p.gpus, 1, &joules) == -ENOTSUP &&
           ops->history(p.gpus, 1, 0, ignore_sample, NULL) == -ENOTSUP &&
           ops->process_utilization(p.gpus, 1, 0, ignore_user, NULL) == -ENOTSUP,
       "an instance has no utilisation");
    OK(ops->processes(p.gpus, 0, NULL, 0, &list) == -ENOTSUP && list.n == 0,
       "the whole GPU does not tell its processes");
    OK(ops->processes(p.gpus, 1, NULL, 0, &list) == 0 && memory_of(&list, 5) == 300 &&
           ops->processes(p.gpus, 2, NULL, 0, &list) == 0 && memory_of(&list, 5) == 100,
       "a process on two instances");
    OK(!info_of(&p, 4).is_mig && info_of(&p, 4).memory_total == 40000, "then the other GPU");
    end(&p);
    free(list.list);
}

static void no_instances(void)
{
    struct play p;

    begin_well(&p, full, "gpu G A\nmig_mode 1\ntotal 40\nused 1\n");
    OK(ops->count(p.gpus) == 1 && info_of(&p, 0).memory_total == 40 &&
           reading_of(&p, 0, GPUT__GPU_MEMORY).known == 1u << 31,
       "MIG without instances: memory that nobody can use");
    end(&p);
    begin_well(&p, full, "gpu G A\nmig_mode 1\nused !3\n");
    OK(!info_of(&p, 0).has_memory_total && !info_of(&p, 0).is_unified,
       "a total that is not told for MIG makes it not unified");
    end(&p);
    begin_well(&p, full, "gpu G A\nmig_mode !3\ntotal 40\nused 1\n");
    OK(info_of(&p, 0).memory_total == 40, "a GPU that knows no MIG");
    end(&p);
    begin_well(&p, unsuffixed, partitioned);
    OK(ops->count(p.gpus) == 2 && info_of(&p, 0).memory_total == 40000,
       "a library that knows none: the whole GPU has the memory");
    end(&p);
}

static void unified(void)
{
    static const char *const scripts[] = {
        "gpu G NVIDIA GB10\nused 0\nclock 3\nprocess compute 5 300\nprocess graphics 6 40\n"
        "process graphics 5 300\n",
        "gpu G NVIDIA GB10\nused !3\nclock 3\nprocess compute 5 340\n",
    };
    struct gput__gpu_reading r;
    struct play p;

    for (int i = 0; i < 2; i++) {
        begin_well(&p, full, scripts[i]);
        OK(info_of(&p, 0).is_unified && info_of(&p, 0).has_memory_total &&
               info_of(&p, 0).memory_total == 2048 * 1024,
           "unified memory, said in way %d: the machine's", i);
        r = reading_of(&p, 0, ALL);
        OK(r.known == (GPUT__GPU_MEMORY | GPUT__GPU_CLOCKS) && r.memory_used == 340,
           "used: the sum over the processes");
        end(&p);
    }
    begin_well(&p, full, "gpu G NVIDIA GB10\nused !3\nprocess compute 5 na\nprocess compute 6 1\n");
    OK(ops->read(p.gpus, 0, GPUT__GPU_MEMORY, &r) == -ENODATA, "of one nobody knows: no sum");
    end(&p);
    begin_well(&p, full, "gpu G NVIDIA GB10\nused !3\nlist !4\n");
    OK(ops->read(p.gpus, 0, GPUT__GPU_MEMORY, &r) == -EACCES, "no list: no sum");
    end(&p);
    begin_well(&p, full, "gpu G A\ntotal 5\nused !4\n");
    OK(!info_of(&p, 0).is_unified && !info_of(&p, 0).has_memory_total, "no permission: unknown");
    end(&p);
}

/* --- histories ------------------------------------------------------------------------------ */

struct heard {
    unsigned n;
    int64_t times[700];
    double percents[700];
    pid_t pids[700];
};

static void hear(void *ctx, int64_t time_us, double percent)
{
    struct heard *h = ctx;

    if (h->n == 700)
        return;
    h->times[h->n] = time_us;
    h->percents[h->n++] = percent;
}

static void hear_user(void *ctx, pid_t pid, int64_t time_us, double percent)
{
    struct heard *h = ctx;

    h->pids[h->n] = pid;
    hear(ctx, time_us, percent);
}

static bool is_sorted(const struct heard *h)
{
    for (unsigned i = 1; i < h->n; i++)
        if (h->times[i - 1] > h->times[i])
            return false;
    return true;
}

static void history(void)
{
    static struct heard h;
    struct play p;

    begin_well(&p, full,
               "gpu G A\ntotal 9\nused 1\nsample 5000 50\nsample 1000 10\nsample 2000 20\n"
               "sample 4000 101\nsample 4500 na\nsample 3000 30\nsample 0 99\n");
    OK(ops->history(p.gpus, 0, 0, hear, &h) == 0 && h.n == 4 && is_sorted(&h) &&
           h.times[0] == 1000 && h.percents[0] == 10 && h.percents[3] == 50,
       "all, the oldest first, what cannot be left out");
    h.n = 0;
    OK(ops->history(p.gpus, 0, 2000, hear, &h) == 0 && h.n == 2 && h.times[0] == 3000 &&
           h.percents[1] == 50,
       "only newer ones");
    h.n = 0;
    OK(ops->history(p.gpus, 0, 5000, hear, &h) == -ENODATA && h.n == 0, "nothing new");
    OK(ops->history(p.gpus, 0, -7, hear, &h) == 0 && h.n == 4, "a moment before all of them");
    end(&p);

    begin_well(&p, full, "gpu G A\ntotal 9\nused 1\n");
    OK(ops->history(p.gpus, 0, 0, hear, &h) == -ENODATA, "an idle GPU has none");
    end(&p);
    begin_well(&p, full, "gpu G A\ntotal 9\nused 1\nfail nvmlDeviceGetSamples 3\n");
    OK(ops->history(p.gpus, 0, 0, hear, &h) == -ENOTSUP, "not supported");
    end(&p);
}

static void history_types(void)
{
    static struct heard h;
    char script[128];
    struct play p;

    for (int type = 0; type <= 7; type++) {
        h.n = 0;
        snprintf(script, sizeof(script),
                 "gpu G A\ntotal 9\nused 1\ntype %d\nsample 10 33\nsample 20 na\nsample 30 100\n",
                 type);
        begin_well(&p, full, script);
        ops->history(p.gpus, 0, 0, hear, &h);
        OK(type == 7 ? h.n == 0 : h.n == 2 && h.percents[0] == 33 && h.percents[1] == 100,
           "values of type %d", type);
        end(&p);
    }
}

static void long_history(void)
{
    static struct heard h;
    static char script[1 << 14];
    struct play p;
    size_t n = (size_t)snprintf(script, sizeof(script), "gpu G A\ntotal 9\nused 1\n");

    for (int i = 0; i < 600; i++)
        n += (size_t)snprintf(script + n, sizeof(script) - n, "sample %d %d\n", 600 - i, i % 100);
    h.n = 0;
    begin_well(&p, full, script);
    OK(ops->history(p.gpus, 0, 0, hear, &h) == 0 && h.n == 600 && h.times[0] == 1 &&
           h.percents[599] == 0,
       "600 entries, none lost for want of room");
    end(&p);
}

/* What the end-to-end tests play: the ring follows the utilisation of the script. */
static void ring(void)
{
    static struct heard h;
    struct timespec t;
    int64_t begun, now;
    struct play p;

    h.n = 0;
    clock_gettime(CLOCK_REALTIME, &t);
    begun = t.tv_sec * 1000000 + t.tv_nsec / 1000;
    begin_well(&p, full, "gpu G A\ntotal 9\nused 1\nutil 80\nring 10\n");
    nanosleep(&(struct timespec){ 0, 55000000 }, NULL);
    OK(ops->history(p.gpus, 0, 0, hear, &h) == 0 && h.n == 71 && is_sorted(&h), "71 entries");
    clock_gettime(CLOCK_REALTIME, &t);
    now = t.tv_sec * 1000000 + t.tv_nsec / 1000;
    OK(h.times[70] <= now && h.times[70] > now - 5000000 && h.times[70] - h.times[0] >= 699990,
       "of now and of before");
    OK(h.percents[70] == 80 && (h.percents[0] == 0 || h.times[0] >= begun), "0 before the start");
    end(&p);
}

static void users(void)
{
    static struct heard h;
    static char script[8192];
    struct play p;
    size_t n;

    begin_well(&p, full,
               "gpu G A\ntotal 9\nused 1\nuser 7 500 20\nuser 7 1500 30\nuser 8 1600 100\n"
               "user 9 1700 101\nuser 9 1800 na\nuser 0 1900 5\nuser 10 1000 5\n");
    OK(ops->process_utilization(p.gpus, 0, 1000, hear_user, &h) == 0 && h.n == 2 &&
           h.pids[0] == 7 && h.times[0] == 1500 && h.percents[0] == 30 && h.pids[1] == 8 &&
           h.percents[1] == 100,
       "of processes: newer, possible and of somebody");
    OK(ops->process_utilization(p.gpus, 0, 1900, hear_user, &h) == -ENODATA, "nothing new");
    end(&p);

    h.n = 0;
    n = (size_t)snprintf(script, sizeof(script), "gpu G A\ntotal 9\nused 1\n");
    for (int i = 1; i <= 300; i++)
        n += (size_t)snprintf(script + n, sizeof(script) - n, "user %d %d 1\n", i, i);
    begin_well(&p, full, script);
    OK(ops->process_utilization(p.gpus, 0, 0, hear_user, &h) == 0 && h.n == 300 &&
           h.pids[299] == 300,
       "300 entries");
    end(&p);
    begin_well(&p, full, "gpu G A\ntotal 9\nused 1\n");
    OK(ops->process_utilization(p.gpus, 0, 0, hear_user, &h) == -ENODATA, "nobody ran");
    end(&p);
    begin_well(&p, full, "gpu G A\ntotal 9\nused 1\nfail nvmlDeviceGetProcessUtilization 4\n");
    OK(ops->process_utilization(p.gpus, 0, 0, hear_user, &h) == -EACCES, "not allowed");
    end(&p);
}

static void energy(void)
{
    double a = 0, b = 0;
    struct play p;

    begin_well(&p, full, "gpu G A\ntotal 9\nused 1\nenergy 123456\n");
    OK(ops->energy(p.gpus, 0, &a) == 0 && a == 123.456, "millijoules to joules: %g", a);
    end(&p);
    begin_well(&p, full, "gpu G A\ntotal 9\nused 1\nenergy 5000\npower 100000\n");
    OK(ops->energy(p.gpus, 0, &a) == 0 && a >= 5, "a counter that grows with the power");
    nanosleep(&(struct timespec){ 0, 50000000 }, NULL);
    OK(ops->energy(p.gpus, 0, &b) == 0 && b - a >= 4.9, "100 W for 50 ms: %g J", b - a);
    end(&p);
    begin_well(&p, full, "gpu G A\ntotal 9\nused 1\nenergy !3\n");
    OK(ops->energy(p.gpus, 0, &b) == -ENOTSUP, "no such counter");
    end(&p);
}

int main(int argc, char **argv)
{
    find_libraries(argc, argv);
    strides();
    merged_lists();
    many_processes();
    moving_processes();
    process_errors();
    instances();
    no_instances();
    unified();
    history();
    history_types();
    long_history();
    ring();
    users();
    energy();
    return DONE();
}
