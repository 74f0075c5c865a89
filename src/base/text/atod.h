/* atod.h - decimal text as the nearest double, fast, in any locale. */
#ifndef GPUT_BASE_ATOD_H
#define GPUT_BASE_ATOD_H

/* The number at the start of `text`: an optional sign, digits with or without a point, an optional
 * exponent; no blanks, no "inf", no "nan".  Returns what follows it, or NULL and leaves *ret alone.
 * `text` must end in NUL or in another byte that is no part of a number. */
const char *gput__atod(const char *text, double *ret);

#endif
