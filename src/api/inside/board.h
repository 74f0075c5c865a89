/* board.h - the memory that a helper shares with whom it works for: the figures so far.
 *
 * Two pages in turn: the helper writes the one that is not shown and then turns, so that a reader
 * finds a whole page whenever, also when the helper has died in the middle of one. */
#ifndef GPUT_API_BOARD_H
#define GPUT_API_BOARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "gput.h"
#include "model/gpus.h"
#include "summary/series.h"

#define GPUT__BOARD_GPU_PROCESSES 64
#define GPUT__BOARD_TEXT (64 * 1024)

/* Pointers in it are places in `text`, counted from 1; 0 is NULL. */
struct gput__page {
    struct gput_usage usage;
    struct gput_now now;
    struct gput_gpu gpus[GPUT__MOST_GPUS];
    struct gput_gpu_process processes[GPUT__BOARD_GPU_PROCESSES];
    uint32_t text_used;
    char text[GPUT__BOARD_TEXT];
};

struct gput__board {
    uint64_t size;               /* of all the memory: a series may follow */
    int64_t start_ns;            /* when tracking began, on the boot clock */
    _Atomic uint64_t turn;       /* how many pages were shown; the one shown is pages[turn & 1] */
    _Atomic uint32_t final;      /* 1: no more pages come */
    _Atomic uint32_t n_warnings; /* sent so far: reading the figures need not ask the socket */
    _Atomic uint32_t discovery_len; /* 0: nothing was found out yet */
    char discovery[GPUT__BOARD_TEXT];
    struct {
        char vendor[64], instance_type[64], region[64]; /* "": not known */
    } cloud;
    struct gput__page pages[2];
};

/* Makes the memory, with so much more behind the board for a series; the descriptor is for the
 * helper. */
int gput__board_create(size_t series_size, struct gput__board **ret_board, int *ret_fd);
/* From here on only who has the descriptor can write to it: this process, and what it forks, reads. */
void gput__board_protect(struct gput__board *b, size_t size, int fd);
/* How much that is in all.  Each side keeps it to itself: what stands in the memory the other side
 * can change. */
size_t gput__board_size(size_t series_size);
/* What is behind the board of that size, NULL: nothing; its own size. */
struct gput__series *gput__board_series(struct gput__board *b, size_t size, size_t *ret_size);
/* Where that begins in the memory. */
size_t gput__board_series_at(void);
/* Memory in the middle of it becomes real, so that touching it cannot fail. */
int gput__board_allocate(int fd, size_t from, size_t n);
/* -EPROTO: the memory behind `fd` is not a board, or may become smaller. */
int gput__board_map(int fd, struct gput__board **ret_board, size_t *ret_size);
void gput__board_unmap(struct gput__board *b, size_t size); /* NULL is fine; of a segment too */

/* board_segment.c: the same three for a program that may write no file of this size; the helper gets
 * the number. */
int gput__board_create_segment(size_t series_size, struct gput__board **ret_board, int *ret_id);
void gput__board_protect_segment(struct gput__board *b, int id);
int gput__board_attach(int id, struct gput__board **ret_board, size_t *ret_size);

/* Shows new figures. */
void gput__board_show(struct gput__board *b, const struct gput_usage *u,
                      const struct gput_now *now);

/* Copies the figures last shown into `*room`, which is made as needed; the caller frees it.
 * `ret_usage` points into it.  -ENODATA: none were shown yet; -EPROTO: what stands there are none. */
int gput__board_read(const struct gput__board *b, struct gput__page **room,
                     struct gput_usage *ret_usage, struct gput_now *ret_now);

#endif
