/* advice.h - what a run tells, in words: what limited it, what to change. */
#ifndef GPUT_REPORT_ADVICE_H
#define GPUT_REPORT_ADVICE_H

#include <stddef.h>

#include "model/run.h"

enum gput__tone { GPUT__TONE_GOOD, GPUT__TONE_NEUTRAL, GPUT__TONE_WARN, GPUT__TONE_BAD };

struct gput__advice {
    const char *id; /* of the rule */
    enum gput__tone tone;
    char what[200]; /* what was found: one sentence */
    char todo[240]; /* what to change; empty: nothing */
};

enum { GPUT__MOST_ADVICE = 48 };

/* Which resource limited the job, in one sentence. */
void gput__limit_in_words(const struct gput__run *run, char *ret, size_t size);

/* What was found, the most pressing first.  Returns how many. */
size_t gput__advice(const struct gput__run *run, struct gput__advice ret[GPUT__MOST_ADVICE]);

#endif
