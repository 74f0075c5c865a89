/* args.h - an input as the words of a command line: each ends with its line. */
#ifndef FUZZ_ARGS_H
#define FUZZ_ARGS_H

#include "text.h"

#define FUZZ_MOST_ARGS 32

struct fuzz_args {
    char *text;
    int argc;
    char *argv[FUZZ_MOST_ARGS + 1];
};

/* The first is the name of a program.  free() its text. */
static inline struct fuzz_args fuzz_args(const uint8_t *data, size_t size)
{
    static char name[] = "gpu-tracker";
    struct fuzz_args a = { .text = fuzz_text(data, size), .argc = 1, .argv = { name } };

    for (char *p = a.text, *end; *p && a.argc < FUZZ_MOST_ARGS; p = end) {
        a.argv[a.argc++] = p;
        end = strchrnul(p, '\n');
        if (*end)
            *end++ = '\0';
    }
    return a;
}

#endif
