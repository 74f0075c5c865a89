/* series_json.h - columns over time as JSON, made short without losing their extremes. */
#ifndef GPUT_REPORT_SERIES_JSON_H
#define GPUT_REPORT_SERIES_JSON_H

#include "report/json/json.h"

enum { GPUT__MOST_SERIES_COLUMNS = 8 };

struct gput__series_json {
    size_t n;
    const double *t; /* n, rising */
    struct {
        const char *name;
        const double *value; /* n of them, NAN: not known then; NULL: never */
        int decimals;
    } column[GPUT__MOST_SERIES_COLUMNS];
    size_t n_columns;
    size_t most; /* points that may be written: an even number */
};

/* Where there are more moments than points, each two points have the lowest and the highest value of the
 * moments that they stand for, in the order in which they occurred.  No moment: null. */
void gput__series_json(struct gput__json *j, const char *key, const struct gput__series_json *s);

#endif
