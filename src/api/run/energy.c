/* energy.c - the energy of the run: of processors, of the job's share of them, of GPUs; and its carbon. */
#include "api/tracker.h"
#include "model/figure.h"

#define JOULES_PER_KWH 3.6e6
/* Of all CPU time there was: so little is nobody's. */
#define NOBODY 0.01

static const char not_asked[] = "only with --full";
static const char far_apart[] =
    "records are so far apart that a counter may have begun anew more than once";
static const char all_of_it[] = "all that the processors took: nobody else used them";
static const char a_share[] = "its share of the CPU time, of what the processors took above rest";
static const char others_used_it[] =
    "others used the processors too, and what these take at rest was not seen";
static const char no_gpu[] = "no GPU tells its energy";
static const char no_carbon[] = "only with --carbon";
static const char nothing[] = "no energy is known";

static struct gput_figure unknown(const char *why)
{
    return (struct gput_figure){ 0, GPUT_UNAVAILABLE, why };
}

static struct gput_figure estimated(double value, const char *why)
{
    return (struct gput_figure){ value > 0 ? value : 0, GPUT_ESTIMATED, why };
}

/* Of the processors, by whom they were used. */
static struct gput_figure share_of(const struct gput_tracker *t, const struct gput__summary *s,
                                   double joules)
{
    const struct gput__energy *e = &gput__sampler_machine(&t->sampler)->energy;
    double seconds = (double)(s->last.boot_ns - s->first.boot_ns) / 1e9;
    double own = gput__sample_gain(&s->first, &s->last, GPUT__COMBINED_CPU);
    double all = gput__sample_gain(&s->first, &s->last, GPUT__SYSTEM_CPU);

    if (t->sampler.blind || !gput__sample_has(&s->last, GPUT__COMBINED_CPU) || !(seconds > 0))
        return unknown("the CPU time of the job is not known");
    if (all - own <= NOBODY * seconds * t->sampler.n_cores)
        return estimated(joules, all_of_it);
    if (e->idle_watts < 0)
        return unknown(others_used_it);
    return estimated((joules - e->idle_watts * seconds) * (own < all ? own / all : 1), a_share);
}

static struct gput_figure of_gpus(const struct gput_usage *u)
{
    struct gput_figure sum = unknown(no_gpu);

    for (int i = 0; i < u->gpu.n_gpus; i++) {
        struct gput_figure one = u->gpu.gpus[i].energy;

        if (!gput__figure_is_known(one))
            continue;
        one.value += sum.value;
        if (sum.source == GPUT_SAMPLED) {
            one.source = sum.source;
            one.why = sum.why;
        }
        sum = one;
    }
    return sum;
}

/* What is known, multiplied; nothing is assumed. */
static struct gput_figure carbon(const struct gput_usage *u, double grams_per_kwh)
{
    const struct gput_figure *cpu = &u->energy.job_cpu_joules, *gpus = &u->energy.gpu_joules;
    bool has_cpu = gput__figure_is_known(*cpu), has_gpus = gput__figure_is_known(*gpus);

    if (!has_cpu && !has_gpus)
        return unknown(nothing);
    return estimated((cpu->value + gpus->value) / JOULES_PER_KWH * grams_per_kwh,
                     has_cpu && has_gpus ? "of the processors and the GPUs alone"
                     : has_cpu           ? "of the processors alone"
                                         : "of the GPUs alone");
}

void gput__energy_fill(const struct gput_tracker *t, const struct gput__summary *s,
                       struct gput_usage *u)
{
    const struct gput__machine *m = gput__sampler_machine(&t->sampler);
    double grams = t->opts.carbon_intensity;

    u->energy.gpu_joules = of_gpus(u);
    if (!m || !m->wants_waiting) {
        u->energy.cpu_joules = u->energy.job_cpu_joules = unknown(not_asked);
    } else if (!gput__sample_has(&s->last, GPUT__SYSTEM_CPU_ENERGY) ||
               !gput__sample_has(&s->first, GPUT__SYSTEM_CPU_ENERGY)) {
        u->energy.cpu_joules = u->energy.job_cpu_joules = unknown(gput__energy_why(&m->energy));
    } else {
        double joules = gput__sample_gain(&s->first, &s->last, GPUT__SYSTEM_CPU_ENERGY);

        u->energy.cpu_joules =
            (struct gput_figure){ joules, m->energy.is_doubtful ? GPUT_SAMPLED : GPUT_EXACT,
                                  m->energy.is_doubtful ? far_apart : NULL };
        u->energy.job_cpu_joules = share_of(t, s, joules);
    }
    u->energy.grams_per_kwh =
        grams > 0 ? (struct gput_figure){ grams, GPUT_EXACT, NULL } : unknown(no_carbon);
    u->energy.grams_co2 = grams > 0 ? carbon(u, grams) : unknown(no_carbon);
}
