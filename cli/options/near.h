/* near.h - what somebody may have meant by a misspelt word. */
#ifndef CLI_NEAR_H
#define CLI_NEAR_H

#include <stddef.h>

struct near {
    const char *best; /* of the names that were tried; NULL: none is near enough */
    const char *word;
    size_t length, distance;
};

struct near near_to(const char *word, size_t length);
/* NULL: nothing. */
void near_try(struct near *near, const char *name);

#endif
