/* recommend.h - what to ask for next time, in words: for people, as JSON, or as the lines of a
 * scheduler. */
#ifndef GPUT_REPORT_RECOMMEND_H
#define GPUT_REPORT_RECOMMEND_H

#include "base/buf.h"
#include "gput.h"

struct gput__bottleneck_list {
    struct gput_bottleneck list[GPUT_MOST_BOTTLENECKS];
    int n;
    double crowd_waited, crowd_cores; /* as gput__was_crowded() says; 0: it was not */
};

struct gput__recommendation {
    const struct gput_demand *runs;
    const char *const *files;                  /* of each run: its file, */
    const char *const *names;                  /* that on one line, whatever is in it, */
    const char *const *kinds;                  /* and what it is */
    const struct gput__bottleneck_list *found; /* of each, what limited it; NULL: not known */
    size_t n;
    const char *const *facts; /* of a history: what it says as a whole, ended by NULL; its
                                 runs are not told one by one; NULL: they are */
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
    void (*write)(const struct gput__recommendation *r, struct gput__buf *out);
    int has_time; /* there is a line for it */
};
/* The table, ended by a NULL name. */
extern const struct gput__recommend_target gput__recommend_targets[];
void gput__recommend_lines(const struct gput__recommendation *r,
                           const struct gput__recommend_target *t, struct gput__buf *out);

/* recommend_words.c: amounts as people write them. */
void gput__write_bytes(struct gput__buf *out, double bytes);      /* "3.42 GiB" */
void gput__write_mib(struct gput__buf *out, uint64_t mib);        /* "512 MiB", "5 GiB" */
void gput__write_duration(struct gput__buf *out, double seconds); /* "1:12:03", "2 days 3:04:05" */
void gput__write_percent(struct gput__buf *out, double share);    /* "20 %" */
/* What to bear in mind: calls `add` with each, a sentence for people without its full stop. */
void gput__recommend_notes(const struct gput__recommendation *r,
                           void (*add)(void *ctx, const char *note), void *ctx);

#endif
