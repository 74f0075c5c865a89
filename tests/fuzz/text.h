/* text.h - an input as the parsers get it: a text that ends in NUL. */
#ifndef FUZZ_TEXT_H
#define FUZZ_TEXT_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* In memory of its own size, so that a read past the end is seen.  free() it. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);

    if (!text)
        abort();
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

/* A parser that said what cannot be. */
static inline void fuzz_must(int held)
{
    if (!held)
        abort();
}

#endif
