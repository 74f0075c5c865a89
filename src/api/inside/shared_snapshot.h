/* shared_snapshot.h - the memory that a helper shares with its client: the figures so far.
 *
 * The helper writes two slots in turn: it fills the one that is not shown, then shows it.  So a reader
 * finds a whole slot at any time, also when the helper has died in the middle of one. */
#ifndef GPUT_API_SHARED_SNAPSHOT_H
#define GPUT_API_SHARED_SNAPSHOT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "gput.h"
#include "model/gpus.h"
#include "summary/series.h"

#define GPUT__SHARED_GPU_PROCESSES 64
#define GPUT__SHARED_GROUPS 21
#define GPUT__SHARED_TEXT (64 * 1024)

/* Pointers in it are places in `text`, counted from 1; 0 is NULL. */
struct gput__shared_slot {
    struct gput_usage usage;
    struct gput_now now;
    struct gput_gpu gpus[GPUT__MOST_GPUS];
    struct gput_gpu_work work[GPUT__MOST_GPUS];
    struct gput_gpu_process processes[GPUT__SHARED_GPU_PROCESSES];
    struct gput_process_group groups[GPUT__SHARED_GROUPS];
    uint32_t text_used;
    char text[GPUT__SHARED_TEXT];
};

struct gput__shared {
    uint64_t size;               /* of all the memory: a series may follow */
    int64_t start_ns;            /* when tracking began, on the boot clock */
    _Atomic uint64_t turn;       /* how many slots were shown; the one shown is slots[turn & 1] */
    _Atomic uint32_t final;      /* 1: no more figures come */
    _Atomic uint32_t n_warnings; /* sent so far: reading the figures need not ask the socket */
    _Atomic uint32_t discovery_len; /* 0: nothing was found out yet */
    char discovery[GPUT__SHARED_TEXT];
    struct {
        char vendor[64], instance_type[64], region[64]; /* "": not known */
    } cloud;
    struct gput__shared_slot slots[2];
};

/* Makes the memory, with so much more behind the shared snapshot for a series; the descriptor is for the
 * helper. */
int gput__shared_create(size_t series_size, struct gput__shared **ret_shared, int *ret_fd);
/* From here on only who has the descriptor can write to it: this process, and what it forks, reads. */
void gput__shared_protect(struct gput__shared *b, size_t size, int fd);
/* How much that is in all.  Each side keeps it to itself: what stands in the memory the other side
 * can change. */
size_t gput__shared_size(size_t series_size);
/* What is behind the shared snapshot of that size, NULL: nothing; its own size. */
struct gput__series *gput__shared_series(struct gput__shared *b, size_t size, size_t *ret_size);
/* Where that begins in the memory. */
size_t gput__shared_series_at(void);
/* Memory in the middle of it becomes real, so that touching it cannot fail. */
int gput__shared_allocate(int fd, size_t from, size_t n);
/* -EPROTO: the memory behind `fd` is not a shared snapshot, or may become smaller. */
int gput__shared_map(int fd, struct gput__shared **ret_shared, size_t *ret_size);
/* The same to read alone, through a descriptor that cannot write. */
int gput__shared_view(int fd, const struct gput__shared **ret_shared, size_t *ret_size);
void gput__shared_unmap(struct gput__shared *b, size_t size); /* NULL is fine; of a segment too */

/* shared_segment.c: the same three for a program that may write no file of this size; the helper gets
 * the number. */
int gput__shared_create_segment(size_t series_size, struct gput__shared **ret_shared, int *ret_id);
void gput__shared_protect_segment(struct gput__shared *b, int id);
int gput__shared_attach(int id, struct gput__shared **ret_shared, size_t *ret_size);

/* Shows new figures. */
void gput__shared_show(struct gput__shared *b, const struct gput_usage *u,
                       const struct gput_now *now);

/* Copies the figures last shown into `*room`, which is made as needed; the caller frees it.
 * `ret_usage` points into it.  -ENODATA: none were shown yet; -EPROTO: what stands there are none. */
int gput__shared_read(const struct gput__shared *b, struct gput__shared_slot **room,
                      struct gput_usage *ret_usage, struct gput_now *ret_now);

#endif
