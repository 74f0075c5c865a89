/* gpu.c - GPUs through start() and stop(), on the stand-in for NVIDIA's library: chosen GPUs that
 * are not there, figures and tables, and that the calling program never loads the library. */
#include "capi.h"

static const char script[] = "gpu GPU-a NVIDIA Test\ntotal 8000000000\nused 1500000000\nutil 30\n"
                             "ring 200\nprocess compute @%s 1000000000\n"
                             "gpu GPU-b NVIDIA Test\ntotal 8000000000\nused 0\nutil 60\nring 200\n";

static struct gput_options with_gpus(const char *library, const char *uuids)
{
    struct gput_options o = quick();

    o.nvml_path = library;
    o.gpu_uuids = uuids;
    return o;
}

static bool has_loaded(const char *word)
{
    char *maps = text_of("/proc/self/maps");
    bool found = maps && strstr(maps, word);

    free(maps);
    return found;
}

static void unknown_uuids(const char *library)
{
    struct gput_options o = with_gpus(library, "GPU-a,GPU-x");
    struct gput_tracker *t = opened(&o);
    struct gput_error e = { "?", "?" };

    OK(gput_tracker_check(t, &e) == -EINVAL && !strcmp(e.field, "gpu_uuids") &&
           strstr(e.text, "GPU-x") && strstr(e.text, "GPU-a, GPU-b"),
       "check() refuses an unknown UUID and names those there are: %s", e.text);
    OK(n_children(NULL) == 0 && gput_tracker_check(t, NULL) == -EINVAL, "again, and leaves nobody");
    e = (struct gput_error){ "?", "?" };
    OK(gput_tracker_start(t, &e) == -EINVAL && !strcmp(e.field, "gpu_uuids") &&
           strstr(e.text, "GPU-x") && n_children(NULL) == 0,
       "start() does as well");
    gput_tracker_close(t);
    o = with_gpus("/nowhere/libnvidia-ml.so.1", "GPU-a");
    t = opened(&o);
    OK(gput_tracker_check(t, &e) < 0 && !strcmp(e.field, "gpu_uuids"), "without a GPU: %s", e.text);
    gput_tracker_close(t);
}

static void figures(const char *library)
{
    struct gput_options o = with_gpus(library, "GPU-b");
    struct gput_tracker *t = opened(&o);
    struct gput_usage u;
    const struct gput_gpu *gpu;

    OK(gput_tracker_check(t, NULL) == 0 && gput_tracker_start(t, NULL) == 0,
       "a known UUID is fine");
    WAIT_UNTIL(usage_of(t).gpu_utilization.gpu_percentages.max_sum_percent.value == 60);
    u = usage_of(t);
    sleep_for(0.3); /* the helper goes on to write: what we were given must not change */
    if (!OK(u.gpu.n_gpus == 2 && u.gpu.gpus, "both GPUs are in the table while it runs"))
        return;
    gpu = &u.gpu.gpus[1];
    OK(!strcmp(gpu->uuid, "GPU-b") && !strcmp(gpu->name, "NVIDIA Test") && gpu->is_counted &&
           !strcmp(gpu->brand, "nvidia") && !strcmp(gpu->state, "ok"),
       "names are good until the next call");
    OK(gput_tracker_stop(t, 0, NULL) == 0, "stop");
    u = usage_of(t);
    OK(u.gpu_utilization.system_gpu_count.value == 2 &&
           u.gpu_utilization.n_expected_gpus.value == 1 &&
           u.gpu_utilization.gpu_percentages.max_sum_percent.value == 60,
       "the chosen one counts: %.0f %%", u.gpu_utilization.gpu_percentages.max_sum_percent.value);
    OK(u.max_gpu_ram.main.value == 1e9 && u.max_gpu_ram.combined.value == 1e9 &&
           u.max_gpu_ram.descendants.value == 0 && u.max_gpu_ram.system.value == 1.5e9 &&
           u.max_gpu_ram.system_capacity.value == 16e9,
       "GPU memory: %.0f of the process, %.0f of all", u.max_gpu_ram.main.value,
       u.max_gpu_ram.system.value);
    OK(u.gpu.n_processes == 1 && u.gpu.processes[0].pid == getpid() &&
           u.gpu.processes[0].max_memory.value == 1e9 && u.gpu.attribution,
       "and who has it, %s", u.gpu.attribution);
    gput_tracker_close(t);
}

/* Memory that the process takes some seconds after the start is of the lap in which it does. */
static const char later[] = "gpu GPU-a NVIDIA Test\ntotal 8000000000\nused 0\nutil 30\n"
                            "process compute @%s 1000000000 3s\n";

static bool lap_has_it(struct gput_tracker *t)
{
    struct gput_usage u = { .size = sizeof(u) };

    return gput_tracker_lap(t, 1, NULL) == 0 && gput_lap_usage(t, &u) == 0 &&
           u.max_gpu_ram.combined.value == 1e9;
}

static void laps(const char *library)
{
    struct gput_options o = with_gpus(library, NULL);
    struct gput_usage u = { .size = sizeof(u) };
    struct gput_tracker *t = started(&o);
    bool is_seen = false;

    OK(gput_tracker_lap(t, 1, NULL) == 0 && !lap_has_it(t), "a lap begins without GPU memory");
    WAIT_UNTIL((is_seen = lap_has_it(t)));
    OK(is_seen, "the one in which it is taken has it");
    OK(!lap_has_it(t) && gput_lap_usage(t, &u) == 0 &&
           u.max_gpu_ram.combined.source == GPUT_SAMPLED && u.max_gpu_ram.combined.value == 0,
       "the next one has not, though it is held");
    gput_tracker_close(t);
}

static void play(const struct scratch *s, const char *script_text)
{
    char text[512];

    snprintf(text, sizeof(text), script_text, scratch_file(s, "pid"));
    put_text(scratch_file(s, "script"), text);
}

int main(int argc, char **argv)
{
    struct scratch s;
    char number[16];

    if (argc != 2)
        bail("usage", "gpu LIBRARY");
    scratch_begin(&s);
    snprintf(number, sizeof(number), "%d\n", getpid());
    put_text(scratch_file(&s, "pid"), number);
    play(&s, script);
    setenv("GPUT_NVML_SCRIPT", scratch_file(&s, "script"), 1);
    unknown_uuids(argv[1]);
    figures(argv[1]);
    play(&s, later);
    laps(argv[1]);
    OK(!has_loaded("nvidia-ml"), "the library is not in this program");
    scratch_end(&s);
    return DONE();
}
