/* folder.h - an input as a folder of kernel files.
 *
 * A line "@NAME" begins a file, the lines up to the next one are what it holds; "@NAME -> TARGET" is a
 * link.  Names that lead out of the folder, and what stands before the first such line, are left out. */
#ifndef FUZZ_FOLDER_H
#define FUZZ_FOLDER_H

#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/root.h"
#include "text.h"

struct fuzz_folder {
    char path[32];
    struct gput__root root;
};

static inline void fuzz_folder_write(int folder, char *name, const char *text, size_t n)
{
    int fd;

    for (char *p = name; (p = strchr(p, '/')); p++) {
        *p = '\0';
        (void)mkdirat(folder, name, 0700);
        *p = '/';
    }
    fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    fuzz_must(!n || write(fd, text, n) == (ssize_t)n);
    close(fd);
}

/* Writes the files or the links of the text. */
static inline void fuzz_folder_fill(int folder, const char *text, bool links)
{
    char name[512], *target;

    for (const char *at = *text == '@' ? text : strstr(text, "\n@"), *next; at; at = next) {
        const char *head = at + 1 + (*at == '\n'), *body = strchrnul(head, '\n');

        body += *body == '\n';
        next = *body == '@' ? body : strstr(body, "\n@");
        snprintf(name, sizeof(name), "%.*s", (int)strcspn(head, "\n"), head);
        target = strstr(name, " -> ");
        if (target)
            *target = '\0';
        if (!*name || *name == '/' || strstr(name, "..") || links != (target != NULL))
            continue;
        if (target)
            (void)!symlinkat(target + 4, folder, name);
        else
            fuzz_folder_write(folder, name, body, next ? (size_t)(next - body) : strlen(body));
    }
}

static inline void fuzz_folder_begin(struct fuzz_folder *f, const char *text)
{
    strcpy(f->path, "/dev/shm/gput-fuzz.XXXXXX");
    fuzz_must(mkdtemp(f->path) && gput__root_open(f->path, NULL, &f->root) == 0);
    fuzz_folder_fill(f->root.fd, text, false);
    fuzz_folder_fill(f->root.fd, text, true); /* last: no file is made through a link */
}

/* Files of a later moment, in the place of those of the same names. */
static inline void fuzz_folder_replace(int folder, const char *text)
{
    char name[512];

    for (const char *at = *text == '@' ? text : strstr(text, "\n@"); at;
         at = strstr(at + 1, "\n@")) {
        const char *head = at + 1 + (*at == '\n');

        snprintf(name, sizeof(name), "%.*s", (int)strcspn(head, "\n"), head);
        if (*name && *name != '/' && !strstr(name, ".."))
            (void)unlinkat(folder, name, 0);
    }
    fuzz_folder_fill(folder, text, false);
}

static inline int fuzz_folder_remove(const char *path, const struct stat *st, int kind,
                                     struct FTW *ftw)
{
    (void)st;
    (void)kind;
    (void)ftw;
    return remove(path);
}

static inline void fuzz_folder_end(struct fuzz_folder *f)
{
    gput__root_close(&f->root);
    nftw(f->path, fuzz_folder_remove, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
