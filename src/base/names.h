/* names.h - texts, each kept once and known by a small number. */
#ifndef GPUT_BASE_NAMES_H
#define GPUT_BASE_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct gput__names {
    struct gput__name {
        char *text; /* ends in NUL */
        size_t len;
        uint32_t hash;
    } * list; /* in the order in which they came */
    uint32_t n, cap;
    uint32_t *slots; /* number + 1, 0: free */
    uint32_t n_slots;
};

/* By which a text is told from most others. */
uint32_t gput__hash(const char *text, size_t len);

/* The number of a text, which is copied if it is new.  -ENOMEM. */
int gput__names_add(struct gput__names *names, const char *text, size_t len, uint32_t *ret);
void gput__names_free(struct gput__names *names);

#endif
