/* catalogue_cache.c - the user's own catalogue of servers. */
#include "servers/catalogue_cache.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/files/table.h"
#include "store/files/trap.h"

/* sudo may leave HOME as it was: what root writes there, its owner can lead elsewhere. */
static bool is_anothers(const char *folder)
{
    struct stat st;

    return geteuid() == 0 && stat(folder, &st) == 0 && st.st_uid != 0;
}

int gput__catalogue_cache_path(char **ret)
{
    const char *cache = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");
    bool has_cache = cache && cache[0] == '/'; /* else it is invalid, says the XDG specification */
    int n;

    if ((has_cache && is_anothers(cache)) || (!has_cache && home && is_anothers(home)))
        return -ENOENT;
    if (has_cache)
        n = asprintf(ret, "%s/gpu-tracker/catalogue.csv", cache);
    else if (home && home[0] == '/')
        n = asprintf(ret, "%s/.cache/gpu-tracker/catalogue.csv", home);
    else
        return -ENOENT;
    return n < 0 ? -ENOMEM : 0;
}

/* Makes the folders above a file that are not there yet: for the user alone, says the XDG
 * specification. */
static int make_folders(const char *path)
{
    char *copy = strdup(path);
    int r = copy ? 0 : -ENOMEM;

    for (char *p = copy ? strchr(copy + 1, '/') : NULL; p && r == 0; p = strchr(p + 1, '/')) {
        *p = '\0';
        if (mkdir(copy, 0700) < 0 && errno != EEXIST)
            r = -errno;
        *p = '/';
    }
    free(copy);
    return r;
}

int gput__catalogue_cache_write(const char *path, const char *text, struct gput_error *err)
{
    int r = make_folders(path);

    if (r == 0)
        r = gput_file_replace(path, text);
    return r < 0 ? gput__file_fail(r, path, err, "cannot write it: %s", gput__why_unwritten(r)) : 0;
}
