/* helper_find.c - where the program is that measures for us. */
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/tracker.h"
#include "base/system.h"

#define PROGRAM "gpu-tracker"

/* From the folder of the library, never from that we are in nor by way of PATH: beside it (a build, a bundle), PREFIX/lib, PREFIX/lib/<machine>,
 * PREFIX/lib/python3/site-packages, and a folder of packages that has a bin of its own. */
static const char *const beside[] = { "", "/..", "/../bin", "/../../bin", "/../../../bin", "/bin" };

/* The file that the library, or the program that it is linked into, was loaded from, as the kernel
 * knows it. */
static char *mapped_file(void)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char *line = NULL, *path = NULL;
    size_t cap = 0;

    while (maps && !path && getline(&line, &cap, maps) > 0) {
        uintptr_t from, to;
        int at = 0;

        /* NOLINTNEXTLINE(cert-err34-c): the kernel's numbers */
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %*s %*s %*s %*s %n", &from, &to, &at) < 2 ||
            (uintptr_t)mapped_file < from || (uintptr_t)mapped_file >= to || line[at] != '/')
            continue;
        line[strcspn(line, "\n")] = '\0';
        path = strdup(line + at);
    }
    free(line);
    if (maps)
        fclose(maps);
    return path;
}

static bool is_there(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0;
}

/* In maps a newline is written as \012, and a backslash as it is. */
static void unescape(char *path)
{
    for (char *at = path; (at = strstr(at, "\\012"));) {
        *at++ = '\n';
        memmove(at, at + 3, strlen(at + 3) + 1);
    }
}

static void cut_deleted(char *path)
{
    static const char mark[] = " (deleted)";
    size_t len = strlen(path), n = sizeof(mark) - 1;

    if (len > n && strcmp(path + len - n, mark) == 0)
        path[len - n] = '\0';
}

/* The name in maps as a name that leads somewhere: it may be escaped, and of a file that has been
 * replaced since, by an upgrade, what is there now is meant. */
static char *present_name(char *mapped)
{
    if (!mapped || is_there(mapped))
        return mapped;
    cut_deleted(mapped);
    if (!is_there(mapped))
        unescape(mapped);
    return mapped;
}

/* Linked into the program itself, not into a library that it has loaded. */
static bool is_in_program(const Dl_info *own)
{
    Dl_info program;

    return !dladdr(gput__program_headers(), &program) || program.dli_fbase == own->dli_fbase;
}

/* The same by the name that it was loaded under: packages may be installed as links into a store.
 * Of a program that is its first argument, which is anybody's to choose, and of a library it may
 * depend on the folder that we happen to be in: only one that leads to the file is good.  An upgrade
 * may have moved the file away before it removed it: then the name of a library is all there is. */
static char *loaded_name(const char *file)
{
    Dl_info info;
    char *real = NULL, *name = NULL;

    if (!dladdr((const void *)loaded_name, &info) || !info.dli_fname || *info.dli_fname != '/')
        return NULL;
    real = realpath(info.dli_fname, NULL);
    if (real && (!file || strcmp(real, file) == 0 || (!is_there(file) && !is_in_program(&info))))
        name = strdup(info.dli_fname);
    free(real);
    return name;
}

/* The owner is root, we, or who owns the library: each of them could change what we do anyway. */
static bool is_trusted(const struct stat *program, uid_t owner)
{
    return !(program->st_mode & S_IWOTH) &&
           (program->st_uid == 0 || program->st_uid == geteuid() || program->st_uid == owner);
}

static bool is_program(const char *path, uid_t owner)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0 &&
           is_trusted(&st, owner);
}

static char *find_beside(const char *file)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    struct stat st;

    if (!slash || stat(file, &st) < 0)
        return NULL;
    for (size_t i = 0; i < sizeof(beside) / sizeof(*beside); i++) {
        char *path, *real;

        if (asprintf(&path, "%.*s%s/" PROGRAM, (int)(slash - file), file, beside[i]) < 0)
            return NULL;
        real = is_program(path, st.st_uid) ? realpath(path, NULL) : NULL;
        free(path);
        if (real)
            return real;
    }
    return NULL;
}

static char *find_installed(void)
{
#ifdef GPUT_BINDIR
    if (is_program(GPUT_BINDIR "/" PROGRAM, 0))
        return strdup(GPUT_BINDIR "/" PROGRAM);
#endif
    return NULL;
}

static int use_named(const char *name, char **ret_path, struct gput_error *ret_err)
{
    char *path = strdup(name);

    if (!path)
        return gput__refuse(ret_err, -ENOMEM, "", "out of memory");
    *ret_path = path; /* whether it can be run is seen when it is */
    return 0;
}

static int search(char **ret_path, struct gput_error *ret_err)
{
    char *file = present_name(mapped_file()), *name = loaded_name(file);
    char *path = find_beside(name);

    if (!path)
        path = find_beside(file);
    if (!path)
        path = find_installed();
    if (!path)
        gput__refuse(ret_err, -ENOENT, "helper_path",
                     "the program " PROGRAM " is neither beside the library %.200s nor in a bin "
                     "folder near it; install it, or name it in the environment as GPUT_HELPER",
                     file ? file : "");
    free(name);
    free(file);
    *ret_path = path;
    return path ? 0 : -ENOENT;
}

int gput_helper_find(const struct gput_options *opts, char **ret_path, struct gput_error *ret_err)
{
    const char *named = secure_getenv("GPUT_HELPER");
    struct gput_options o = { 0 };
    char *path = NULL;
    int r;

    if (opts) /* as many options as the caller knows of */
        memcpy(&o, opts, opts->size < sizeof(o) ? opts->size : sizeof(o));
    if (o.helper_path && *o.helper_path)
        return use_named(o.helper_path, ret_path, ret_err);
    if (named && *named && *named != '/')
        return gput__refuse(ret_err, -EINVAL, "helper_path",
                            "GPUT_HELPER: '%.200s' would be another program in each folder; name "
                            "it from / on",
                            named);
    if (named && *named)
        return use_named(named, ret_path, ret_err);
    r = search(&path, ret_err);
    if (r == 0)
        *ret_path = path;
    return r;
}
