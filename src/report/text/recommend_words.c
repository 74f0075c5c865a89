/* recommend_words.c - amounts as people write them, and what to bear in mind with a run. */
#include <math.h>
#include <stdio.h>

#include "analysis/recommend.h"
#include "report/recommend.h"

void gput__put_bytes(struct gput__buf *out, double bytes)
{
    static const char *const units[] = { "KiB", "MiB", "GiB", "TiB", "PiB" };
    unsigned i = 0;

    for (bytes /= 1024; bytes >= 1023.5 && i + 1 < sizeof(units) / sizeof(*units); i++)
        bytes /= 1024;
    gput__buf_printf(out, "%.*f %s", bytes < 9.995 ? 2 : bytes < 99.95 ? 1 : 0, bytes, units[i]);
}

void gput__put_mib(struct gput__buf *out, uint64_t mib)
{
    if (mib % 1024 == 0)
        gput__buf_printf(out, "%llu GiB", (unsigned long long)mib / 1024);
    else
        gput__buf_printf(out, "%llu MiB", (unsigned long long)mib);
}

void gput__put_duration(struct gput__buf *out, double seconds)
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

void gput__put_percent(struct gput__buf *out, double share)
{
    gput__buf_printf(out, "%g %%", rint(share * 1e4) / 100);
}

static void put_oom(const struct gput_demand *d, double margin, struct gput__buf *out)
{
    gput__buf_puts(out, d->oom == GPUT_OOM_YES ? "the job was killed for memory"
                                               : "the job was probably killed for memory");
    if (isfinite(d->memory_limit) && d->memory_limit > 0) {
        gput__buf_puts(out, ", of which it could have ");
        gput__put_bytes(out, d->memory_limit);
    }
    if (isfinite(d->memory_peak)) {
        gput__buf_puts(out, ": what it needs is not known; ");
        gput__put_bytes(out, gput__demand_memory(d, margin));
        gput__buf_puts(out, " is a guess, so measure again");
    }
}

static void put_memory(const struct gput_demand *d, double margin, struct gput__buf *out)
{
    (void)margin;
    gput__buf_puts(out, "memory came to ");
    gput__put_percent(out, rint(100 * d->memory_peak / d->memory_limit) / 100);
    gput__buf_puts(out, " of the ");
    gput__put_bytes(out, d->memory_limit);
    gput__buf_puts(out, " that the job could have: its limit was measured, not its need; measure "
                        "again with more");
}

static void put_cores(const struct gput_demand *d, double margin, struct gput__buf *out)
{
    (void)margin;
    gput__buf_printf(out,
                     "the job used all of the %g core%s that it could use: with more it may be "
                     "faster",
                     d->cores_limit, d->cores_limit == 1 ? "" : "s");
}

static void put_timed_out(const struct gput_demand *d, double margin, struct gput__buf *out)
{
    (void)d;
    (void)margin;
    gput__buf_puts(out, "the job was ended for its time limit: it needs more time than it had, and "
                        "perhaps more of the rest");
}

static void put_failed(const struct gput_demand *d, double margin, struct gput__buf *out)
{
    (void)margin;
    if (d->ending == GPUT_SIGNALED)
        gput__buf_printf(out, "the job was ended by signal %d", d->code);
    else
        gput__buf_printf(out, "the job failed with exit code %d", d->code);
    gput__buf_puts(out, ": a whole run may need more");
}

static void put_running(const struct gput_demand *d, double margin, struct gput__buf *out)
{
    (void)d;
    (void)margin;
    gput__buf_puts(out, "the job was not at its end: a whole run may need more");
}

static void put_machine(const struct gput_demand *d, double margin, struct gput__buf *out)
{
    (void)d;
    (void)margin;
    gput__buf_puts(out, "only the whole machine was measured: other programs are in the figures");
}

static const struct {
    enum gput__note note;
    void (*put)(const struct gput_demand *d, double margin, struct gput__buf *out);
} notes[] = {
    { GPUT__NOTE_OOM, put_oom },         { GPUT__NOTE_MEMORY, put_memory },
    { GPUT__NOTE_CORES, put_cores },     { GPUT__NOTE_TIMED_OUT, put_timed_out },
    { GPUT__NOTE_FAILED, put_failed },   { GPUT__NOTE_RUNNING, put_running },
    { GPUT__NOTE_MACHINE, put_machine },
};

void gput__recommend_notes(const struct gput__recommendation *r,
                           void (*put)(void *ctx, const char *note), void *ctx)
{
    struct gput__buf note = GPUT__BUF_INIT;
    unsigned all = 0;

    for (size_t i = 0; i < r->n; i++) {
        unsigned of_run = gput__demand_notes(&r->runs[i]);

        all |= of_run;
        for (size_t k = 0; k < sizeof(notes) / sizeof(*notes); k++) {
            if (!(of_run & notes[k].note))
                continue;
            gput__buf_clear(&note);
            if (r->n > 1)
                gput__buf_printf(&note, "%s: ", r->names[i]);
            notes[k].put(&r->runs[i], r->margin, &note);
            put(ctx, gput__buf_text(&note));
        }
    }
    gput__buf_free(&note);
    if (all & GPUT__NOTE_SAMPLED)
        put(ctx, "the peak of memory is the largest of what was seen: the true one may be higher");
}
