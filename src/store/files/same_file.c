/* same_file.c - whether two names are of one file, which may not be there yet. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "gput.h"

static int is_one(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* The folder that the last part of a path is in. */
static int stat_folder(const char *path, struct stat *ret)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    int r = folder ? stat(folder, ret) : -1;

    free(folder);
    return r;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static int will_be_one(const char *a, const char *b)
{
    struct stat of_a, of_b;

    return strcmp(last_part(a), last_part(b)) == 0 && stat_folder(a, &of_a) == 0 &&
           stat_folder(b, &of_b) == 0 && is_one(&of_a, &of_b);
}

int gput_file_is_same(const char *a, const char *b)
{
    struct stat of_a, of_b;
    char *end_a = NULL, *end_b = NULL;
    int same = 0;

    if (strcmp(a, b) == 0)
        return 1;
    if (stat(a, &of_a) == 0 && stat(b, &of_b) == 0) /* two streams may end at one terminal */
        return is_one(&of_a, &of_b) && S_ISREG(of_a.st_mode);
    if (gput_file_follow(a, &end_a) == 0 && gput_file_follow(b, &end_b) == 0)
        same = will_be_one(end_a, end_b);
    free(end_a);
    free(end_b);
    return same;
}
