/* sub_track_marks.h - what the two subcommands that write marks share. */
#ifndef CLI_SUB_TRACK_MARKS_H
#define CLI_SUB_TRACK_MARKS_H

#include <stdbool.h>

struct gput_marks;

struct marks_options {
    const char *file, *name;
    bool is_exact;
};

/* For sub_track_parse(): --stf, --name and --exact stand first in both tables. */
int marks_option(void *ctx, int option, const char *value);

/* Opens the file, to be continued if it is there.  0 or a negative errno after it has said what is
 * wrong; -EINVAL: wrong usage. */
int marks_open(const struct marks_options *o, const char *command, struct gput_marks **ret);

#endif
