/* amount.h - quantities as people say them: "1.24 GB", "62 %", "3 min 20 s", "$0.0042".
 *
 * ASCII, and the same in every locale. */
#ifndef GPUT_REPORT_AMOUNT_H
#define GPUT_REPORT_AMOUNT_H

#include <stdbool.h>

#include "model/named_figure.h"

enum { GPUT__AMOUNT_SIZE = 48 };

/* Each writes into `ret`, which holds GPUT__AMOUNT_SIZE, and returns it.  Three digits that count;
 * "unknown" for what is no number. */
const char *gput__amount_bytes(double bytes, char *ret);     /* "1.24 GB", in steps of 1000 */
const char *gput__amount_rate(double bytes, char *ret);      /* "1.24 MB/s" */
const char *gput__amount_percent(double percent, char *ret); /* "0.4 %", "62 %" */
const char *gput__amount_share(double share, char *ret);     /* likewise; "less than 0.1 %" */
const char *gput__amount_number(double number, char *ret);   /* "0.82", "12.4", "1,234" */
const char *gput__amount_count(double number, char *ret);    /* "1,234,567" */
const char *gput__amount_usd(double usd, char *ret);         /* "$1.20", "$0.0042" */
const char *gput__amount_energy(double joules, char *ret);   /* "350 J", "3.41 kJ", "12.3 Wh" */
/* A figure in its unit, as one of these or of seconds. */
const char *gput__amount_figure(double value, enum gput__figure_unit unit, char *ret);
/* Seconds as "120 ms", "3.42 s", "3 min 20 s", "1 h 12 min", "2 d 4 h". */
const char *gput__amount_seconds(double seconds, char *ret);
/* The same for axes and headlines, in fewer digits: "3.4 s", "12 s", "41 min". */
const char *gput__amount_time(double seconds, char *ret);
/* "2026-11-05 14:03:12 UTC" */
const char *gput__amount_utc(double since_1970, char *ret);
/* "2026-11-05T14:03:12Z", for programs */
const char *gput__amount_iso(double since_1970, char *ret);

enum gput__amount_kind {
    GPUT__AMOUNT_BYTES,
    GPUT__AMOUNT_RATE,
    GPUT__AMOUNT_PERCENT,
    GPUT__AMOUNT_CORES, /* percent of one core: "2.1 cores" */
    GPUT__AMOUNT_NUMBER,
};

/* For labels, which have little room: what is below zero is said as 0, and there is a largest. */
const char *gput__amount(double value, enum gput__amount_kind kind, char *ret);

/* It would be said as 0, or is unknown. */
bool gput__amount_is_nothing(double value, enum gput__amount_kind kind);

#endif
