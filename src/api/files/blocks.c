/* blocks.c - marks of code blocks and records of the run, behind gput.h. */
#include "base/netfs.h"
#include "store/files/warnings.h"
#include "store/marks/marks.h"
#include "store/runs/tracking_file.h"

int gput_records_read(const char *tracking_file, const struct gput_callbacks *on,
                      int (*add)(void *ctx, uint64_t row, const double *values), void *ctx,
                      struct gput_error *ret_err)
{
    struct gput__tracking_file f;
    struct gput__warnings warnings;
    struct gput_error unread;
    double values[GPUT__N_COLUMNS];
    uint64_t row = 0;
    int r;

    ret_err = ret_err ? ret_err : &unread;
    gput__warnings_begin(&warnings, on);
    r = gput__tracking_file_open(&f, tracking_file, &warnings.on, ret_err);
    if (r == 0)
        while ((r = gput__tracking_file_next(&f, values, ret_err)) > 0 &&
               (r = add(ctx, row++, values)) == 0)
            ;
    gput__tracking_file_close(&f);
    gput__warnings_end(&warnings, r >= 0);
    return r;
}

int gput_marks_open(const char *path, uint32_t flags, struct gput_marks **ret_m,
                    struct gput_error *ret_err)
{
    return gput__marks_open(path, flags, gput__netfs_has, ret_m, ret_err);
}

int gput_marks_open_since(const char *path, uint32_t flags, int64_t since_ns,
                          struct gput_marks **ret_m, struct gput_error *ret_err)
{
    return gput__marks_open_since(path, flags, since_ns, gput__netfs_has, ret_m, ret_err);
}

int gput_marks_add(struct gput_marks *m, const struct gput_mark *mark)
{
    return gput__marks_add(m, mark);
}

static int add_now(struct gput_marks *m, const char *name, int is_end)
{
    const struct gput_mark mark = {
        .name = name, .is_end = is_end, .cpu_seconds = -1, .peak_rss_bytes = -1
    };

    return gput__marks_add(m, &mark);
}

int gput_block_begin(struct gput_marks *m, const char *name)
{
    return add_now(m, name, 0);
}

int gput_block_end(struct gput_marks *m, const char *name)
{
    return add_now(m, name, 1);
}

int gput_marks_close(struct gput_marks *m)
{
    return gput__marks_close(m);
}
