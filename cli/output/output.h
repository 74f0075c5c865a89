/* output.h - where the result goes.
 *
 * A regular or new file is written aside and renamed, so that readers see the old result or the
 * whole new one; where its folder cannot be written, in place.  Anything else (a device, a FIFO, a
 * descriptor under /dev/fd) is written to and never replaced. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "output/say.h"

#include <stdbool.h>

enum output_way {
    OUTPUT_DESCRIPTOR, /* `fd`, open since the start */
    OUTPUT_OPEN,       /* opened when the result is there, so that a FIFO holds up no command */
    OUTPUT_REPLACE,
    OUTPUT_IN_PLACE,
    OUTPUT_APPEND,
};

struct output {
    enum output_way way;
    int fd;
    char *name;    /* as given, or "standard output" */
    char *target;  /* where symbolic links lead */
    char *partial; /* the result so far, beside `name`; only with OUTPUT_REPLACE */
    bool has_head; /* with OUTPUT_APPEND: the first line of a result stands once in the file */
};

/* Checks that `name` (NULL or "-": standard output) can be written, and leaves nothing behind.
 * `option` is the one that named it, for a refusal.  0 or -EINVAL.  output_free() it in any case. */
int output_prepare(const char *option, const char *name, struct output *ret,
                   struct refusal *ret_why);

/* After output_prepare(): a regular file is added to, not replaced. */
void output_set_append(struct output *o, bool has_head);

/* Replaces the partial result.  0 or a negative errno. */
int output_partial(const struct output *o, const char *text);

/* Writes the result and removes the partial one.  0 or a negative errno. */
int output_finish(const struct output *o, const char *text);

/* Whether writing may wait for a reader. */
bool output_may_block(const struct output *o);

void output_free(struct output *o);

/* Whether a result called `name` would replace the file that is read; NULL, for either, is none. */
bool output_is(const char *name, const char *file);

/* output_file.c: a file written in place; one opened and emptied, its descriptor; why it is not. */
int output_file_overwrite(const char *path, const char *text);
int output_file_open(const char *path, int flags);
/* Adds to a file, which is made where there is none: all of the text or nothing, one writer at a time.  Where it has
 * text already, the first line is left out (`has_head`), or an empty line comes first. */
int output_file_append(const char *path, const char *text, bool has_head);
const char *output_why(int r);

/* The folder of a path; free() it. */
char *output_folder(const char *path);

#endif
