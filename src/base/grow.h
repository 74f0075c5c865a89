/* grow.h - lists that grow. */
#ifndef GPUT_BASE_GROW_H
#define GPUT_BASE_GROW_H

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* For GPUT__GROW(): `list` is the address of a pointer to items of `size` bytes. */
static inline int gput__grow(void *list, size_t *cap, size_t n, size_t size)
{
    size_t more = n > 2 * *cap ? n : 2 * *cap;
    void *items;

    more = more > 16 ? more : 16;
    memcpy(&items, list, sizeof(items));
    items = more <= SIZE_MAX / 2 / size ? realloc(items, more * size) : NULL;
    if (!items)
        return -ENOMEM;
    memcpy(list, &items, sizeof(items));
    *cap = more;
    return 0;
}

/* Makes room for `n` items in `list`, which has room for `cap`: 0 or -ENOMEM, which changes nothing. */
#define GPUT__GROW(list, cap, n)                                                                   \
    ((n) <= (cap) ? 0 : gput__grow(&(list), &(cap), (n), sizeof(*(list))))

#endif
