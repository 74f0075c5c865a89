/* fixture.h - a folder of kernel files that a test writes itself, to be read as a root. */
#ifndef FIXTURE_H
#define FIXTURE_H

#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/root.h"

struct fixture {
    char path[32];
    struct gput__root root;
};

/* A test cannot go on without its folder. */
static inline void fixture_need(int ok, const char *what)
{
    if (ok)
        return;
    printf("Bail out! %s\n", what);
    exit(1);
}

static inline void fixture_begin(struct fixture *f)
{
    strcpy(f->path, "/tmp/gput-unit.XXXXXX");
    fixture_need(mkdtemp(f->path) != NULL, "mkdtemp");
    fixture_need(gput__root_open(f->path, NULL, &f->root) == 0, "root_open");
}

static inline void fixture_path(const struct fixture *f, const char *name, char *ret, size_t cap)
{
    fixture_need((size_t)snprintf(ret, cap, "%s/%s", f->path, name) < cap, "long path");
}

/* Writes or replaces a file and makes the folders above it. */
static inline void fixture_write_bytes(const struct fixture *f, const char *name, const char *bytes,
                                       size_t n)
{
    char path[2048];
    FILE *file;

    fixture_path(f, name, path, sizeof(path));
    for (char *p = path + strlen(f->path) + 1; (p = strchr(p, '/')); p++) {
        *p = '\0';
        mkdir(path, 0755);
        *p = '/';
    }
    file = fopen(path, "w");
    fixture_need(file && fwrite(bytes, 1, n, file) == n, path);
    fixture_need(fclose(file) == 0, path);
}

static inline void fixture_write(const struct fixture *f, const char *name, const char *text)
{
    fixture_write_bytes(f, name, text, strlen(text));
}

static inline int fixture_remove_one(const char *path, const struct stat *st, int kind,
                                     struct FTW *ftw)
{
    (void)st;
    (void)kind;
    (void)ftw;
    return remove(path);
}

/* A file, or a folder with all that is in it. */
static inline void fixture_remove(const struct fixture *f, const char *name)
{
    char path[2048];

    fixture_path(f, name, path, sizeof(path));
    nftw(path, fixture_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static inline void fixture_end(struct fixture *f)
{
    gput__root_close(&f->root);
    nftw(f->path, fixture_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
