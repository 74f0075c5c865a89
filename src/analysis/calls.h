/* calls.h - marks of code blocks paired to calls. */
#ifndef GPUT_ANALYSIS_CALLS_H
#define GPUT_ANALYSIS_CALLS_H

#include "analysis/moments.h"
#include "store/marks/sub_tracking_file.h"

/* The calls of one code block, and what the marks themselves tell of them. */
struct gput__block_calls {
    const char *name;
    struct gput_call *calls; /* by process and start */
    size_t n;
    uint64_t n_unfinished;
    struct gput__moments cpu_time; /* of calls whose marks tell it */
    uint64_t n_peaks;              /* calls in which the mark of the peak RSS rose */
    double peak_rss_bytes;         /* the highest of these; NAN: none */
};

struct gput__calls {                  /* zero: none */
    struct gput__block_calls *blocks; /* by name */
    uint32_t n_blocks;
    struct gput_call *all;
    size_t n;
    double first, last; /* marks of all kinds; NAN: none */
    double from, to;    /* calls that lie elsewhere are left out */
    uint64_t n_elsewhere;
    struct gput__names names;
};

/* Reads the file and pairs its marks.  Calls without their stop are left out, and a warning says how
 * many; so are, without a word, those that end before `from` or begin after `to`.  Free it in any
 * case. */
int gput__calls_read(struct gput__calls *c, const char *path, double from, double to,
                     const struct gput_callbacks *on, struct gput_error *ret_err);
void gput__calls_free(struct gput__calls *c);

#endif
