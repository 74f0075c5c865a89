/* plot_stories.c - made-up runs for the tests of pictures.  All numbers follow from the index of the
 * record, by operations that are exact or rounded alike everywhere. */
#include "plot_stories.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double epoch = 1.7e9;

void plot_story_begin(struct gput__run *run, size_t n, double interval)
{
    *run = (struct gput__run){ .start = epoch, .end = epoch + (double)n * interval };
    run->usage.job.ending = GPUT_GONE;
    run->interval = interval;
    run->n_records = n;
    run->series.n = n;
    run->series.time = calloc(n + 1, sizeof(double));
    for (size_t i = 0; i < n; i++)
        run->series.time[i] = epoch + (double)(i + 1) * interval;
}

static double *unknown(size_t n)
{
    double *values = calloc(n + 1, sizeof(double));

    for (size_t i = 0; i < n; i++)
        values[i] = NAN;
    return values;
}

double *plot_story_series(struct gput__run *run, enum gput__metric metric)
{
    return run->series.value[metric] = unknown(run->series.n);
}

/* Noise from 0 to 1, the same each time. */
static double noise(size_t i)
{
    uint32_t x = (uint32_t)i * 2654435761u + 12345u;

    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    return (double)(x % 1000) / 999;
}

static void set(struct gput_figure *figure, double value)
{
    *figure = (struct gput_figure){ value, GPUT_EXACT, NULL };
}

static void command(struct gput__run *run, const char *words, enum gput_ending ending, int code)
{
    run->texts = calloc(2, sizeof(char *));
    run->texts[0] = strdup(words);
    run->usage.job.command = run->texts[0];
    run->usage.job.ending = ending;
    run->usage.job.code = code;
    set(&run->usage.compute_time.time, run->end - run->start);
}

/* A straight way from a to b while i goes from 0 to n. */
static double between(double a, double b, size_t i, size_t n)
{
    return a + (b - a) * (double)i / (double)n;
}

/* --- the stories ---------------------------------------------------------------------------- */

static void spike(struct gput__run *run)
{
    double *ram, *cpu;

    plot_story_begin(run, 3600, 1);
    command(run, "./solve --tolerance 1e-9 input.h5", GPUT_EXITED, 0);
    ram = plot_story_series(run, GPUT__COMBINED_RAM);
    cpu = plot_story_series(run, GPUT__COMBINED_CPU);
    for (size_t i = 0; i < 3600; i++) {
        ram[i] = i == 2500 ? 9.7e9 : 1.1e9;
        cpu[i] = i == 900 ? 800 : 98 + 4 * noise(i);
    }
    set(&run->usage.max_ram.combined.total_rss, 10.4e9);
}

static void ramp(struct gput__run *run)
{
    double *ram, *cpu;

    plot_story_begin(run, 90, 1);
    command(run, "python3 load.py", GPUT_SIGNALED, 9);
    run->usage.job.oom = GPUT_OOM_YES;
    ram = plot_story_series(run, GPUT__COMBINED_RAM);
    cpu = plot_story_series(run, GPUT__COMBINED_CPU);
    for (size_t i = 0; i < 90; i++) {
        ram[i] = between(0.2e9, 15.8e9, i, 89);
        cpu[i] = i < 45 ? 100 : between(100, 410, i - 45, 44);
    }
}

static void constant(struct gput__run *run)
{
    double *ram, *cpu;

    plot_story_begin(run, 300, 1);
    command(run, "sleep 300", GPUT_EXITED, 0);
    ram = plot_story_series(run, GPUT__COMBINED_RAM);
    cpu = plot_story_series(run, GPUT__COMBINED_CPU);
    for (size_t i = 0; i < 300; i++) {
        ram[i] = 1.9e6 + (double)(i % 2); /* said alike */
        cpu[i] = 0;
    }
}

/* Values that were not known for a while, and a machine that slept. */
static void gaps(struct gput__run *run)
{
    double *ram, *cpu;

    plot_story_begin(run, 400, 1);
    command(run, "make -j4", GPUT_EXITED, 2);
    ram = plot_story_series(run, GPUT__COMBINED_RAM);
    cpu = plot_story_series(run, GPUT__COMBINED_CPU);
    for (size_t i = 0; i < 400; i++) {
        ram[i] = i >= 100 && i < 150 ? NAN : 4e8 + 3e8 * noise(i / 8);
        cpu[i] = i >= 180 && i < 200 ? NAN : 380 - 60 * noise(i);
    }
    for (size_t i = 300; i < 400; i++)
        run->series.time[i] += 150;
    run->end += 150;
    cpu[300] = 2;
    set(&run->usage.compute_time.time, 550);
}

static double training(size_t i) /* 5 epochs of 800 steps, each with a check at its end */
{
    return i < 200 ? 0 : (i - 200) % 800 > 700 ? 12 + 10 * noise(i) : 88 + 10 * noise(i);
}

static void gpu_job(struct gput__run *run)
{
    enum { N = 4320 };
    double *ram, *cpu, *use, *gpu_ram, *read, *written, *received;

    plot_story_begin(run, N, 1);
    command(run, "python3 train.py --model resnet50 --epochs 5 --batch-size 256", GPUT_EXITED, 0);
    ram = plot_story_series(run, GPUT__COMBINED_RAM);
    cpu = plot_story_series(run, GPUT__COMBINED_CPU);
    use = plot_story_series(run, GPUT__GPU_PERCENT);
    gpu_ram = plot_story_series(run, GPUT__COMBINED_GPU_RAM);
    read = plot_story_series(run, GPUT__JOB_DISK_READ);
    written = plot_story_series(run, GPUT__JOB_DISK_WRITE);
    received = plot_story_series(run, GPUT__NET_RECEIVED);
    for (size_t i = 0; i < N; i++) {
        ram[i] = (i < 200 ? between(0.3e9, 9e9, i, 200) : between(9e9, 11e9, i, N)) +
                 (i > 200 && (i - 200) % 800 > 700 ? 2.5e9 : 0);
        use[i] = training(i);
        cpu[i] = i < 200 ? 780 + 20 * noise(i) : 210 + 60 * noise(i + 7);
        gpu_ram[i] = i < 180 ? 0 : i < 230 ? between(0.5e9, 21e9, i - 180, 50) : 22.1e9;
        read[i] = i < 200 ? 450e6 + 50e6 * noise(i) : noise(i) > 0.9 ? 120e6 : 2e6;
        written[i] = i > 200 && (i - 200) % 800 == 799 ? 600e6 : 0;
        received[i] = 0;
    }
    set(&run->usage.max_ram.combined.total_rss, 13.42e9);
    set(&run->usage.max_gpu_ram.combined, 22.1e9);
    set(&run->usage.gpu_utilization.system_gpu_count, 1);
    set(&run->usage.gpu_utilization.n_expected_gpus, 1);
}

static void gpus(struct gput__run *run)
{
    enum { N = 600, N_GPUS = 4 };
    double *sum, *ram;

    plot_story_begin(run, N, 1);
    command(run, "torchrun --nproc-per-node 4 train.py", GPUT_EXITED, 0);
    ram = plot_story_series(run, GPUT__COMBINED_RAM);
    sum = plot_story_series(run, GPUT__GPU_PERCENT);
    run->series.gpus = calloc(N_GPUS, sizeof(*run->series.gpus));
    run->series.n_gpus = N_GPUS;
    for (size_t i = 0; i < N; i++) {
        ram[i] = 4e9 + 1e9 * noise(i / 20);
        sum[i] = 0;
    }
    for (size_t g = 0; g < N_GPUS; g++) {
        double *use = run->series.gpus[g].use = unknown(N);

        for (size_t i = 0; i < N; i++) {
            use[i] = g == 3 ? 2 * noise(i) : 60 + 10 * (double)g + 10 * noise(i + g);
            sum[i] += use[i];
        }
    }
    set(&run->usage.gpu_utilization.n_expected_gpus, N_GPUS);
}

/* 11.6 days with one moment that counts. */
static void million(struct gput__run *run)
{
    enum { N = 1000000 };
    double *ram, *cpu;

    plot_story_begin(run, N, 1);
    command(run, "./simulate forever", GPUT_SIGNALED, 15);
    ram = plot_story_series(run, GPUT__COMBINED_RAM);
    cpu = plot_story_series(run, GPUT__COMBINED_CPU);
    for (size_t i = 0; i < N; i++) {
        ram[i] = i == 617283 ? 64e9 : 8e9 + 1e9 * (double)(i % 86400) / 86400;
        cpu[i] = 100 * noise(i) + (i % 86400 < 28800 ? 1500 : 0);
    }
}

static void one(struct gput__run *run)
{
    plot_story_begin(run, 1, 0.3);
    command(run, "true", GPUT_EXITED, 0);
    plot_story_series(run, GPUT__COMBINED_RAM)[0] = 1.3e6;
    plot_story_series(run, GPUT__COMBINED_CPU)[0] = 37;
}

/* One record, and nobody knows how long it was. */
static void moment(struct gput__run *run)
{
    plot_story_begin(run, 1, 1);
    run->start = run->end = NAN;
    run->source = strdup("runs/moment.csv");
    plot_story_series(run, GPUT__COMBINED_RAM)[0] = 1.3e6;
}

static void none(struct gput__run *run)
{
    plot_story_begin(run, 0, 1);
    command(run, "./fast", GPUT_EXITED, 0);
    set(&run->usage.compute_time.time, 0.021);
    set(&run->usage.max_ram.combined.total_rss, 3.4e6);
    set(&run->usage.cpu_utilization.combined.mean_sum_percent, 95);
}

static void machine(struct gput__run *run)
{
    enum { N = 120 };
    double *ram, *cpu, *read, *received, *sent;

    plot_story_begin(run, N, 5);
    run->source = strdup("system.csv");
    run->start = run->end = NAN;
    ram = plot_story_series(run, GPUT__SYSTEM_RAM);
    cpu = plot_story_series(run, GPUT__SYSTEM_CPU);
    read = plot_story_series(run, GPUT__DISK_READ);
    received = plot_story_series(run, GPUT__NET_RECEIVED);
    sent = plot_story_series(run, GPUT__NET_SENT);
    for (size_t i = 0; i < N; i++) {
        ram[i] = 20e9 + (i > 40 && i < 90 ? 10e9 * noise(i / 6) : 0);
        cpu[i] = i > 40 && i < 90 ? 6400 - 900 * noise(i) : 120 * noise(i);
        read[i] = i > 38 && i < 48 ? 1.8e9 : 2e4 * noise(i);
        received[i] = i == 100 ? 9.5e7 : 1e3 * noise(i);
        sent[i] = 12;
    }
}

static void hostile(struct gput__run *run)
{
    plot_story_begin(run, 2, 1);
    command(run,
            "sh -c '\033[2J\033]0;gotcha\007rm\n\r\t-rf\x7f \xc2\x9b"
            "31m \xff\xfe \xe2\x80\xae txt.exe \xe7\x95\xab\xe9\x9d\xa2 \xf0\x9f\x9a\x80 e\xcc\x81 "
            "\xe2\x80\x8b'",
            GPUT_SIGNALED, 64);
    plot_story_series(run, GPUT__COMBINED_RAM)[0] = INFINITY;
    run->series.value[GPUT__COMBINED_RAM][1] = -5;
    plot_story_series(run, GPUT__COMBINED_CPU)[0] = 1e300;
    run->series.value[GPUT__COMBINED_CPU][1] = 1e300;
    run->series.gpus = calloc(2, sizeof(*run->series.gpus));
    run->series.n_gpus = 2;
    run->series.gpus[0].use = unknown(2);
    run->series.gpus[1].use = unknown(2);
    run->series.gpus[1].use[0] = 1e300;
}

const struct plot_story plot_stories[] = {
    { "spike", spike },     { "ramp", ramp }, { "constant", constant }, { "gaps", gaps },
    { "gpu-job", gpu_job }, { "gpus", gpus }, { "million", million },   { "one", one },
    { "moment", moment },   { "none", none }, { "machine", machine },   { "hostile", hostile },
    { NULL, NULL },
};

void plot_story_tell(const char *name, struct gput__run *ret)
{
    for (const struct plot_story *s = plot_stories; s->name; s++) {
        if (strcmp(s->name, name) == 0) {
            s->tell(ret);
            return;
        }
    }
    abort();
}
