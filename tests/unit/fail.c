/* fail.c - the calls that fail.h lets fail. */
#include "fail.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum fail_kind kind_now;
static unsigned failing;
static atomic_uint seen;

void fail_nth(enum fail_kind kind, unsigned n)
{
    kind_now = kind;
    failing = n;
    atomic_store(&seen, 0);
}

unsigned fail_seen(void)
{
    return atomic_load(&seen);
}

static bool fails(enum fail_kind kind, int error)
{
    if (kind != kind_now || atomic_fetch_add(&seen, 1) + 1 != failing)
        return false;
    errno = error;
    return true;
}

/* Where files may be large glibc has names of its own for some, NAME64; musl has not. */
#pragma weak __real_ftruncate64
#pragma weak __real_open64
#pragma weak __real_openat64
#pragma weak __real_pread64

/* A call that fails when it is its turn:
 * WRAP(type, name, (parameters), (arguments), kind, errno, what it returns then) */
#define WRAP(type, name, parameters, arguments, kind, error, failure)                              \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        return fails(kind, error) ? (failure) : __real_##name arguments;                           \
    }

/* clang-format off */
WRAP(void *, malloc, (size_t n), (n), FAIL_MEMORY, ENOMEM, NULL)
WRAP(void *, calloc, (size_t n, size_t size), (n, size), FAIL_MEMORY, ENOMEM, NULL)
WRAP(void *, realloc, (void *p, size_t n), (p, n), FAIL_MEMORY, ENOMEM, NULL)
WRAP(char *, strdup, (const char *text), (text), FAIL_MEMORY, ENOMEM, NULL)
WRAP(char *, strndup, (const char *text, size_t n), (text, n), FAIL_MEMORY, ENOMEM, NULL)
WRAP(char *, realpath, (const char *path, char *ret), (path, ret), FAIL_MEMORY, ENOMEM, NULL)
WRAP(int, pthread_create,
     (pthread_t *ret, const pthread_attr_t *attr, void *(*start)(void *), void *ctx),
     (ret, attr, start, ctx), FAIL_THREADS, EAGAIN, EAGAIN)
WRAP(DIR *, fdopendir, (int fd), (fd), FAIL_OPENING, EMFILE, NULL)
WRAP(ssize_t, read, (int fd, void *buf, size_t n), (fd, buf, n), FAIL_READING, EIO, -1)
WRAP(ssize_t, pread, (int fd, void *buf, size_t n, off_t at), (fd, buf, n, at), FAIL_READING, EIO, -1)
WRAP(ssize_t, pread64, (int fd, void *buf, size_t n, off_t at), (fd, buf, n, at), FAIL_READING, EIO, -1)
WRAP(ssize_t, write, (int fd, const void *buf, size_t n), (fd, buf, n), FAIL_WRITING, ENOSPC, -1)
WRAP(int, fsync, (int fd), (fd), FAIL_WRITING, ENOSPC, -1)
WRAP(int, ftruncate, (int fd, off_t n), (fd, n), FAIL_WRITING, ENOSPC, -1)
WRAP(int, ftruncate64, (int fd, off_t n), (fd, n), FAIL_WRITING, ENOSPC, -1)
WRAP(int, rename, (const char *from, const char *to), (from, to), FAIL_WRITING, ENOSPC, -1)
/* clang-format on */

int __wrap_asprintf(char **ret, const char *format, ...);
int __wrap___asprintf_chk(char **ret, int flag, const char *format, ...);

__attribute__((format(printf, 2, 3))) int __wrap_asprintf(char **ret, const char *format, ...)
{
    va_list args;
    int n;

    if (fails(FAIL_MEMORY, ENOMEM))
        return -1;
    va_start(args, format);
    n = vasprintf(ret, format, args);
    va_end(args);
    return n;
}

/* The same as _FORTIFY_SOURCE names it. */
__attribute__((format(printf, 3, 4))) int __wrap___asprintf_chk(char **ret, int flag,
                                                                const char *format, ...)
{
    va_list args;
    int n;

    (void)flag;
    if (fails(FAIL_MEMORY, ENOMEM))
        return -1;
    va_start(args, format);
    n = vasprintf(ret, format, args);
    va_end(args);
    return n;
}

/* The mode is there only where a file may be made. */
#define MODE_OF(flags, mode)                                                                       \
    do {                                                                                           \
        va_list args;                                                                              \
                                                                                                   \
        va_start(args, flags);                                                                     \
        mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;                                         \
        va_end(args);                                                                              \
    } while (0)

#define WRAP_OPEN(name)                                                                            \
    int __real_##name(const char *path, int flags, ...);                                           \
    int __wrap_##name(const char *path, int flags, ...);                                           \
    int __wrap_##name(const char *path, int flags, ...)                                            \
    {                                                                                              \
        mode_t mode;                                                                               \
                                                                                                   \
        MODE_OF(flags, mode);                                                                      \
        return fails(FAIL_OPENING, EMFILE) ? -1 : __real_##name(path, flags, mode);                \
    }

#define WRAP_OPENAT(name)                                                                          \
    int __real_##name(int folder, const char *path, int flags, ...);                               \
    int __wrap_##name(int folder, const char *path, int flags, ...);                               \
    int __wrap_##name(int folder, const char *path, int flags, ...)                                \
    {                                                                                              \
        mode_t mode;                                                                               \
                                                                                                   \
        MODE_OF(flags, mode);                                                                      \
        return fails(FAIL_OPENING, EMFILE) ? -1 : __real_##name(folder, path, flags, mode);        \
    }

WRAP_OPEN(open)
WRAP_OPEN(open64)
WRAP_OPENAT(openat)
WRAP_OPENAT(openat64)
