/* user_file.c - files of the user's own: configuration, state, cache. */
#include "store/files/user_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* By the XDG Base Directory specification. */
static const struct {
    const char *variable, *below_home;
} folders[] = {
    [GPUT_CONFIG_FILE] = { "XDG_CONFIG_HOME", ".config" },
    [GPUT_STATE_FILE] = { "XDG_STATE_HOME", ".local/state" },
    [GPUT_CACHE_FILE] = { "XDG_CACHE_HOME", ".cache" },
};

/* sudo may leave HOME as it was: what root writes there, its owner can lead elsewhere. */
static bool is_anothers(const char *folder)
{
    struct stat st;

    return geteuid() == 0 && stat(folder, &st) == 0 && st.st_uid != 0;
}

int gput_user_file(enum gput_user_file kind, const char *name, char **ret_path)
{
    const char *own = secure_getenv(folders[kind].variable), *home = secure_getenv("HOME");
    bool has_own = own && own[0] == '/'; /* else it is invalid, says the specification */
    const char *folder = has_own ? own : home;
    int n;

    if (!folder || folder[0] != '/' || is_anothers(folder))
        return -ENOENT;
    n = asprintf(ret_path, "%s%s%s/gpu-tracker/%s", folder, has_own ? "" : "/",
                 has_own ? "" : folders[kind].below_home, name);
    return n < 0 ? -ENOMEM : 0;
}

/* For the user alone, says the specification. */
int gput__make_folders(const char *path)
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

int gput_user_file_touch(const char *path)
{
    int r = gput__make_folders(path);

    return r < 0 ? r : gput_file_replace(path, "");
}
