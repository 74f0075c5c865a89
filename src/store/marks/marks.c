/* marks.c - writes a sub-tracking file: a mark from the caller to the file. */
#include "store/marks/marks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/system.h"
#include "store/files/table.h"

int gput__marks_close(struct gput_marks *m)
{
    int r = 0;

    if (!m)
        return 0;
    if (m->db)
        r = gput__marks_sqlite_close(m);
    if (m->fd >= 0)
        close(m->fd);
    gput__own_status_close(&m->status);
    free(m->path);
    free(m);
    return r;
}

int gput__marks_open(const char *path, uint32_t flags, bool (*is_on_network)(int fd),
                     struct gput_marks **ret, struct gput_error *ret_err)
{
    return gput__marks_open_since(path, flags, 0, is_on_network, ret, ret_err);
}

int gput__marks_open_since(const char *path, uint32_t flags, int64_t since_ns,
                           bool (*is_on_network)(int fd), struct gput_marks **ret,
                           struct gput_error *ret_err)
{
    struct gput_marks *m = malloc(sizeof(*m));
    struct gput_error unread;
    int r;

    ret_err = ret_err ? ret_err : &unread;
    if (!m)
        return gput__file_fail(-ENOMEM, path, ret_err, "out of memory");
    *m = (struct gput_marks){ .format = gput__file_format(path), .fd = -1, .status.fd = -1 };
    r = m->format == GPUT__FILE_OTHER
            ? gput__file_fail(-EINVAL, path, ret_err, "the name does not end in " GPUT__FILE_NAMES)
            : gput__marks_file_open(m, path, flags, since_ns, ret_err);
    if (r < 0) {
        gput__marks_close(m);
        return r;
    }
    m->is_shared = is_on_network(m->fd);
    if (m->is_exact)
        m->status = gput__own_status_open();
    *ret = m;
    return 0;
}

/* What cannot be asked, of a process that has ended, stands as 0. */
static void tell_cost(const struct gput_marks *m, const struct gput_mark *mark,
                      struct gput__mark_row *row)
{
    uint64_t peak = 0;

    row->cpu_seconds = mark->cpu_seconds;
    row->peak_rss_bytes = mark->peak_rss_bytes;
    if (mark->cpu_seconds < 0) {
        row->cpu_seconds = 0;
        (void)gput__proc_cpu(mark->process_id, &row->cpu_seconds);
    }
    if (mark->peak_rss_bytes < 0) {
        if (mark->process_id)
            (void)gput__proc_peak(mark->process_id, &peak);
        else
            (void)gput__own_status_peak(&m->status, &peak);
        row->peak_rss_bytes = (double)peak;
    }
}

int gput__marks_add(struct gput_marks *m, const struct gput_mark *mark)
{
    struct gput__mark_row row = { .name = mark->name, .is_end = mark->is_end };
    int r = atomic_load_explicit(&m->failed, memory_order_relaxed);

    if (r < 0 || !mark->name)
        return r < 0 ? r : -EINVAL;
    /* A beginning is timed last and an end first: our own work is not the block's. */
    if (mark->is_end)
        row.real_us = gput__clock_ns(CLOCK_REALTIME) / 1000;
    row.process_id = mark->process_id ? mark->process_id : gput__thread_id();
    if (m->is_exact)
        tell_cost(m, mark, &row);
    if (!mark->is_end)
        row.real_us = gput__clock_ns(CLOCK_REALTIME) / 1000;
    r = m->format == GPUT__FILE_CSV ? gput__marks_csv_add(m, &row)
                                    : gput__marks_sqlite_add(m, &row);
    if (r < 0)
        atomic_store(&m->failed, r);
    return r;
}
