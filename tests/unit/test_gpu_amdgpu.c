/* test_gpu_amdgpu.c - AMD GPUs on dumps of machines.  usage: test_gpu_amdgpu FOLDER_OF_MACHINES */
#include <errno.h>
#include <string.h>

#include "gpu_fixture.h"
#include "tap.h"

enum {
    ALL = GPUT__GPU_MEMORY | GPUT__GPU_UTILIZATION | GPUT__GPU_POWER | GPUT__GPU_TEMPERATURE |
          GPUT__GPU_CLOCKS | GPUT__GPU_THROTTLE,
    ALL_OF_AMD = ALL & ~GPUT__GPU_THROTTLE,
};

static const struct gput__gpu_ops *const ops = &gput__gpu_amdgpu;

/* --- a discrete card -------------------------------------------------------------------------- */

static void discrete(const char *folder)
{
    static const pid_t job[] = { 1200, 1201 };
    struct gput__gpu_processes p = { 0 };
    struct gput__gpu_reading r;
    struct gput__gpu_info info;
    struct machine m;
    struct gput__gpu_work work;
    const char *why = NULL;
    double joules = 7;
    void *gpus;

    machine_begin(&m, folder, "amd-discrete");
    gpus = machine_open(&m, ops);
    OK(ops->count(gpus) == 1, "one card, no connectors or render nodes");
    OK(ops->describe(gpus, 0, &info) == 0 && !strcmp(info.name, "AMD GPU 0x73bf") &&
           !strcmp(info.uuid, "d7b5c2e1a3f40918") && !strcmp(info.pci, "0000:03:00.0"),
       "without a product name its number: %s", info.name);
    OK(info.has_memory_total && info.memory_total == UINT64_C(17163091968) && !info.is_unified,
       "VRAM only, though GTT is larger");

    OK(ops->read(gpus, 0, ALL, &r) == 0 && r.known == ALL_OF_AMD, "all but throttling");
    OK(r.memory_used == 6 * GIB && r.utilization == 97, "memory and utilisation");
    OK(r.power_watts == 212.5 && r.temperature_c == 67, "W and C");
    OK(r.clock_mhz == 2450 && r.memory_clock_mhz == 1000, "clocks");
    OK(ops->read(gpus, 0, GPUT__GPU_MEMORY, &r) == 0 && r.known == GPUT__GPU_MEMORY,
       "only what is asked for");
    OK(ops->energy(gpus, 0, &joules) == -ENOTSUP && joules == 7, "no energy counter");

    OK(ops->processes(gpus, 0, job, 2, &p) == 0 && p.n == 2, "two processes");
    OK(bytes_of(&p, 1200) == (long long)(3 * GIB) && bytes_of(&p, 1201) == (long long)(1536 * MIB),
       "the shared client is the parent's alone; both names counted once; VRAM only");
    OK(ops->processes(gpus, 0, job + 1, 1, &p) == 0 && p.n == 1 &&
           bytes_of(&p, 1201) == (long long)(4608 * MIB),
       "the child alone holds both clients");

    OK(ops->work(gpus, 0, &work, &why) == -EAGAIN && why, "what it did: from here on");
    machine_moment(&m, 1);
    OK(ops->work(gpus, 0, &work, &why) == 0 && work.seconds > 0 &&
           work.known == 1u << GPUT__WORK_MEMORY && work.value[GPUT__WORK_MEMORY] == 1,
       "how busy the memory was, and no more: %s", why);
    OK(ops->read(gpus, 0, ALL, &r) == 0 && r.memory_used == GIB && r.utilization == 3 &&
           r.power_watts == 31 && r.temperature_c == -5 && r.clock_mhz == 500,
       "the next moment, below zero");
    OK(ops->processes(gpus, 0, job, 2, &p) == 0 && p.n == 1 &&
           bytes_of(&p, 1200) == (long long)(3 * GIB),
       "the child has ended");
    OK(ops->processes(gpus, 0, NULL, 0, &p) == 0 && p.n == 0, "no job, no processes");

    machine_moment(&m, 2);
    OK(ops->read(gpus, 0, ALL, &r) == 0 && r.known == 0, "all ones are no values: %x", r.known);
    ops->close(gpus);
    ops->close(NULL);
    free(p.list);
    machine_end(&m);
}

/* --- an APU ----------------------------------------------------------------------------------- */

static void apu(const char *folder)
{
    static const pid_t job[] = { 1300 };
    struct gput__gpu_processes p = { 0 };
    struct gput__gpu_reading r;
    struct gput__gpu_info info;
    struct machine m;
    void *gpus;

    machine_begin(&m, folder, "amd-apu");
    gpus = machine_open(&m, ops);
    OK(ops->describe(gpus, 0, &info) == 0 && info.is_unified &&
           info.memory_total == 512 * MIB + 15 * GIB,
       "VRAM and GTT");
    OK(!strcmp(info.uuid, "0000:c4:00.0"), "without a serial number the PCI address");
    OK(ops->read(gpus, 0, ALL, &r) == 0 && r.memory_used == 300 * MIB + 2 * GIB &&
           r.utilization == 40,
       "used VRAM and GTT");
    OK(r.power_watts == 15 && r.clock_mhz == 800 && r.memory_clock_mhz == 0, "power1_input");
    OK(ops->processes(gpus, 0, job, 1, &p) == 0 && bytes_of(&p, 1300) == (long long)(1600 * MIB),
       "a process in VRAM and GTT, by the older name; not its CPU memory");
    machine_moment(&m, 1);
    OK(ops->read(gpus, 0, ALL, &r) == 0 && r.memory_used == 300 * MIB + 3 * GIB &&
           r.utilization == 41,
       "the next moment");
    OK(ops->processes(gpus, 0, job, 1, &p) == 0 && bytes_of(&p, 1300) == (long long)(2624 * MIB),
       "the next moment's process");
    ops->close(gpus);
    free(p.list);
    machine_end(&m);
}

/* --- two cards with ROCm processes ------------------------------------------------------------ */

static void rocm(const char *folder)
{
    static const pid_t job[] = { 2100, 2101, 2102 };
    struct gput__gpu_processes p = { 0 };
    struct gput__gpu_reading r = { .known = 77 };
    struct gput__gpu_info info;
    struct machine m;
    void *gpus;

    machine_begin(&m, folder, "amd-rocm");
    gpus = machine_open(&m, ops);
    OK(ops->count(gpus) == 2, "two cards");
    OK(ops->describe(gpus, 0, &info) == 0 && !strcmp(info.pci, "0000:83:00.0") &&
           !strcmp(info.name, "AMD Instinct MI210") && !strcmp(info.uuid, "000000000000abc0"),
       "in the order of their numbers");
    OK(ops->read(gpus, 0, ALL, &r) == 0 && r.temperature_c == 55 && !(r.known & GPUT__GPU_CLOCKS),
       "the hottest point where there is no edge; no clocks");
    OK(ops->processes(gpus, 1, job, 3, &p) == 0 && p.n == 2 &&
           bytes_of(&p, 2100) == (long long)(10 * GIB) &&
           bytes_of(&p, 2101) == (long long)(2 * GIB),
       "card 1: ROCm's 10 GiB, not 9 and not 19; 2999 has nothing there");
    OK(ops->processes(gpus, 0, job, 3, &p) == 0 && p.n == 3, "card 0: three processes, not 2100");
    OK(bytes_of(&p, 2101) == (long long)(5 * GIB), "fdinfo's 5 GiB where it is the larger");
    OK(bytes_of(&p, 2102) == (long long)(300 * MIB), "graphics only");
    OK(bytes_of(&p, 2999) == (long long)(3 * GIB), "ROCm's processes outside the job are listed");

    machine_moment(&m, 1);
    r.known = 77;
    OK(ops->read(gpus, 1, ALL, &r) == -ENODEV && r.known == 77, "the second card was lost");
    OK(ops->read(gpus, 0, ALL, &r) == 0 && r.utilization == 50, "the first goes on");
    ops->close(gpus);
    free(p.list);
    machine_end(&m);
}

/* --- machines that the test makes ------------------------------------------------------------- */

static int open_on(struct fixture *f, void **ret, char *why, size_t cap)
{
    struct gput__gpu_config config = { .proc = &GPUT__ROOT_NONE, .sys = &f->root };

    return ops->open(&config, ret, why, cap);
}

static void no_card(void)
{
    struct fixture f;
    char why[96] = "";
    void *gpus = NULL;

    fixture_begin(&f);
    OK(open_on(&f, &gpus, why, sizeof(why)) == -ENODEV && strstr(why, "/sys/class/drm"), "%s", why);
    fixture_write(&f, "class/drm/card0/device/vendor", "0x10de\n");
    fixture_write(&f, "class/drm/card1/device/vendor", "0x1002\n");
    fixture_write(&f, "class/drm/card1/device/uevent", "DRIVER=radeon\n");
    fixture_write(&f, "class/drm/card2-DP-1/device/vendor", "0x1002\n");
    fixture_write(&f, "class/drm/renderD128/device/vendor", "0x1002\n");
    fixture_write(&f, "class/drm/card/device/vendor", "0x1002\n");
    OK(open_on(&f, &gpus, why, sizeof(why)) == -ENODEV && strstr(why, "0x1002"), "%s", why);
    OK(gpus == NULL, "nothing was opened");
    fixture_end(&f);
}

static void order_of_cards(void)
{
    struct gput__gpu_info info;
    struct fixture f;
    char name[64], text[64], why[96];
    unsigned right = 0;
    void *gpus;

    fixture_begin(&f);
    for (unsigned i = 0; i < 20; i++) {
        unsigned card = (i * 7) % 20;

        snprintf(name, sizeof(name), "class/drm/card%u/device/vendor", card);
        fixture_write(&f, name, "0x1002\n");
        snprintf(name, sizeof(name), "class/drm/card%u/device/device", card);
        snprintf(text, sizeof(text), "0x%04x\n", card);
        fixture_write(&f, name, text);
    }
    fixture_need(open_on(&f, &gpus, why, sizeof(why)) == 0, "open");
    for (unsigned i = 0; i < ops->count(gpus); i++) {
        snprintf(text, sizeof(text), "AMD GPU 0x%04x", i);
        right += ops->describe(gpus, i, &info) == 0 && !strcmp(info.name, text);
    }
    OK(right == 20, "twenty cards, 9 before 10");
    OK(!info.has_memory_total, "no total where there is none");
    ops->close(gpus);
    fixture_end(&f);
}

/* Reading its sensors would power it up. */
static void asleep(void)
{
    struct gput__gpu_reading r;
    struct fixture f;
    char why[96];
    void *gpus;

    fixture_begin(&f);
    fixture_write(&f, "class/drm/card0/device/vendor", "0x1002\n");
    fixture_write(&f, "class/drm/card0/device/uevent",
                  "DRIVER=amdgpu\nPCI_SLOT_NAME=0000:03:00.0\n");
    fixture_write(&f, "class/drm/card0/device/power/runtime_status", "suspended\n");
    fixture_write(&f, "class/drm/card0/device/gpu_busy_percent", "55\n");
    fixture_write(&f, "class/drm/card0/device/mem_info_vram_total", "8589934592\n");
    fixture_write(&f, "class/drm/card0/device/mem_info_vram_used", "1048576\n");
    fixture_write(&f, "class/drm/card0/device/hwmon/hwmon1/power1_average", "30000000\n");
    fixture_need(open_on(&f, &gpus, why, sizeof(why)) == 0, "open");
    OK(ops->read(gpus, 0, ALL, &r) == 0 && r.known == (GPUT__GPU_MEMORY | GPUT__GPU_UTILIZATION) &&
           r.utilization == 0 && r.memory_used == 1048576,
       "idle, its memory known, its sensors left alone");
    OK(ops->read(gpus, 0, GPUT__GPU_POWER, &r) == 0 && r.known == 0, "no power of a card asleep");
    ops->close(gpus);
    fixture_end(&f);
}

/* One device in four partitions: each is a node of the compute driver. */
static void partitions(void)
{
    static const struct {
        int node;
        unsigned location;
    } nodes[] = { { 1, 0x300 }, { 2, 0x10000300 }, { 3, 0x302 }, { 4, 0x400 } };
    struct gput__gpu_processes p = { 0 };
    struct fixture f;
    char name[96], text[96], why[96];
    void *gpus;

    fixture_begin(&f);
    fixture_write(&f, "class/drm/card0/device/vendor", "0x1002\n");
    fixture_write(&f, "class/drm/card0/device/uevent",
                  "DRIVER=amdgpu\nPCI_SLOT_NAME=0001:03:00.0\n");
    for (size_t i = 0; i < 4; i++) {
        snprintf(name, sizeof(name), "class/kfd/kfd/topology/nodes/%d/gpu_id", nodes[i].node);
        snprintf(text, sizeof(text), "%d\n", 100 + nodes[i].node);
        fixture_write(&f, name, text);
        snprintf(name, sizeof(name), "class/kfd/kfd/topology/nodes/%d/properties", nodes[i].node);
        snprintf(text, sizeof(text), "location_id %u\ndomain 1\n", nodes[i].location);
        fixture_write(&f, name, text);
        snprintf(name, sizeof(name), "class/kfd/kfd/proc/7/vram_%d", 100 + nodes[i].node);
        fixture_write(&f, name, i < 3 ? "1000\n" : "500\n");
    }
    fixture_write(&f, "class/kfd/kfd/proc/8/vram_101", "18446744073709551615\n");
    fixture_write(&f, "class/kfd/kfd/proc/9/vram_101", "0\n");
    fixture_write(&f, "class/kfd/kfd/proc/x/vram_101", "5\n");
    fixture_need(open_on(&f, &gpus, why, sizeof(why)) == 0, "open");
    OK(ops->processes(gpus, 0, NULL, 0, &p) == 0 && bytes_of(&p, 7) == 3000,
       "the sum over its partitions, not the other device's");
    OK(bytes_of(&p, 8) == -2, "all ones: it uses the device, nobody knows how much");
    OK(p.n == 2, "0 bytes do not use it");
    ops->close(gpus);
    free(p.list);
    fixture_end(&f);
}

int main(int argc, char **argv)
{
    fixture_need(argc > 1, "no folder of machines was named");
    discrete(argv[1]);
    apu(argv[1]);
    rocm(argv[1]);
    no_card();
    order_of_cards();
    asleep();
    partitions();
    return DONE();
}
