/* buf.h - a byte buffer that grows.
 *
 * A failed allocation is kept in `err` (-ENOMEM) and makes every later call do nothing, so a
 * writer appends without a check and asks once at the end. */
#ifndef GPUT_BASE_BUF_H
#define GPUT_BASE_BUF_H

#include <stddef.h>

struct gput__buf {
    char *data; /* NULL until the first append; then always ends in NUL, not counted in len */
    size_t len, cap;
    int err; /* 0 or a negative errno */
};
#define GPUT__BUF_INIT ((struct gput__buf){ 0 })

/* Makes room for `n` more bytes and the NUL after them. */
int gput__buf_reserve(struct gput__buf *b, size_t n);

void gput__buf_add(struct gput__buf *b, const void *bytes, size_t n);
void gput__buf_puts(struct gput__buf *b, const char *s);
void gput__buf_putc(struct gput__buf *b, char c);
void gput__buf_printf(struct gput__buf *b, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* The text so far, "" where there is none; good until the next append. */
const char *gput__buf_text(const struct gput__buf *b);

/* Hands the text over: free() it.  The buffer is empty afterwards, on failure too. */
int gput__buf_detach(struct gput__buf *b, char **ret_text);

/* Empties the buffer and forgets the error, but keeps the memory for the next use. */
void gput__buf_clear(struct gput__buf *b);

/* A buffer may be freed twice, or used again afterwards. */
void gput__buf_free(struct gput__buf *b);

#endif
