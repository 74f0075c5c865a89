/* forecast.h - how fast the memory of a job grows at present, and so when it reaches a limit.
 *
 * Growth is the median slope between the samples of the last seconds, else of the last minutes: a jump,
 * or a growth that has ended, does not move it for long.  A job that gives memory back and takes it
 * again is not on its way to the limit: once use has fallen there is no growth to speak of until it goes
 * well beyond where it was. */
#ifndef GPUT_SUMMARY_FORECAST_H
#define GPUT_SUMMARY_FORECAST_H

#include <stdbool.h>
#include <stdint.h>

enum { GPUT__FORECAST_POINTS = 26 };

/* The samples of a span of time, `spacing_ns` apart at least; the oldest give way. */
struct gput__forecast_span {
    int64_t spacing_ns;
    unsigned n;
    struct {
        int64_t ns;
        double bytes;
    } at[GPUT__FORECAST_POINTS];
};

struct gput__forecast {
    struct gput__forecast_span seconds, minutes;
    double peak;     /* the most so far, */
    int64_t peak_ns; /* when that was, */
    int64_t begun_ns;
    bool has_fallen;
    double trough, tooth;    /* the least since the first fall, the most since the last one */
    int64_t fallen_until_ns; /* then what was before counts no more */
};

void gput__forecast_begin(struct gput__forecast *f);
/* What the job holds at a later moment. */
void gput__forecast_add(struct gput__forecast *f, int64_t ns, double bytes);
/* Bytes a second; 0: it does not grow, or it is too early to tell. */
double gput__forecast_growth(const struct gput__forecast *f);

#endif
