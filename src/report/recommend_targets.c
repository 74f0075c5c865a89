/* recommend_targets.c - what to ask for, as the lines of schedulers and tools: one table.
 *
 * What each understands, and where it says so, is in docs/RECOMMEND.md.  A figure that is not known
 * has no line. */
#include <math.h>

#include "model/gpus.h"
#include "report/recommend.h"

/* Where a tool counts in megabytes of 1000^2 it must be as many as the mebibytes hold. */
static unsigned long long megabytes(uint64_t mib)
{
    return (unsigned long long)ceil((double)mib * 1.048576);
}

static unsigned long long minutes(double seconds)
{
    return (unsigned long long)(seconds / 60);
}

/* --mem=<n>M is in units of 1024^2 bytes; --time=[D-]HH:MM:SS. */
static void write_slurm(const struct gput__recommendation *r, struct gput__buf *out)
{
    const struct gput_resources *ask = &r->ask;
    unsigned long long m = minutes(ask->time);

    if (ask->cpu > 0)
        gput__buf_printf(out, "#SBATCH --cpus-per-task=%d\n", ask->cpu);
    if (ask->memory_mib > 0)
        gput__buf_printf(out, "#SBATCH --mem=%lluM\n", (unsigned long long)ask->memory_mib);
    if (ask->gpu > 0)
        gput__buf_printf(out, "#SBATCH --gres=gpu:%d\n", ask->gpu);
    if (m == 0)
        return;
    gput__buf_puts(out, "#SBATCH --time=");
    if (m >= 1440)
        gput__buf_printf(out, "%llu-", m / 1440);
    gput__buf_printf(out, "%02llu:%02llu:00\n", m / 60 % 24, m % 60);
}

static void write_kubernetes_memory(const struct gput_resources *ask, struct gput__buf *out)
{
    unsigned long long mib = ask->memory_mib;

    if (mib > 0)
        gput__buf_printf(out, "    memory: %llu%s\n", mib % 1024 ? mib : mib / 1024,
                         mib % 1024 ? "Mi" : "Gi");
}

/* By the brand of the runs; where none tells it, as most have it. */
static const char *kubernetes_gpu(const struct gput__recommendation *r)
{
    enum gput_gpu_brand brand = GPUT_N_GPU_BRANDS;

    for (size_t i = 0; i < r->n && brand == GPUT_N_GPU_BRANDS; i++)
        brand = gput__gpu_brand_find(r->runs[i].gpu_brand);
    return gput__gpu_brands[brand == GPUT_N_GPU_BRANDS ? GPUT_NVIDIA : brand].resource;
}

/* GPUs stand in the limits only, which are then the requests too.  No limit of CPU: it would slow the
 * job down where cores are idle. */
static void write_kubernetes(const struct gput__recommendation *r, struct gput__buf *out)
{
    const struct gput_resources *ask = &r->ask;

    gput__buf_puts(out, "resources:\n  requests:\n");
    if (ask->cpu > 0)
        gput__buf_printf(out, "    cpu: %d\n", ask->cpu);
    write_kubernetes_memory(ask, out);
    if (ask->memory_mib == 0 && ask->gpu == 0)
        return;
    gput__buf_puts(out, "  limits:\n");
    write_kubernetes_memory(ask, out);
    if (ask->gpu > 0)
        gput__buf_printf(out, "    %s: %d\n", kubernetes_gpu(r), ask->gpu);
}

/* Its MB and GB are 1024^2 and 1024^3 bytes. */
static void write_nextflow(const struct gput__recommendation *r, struct gput__buf *out)
{
    const struct gput_resources *ask = &r->ask;
    unsigned long long mib = ask->memory_mib, m = minutes(ask->time);

    if (ask->cpu > 0)
        gput__buf_printf(out, "    cpus %d\n", ask->cpu);
    if (mib > 0)
        gput__buf_printf(out, "    memory '%llu %s'\n", mib % 1024 ? mib : mib / 1024,
                         mib % 1024 ? "MB" : "GB");
    if (ask->gpu > 0)
        gput__buf_printf(out, "    accelerator %d\n", ask->gpu);
    if (m > 0 && m % 60 == 0)
        gput__buf_printf(out, "    time '%lluh'\n", m / 60);
    else if (m > 60)
        gput__buf_printf(out, "    time '%lluh %llum'\n", m / 60, m % 60);
    else if (m > 0)
        gput__buf_printf(out, "    time '%llum'\n", m);
}

/* mem_mb is in units of 1000^2 bytes, runtime in minutes. */
static void write_snakemake(const struct gput__recommendation *r, struct gput__buf *out)
{
    const struct gput_resources *ask = &r->ask;
    const char *between = "";

    if (ask->cpu > 0)
        gput__buf_printf(out, "    threads: %d\n", ask->cpu);
    if (ask->memory_mib == 0 && ask->gpu == 0 && !(ask->time > 0))
        return;
    gput__buf_puts(out, "    resources:\n");
    if (ask->memory_mib > 0) {
        gput__buf_printf(out, "        mem_mb=%llu", megabytes(ask->memory_mib));
        between = ",\n";
    }
    if (ask->time > 0) {
        gput__buf_printf(out, "%s        runtime=%llu", between, minutes(ask->time));
        between = ",\n";
    }
    if (ask->gpu > 0)
        gput__buf_printf(out, "%s        gpu=%d", between, ask->gpu);
    gput__buf_putc(out, '\n');
}

/* Its MB are 1000^2 bytes on Kubernetes and 1024^2 on AWS Batch: enough for both. */
static void write_metaflow(const struct gput__recommendation *r, struct gput__buf *out)
{
    const struct gput_resources *ask = &r->ask;
    const char *between = "";

    gput__buf_puts(out, "@resources(");
    if (ask->cpu > 0) {
        gput__buf_printf(out, "cpu=%d", ask->cpu);
        between = ", ";
    }
    if (ask->memory_mib > 0) {
        gput__buf_printf(out, "%smemory=%llu", between, megabytes(ask->memory_mib));
        between = ", ";
    }
    if (ask->gpu > 0)
        gput__buf_printf(out, "%sgpu=%d", between, ask->gpu);
    gput__buf_puts(out, ")\n");
    if (ask->time > 0)
        gput__buf_printf(out, "@timeout(minutes=%llu)\n", minutes(ask->time));
}

/* m and g are 1024^2 and 1024^3 bytes. */
static void write_docker(const struct gput__recommendation *r, struct gput__buf *out)
{
    const struct gput_resources *ask = &r->ask;
    unsigned long long mib = ask->memory_mib;
    const char *between = "";

    if (ask->cpu > 0) {
        gput__buf_printf(out, "--cpus=%d", ask->cpu);
        between = " ";
    }
    if (mib > 0) {
        gput__buf_printf(out, "%s--memory=%llu%s", between, mib % 1024 ? mib : mib / 1024,
                         mib % 1024 ? "m" : "g");
        between = " ";
    }
    if (ask->gpu > 0)
        gput__buf_printf(out, "%s--gpus=%d", between, ask->gpu);
    gput__buf_putc(out, '\n');
}

const struct gput__recommend_target gput__recommend_targets[] = {
    { "slurm", "Slurm", "# ", "", write_slurm, 1 },
    { "kubernetes", "Kubernetes", "# ", "", write_kubernetes, 0 },
    { "nextflow", "Nextflow", "// ", "    ", write_nextflow, 1 },
    { "snakemake", "Snakemake", "# ", "    ", write_snakemake, 1 },
    { "metaflow", "Metaflow", "# ", "", write_metaflow, 1 },
    { "docker", "Docker", "# ", "", write_docker, 0 },
    { .name = NULL },
};

struct comments {
    const struct gput__recommend_target *target;
    struct gput__buf *out;
};

static void begin_comment(const struct gput__recommend_target *t, struct gput__buf *out)
{
    gput__buf_puts(out, t->indent);
    gput__buf_puts(out, t->comment);
}

static void write_note(void *ctx, const char *note)
{
    const struct comments *c = ctx;

    begin_comment(c->target, c->out);
    gput__buf_printf(c->out, "Note: %s.\n", note);
}

/* "measured in run.json: 1.93 cores, memory 3.42 GiB, 1:12:03; margin 20 %" */
static void write_measured(const struct gput__recommendation *r, struct gput__buf *out)
{
    const char *between = ":";

    if (r->n == 1)
        gput__buf_printf(out, "measured in %s", r->names[0]);
    else
        gput__buf_printf(out, "measured in %zu runs", r->n);
    if (isfinite(r->all.memory_peak)) {
        gput__buf_puts(out, ": memory peak ");
        gput__write_bytes(out, r->all.memory_peak);
        between = ",";
    }
    if (isfinite(r->all.cpu_mean)) {
        gput__buf_printf(out, "%s %.2f cores on average", between, r->all.cpu_mean);
        between = ",";
    }
    if (r->all.duration > 0) {
        gput__buf_printf(out, "%s ", between);
        gput__write_duration(out, r->all.duration);
    }
    gput__buf_puts(out, "; margin ");
    gput__write_percent(out, r->margin);
    gput__buf_putc(out, '\n');
}

static void write_what_has_no_field(const struct gput__recommendation *r,
                                    const struct gput__recommend_target *t, struct gput__buf *out)
{
    if (r->ask.vram_mib > 0) {
        begin_comment(t, out);
        gput__buf_puts(out, "GPU memory: peak ");
        gput__write_bytes(out, r->all.vram_peak);
        gput__buf_puts(out, ", ask for ");
        gput__write_mib(out, r->ask.vram_mib);
        gput__buf_printf(out, "%s; %s has no field for it\n", r->ask.gpu > 1 ? " in all" : "",
                         t->title);
    }
    if (r->ask.time > 0 && !t->has_time) {
        begin_comment(t, out);
        gput__buf_puts(out, "time limit: ");
        gput__write_duration(out, r->ask.time);
        gput__buf_printf(out, "; there is no field for it here\n");
    }
}

void gput__recommend_lines(const struct gput__recommendation *r,
                           const struct gput__recommend_target *t, struct gput__buf *out)
{
    struct comments c = { t, out };

    begin_comment(t, out);
    write_measured(r, out);
    write_what_has_no_field(r, t, out);
    gput__recommend_notes(r, write_note, &c);
    t->write(r, out);
}
