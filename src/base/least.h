/* least.h - the lesser, the larger and the difference of two amounts that are never below nothing. */
#ifndef GPUT_BASE_LEAST_H
#define GPUT_BASE_LEAST_H

#include <stdint.h>

static inline uint64_t gput__least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t gput__most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* 0 where b is more. */
static inline uint64_t gput__minus(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

#endif
