/* helper_find.c - where the program is that measures for us. */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/tracker.h"

#define PROGRAM "gpu-tracker"

/* From the folder of the library: beside it (a build, a bundle), PREFIX/lib, PREFIX/lib/<machine>,
 * PREFIX/lib/python3/site-packages, and a folder of packages that has a bin of its own. */
static const char *const beside[] = { "", "/..", "/../bin", "/../../bin", "/../../../bin", "/bin" };

static bool is_program(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* The folder of the library, or of the program that it is linked into; as it was loaded, or where
 * links lead: packages may be installed as links into a store. */
static char *own_folder(bool resolved)
{
    Dl_info info;
    const char *name;
    char *path, *slash;

    if (!dladdr((const void *)own_folder, &info) || !info.dli_fname)
        return NULL;
    name = strchr(info.dli_fname, '/') ? info.dli_fname : "/proc/self/exe";
    path = resolved || name != info.dli_fname ? realpath(name, NULL) : strdup(name);
    slash = path ? strrchr(path, '/') : NULL;
    if (slash)
        *slash = '\0';
    return path;
}

static char *find_beside(const char *folder)
{
    for (size_t i = 0; folder && i < sizeof(beside) / sizeof(*beside); i++) {
        char *path, *real;

        if (asprintf(&path, "%s%s/" PROGRAM, folder, beside[i]) < 0)
            return NULL;
        real = is_program(path) ? realpath(path, NULL) : NULL;
        free(path);
        if (real)
            return real;
    }
    return NULL;
}

static char *find_installed(void)
{
#ifdef GPUT_BINDIR
    if (is_program(GPUT_BINDIR "/" PROGRAM))
        return strdup(GPUT_BINDIR "/" PROGRAM);
#endif
    return NULL;
}

int gput_helper_find(const struct gput_options *opts, char **ret_path, struct gput_error *ret_err)
{
    struct gput_options o = { 0 };
    const char *named;
    char *folder, *path;

    if (opts) /* as many options as the caller knows of */
        memcpy(&o, opts, opts->size < sizeof(o) ? opts->size : sizeof(o));
    named = o.helper_path && *o.helper_path ? o.helper_path : secure_getenv("GPUT_HELPER");
    if (named && *named) { /* whether it can be run is seen when it is */
        path = strdup(named);
        if (!path)
            return gput__refuse(ret_err, -ENOMEM, "", "out of memory");
        *ret_path = path;
        return 0;
    }
    folder = own_folder(false);
    path = find_beside(folder);
    if (!path) {
        free(folder);
        folder = own_folder(true);
        path = find_beside(folder);
    }
    if (!path)
        path = find_installed();
    if (!path)
        gput__refuse(ret_err, -ENOENT, "helper_path",
                     "the program " PROGRAM " is neither beside the library in %.200s nor in a bin "
                     "folder near it; install it, or name it in the environment as GPUT_HELPER",
                     folder ? folder : "its folder");
    free(folder);
    if (!path)
        return -ENOENT;
    *ret_path = path;
    return 0;
}
