/* recommend.h - what to ask for next time, in words: for people, as JSON, or as the lines of a
 * scheduler. */
#ifndef GPUT_REPORT_RECOMMEND_H
#define GPUT_REPORT_RECOMMEND_H

#include "base/buf.h"
#include "gput.h"

struct gput__recommendation {
    const struct gput_demand *runs;
    const char *const *files; /* of each run: its file, */
    const char *const *names; /* that on one line, whatever is in it, */
    const char *const *kinds; /* and what it is */
    size_t n;
    double margin;
    struct gput_demand all; /* the runs as one */
    struct gput_resources ask;
};

void gput__recommend_text(const struct gput__recommendation *r, struct gput__buf *out);
void gput__recommend_json(const struct gput__recommendation *r, struct gput__buf *out);

/* The lines to paste, with comments that tell what they rest on. */
struct gput__recommend_target {
    const char *name;    /* "slurm" */
    const char *title;   /* "Slurm" */
    const char *comment; /* what begins one */
    const char *indent;  /* of the comment too */
    void (*put)(const struct gput__recommendation *r, struct gput__buf *out);
    int has_time; /* there is a line for it */
};
/* The table, ended by a NULL name. */
extern const struct gput__recommend_target gput__recommend_targets[];
void gput__recommend_lines(const struct gput__recommendation *r,
                           const struct gput__recommend_target *t, struct gput__buf *out);

/* recommend_words.c: amounts as people write them. */
void gput__put_bytes(struct gput__buf *out, double bytes);      /* "3.42 GiB" */
void gput__put_mib(struct gput__buf *out, uint64_t mib);        /* "512 MiB", "5 GiB" */
void gput__put_duration(struct gput__buf *out, double seconds); /* "1:12:03", "2 days 3:04:05" */
void gput__put_percent(struct gput__buf *out, double share);    /* "20 %" */
/* What to bear in mind: calls `put` with each, a sentence for people without its full stop. */
void gput__recommend_notes(const struct gput__recommendation *r,
                           void (*put)(void *ctx, const char *note), void *ctx);

#endif
