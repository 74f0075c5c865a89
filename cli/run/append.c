/* append.c - --append: what it goes with. */
#include "run/append.h"

#include "gput.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By its first line a file of rows knows its columns. */
static int check_columns(const char *name, struct refusal *ret_why)
{
    const struct gput_usage nothing = { .size = sizeof(nothing) };
    char *ours = NULL, *theirs = NULL;
    FILE *file = fopen(name, "re");
    size_t room = 0;
    int r = 0;

    if (file && getline(&theirs, &room, file) > 0 &&
        gput_usage_format(&nothing, GPUT_CSV, 0, &ours) == 0 &&
        strncmp(theirs, ours, strcspn(ours, "\n") + 1))
        r = refuse(ret_why, "--append: '%s' has other columns than this result", name);
    if (file)
        fclose(file);
    free(ours);
    free(theirs);
    return r;
}

/* Reading a pipe would wait for who writes to it. */
static bool is_regular(const struct output *output)
{
    return output->way == OUTPUT_REPLACE || output->way == OUTPUT_IN_PLACE;
}

int append_check(const struct options *o, const char *file, const struct output *output,
                 struct refusal *ret_why)
{
    if (!o->append)
        return 0;
    if (o->format != GPUT_CSV && o->format != GPUT_MARKDOWN && o->format != GPUT_TIME)
        return refuse(ret_why, "--append: it goes with the formats csv, markdown and time (-f)");
    if (!file)
        return refuse(ret_why, "--append: there is no file to add to; name one (-o)");
    return o->format == GPUT_CSV && is_regular(output) ? check_columns(file, ret_why) : 0;
}
