/* combine.c - `gpu-tracker sub-track combine`: several sub-tracking files into one. */
#include "gput.h"
#include "output/exit_codes.h"
#include "output/say.h"
#include "sub_track/sub_track.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct combine {
    struct given given;
    const char *into;
    char **files; /* each of its own */
    size_t n;
};

static int add_file(struct combine *c, const char *path)
{
    char **files = realloc(c->files, (c->n + 1) * sizeof(*files));
    char *copy = strdup(path);

    if (files)
        c->files = files;
    if (!files || !copy) {
        free(copy);
        return -1;
    }
    files[c->n++] = copy;
    return 0;
}

static int add_path(void *values, const char *path, struct refusal *ret_why)
{
    return add_file(values, path) < 0 ? refuse(ret_why, "%s", strerror(ENOMEM)) : 0;
}

const struct option_def sub_combine_options[] = {
    { "stf", "<sub-track-file>", "The new file, .csv or .sqlite; it must not be there yet.",
      .kind = KIND_FILE, AT(struct combine, into) },
    { "p", "<file-path>...",
      "The files to combine, .csv and .sqlite in any mixture; one folder stands for all such files "
      "in it.",
      .letter = 'p', .kind = KIND_OWN, .set = add_path, .is_file = true },
    { .name = NULL },
};

/* Hidden files are left alone: one may be what a combination that was killed has left. */
static int is_sub_tracking_file(const struct dirent *entry)
{
    const char *name = entry->d_name, *dot = strrchr(name, '.');

    return dot && *name != '.' && (strcmp(dot, ".csv") == 0 || strcmp(dot, ".sqlite") == 0);
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* The one folder that was given becomes the files in it. */
static int list_folder(struct combine *c)
{
    struct dirent **entries = NULL;
    char *folder = c->files[0], *path;
    int n = scandir(folder, &entries, is_sub_tracking_file, by_bytes);
    int r = 0;

    if (n <= 0)
        say("sub-track combine: %s: %s", folder,
            n < 0 ? strerror(errno) : "no .csv or .sqlite file");
    c->n = 0;
    for (int i = 0; i < n; i++) {
        if (r == 0 && asprintf(&path, "%s/%s", folder, entries[i]->d_name) >= 0) {
            r = add_file(c, path);
            free(path);
        }
        free(entries[i]);
    }
    free(entries);
    free(folder);
    if (r < 0)
        say("sub-track combine: %s", strerror(ENOMEM));
    return n > 0 ? r : -1;
}

static int combine(struct combine *c)
{
    const struct gput_callbacks on = { .warn = say_warning };
    struct gput_error err;
    struct stat st;
    int r;

    if (!c->into || c->n == 0) {
        say("sub-track combine: option '%s' is missing", c->into ? "-p" : "--stf");
        return EXIT_USAGE;
    }
    if (c->n == 1 && stat(c->files[0], &st) == 0 && S_ISDIR(st.st_mode) && list_folder(c) < 0)
        return EXIT_USAGE;
    r = gput_sub_combine(c->into, (const char *const *)c->files, c->n, &on, &err);
    if (r < 0)
        say("sub-track combine: %s", err.text);
    return r == -EINVAL || r == -EEXIST ? EXIT_USAGE : r < 0 ? EXIT_FAILED : 0;
}

int sub_track_combine(const struct command *command, int argc, char **argv)
{
    struct combine c = { 0 };
    int status = EXIT_USAGE;

    if (command_parse(command, &c.given, argc, argv) >= 0)
        status = combine(&c);
    for (size_t i = 0; i < c.n; i++)
        free(c.files[i]);
    free(c.files);
    return status;
}
