/* dtoa.h - doubles as text, exactly as Python's repr() prints them, in any locale. */
#ifndef GPUT_BASE_DTOA_H
#define GPUT_BASE_DTOA_H

#include <stddef.h>

/* The shortest text that reads back as `v` and, among those, the closest to it: "0.1", "3.0",
 * "1e-05", "1e+16", "inf", "nan".  Returns its length. */
size_t gput__dtoa(double v, char out[32]);

/* The same of `v` rounded to three decimals, as Python's round(v, 3) rounds: by the exact value of
 * the double, ties to even. */
size_t gput__dtoa_round3(double v, char out[32]);

#endif
