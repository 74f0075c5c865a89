/* compare.h - several runs beside each other: for each measurement the runs by value. */
#ifndef GPUT_ANALYSIS_COMPARE_H
#define GPUT_ANALYSIS_COMPARE_H

#include "store/marks/results_file.h"

struct gput__ranked {
    const char *session;
    double value; /* NAN: none; these stand last */
};

/* Each ranking is n_sessions long. */
struct gput__comparison {
    size_t n_sessions, n_measurements, n_blocks;
    const char **measurements;
    char **blocks;                 /* "a.py:12", or "a.py:12 -> a.py:14" where lines differ */
    struct gput__ranked *overall;  /* [measurement] */
    struct gput__ranked *usage;    /* [measurement][block] */
    struct gput__ranked *computed; /* [block] */
    struct gput__result *results;  /* hold the texts */
};

/* Free it in any case. */
int gput__comparison_make(struct gput__comparison *c, const struct gput_session *sessions, size_t n,
                          enum gput_statistic statistic, const struct gput_callbacks *on,
                          struct gput_error *ret_err);
void gput__comparison_free(struct gput__comparison *c);

#endif
