/* amount.h - numbers as people say them: "1.24 GB", "62 %", "2.1 cores", "1 h 12 min". */
#ifndef GPUT_REPORT_AMOUNT_H
#define GPUT_REPORT_AMOUNT_H

#include <stdbool.h>

enum gput__amount_kind {
    GPUT__AMOUNT_BYTES,     /* bytes: "1.24 GB" */
    GPUT__AMOUNT_BYTE_RATE, /* bytes a second: "12.4 MB/s" */
    GPUT__AMOUNT_PERCENT,   /* "62 %" */
    GPUT__AMOUNT_CORES,     /* percent of one core: "2.1 cores" */
};

enum { GPUT__AMOUNT_SIZE = 32 };

/* ASCII, whatever the locale.  What is no number is "?"; what is below zero is said as 0. */
void gput__amount(double value, enum gput__amount_kind kind, char ret[GPUT__AMOUNT_SIZE]);

/* It would be said as 0, or is unknown. */
bool gput__amount_is_nothing(double value, enum gput__amount_kind kind);

/* Seconds as "250 ms", "12.5 s", "3 min 20 s", "41 min", "1 h 12 min", "2 d 3 h". */
void gput__amount_time(double seconds, char ret[GPUT__AMOUNT_SIZE]);

#endif
