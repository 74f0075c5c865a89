/* verdict.h - what a verdict on a run is: a row of THE table in report/bottlenecks.c.
 *
 * A row has a name, the condition with share of the time, confidence and evidence, the words and what to
 * try.  Conditions stand in a file for each resource. */
#ifndef GPUT_REPORT_LIMITS_VERDICT_H
#define GPUT_REPORT_LIMITS_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "gput.h"

/* So much of a limit is at it. */
#define GPUT__NEAR_LIMIT 0.9
/* Seconds; a shorter job is mostly start and end. */
#define GPUT__TOO_SHORT 2.0

/* What the conditions look at; NAN is not known. */
struct gput__limit_facts {
    const struct gput_usage *u;
    double seconds, known_seconds; /* of the run; those whose use of the CPU is known */
    double cores, cores_max, cores_limit;
    double memory, memory_most, memory_limit;
};

enum gput__verdict_tone {
    GPUT__VERDICT_BAD,  /* something stands in the way */
    GPUT__VERDICT_GOOD, /* what it was given is well used */
};

struct gput__verdict {
    const char *what;
    double least_share; /* of the time: less is not worth a word; an unknown share is no obstacle */
    /* Whether it holds; then the share (NAN: not known), the confidence and the evidence are filled. */
    bool (*judge)(const struct gput__limit_facts *f, struct gput_bottleneck *ret);
    /* A sentence without its full stop.  "{share}" stands for the share of the time, "{NAME}" for a
     * number of the evidence, "{NAME UNIT}" for one as people say it: B bytes, s seconds, % percent,
     * J energy. */
    const char *words;
    /* Instead of `words` where one pattern does not do. */
    const char *(*say)(const struct gput_bottleneck *b, char *ret, size_t size);
    const char *advice; /* what to try, a sentence */
    enum gput__verdict_tone tone;
};

void gput__evidence_add(struct gput_bottleneck *b, const char *name, double value);
/* NAN: there is none of that name, or it is not known. */
double gput__evidence(const struct gput_bottleneck *b, const char *name);
/* The words of a pattern. */
const char *gput__verdict_fill(const char *words, const struct gput_bottleneck *b, char *ret,
                               size_t size);

/* --- conditions, and words that take more than a pattern ------------------------------------- */

/* cpu.c */
bool gput__judge_all_cores(const struct gput__limit_facts *f, struct gput_bottleneck *ret);
/* One core of several was busy; and so, but hardly while GPUs were at work, which programs wait for with a
 * busy core. */
bool gput__judge_one_core(const struct gput__limit_facts *f, struct gput_bottleneck *ret);
bool gput__judge_one_core_alone(const struct gput__limit_facts *f, struct gput_bottleneck *ret);
bool gput__judge_stolen(const struct gput__limit_facts *f, struct gput_bottleneck *ret);
const char *gput__say_all_cores(const struct gput_bottleneck *b, char *ret, size_t size);
const char *gput__say_one_core(const struct gput_bottleneck *b, char *ret, size_t size);

/* memory.c */
bool gput__judge_memory(const struct gput__limit_facts *f, struct gput_bottleneck *ret);
bool gput__judge_swap(const struct gput__limit_facts *f, struct gput_bottleneck *ret);
const char *gput__say_memory(const struct gput_bottleneck *b, char *ret, size_t size);

/* gpu.c */
bool gput__judge_gpu_tensor(const struct gput__limit_facts *f, struct gput_bottleneck *ret);
bool gput__judge_gpu_pipes(const struct gput__limit_facts *f, struct gput_bottleneck *ret);
const char *gput__say_gpu_pipes(const struct gput_bottleneck *b, char *ret, size_t size);
bool gput__judge_gpu_memory(const struct gput__limit_facts *f, struct gput_bottleneck *ret);
bool gput__judge_gpu_copies(const struct gput__limit_facts *f, struct gput_bottleneck *ret);
bool gput__judge_gpu_small(const struct gput__limit_facts *f, struct gput_bottleneck *ret);
bool gput__judge_gpu_stuck(const struct gput__limit_facts *f, struct gput_bottleneck *ret);
bool gput__judge_gpu_power(const struct gput__limit_facts *f, struct gput_bottleneck *ret);
bool gput__judge_gpu_heat(const struct gput__limit_facts *f, struct gput_bottleneck *ret);
bool gput__judge_gpu_idle(const struct gput__limit_facts *f, struct gput_bottleneck *ret);
bool gput__judge_gpu_starved_cpu(const struct gput__limit_facts *f, struct gput_bottleneck *ret);
bool gput__judge_gpu_starved_io(const struct gput__limit_facts *f, struct gput_bottleneck *ret);
bool gput__judge_gpu_imbalance(const struct gput__limit_facts *f, struct gput_bottleneck *ret);
/* The share of the time that the job's GPUs had nothing to do.  NAN: it used none. */
double gput__share_gpu_idle(const struct gput__limit_facts *f);
/* waiting.c */
/* How long its threads waited for a CPU because others kept the machine busy, and the cores that those
 * had on average; false: they did not, or it is not known. */
bool gput__was_crowded(const struct gput_usage *u, double *ret_waited, double *ret_others);
bool gput__judge_throttled(const struct gput__limit_facts *f, struct gput_bottleneck *ret);
bool gput__judge_memory_pressure(const struct gput__limit_facts *f, struct gput_bottleneck *ret);
bool gput__judge_io(const struct gput__limit_facts *f, struct gput_bottleneck *ret);
const char *gput__say_memory_pressure(const struct gput_bottleneck *b, char *ret, size_t size);

#endif
