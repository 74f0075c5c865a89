/* run_reading.h - what the readers of finished runs have in common.  Each fills what it finds; who
 * calls has begun the run and frees it on failure. */
#ifndef GPUT_STORE_RUN_READING_H
#define GPUT_STORE_RUN_READING_H

#include "base/text/json_pull.h"
#include "model/run.h"
#include "store/files/table.h"

struct gput__run_reading {
    const char *path;
    const struct gput_callbacks *on;
    struct gput__run *run;
    struct gput_error *ret_err;
};

/* The table becomes the reader's, on failure too. */
int gput__run_read_tracking(struct gput__run_reading *rd, struct gput__table *table);
int gput__run_read_stream(struct gput__run_reading *rd, struct gput__table *table);

/* JSON, behind the name of its first member, which is `first`. */
int gput__run_read_json(struct gput__run_reading *rd, struct gput__json_pull *p, const char *first);
int gput__run_read_snapshot(struct gput__run_reading *rd, struct gput__json_pull *p,
                            const char *first);

/* "FILE: line 12: ..." of what r means; returns r. */
int gput__run_fail_json(struct gput__run_reading *rd, const struct gput__json_pull *p, int r);
/* Copies a text; NULL stays NULL.  false: no memory. */
bool gput__run_text(char **ret, const char *text);

#endif
