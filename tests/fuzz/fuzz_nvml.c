/* fuzz_nvml.c - a driver that answers anything: the NVIDIA back end on it.
 *
 * The input is what the driver's answers are made of, byte by byte; behind its end all is 0. */
#include <limits.h>
#include <string.h>

#include "fuzz.h"
#include "source/gpu/gpu.h"
#include "source/gpu/gpu_nvml.h"
#include "text.h"

static const uint8_t *answers;
static size_t n_answers;

/* Takes the place of gput__nvml_load(). */
int __wrap_gput__nvml_load(const char *path, struct gput__nvml_api *ret, char *why, size_t cap);

static void read_bytes(void *ret, size_t size)
{
    size_t n = size < n_answers ? size : n_answers;

    memset(ret, 0, size);
    if (n)
        memcpy(ret, answers, n);
    answers += n;
    n_answers -= n;
}

static uint8_t byte(void)
{
    uint8_t b;

    read_bytes(&b, 1);
    return b;
}

/* Success for most: what is refused tells little. */
static int code(void)
{
    uint8_t b = byte();

    return b < 0xC0 ? GPUT__NVML_SUCCESS : b == 0xFF ? GPUT__NVML_UNKNOWN : b - 0xC0;
}

static int nothing(void)
{
    return GPUT__NVML_SUCCESS;
}

static int init(void)
{
    return code();
}

/* True counts: a driver's loops over its own devices are its own business. */
static int count(uint32_t *ret)
{
    *ret = byte() % 5;
    return code();
}

static struct gput__nvml_device *some_device(void)
{
    return (struct gput__nvml_device *)(uintptr_t)(1 + byte());
}

static int by_index(uint32_t i, struct gput__nvml_device **ret)
{
    (void)i;
    *ret = some_device();
    return code();
}

static int text(struct gput__nvml_device *d, char *ret, uint32_t cap)
{
    (void)d;
    read_bytes(ret, byte() % (cap + 1)); /* not always with an end */
    return code();
}

static int memory(struct gput__nvml_device *d, struct gput__nvml_memory *ret)
{
    (void)d;
    read_bytes(ret, sizeof(*ret));
    return code();
}

static int memory_v2(struct gput__nvml_device *d, struct gput__nvml_memory_v2 *ret)
{
    (void)d;
    read_bytes(ret, sizeof(*ret));
    return code();
}

static int pci(struct gput__nvml_device *d, struct gput__nvml_pci *ret)
{
    (void)d;
    read_bytes(ret, 68);
    return code();
}

static int utilization(struct gput__nvml_device *d, struct gput__nvml_utilization *ret)
{
    (void)d;
    read_bytes(ret, sizeof(*ret));
    return code();
}

static int u32(struct gput__nvml_device *d, uint32_t *ret)
{
    (void)d;
    read_bytes(ret, sizeof(*ret));
    return code();
}

static int pick(struct gput__nvml_device *d, int which, uint32_t *ret)
{
    (void)which;
    return u32(d, ret);
}

static int u64(struct gput__nvml_device *d, uint64_t *ret)
{
    (void)d;
    read_bytes(ret, sizeof(*ret));
    return code();
}

/* Entries are written as many as there is room for; the number told may be any. */
static int list(uint32_t *count_of, void *ret, size_t stride)
{
    uint32_t room = *count_of, told;
    uint8_t n = byte();

    read_bytes(&told, sizeof(told));
    if (n < 0x80) /* mostly an honest one */
        told = n & 0x3F;
    for (uint32_t i = 0; i < told && i < room && i < 64; i++)
        read_bytes((char *)ret + i * stride, stride);
    *count_of = told;
    return code();
}

static size_t stride;

static int processes(struct gput__nvml_device *d, uint32_t *count_of, void *ret)
{
    (void)d;
    return list(count_of, ret, stride);
}

static int samples(struct gput__nvml_device *d, int what, uint64_t since, int *type,
                   uint32_t *count_of, struct gput__nvml_sample *ret)
{
    (void)d;
    (void)what;
    (void)since;
    *type = byte() % 9;
    return list(count_of, ret, sizeof(*ret));
}

static int process_utilization(struct gput__nvml_device *d, struct gput__nvml_process_sample *ret,
                               uint32_t *count_of, uint64_t since)
{
    (void)d;
    (void)since;
    return list(count_of, ret, sizeof(*ret));
}

static int mig_mode(struct gput__nvml_device *d, uint32_t *current, uint32_t *pending)
{
    (void)d;
    *current = *pending = byte() & 1;
    return code();
}

static int mig_max(struct gput__nvml_device *d, uint32_t *ret)
{
    (void)d;
    *ret = byte() % 8;
    return code();
}

static int mig_by_index(struct gput__nvml_device *d, uint32_t i, struct gput__nvml_device **ret)
{
    (void)d;
    return by_index(i, ret);
}

/* A bit of the input for each call that may be missing. */
int __wrap_gput__nvml_load(const char *path, struct gput__nvml_api *ret, char *why, size_t cap)
{
    uint16_t lacks;

    (void)path;
    (void)why;
    (void)cap;
    read_bytes(&lacks, sizeof(lacks));
    stride = (size_t[]){ 16, 24, 32 }[byte() % 3];
    *ret = (struct gput__nvml_api){
        .init = init,
        .shutdown = nothing,
        .count = count,
        .by_index = by_index,
        .name = text,
        .uuid = text,
        .memory = memory,
        .memory_v2 = lacks & 1 ? NULL : memory_v2,
        .pci = lacks & 2 ? NULL : pci,
        .utilization = lacks & 4 ? NULL : utilization,
        .power = lacks & 8 ? NULL : u32,
        .temperature = lacks & 16 ? NULL : pick,
        .clock = lacks & 32 ? NULL : pick,
        .throttle = lacks & 64 ? NULL : u64,
        .energy = lacks & 128 ? NULL : u64,
        .processes = { lacks & 256 ? NULL : processes, lacks & 512 ? NULL : processes,
                       lacks & 1024 ? NULL : processes },
        .samples = lacks & 2048 ? NULL : samples,
        .process_utilization = lacks & 4096 ? NULL : process_utilization,
        .mig_mode = lacks & 8192 ? NULL : mig_mode,
        .mig_max = mig_max,
        .mig_by_index = mig_by_index,
    };
    return 0;
}

static void see_sample(void *ctx, int64_t time_us, double percent)
{
    int64_t *last = ctx;

    fuzz_must(percent >= 0 && percent <= 100 && time_us >= *last);
    *last = time_us;
}

static void see_process(void *ctx, pid_t pid, int64_t time_us, double percent)
{
    (void)ctx;
    fuzz_must(pid > 0 && time_us > 0 && percent >= 0 && percent <= 100);
}

static void try_device(void *gpus, unsigned i)
{
    const struct gput__gpu_ops *ops = &gput__gpu_nvml;
    struct gput__gpu_processes p = { 0 };
    struct gput__gpu_reading reading = { .known = 1u << 31 };
    struct gput__gpu_info info;
    int64_t last = 0;
    double joules = -1;

    fuzz_must(ops->describe(gpus, i, &info) == 0);
    fuzz_must(strlen(info.name) > 0 && strlen(info.name) < sizeof(info.name));
    fuzz_must(strlen(info.uuid) < sizeof(info.uuid) && strlen(info.pci) < sizeof(info.pci));
    fuzz_must(!info.is_mig || info.parent < i);
    if (ops->read(gpus, i, 0x3f, &reading) == 0)
        fuzz_must(reading.utilization >= 0 && reading.utilization <= 100 &&
                  reading.power_watts >= 0 && strlen(reading.throttle) < sizeof(reading.throttle));
    else
        fuzz_must(reading.known == 1u << 31);
    if (ops->processes(gpus, i, NULL, 0, &p) == 0)
        for (size_t k = 0; k < p.n; k++)
            for (size_t j = 0; j < k; j++)
                fuzz_must(p.list[k].pid != p.list[j].pid);
    free(p.list);
    (void)ops->history(gpus, i, 0, see_sample, &last);
    fuzz_must(ops->energy(gpus, i, &joules) < 0 ? joules < 0 : joules >= 0);
    (void)ops->process_utilization(gpus, i, 0, see_process, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gput__gpu_config config = { .nvml_path = "" };
    char why[256] = "";
    void *gpus = NULL;

    answers = data;
    n_answers = size;
    if (gput__gpu_nvml.open(&config, &gpus, why, sizeof(why)) < 0) {
        fuzz_must(!gpus && why[0]);
        return 0;
    }
    for (int round = 0; round < 2; round++)
        for (unsigned i = 0; i < gput__gpu_nvml.count(gpus); i++)
            try_device(gpus, i);
    gput__gpu_nvml.close(gpus);
    return 0;
}
