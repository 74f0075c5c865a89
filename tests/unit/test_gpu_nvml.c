/* test_gpu_nvml.c - the NVIDIA back end: the library, the devices and one moment of each. */
#include <errno.h>

#include "nvml_play.h"
#include "source/gpu/nvml_api.h"

/* --- the library ---------------------------------------------------------------------------- */

static void no_library(void)
{
    struct play p;

    begin(&p, "/nonexistent/libnvidia-ml.so.1", "");
    OK(p.r == -ENODEV && !p.gpus, "no library: no device");
    OK(!strcmp(p.why, "/nonexistent/libnvidia-ml.so.1 was not found"), "why: %s", p.why);
    end(&p);
    begin(&p, "libm.so.6", "");
    OK(p.r == -ELIBBAD && !strcmp(p.why, "libm.so.6 lacks nvmlInit_v2"), "another one: %s", p.why);
    end(&p);
    begin(&p, "/proc/self/status", "");
    OK(p.r == -ELIBBAD && strstr(p.why, "could not be loaded: "), "no library: %s", p.why);
    end(&p);
}

static void found_by_the_loader(void)
{
    struct play p;

    begin(&p, NULL, "gpu GPU-1 One\n used 1\n");
    OK(p.r == 0 && ops->count(p.gpus) == 1, "without a path the loader finds the library");
    end(&p);
}

static void init_fails(void)
{
    static const struct {
        int code, error;
        const char *says;
    } cases[] = {
        { 1, -EIO, "NVML did not start: unknown error (NVML code 1)" },
        { 4, -EACCES, "no permission" },
        { 8, -EIO, "power cables" },
        { 9, -ENODEV, "the NVIDIA driver is not loaded" },
        { 10, -ETIMEDOUT, "did not answer in time" },
        { 11, -EIO, "interrupts" },
        { 12, -EIO, "a library of the NVIDIA driver was not found" },
        { 15, -ENODEV, "fallen off the bus" },
        { 16, -ENODEV, "needs a reset" },
        { 17, -EACCES, "blocks the NVIDIA devices" },
        { 18, -EPROTO, "reboot or reload the driver" },
        { 20, -ENOMEM, "NVML code 20" },
        { 999, -EIO, "NVML did not start: Unknown Error of the stand-in (NVML code 999)" },
    };
    char script[32];
    struct play p;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        snprintf(script, sizeof(script), "init %d\n", cases[i].code);
        begin(&p, full, script);
        OK(p.r == cases[i].error && !p.gpus && strstr(p.why, cases[i].says), "init, %d: %s",
           cases[i].code, p.why);
        OK(calls(&p, "nvmlInit_v2") == 1 && calls(&p, "nvmlShutdown") == 0,
           "what did not start is not ended");
        end(&p);
    }
    begin(&p, unsuffixed, "init 15\ninit 14\n");
    OK(p.r == -EIO && strstr(p.why, "unknown error (NVML code 14)"), "without words: %s", p.why);
    end(&p);
}

static void how_many(void)
{
    static const char eight[] =
        "gpu GPU-0 A\ntotal 20\nused 10\ngpu GPU-1 B\ntotal 20\nused 11\n"
        "gpu GPU-2 C\ntotal 20\nused 12\ngpu GPU-3 D\ntotal 20\nused 13\n"
        "gpu GPU-4 E\ntotal 20\nused 14\ngpu GPU-5 F\ntotal 20\nused 15\n"
        "gpu GPU-6 G\ntotal 20\nused 16\ngpu GPU-7 NVIDIA H200 NVL\ntotal 20\nused 17\n";
    struct gput__gpu_info info;
    struct play p;

    begin(&p, full, "");
    OK(p.r == -ENODEV && strstr(p.why, "has no GPU"), "0 GPUs: %s", p.why);
    OK(calls(&p, "nvmlShutdown") == 1, "what was started is ended");
    end(&p);

    begin_well(&p, full, eight);
    OK(ops->count(p.gpus) == 8, "8 GPUs");
    info = info_of(&p, 7);
    OK(!strcmp(info.uuid, "GPU-7") && !strcmp(info.name, "NVIDIA H200 NVL") &&
           !strcmp(info.pci, "0000:17:00.0") && !info.is_mig,
       "the last: %s, %s, %s", info.uuid, info.name, info.pci);
    OK(info.has_memory_total && info.memory_total == 20 && !info.is_unified, "its memory");
    OK(reading_of(&p, 7, GPUT__GPU_MEMORY).memory_used == 17 &&
           reading_of(&p, 2, GPUT__GPU_MEMORY).memory_used == 12,
       "each reads its own");
    OK(ops->describe(p.gpus, 8, &info) == -EINVAL &&
           ops->read(p.gpus, 8, ALL, &(struct gput__gpu_reading){ 0 }) == -EINVAL,
       "no ninth");
    end(&p);
}

static void some_out_of_reach(void)
{
    struct play p;

    begin(&p, full, "gpu GPU-0 A\nhandle !4\ngpu GPU-1 B\nused 5\n");
    OK(p.r == 0 && ops->count(p.gpus) == 1 && !strcmp(info_of(&p, 0).uuid, "GPU-1"),
       "a GPU that is not ours does not hide the other");
    end(&p);
    begin(&p, full, "gpu GPU-0 A\nhandle !4\ngpu GPU-1 B\nhandle !999\n");
    OK(p.r == -EACCES && strstr(p.why, "no permission"), "none can be had: %s", p.why);
    end(&p);
    begin(&p, full, "gpu GPU-0 A\nfail nvmlDeviceGetCount 999\n");
    OK(p.r == -EIO && strstr(p.why, "does not count"), "no count: %s", p.why);
    end(&p);
    begin_well(&p, full, "gpu GPU-0 A\nuuid !999\npci !3\nfail nvmlDeviceGetName 3\nused 1\n");
    OK(!strcmp(info_of(&p, 0).name, "NVIDIA GPU") && !info_of(&p, 0).uuid[0] &&
           !info_of(&p, 0).pci[0],
       "a GPU without name, UUID and address");
    end(&p);
}

/* --- symbols -------------------------------------------------------------------------------- */

static void reads_all_of_today(void)
{
    struct gput__gpu_reading r;
    double joules = 0;
    struct play p;

    begin_well(&p, full, usual);
    r = reading_of(&p, 0, ALL);
    OK(r.known == ALL, "all is known");
    OK(r.memory_used == 50 && r.utilization == 42, "memory without the reserve; utilisation");
    OK(r.power_watts == 70.5 && r.temperature_c == 61, "watts, degrees");
    OK(r.clock_mhz == 1500 && r.memory_clock_mhz == 2600, "clocks");
    OK(r.is_throttled && !strcmp(r.throttle, "power limit"), "throttled: %s", r.throttle);
    OK(ops->energy(p.gpus, 0, &joules) == 0 && joules >= 5 && joules < 1000, "%g J", joules);
    r = reading_of(&p, 0, GPUT__GPU_UTILIZATION);
    OK(r.known == GPUT__GPU_UTILIZATION && r.utilization == 42 && r.power_watts == 0,
       "only what is asked for");
    OK(calls(&p, "nvmlDeviceGetUtilizationRates") == 2 &&
           calls(&p, "nvmlDeviceGetPowerUsage") == 1 &&
           calls(&p, "nvmlDeviceGetMemoryInfo_v2") == 2 && /* one was for the total */
           calls(&p, "nvmlDeviceGetMemoryInfo") == 0,
       "and nothing else is called");
    OK(calls(&p, "nvmlDeviceGetTotalEnergyConsumption") == 1, "energy by its own call only");
    end(&p);
}

static void symbols_up_to_v2(void)
{
    struct gput__gpu_reading r;
    struct play p;

    begin_well(&p, v2, usual);
    r = reading_of(&p, 0, ALL);
    OK(r.known == ALL && r.memory_used == 150, "_v2: memory with the unknown reserve");
    OK(!strcmp(r.throttle, "power limit"), "the older name of throttling");
    OK(!strcmp(info_of(&p, 0).pci, "0000:10:00.0"), "the older address");
    OK(calls(&p, "nvmlInit_v2") == 1 && calls(&p, "nvmlInit") == 0, "the newer init");
    end(&p);
}

static void symbols_unsuffixed(void)
{
    struct gput__gpu_reading r = { 0 };
    double joules;
    struct play p;

    begin_well(&p, unsuffixed, usual);
    r = reading_of(&p, 0, ALL);
    OK(r.known == (ALL & ~(unsigned)GPUT__GPU_THROTTLE) && r.memory_used == 150 &&
           r.power_watts == 70.5,
       "unsuffixed: all but throttling");
    OK(ops->read(p.gpus, 0, GPUT__GPU_THROTTLE, &r) == -ENOTSUP, "which is not there");
    OK(!strcmp(info_of(&p, 0).pci, "0000:10:00.0"), "the oldest address");
    OK(ops->energy(p.gpus, 0, &joules) == -ENOTSUP, "no energy");
    OK(ops->history(p.gpus, 0, 0, ignore_sample, NULL) == -ENOTSUP, "no history");
    OK(ops->process_utilization(p.gpus, 0, 0, ignore_user, NULL) == -ENOTSUP, "none of processes");
    OK(calls(&p, "nvmlInit") == 1, "the oldest init");
    end(&p);
}

static void memory_v2_refused(void)
{
    static const int codes[] = { 2, 3, 13, 25 };
    char script[160];
    struct play p;

    for (size_t i = 0; i < 4; i++) {
        snprintf(script, sizeof(script),
                 "gpu G A\ntotal 1000\nreserved 100\nused 50\nfail nvmlDeviceGetMemoryInfo_v2 %d\n",
                 codes[i]);
        begin_well(&p, full, script);
        OK(info_of(&p, 0).memory_total == 1000 && !info_of(&p, 0).is_unified &&
               reading_of(&p, 0, GPUT__GPU_MEMORY).memory_used == 150,
           "refused with %d: the older call", codes[i]);
        OK(calls(&p, "nvmlDeviceGetMemoryInfo_v2") == 1, "and not asked again");
        end(&p);
    }
}

/* --- values that are not there -------------------------------------------------------------- */

static void not_available(void)
{
    static const struct {
        const char *key;
        unsigned what;
    } fields[] = {
        { "used", GPUT__GPU_MEMORY },  { "util", GPUT__GPU_UTILIZATION },
        { "power", GPUT__GPU_POWER },  { "temp", GPUT__GPU_TEMPERATURE },
        { "clock", GPUT__GPU_CLOCKS }, { "throttle", GPUT__GPU_THROTTLE },
    };
    static const struct {
        const char *value;
        int error;
    } answers[] = { { "na", -ENODATA }, { "!3", -ENOTSUP }, { "!4", -EACCES }, { "!999", -EIO } };
    struct gput__gpu_reading r;
    char script[600];
    struct play p;

    for (size_t f = 0; f < sizeof(fields) / sizeof(*fields); f++)
        for (size_t a = 0; a < 4; a++) {
            /* from the 2nd call on: the first one of `used` is for the total */
            snprintf(script, sizeof(script), "%s%s %s %s\n", usual, fields[f].key, answers[a].value,
                     f ? "" : "2");
            begin_well(&p, full, script);
            r = reading_of(&p, 0, ALL);
            OK(r.known == (ALL & ~fields[f].what), "%s is %s: the rest is known", fields[f].key,
               answers[a].value);
            r.power_watts = -1;
            OK(ops->read(p.gpus, 0, fields[f].what, &r) ==
                       (f == 0 && a == 1 ? -ENOTSUP : answers[a].error) &&
                   r.power_watts == -1,
               "and alone it is an error that leaves the reading as it was");
            end(&p);
        }
    begin_well(&p, full, "gpu G A\ntotal 9\nused 1\nutil 101\nmemclock na\nclock 5\n");
    r = reading_of(&p, 0, GPUT__GPU_UTILIZATION | GPUT__GPU_CLOCKS);
    OK(r.known == GPUT__GPU_CLOCKS && r.clock_mhz == 5 && r.memory_clock_mhz == 0,
       "101 %% is no utilisation; no memory clock");
    end(&p);
    begin_well(&p, full, "gpu G A\ntotal na\nused 1\nenergy na\n");
    OK(!info_of(&p, 0).has_memory_total && ops->energy(p.gpus, 0, &r.power_watts) == -ENOTSUP,
       "neither a total nor energy");
    OK(ops->read(p.gpus, 0, GPUT__GPU_POWER | GPUT__GPU_CLOCKS, &r) == -ENOTSUP, "nor the rest");
    OK(ops->read(p.gpus, 0, 0, &r) == 0 && r.known == 0, "nothing asked, nothing told");
    end(&p);
    begin_well(&p, full, "gpu G A\ntotal 9\nused 1\nutil !3\npower !4\ntemp !3\n");
    OK(ops->read(p.gpus, 0, ALL & ~1u, &r) == -EACCES, "refused goes before not there");
    end(&p);
}

static void throttling(void)
{
    static const struct {
        const char *bits, *words;
    } cases[] = {
        { "0", "" },
        { "0x1", "" },
        { "0x103", "" },
        { "0x4", "power limit" },
        { "0x8", "hardware slowdown" },
        { "0x48", "hardware: heat" },
        { "0x88", "hardware: power brake" },
        { "0x24", "power limit, heat" },
        { "0x10", "sync boost" },
        { "0x600", "card limit, reliability" },
        { "0x7ff", "power limit, sync boost, heat, hardware: heat, card limit" },
    };
    struct gput__gpu_reading r;
    char script[64];
    struct play p;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        snprintf(script, sizeof(script), "gpu G A\ntotal 9\nused 1\nthrottle %s\n", cases[i].bits);
        begin_well(&p, full, script);
        r = reading_of(&p, 0, GPUT__GPU_THROTTLE);
        OK(r.known == GPUT__GPU_THROTTLE && r.is_throttled == (cases[i].words[0] != '\0') &&
               !strcmp(r.throttle, cases[i].words),
           "%s: '%s'", cases[i].bits, r.throttle);
        end(&p);
    }
}

static void lost_at_the_fifth_read(void)
{
    struct gput__gpu_processes list = { 0 };
    struct gput__gpu_reading r;
    int good = 0, error = 0;
    double joules;
    struct play p;

    begin_well(&p, full,
               "gpu G A\ntotal 9\nused 1\nutil 5\nutil !15 5\nenergy 1\n"
               "gpu H B\ntotal 9\nused 2\nutil 6\n");
    for (int i = 0; i < 7 && error == 0; i++) {
        error = ops->read(p.gpus, 0, ALL, &r);
        good += error == 0;
    }
    OK(good == 4 && error == -ENODEV, "lost at the 5th read");
    OK(ops->read(p.gpus, 0, GPUT__GPU_MEMORY, &r) == -ENODEV &&
           ops->energy(p.gpus, 0, &joules) == -ENODEV &&
           ops->processes(p.gpus, 0, NULL, 0, &list) == -ENODEV &&
           ops->history(p.gpus, 0, 0, ignore_sample, NULL) == -ENODEV &&
           ops->process_utilization(p.gpus, 0, 0, ignore_user, NULL) == -ENODEV,
       "it stays lost");
    OK(calls(&p, "nvmlDeviceGetUtilizationRates") == 5 &&
           calls(&p, "nvmlDeviceGetTotalEnergyConsumption") == 0,
       "and is not called any more");
    OK(ops->count(p.gpus) == 2 && !strcmp(info_of(&p, 0).uuid, "G"), "but is still known by name");
    OK(reading_of(&p, 1, GPUT__GPU_UTILIZATION).utilization == 6, "the other works");
    end(&p);
}

/* --- instances of the back end -------------------------------------------------------------- */

static void two_at_once(void)
{
    struct gput__gpu_reading r;
    struct play p;
    struct gput__gpu_config config;
    void *other = NULL;

    begin_well(&p, full, "gpu G A\ntotal 9\nused 3\n");
    config = (struct gput__gpu_config){ .proc = &p.dir.root, .nvml_path = full };
    OK(ops->open(&config, &other, p.why, sizeof(p.why)) == 0, "a second instance");
    ops->close(p.gpus);
    p.gpus = NULL;
    OK(ops->read(other, 0, GPUT__GPU_MEMORY, &r) == 0 && r.memory_used == 3,
       "works on after the first has ended");
    ops->close(other);
    OK(calls(&p, "nvmlShutdown") == 2, "each ended once");
    end(&p);
}

static void slow_calls(void)
{
    struct gput__gpu_reading r;
    struct timespec a, b;
    struct play p;

    begin_well(&p, full,
               "gpu G A\ntotal 9\nused 3\nutil 1\ndelay nvmlDeviceGetUtilizationRates 80 2 2\n");
    ops->read(p.gpus, 0, GPUT__GPU_UTILIZATION, &r);
    clock_gettime(CLOCK_MONOTONIC, &a);
    ops->read(p.gpus, 0, GPUT__GPU_UTILIZATION, &r);
    clock_gettime(CLOCK_MONOTONIC, &b);
    OK((b.tv_sec - a.tv_sec) * 1000 + (b.tv_nsec - a.tv_nsec) / 1000000 >= 79,
       "the stand-in delays the call it is told to");
    end(&p);
}

static const char *says_nothing(int code)
{
    (void)code;
    return "";
}

/* Old libraries have no words for their codes. */
static void words_for_codes(void)
{
    static const struct {
        int code, error;
        const char *words;
    } codes[] = {
        { GPUT__NVML_SUCCESS, 0, "success" },
        { GPUT__NVML_INVALID_ARGUMENT, -EINVAL, "unknown error" },
        { GPUT__NVML_NOT_SUPPORTED, -ENOTSUP, "not supported" },
        { GPUT__NVML_NO_PERMISSION, -EACCES, "no permission" },
        { GPUT__NVML_NOT_FOUND, -ENODATA, "not found" },
        { GPUT__NVML_INSUFFICIENT_POWER, -EIO, "power cables not attached" },
        { GPUT__NVML_DRIVER_NOT_LOADED, -ENODEV, "driver not loaded" },
        { GPUT__NVML_TIMEOUT, -ETIMEDOUT, "timed out" },
        { GPUT__NVML_IRQ_ISSUE, -EIO, "interrupt problem" },
        { GPUT__NVML_GPU_IS_LOST, -ENODEV, "GPU lost" },
        { GPUT__NVML_RESET_REQUIRED, -ENODEV, "GPU needs a reset" },
        { GPUT__NVML_OPERATING_SYSTEM, -EACCES, "blocked by the operating system" },
        { GPUT__NVML_VERSION_MISMATCH, -EPROTO, "driver and library differ" },
        { 12345, -EIO, "unknown error" },
    };
    struct gput__nvml_api api = { 0 };

    for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++) {
        api.error_string = i % 2 ? says_nothing : NULL;
        OK(!strcmp(gput__nvml_words(&api, codes[i].code), codes[i].words) &&
               gput__nvml_errno(codes[i].code) == codes[i].error,
           "code %d: %s, %d", codes[i].code, gput__nvml_words(&api, codes[i].code),
           gput__nvml_errno(codes[i].code));
    }
}

int main(int argc, char **argv)
{
    find_libraries(argc, argv);
    words_for_codes();
    no_library();
    found_by_the_loader();
    init_fails();
    how_many();
    some_out_of_reach();
    reads_all_of_today();
    symbols_up_to_v2();
    symbols_unsuffixed();
    memory_v2_refused();
    not_available();
    throttling();
    lost_at_the_fifth_read();
    two_at_once();
    slow_calls();
    ops->close(NULL);
    return DONE();
}
