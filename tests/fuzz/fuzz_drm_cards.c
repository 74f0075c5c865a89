/* fuzz_drm_cards.c - what the kernel shows of AMD's and Intel's GPUs: /sys/class/drm and /proc. */
#include "folder.h"
#include "fuzz.h"
#include "source/gpu/gpu.h"

static void ignore(void *ctx, int64_t time_us, double percent)
{
    (void)ctx;
    (void)time_us;
    fuzz_must(percent >= 0 && percent <= 100);
}

static void try_device(const struct gput__gpu_ops *ops, void *gpus, unsigned i)
{
    static const pid_t job[] = { 41, 42 };
    struct gput__gpu_processes p = { 0 };
    struct gput__gpu_reading reading = { .known = 1u << 31 };
    struct gput__gpu_info info;
    double joules = -1;

    fuzz_must(ops->describe(gpus, i, &info) == 0 && info.name[0]);
    fuzz_must(strlen(info.uuid) < sizeof(info.uuid) && strlen(info.pci) < sizeof(info.pci));
    if (ops->read(gpus, i, 0x3f, &reading) < 0)
        fuzz_must(reading.known == 1u << 31);
    else
        fuzz_must(!(reading.known & GPUT__GPU_UTILIZATION) ||
                  (reading.utilization >= 0 && reading.utilization <= 100));
    if (ops->processes(gpus, i, job, 2, &p) == 0)
        for (size_t k = 0; k < p.n; k++)
            for (size_t j = 0; j < k; j++)
                fuzz_must(p.list[k].pid != p.list[j].pid);
    free(p.list);
    if (ops->history)
        (void)ops->history(gpus, i, 0, ignore, NULL);
    if (ops->energy && ops->energy(gpus, i, &joules) == 0)
        fuzz_must(joules >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct gput__gpu_ops *const all[] = { &gput__gpu_amdgpu, &gput__gpu_intel };
    char *text = fuzz_text(data, size), why[256];
    struct fuzz_folder f;
    struct gput__gpu_config config = { .proc = &f.root, .sys = &f.root };
    void *gpus;

    fuzz_folder_begin(&f, text);
    for (size_t k = 0; k < 2; k++) {
        why[0] = '\0';
        if (all[k]->open(&config, &gpus, why, sizeof(why)) < 0) {
            fuzz_must(why[0]);
            continue;
        }
        for (int round = 0; round < 2; round++)
            for (unsigned i = 0; i < all[k]->count(gpus); i++)
                try_device(all[k], gpus, i);
        all[k]->close(gpus);
    }
    fuzz_folder_end(&f);
    free(text);
    return 0;
}
