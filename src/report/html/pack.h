/* pack.h - numbers on their way into a page: small, and exact enough to be drawn. */
#ifndef GPUT_REPORT_PACK_H
#define GPUT_REPORT_PACK_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* A value becomes 1 + the number of steps in it, at most `top`; 0 is one that is not known. */
void gput__pack_codes(const double *value, size_t n, double step, unsigned top, uint16_t *ret);

/* The step with which `max`, the highest value, gets the code `top` and is exact.  Whole numbers
 * keep their own step where that is fine enough, and then all of them are exact. */
double gput__pack_step(double max, int is_whole, unsigned top);

/* Adds the codes as planes of bytes, which deflate well: first the low bytes of all, then the high
 * ones.  The first codes differences from one to the next (zigzag: 0, -1, 1, -2 ...), the second how
 * far they are above others. */
void gput__pack_differences(struct gput__buf *out, const uint16_t *code, size_t n);
void gput__pack_above(struct gput__buf *out, const uint16_t *code, const uint16_t *base, size_t n);
/* Rising numbers, as four planes of differences. */
void gput__pack_rising(struct gput__buf *out, const uint32_t *number, size_t n);

void gput__pack_base64(struct gput__buf *out, const void *bytes, size_t n);

/* In the format of zlib.  -ENOSYS: this build has no zlib. */
int gput__pack_deflate(const struct gput__buf *in, struct gput__buf *out);

#endif
