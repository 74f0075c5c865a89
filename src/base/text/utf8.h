/* utf8.h - characters of UTF-8, in texts that may be none. */
#ifndef GPUT_BASE_UTF8_H
#define GPUT_BASE_UTF8_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

#define GPUT__UTF8_REPLACEMENT 0xFFFDu /* replaces what is no character */

/* Bytes of the character at `text`, which ends in NUL; 0: it is no UTF-8. */
size_t gput__utf8_length(const char *text);
/* The same, and the character; what is no UTF-8 is the value of one byte. */
size_t gput__utf8_read(const char *text, uint32_t *ret);
/* Control characters, line and paragraph ends, what turns the direction of text round, what has no
 * width, and what only the sender's fonts know: to be shown by something else. */
bool gput__utf8_is_hidden(uint32_t character);
void gput__utf8_append(struct gput__buf *out, uint32_t character);

#endif
