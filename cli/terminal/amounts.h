/* amounts.h - short words for amounts that change on a screen. */
#ifndef CLI_AMOUNTS_H
#define CLI_AMOUNTS_H

enum { AMOUNT_SIZE = 32 };

/* "1.24 GB"; "?" for NAN.  Each returns `ret`. */
const char *amount_bytes(double bytes, char ret[AMOUNT_SIZE]);
/* "1:02:05" */
const char *amount_clock(double seconds, char ret[AMOUNT_SIZE]);
/* "41 s", "12 min", "3.2 h", "2.5 d" */
const char *amount_span(double seconds, char ret[AMOUNT_SIZE]);

#endif
