/* recommend_words.c - amounts as people write them, and what to bear in mind with a run. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/recommend.h"
#include "model/levels.h"
#include "report/bottlenecks.h"
#include "report/limits/verdict.h"
#include "report/recommend.h"
#include "report/text/amount.h"

void gput__write_bytes(struct gput__buf *out, double bytes)
{
    static const char *const units[] = { "KiB", "MiB", "GiB", "TiB", "PiB" };
    unsigned i = 0;

    for (bytes /= 1024; bytes >= 1023.5 && i + 1 < sizeof(units) / sizeof(*units); i++)
        bytes /= 1024;
    gput__buf_printf(out, "%.*f %s", bytes < 9.995 ? 2 : bytes < 99.95 ? 1 : 0, bytes, units[i]);
}

void gput__write_mib(struct gput__buf *out, uint64_t mib)
{
    if (mib % 1024 == 0)
        gput__buf_printf(out, "%llu GiB", (unsigned long long)mib / 1024);
    else
        gput__buf_printf(out, "%llu MiB", (unsigned long long)mib);
}

void gput__write_duration(struct gput__buf *out, double seconds)
{
    uint64_t s = (uint64_t)(seconds < 1e15 ? seconds : 1e15), days = s / 86400;

    if (seconds < 59.95) {
        gput__buf_printf(out, "%.1f s", seconds);
        return;
    }
    if (days > 0)
        gput__buf_printf(out, "%llu day%s ", (unsigned long long)days, days == 1 ? "" : "s");
    gput__buf_printf(out, "%u:%02u:%02u", (unsigned)(s / 3600 % 24), (unsigned)(s / 60 % 60),
                     (unsigned)(s % 60));
}

void gput__write_percent(struct gput__buf *out, double share)
{
    gput__buf_printf(out, "%g %%", rint(share * 1e4) / 100);
}

static void write_oom(const struct gput_demand *d, double margin, struct gput__buf *out)
{
    gput__buf_puts(out, d->oom == GPUT_OOM_YES ? "the job was killed for memory"
                                               : "the job was probably killed for memory");
    if (isfinite(d->memory_limit) && d->memory_limit > 0) {
        gput__buf_puts(out, ", of which it could have ");
        gput__write_bytes(out, d->memory_limit);
    }
    if (isfinite(d->memory_peak)) {
        gput__buf_puts(out, ": what it needs is not known; ");
        gput__write_bytes(out, gput__demand_memory(d, margin));
        gput__buf_puts(out, " is a guess, so measure again");
    }
}

static void write_bounds(const struct gput_demand *d, double margin, struct gput__buf *out)
{
    (void)margin;
    gput__buf_puts(out, "the peak of memory is an estimate (at most ");
    gput__write_bytes(out, d->memory_most);
    gput__buf_puts(out, "), and the request covers it");
}

static void write_sampled(const struct gput_demand *d, double margin, struct gput__buf *out)
{
    (void)d;
    gput__buf_puts(out, "the peak of memory is the largest of what was seen: the true one may be "
                        "higher");
    if (!(margin > 0 && d->memory_peak > 0) || d->oom != GPUT_OOM_NO)
        return;
    gput__buf_puts(out, ", so the margin is ");
    gput__write_percent(out, gput__demand_memory(d, margin) / d->memory_peak - 1);
}

static void write_no_levels(const struct gput_demand *d, double margin, struct gput__buf *out)
{
    (void)d;
    (void)margin;
    gput__buf_puts(out,
                   "how its use of the CPU was spread over time is not known: as many cores are "
                   "asked for as it ever used; a result with --full tells more");
}

static void write_timed_out(const struct gput_demand *d, double margin, struct gput__buf *out)
{
    (void)d;
    (void)margin;
    gput__buf_puts(out, "the job was ended for its time limit: it needs more time than it had, and "
                        "perhaps more of the rest");
}

static void write_failed(const struct gput_demand *d, double margin, struct gput__buf *out)
{
    (void)margin;
    if (d->ending == GPUT_SIGNALED)
        gput__buf_printf(out, "the job was ended by signal %d", d->code);
    else
        gput__buf_printf(out, "the job failed with exit code %d", d->code);
    gput__buf_puts(out, ": a whole run may need more");
}

static void write_running(const struct gput_demand *d, double margin, struct gput__buf *out)
{
    (void)d;
    (void)margin;
    gput__buf_puts(out, "the job was not at its end: a whole run may need more");
}

static void write_machine(const struct gput_demand *d, double margin, struct gput__buf *out)
{
    (void)d;
    (void)margin;
    gput__buf_puts(out, "only the whole machine was measured: other programs are in the figures");
}

static const struct {
    enum gput__note note;
    void (*write)(const struct gput_demand *d, double margin, struct gput__buf *out);
} notes[] = {
    { GPUT__NOTE_OOM, write_oom },         { GPUT__NOTE_TIMED_OUT, write_timed_out },
    { GPUT__NOTE_FAILED, write_failed },   { GPUT__NOTE_RUNNING, write_running },
    { GPUT__NOTE_MACHINE, write_machine }, { GPUT__NOTE_BOUNDS, write_bounds },
    { GPUT__NOTE_SAMPLED, write_sampled }, { GPUT__NOTE_NO_LEVELS, write_no_levels },
};

static void write_near_limit(const struct gput_demand *d, struct gput__buf *out)
{
    double limit = d->memory_limit, most = fmax(d->memory_peak, d->memory_most);
    int is_sure = d->memory_peak >= GPUT__NEAR_LIMIT * limit;

    gput__buf_puts(out, is_sure ? "memory came to " : "memory may have come to ");
    gput__write_percent(out,
                        rint(100 * (is_sure ? d->memory_peak : fmin(most, limit)) / limit) / 100);
    gput__buf_puts(out, " of the ");
    gput__write_bytes(out, limit);
    gput__buf_puts(out, " that the job could have: its limit was measured, not its need; measure "
                        "again with more");
}

/* What limited run i, as far as it is not said already. */
static void write_bottlenecks(const struct gput__recommendation *r, size_t i,
                              void (*add)(void *ctx, const char *note), void *ctx)
{
    const struct gput__bottleneck_list *found = &r->found[i];
    struct gput__buf note = GPUT__BUF_INIT;
    char words[GPUT__BOTTLENECK_SIZE];

    for (int k = 0; k < found->n; k++) {
        const struct gput_bottleneck *b = &found->list[k];
        int is_memory = strcmp(b->what, "memory-limit") == 0;

        if ((is_memory && r->runs[i].oom != GPUT_OOM_NO) ||
            (strcmp(b->what, "cpu-one-core") == 0 && r->ask.cpu == 1))
            continue;
        gput__buf_clear(&note);
        if (r->n > 1)
            gput__buf_printf(&note, "%s: ", r->names[i]);
        if (is_memory)
            write_near_limit(&r->runs[i], &note);
        else
            gput__buf_printf(&note, "%s. %.*s", gput_bottleneck_words(b, words, sizeof(words)),
                             (int)strlen(b->advice) - 1, b->advice);
        add(ctx, gput__buf_text(&note));
    }
    gput__buf_free(&note);
}

/* Others had the CPU that run i wanted: what it used is not what it would use alone. */
static void write_crowd(const struct gput__recommendation *r, size_t i,
                        void (*add)(void *ctx, const char *note), void *ctx)
{
    const struct gput__bottleneck_list *found = &r->found[i];
    struct gput__buf note = GPUT__BUF_INIT;
    char time[GPUT__AMOUNT_SIZE];

    if (!(found->crowd_waited > 0))
        return;
    if (r->n > 1)
        gput__buf_printf(&note, "%s: ", r->names[i]);
    gput__buf_printf(&note,
                     "its threads waited %s for a CPU, while others used %.2g cores on average: "
                     "measure it where nobody else is, it may use more cores there",
                     gput__amount_seconds(found->crowd_waited, time), found->crowd_cores);
    add(ctx, gput__buf_text(&note));
    gput__buf_free(&note);
}

/* The largest factor among the runs, of those whose use is known over time; 0: there are none. */
static double slowdown(const struct gput__recommendation *r, int cores)
{
    double most = 0;

    for (size_t i = 0; i < r->n; i++) {
        const struct gput_demand *d = &r->runs[i];

        if (gput__levels_seconds(d->cpu_seconds_at) > 0)
            most = fmax(most, fmax(d->cpu_mean / cores,
                                   gput__levels_slowdown(d->cpu_seconds_at, cores, NAN)));
    }
    return most;
}

static void write_longer(struct gput__buf *out, double factor)
{
    if (factor >= 2)
        gput__buf_printf(out, "%.2g times as long", factor);
    else
        gput__buf_printf(out, "%.0f %% longer", 100 * (factor - 1));
}

/* What more or fewer cores than are asked for would change. */
static void write_costs(const struct gput__recommendation *r,
                        void (*add)(void *ctx, const char *note), void *ctx)
{
    int cores = r->ask.cpu, fewer = cores / 2;
    double now = slowdown(r, cores), most = 0;
    struct gput__buf note = GPUT__BUF_INIT;

    for (size_t i = 0; i < r->n; i++)
        most = fmax(most, gput__levels_highest(r->runs[i].cpu_seconds_at, r->runs[i].cpu_max));
    if (now > 0 && ceil(most) > cores) {
        gput__buf_printf(&note,
                         "%.3g cores were in use at most, but more than %d only for a moment", most,
                         cores);
        if (now >= 1.005) {
            gput__buf_puts(&note, ": on so many it takes ");
            write_longer(&note, now);
            gput__buf_puts(&note, ", for which the time limit has room");
        }
        add(ctx, gput__buf_text(&note));
    }
    if (now > 0 && fewer >= 1 && slowdown(r, fewer) >= 1.005 * now) {
        gput__buf_clear(&note);
        gput__buf_printf(&note, "on %d core%s instead of %d it would take about ", fewer,
                         fewer == 1 ? "" : "s", cores);
        write_longer(&note, slowdown(r, fewer) / now);
        add(ctx, gput__buf_text(&note));
    }
    gput__buf_free(&note);
}

void gput__recommend_notes(const struct gput__recommendation *r,
                           void (*add)(void *ctx, const char *note), void *ctx)
{
    struct gput__buf note = GPUT__BUF_INIT;
    unsigned told = 0;

    for (size_t i = 0; r->facts && r->facts[i]; i++)
        add(ctx, r->facts[i]);
    for (size_t i = 0; i < r->n; i++) {
        unsigned of_run = gput__demand_notes(&r->runs[i]) & ~told;

        told |= r->facts ? of_run : 0; /* of a history each once */

        for (size_t k = 0; k < sizeof(notes) / sizeof(*notes); k++) {
            if (!(of_run & notes[k].note))
                continue;
            gput__buf_clear(&note);
            if (r->n > 1 && !r->facts)
                gput__buf_printf(&note, "%s: ", r->names[i]);
            notes[k].write(&r->runs[i], r->margin, &note);
            add(ctx, gput__buf_text(&note));
        }
        if (r->found) {
            write_bottlenecks(r, i, add, ctx);
            write_crowd(r, i, add, ctx);
        }
    }
    gput__buf_free(&note);
    write_costs(r, add, ctx);
}
