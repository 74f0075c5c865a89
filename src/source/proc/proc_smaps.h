/* proc_smaps.h - /proc/<pid>/smaps and smaps_rollup, read piece by piece: see proc_pid_smaps(5). */
#ifndef GPUT_SOURCE_PROC_SMAPS_H
#define GPUT_SOURCE_PROC_SMAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/root.h"

/* One mapping, bytes. */
struct gput__vma {
    uint64_t device, inode; /* inode 0: anonymous */
    uint64_t from, to;      /* offsets in the file */
    uint64_t rss, pss, pss_dirty, pss_anon;
    uint64_t private_clean, private_dirty, shared, anonymous;
    bool has_pss_dirty, has_pss_anon, rollup;
};

typedef void gput__vma_fn(void *ctx, const struct gput__vma *vma);

struct gput__smaps {
    gput__vma_fn *each;
    void *ctx;
    struct gput__vma vma;
    bool open, bad;
    size_t len;
    char line[256]; /* the line under way; what is longer (a path) is cut, nothing of it is used */
};

/* Text arrives in pieces of any size; each mapping is handed on when its last line is in. */
void gput__smaps_begin(struct gput__smaps *s, gput__vma_fn *each, void *ctx);
void gput__smaps_feed(struct gput__smaps *s, const char *text, size_t n);
/* -EBADMSG: a line was none of smaps. */
int gput__smaps_end(struct gput__smaps *s);

/* Reads a whole file; the same errors, and those of open and read.  -ECANCELED: *stop was set by
 * another thread meanwhile; `stop` may be NULL. */
int gput__smaps_read(const struct gput__root *proc, const char *name, const bool *stop,
                     gput__vma_fn *each, void *ctx);

#endif
