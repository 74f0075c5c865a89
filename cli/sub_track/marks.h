/* marks.h - what the two subcommands that write marks share. */
#ifndef CLI_SUB_TRACK_MARKS_H
#define CLI_SUB_TRACK_MARKS_H

#include "options/option.h"

#include <stdbool.h>
#include <sys/types.h>

struct gput_marks;

struct marks_options {
    struct given given;
    const char *file, *name;
    bool is_exact;
    pid_t process_id; /* 0: not given */
};

#define MARKS_FILE_OPTION                                                                          \
    {                                                                                              \
        "stf", "<sub-track-file>",                                                                 \
            "The file to write to (.csv or .sqlite); it is made, or continued.",                   \
            .kind = KIND_FILE, AT(struct marks_options, file)                                      \
    }
#define MARKS_NAME_OPTION                                                                          \
    {                                                                                              \
        "name", "<name>", "The name of the code block.", .kind = KIND_ANY,                         \
                                                         AT(struct marks_options, name)            \
    }

/* Opens the file, to be continued if it is there; a new one that cannot be begun is removed again.
 * 0 or a negative errno with the reason; -EINVAL: wrong usage. */
int marks_open(const struct marks_options *o, struct gput_marks **ret, struct refusal *ret_why);

#endif
