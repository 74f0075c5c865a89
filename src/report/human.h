/* human.h - quantities as people read them: "1.24 GB", "3 min 20 s", "62 %". */
#ifndef GPUT_REPORT_HUMAN_H
#define GPUT_REPORT_HUMAN_H

#include <stddef.h>

enum { GPUT__HUMAN_SIZE = 48 };

/* Each writes into `ret`, which holds GPUT__HUMAN_SIZE, and returns it.  Three digits that count;
 * "unknown" for what is no number. */
const char *gput__human_bytes(double bytes, char *ret);     /* "1.24 GB", in steps of 1000 */
const char *gput__human_rate(double bytes, char *ret);      /* "1.24 MB/s" */
const char *gput__human_seconds(double seconds, char *ret); /* "120 ms", "3 min 20 s", "2 d 4 h" */
const char *gput__human_percent(double percent, char *ret); /* "0.4 %", "62 %" */
const char *gput__human_number(double number, char *ret);   /* "0.82", "12.4", "1,234" */
const char *gput__human_count(double number, char *ret);    /* "1,234,567" */
const char *gput__human_usd(double usd, char *ret);         /* "$1.20", "$0.0042" */
const char *gput__human_energy(double joules, char *ret);   /* "350 J", "3.41 kJ", "12.3 Wh" */
/* "2026-11-05 14:03:12 UTC" */
const char *gput__human_utc(double since_1970, char *ret);
/* "2026-11-05T14:03:12Z", for programs */
const char *gput__human_iso(double since_1970, char *ret);

#endif
