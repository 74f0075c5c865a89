/* sub_track_marks.h - what the two subcommands that write marks share. */
#ifndef CLI_SUB_TRACK_MARKS_H
#define CLI_SUB_TRACK_MARKS_H

#include "say.h"

#include <stdbool.h>
#include <sys/types.h>

struct gput_marks;

struct marks_options {
    const char *file, *name;
    bool is_exact;
    pid_t process_id; /* 0: not given */
};

/* For sub_track_parse(): --stf, --name and --exact stand first in both tables, then --process. */
int marks_option(void *ctx, int option, const char *value);

/* Opens the file, to be continued if it is there; a new one that cannot be begun is removed again.
 * 0 or a negative errno with the reason; -EINVAL: wrong usage. */
int marks_open(const struct marks_options *o, struct gput_marks **ret, struct refusal *ret_why);

#endif
