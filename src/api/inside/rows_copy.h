/* rows_copy.h - a copy of the rows that a helper has made.
 *
 * It only grows, so that asking again takes what is new and no more.  Whoever holds rows holds the
 * copy as it was: it is made anew when the helper has thinned its own. */
#ifndef GPUT_API_ROWS_COPY_H
#define GPUT_API_ROWS_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gput__client;

struct gput__rows_copy {
    unsigned n_holders;
    uint64_t epoch; /* the series' own */
    uint32_t n_columns;
    size_t cap;    /* rows that there is room for: what was never filled takes no memory */
    size_t size;   /* of the memory */
    double *cells; /* `cap` of each column of the series */
    void *memory;  /* in which they lie */
    bool has_large_pages;
    size_t n[]; /* how many rows of each column were copied */
};

static inline double *gput__rows_copy_column(const struct gput__rows_copy *copy, uint32_t i)
{
    return copy->cells + (size_t)i * copy->cap;
}

/* Brings the client's copy up to date: all columns, or those of `wanted`.  Gives the number of rows.
 * -ENODATA: there are none; -EAGAIN: the helper does not get on. */
int gput__rows_copy_refresh(struct gput__client *c, const bool *wanted, size_t *ret_n);

struct gput__rows_copy *gput__rows_copy_hold(struct gput__rows_copy *copy);
void gput__rows_copy_drop(struct gput__rows_copy *copy); /* NULL is fine */

#endif
