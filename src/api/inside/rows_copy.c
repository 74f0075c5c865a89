/* rows_copy.c - a copy of the rows that a helper has made. */
#include "api/inside/rows_copy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "api/inside/helper.h"

#define MOST_TRIES 1000
/* Shared pages that were read count as the program's own memory: they are given back. */
#define LEAST_TO_GIVE_BACK (256 * 1024)
/* From so many rows on the time goes into page faults, unless pages are large. */
#define LARGE_PAGE ((size_t)2 * 1024 * 1024)
#define MANY_ROWS 16384

/* --- the memory ----------------------------------------------------------------------------- */

struct gput__rows_copy *gput__rows_copy_hold(struct gput__rows_copy *copy)
{
    copy->n_holders++;
    return copy;
}

void gput__rows_copy_drop(struct gput__rows_copy *copy)
{
    if (!copy || --copy->n_holders > 0)
        return;
    (void)munmap(copy->memory, copy->size);
    free(copy);
}

static struct gput__rows_copy *new_copy(const struct gput__series *s, uint64_t epoch)
{
    uint32_t n_columns = GPUT__SERIES_FIRST + s->n_columns;
    struct gput__rows_copy *copy = calloc(1, sizeof(*copy) + n_columns * sizeof(copy->n[0]));
    uintptr_t begin;

    if (!copy)
        return NULL;
    copy->n_holders = 1;
    copy->epoch = epoch;
    copy->n_columns = n_columns;
    copy->cap = s->cap;
    copy->size = n_columns * copy->cap * sizeof(*copy->cells) + LARGE_PAGE;
    copy->memory = mmap(NULL, copy->size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (copy->memory == MAP_FAILED) {
        free(copy);
        return NULL;
    }
    begin = ((uintptr_t)copy->memory + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1);
    copy->cells = (double *)begin;
    return copy;
}

static void give_back(const double *cells, size_t n)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t from = ((uintptr_t)cells + page - 1) & ~(page - 1);
    uintptr_t to = (uintptr_t)(cells + n) & ~(page - 1);

    if (to > from && to - from >= LEAST_TO_GIVE_BACK)
        (void)madvise((void *)from, to - from, MADV_DONTNEED);
}

/* --- copying -------------------------------------------------------------------------------- */

static bool is_wanted(const bool *wanted, uint32_t column)
{
    return !wanted || wanted[column];
}

/* So many were whole when their number was read.  Whether they were left alone since is not known
 * yet: what was copied counts once it is. */
static void copy_cells(const struct gput__series *s, struct gput__rows_copy *copy,
                       const bool *wanted, size_t n)
{
    for (uint32_t i = 0; i < copy->n_columns; i++) {
        size_t done = copy->n[i];

        if (!is_wanted(wanted, i) || n <= done)
            continue;
        if (n - done >= MANY_ROWS && !copy->has_large_pages)
            copy->has_large_pages =
                madvise(copy->cells, copy->size - LARGE_PAGE, MADV_HUGEPAGE) == 0;
        memcpy(gput__rows_copy_column(copy, i) + done, gput__series_column(s, i) + done,
               (n - done) * sizeof(double));
        give_back(gput__series_column(s, i) + done, n - done);
    }
}

static void count_cells(struct gput__rows_copy *copy, const bool *wanted, size_t n)
{
    for (uint32_t i = 0; i < copy->n_columns; i++)
        if (is_wanted(wanted, i) && copy->n[i] < n)
            copy->n[i] = n;
}

/* Rows are being thinned, which takes some milliseconds.  A helper that died in the middle of it has
 * left rows of both kinds: then those that were copied before stand. */
static int wait_for_thinning(const struct gput__client *c, uint64_t epoch, const bool *wanted,
                             size_t *ret_n)
{
    size_t n = SIZE_MAX;

    if (!gput__client_has_ended(c)) {
        usleep(1000);
        return -EAGAIN;
    }
    if (!c->rows || c->rows->epoch + 1 != epoch)
        return -ENODATA;
    for (uint32_t i = 0; i < c->rows->n_columns; i++)
        if (is_wanted(wanted, i) && c->rows->n[i] < n)
            n = c->rows->n[i];
    *ret_n = n;
    return n ? 0 : -ENODATA;
}

static int try_once(struct gput__client *c, const bool *wanted, size_t *ret_n)
{
    const struct gput__series *s = c->series;
    uint64_t epoch = atomic_load_explicit(&s->epoch, memory_order_acquire);
    size_t n = atomic_load_explicit(&s->n, memory_order_acquire);

    if (epoch & 1)
        return wait_for_thinning(c, epoch, wanted, ret_n);
    if (!c->rows || c->rows->epoch != epoch) {
        gput__rows_copy_drop(c->rows);
        c->rows = new_copy(s, epoch);
    }
    if (!c->rows)
        return -ENOMEM;
    n = n < c->rows->cap ? n : c->rows->cap;
    copy_cells(s, c->rows, wanted, n);
    atomic_thread_fence(memory_order_acquire);
    if (atomic_load_explicit(&s->epoch, memory_order_relaxed) != epoch)
        return -EAGAIN;
    count_cells(c->rows, wanted, n);
    *ret_n = n;
    return 0;
}

int gput__rows_copy_refresh(struct gput__client *c, const bool *wanted, size_t *ret_n)
{
    int r = -EAGAIN;

    for (int i = 0; i < MOST_TRIES && r == -EAGAIN; i++)
        r = try_once(c, wanted, ret_n);
    return r;
}
