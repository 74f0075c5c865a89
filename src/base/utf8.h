/* utf8.h - characters of UTF-8, in texts that may be none. */
#ifndef GPUT_BASE_UTF8_H
#define GPUT_BASE_UTF8_H

#include <stdint.h>

#include "base/buf.h"

#define GPUT__UTF8_REPLACEMENT 0xFFFDu /* stands for what is no character */

/* Bytes of the character at `text`, which ends in NUL; 0: it is no UTF-8. */
size_t gput__utf8_length(const char *text);
/* The same, and the character; what is no UTF-8 is the value of one byte. */
size_t gput__utf8_read(const char *text, uint32_t *ret);
void gput__utf8_put(struct gput__buf *out, uint32_t character);

#endif
