/* hang_maps.c - for LD_PRELOAD: memory maps that are never shown, as those of a process that holds
 * the lock of its map for long. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#define SHOWN __attribute__((visibility("default")))

/* By its names: which of them is called depends on how the caller was built. */
SHOWN int hang(int at, const char *path, int flags, ...) __asm__("openat");
SHOWN int hang_too(int at, const char *path, int flags, ...) __asm__("openat64");

static int open_or_hang(int at, const char *path, int flags, mode_t mode)
{
    static int (*real)(int, const char *, int, ...);
    const char *name = strrchr(path, '/');

    while (name && (strcmp(name, "/smaps") == 0 || strcmp(name, "/smaps_rollup") == 0))
        pause();
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "openat64");
    return real(at, path, flags, mode);
}

int hang(int at, const char *path, int flags, ...)
{
    va_list args;
    mode_t mode;

    va_start(args, flags);
    mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
    va_end(args);
    return open_or_hang(at, path, flags, mode);
}

int hang_too(int at, const char *path, int flags, ...)
{
    va_list args;
    mode_t mode;

    va_start(args, flags);
    mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
    va_end(args);
    return open_or_hang(at, path, flags, mode);
}
