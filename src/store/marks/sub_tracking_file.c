/* sub_tracking_file.c - reads a sub-tracking file: the marks of code blocks. */
#include "store/marks/sub_tracking_file.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/text/text.h"

enum { PROCESS_ID, NAME, POSITION, TIMESTAMP, N_NEEDED, CPU_SECONDS = N_NEEDED, PEAK_RSS, N_ALL };

static const char *const names_of_columns[N_ALL] = {
    "process_id", "code_block_name", "position", "timestamp", "cpu_seconds", "peak_rss_bytes",
};
const struct gput__columns gput__mark_columns = { names_of_columns, N_NEEDED, N_ALL - N_NEEDED, 0,
                                                  false };

int gput__sub_tracking_file_open(struct gput__sub_tracking_file *f, const char *path,
                                 const struct gput_callbacks *on, struct gput_error *ret_err)
{
    struct gput__table *table;
    int r;

    *f = (struct gput__sub_tracking_file){ .table = NULL };
    r = gput__table_open(path, on, &table, ret_err);
    return r < 0 ? r : gput__sub_tracking_file_begin(f, table, ret_err);
}

int gput__sub_tracking_file_begin(struct gput__sub_tracking_file *f, struct gput__table *table,
                                  struct gput_error *ret_err)
{
    int r;

    *f = (struct gput__sub_tracking_file){ .table = table };
    r = gput__table_begin(table, "data", &gput__mark_columns, ret_err);
    if (r == 0)
        return gput__table_fail(table, ret_err,
                                table->has_told ? "the header is unfinished" : "the file is empty");
    return r < 0 ? r : 0;
}

static int read_position(struct gput__table *t, bool *ret, struct gput_error *ret_err)
{
    int64_t position;

    if (gput__table_whole(t, POSITION, &position, ret_err) < 0)
        return -EBADMSG;
    if (position != 0 && position != 1)
        return gput__table_fail(t, ret_err, "position: %lld is not 0 (start) or 1 (stop)",
                                (long long)position);
    *ret = position == 1;
    return 0;
}

static int read_exact(struct gput__table *t, struct gput__read_mark *mark,
                      struct gput_error *ret_err)
{
    mark->cpu_seconds = mark->peak_rss_bytes = NAN;
    if (!t->has_further)
        return 0;
    if (gput__table_number_or_none(t, CPU_SECONDS, &mark->cpu_seconds, ret_err) < 0)
        return -EBADMSG;
    return gput__table_number_or_none(t, PEAK_RSS, &mark->peak_rss_bytes, ret_err);
}

/* A name as it was given: in CSV one that a spreadsheet would run stands behind an apostrophe. */
static int read_name(struct gput__table *t, const char **ret, size_t *ret_len,
                     struct gput_error *ret_err)
{
    int r = gput__table_text(t, NAME, ret, ret_len, ret_err);

    if (r < 0 || !t->ops->is_csv || **ret != '\'' || !gput__text_is_formula(*ret, *ret_len))
        return r;
    ++*ret;
    --*ret_len;
    return r;
}

int gput__sub_tracking_file_next(struct gput__sub_tracking_file *f, struct gput__names *names,
                                 struct gput__read_mark *ret, struct gput_error *ret_err)
{
    struct gput__table *t = f->table;
    struct gput__read_mark mark;
    const char *name;
    size_t len;
    int r = gput__table_next(t, ret_err);

    if (r <= 0)
        return r;
    mark.row = t->row;
    if (gput__table_whole(t, PROCESS_ID, &mark.process_id, ret_err) < 0 ||
        read_name(t, &name, &len, ret_err) < 0 || read_position(t, &mark.is_stop, ret_err) < 0 ||
        gput__table_number(t, TIMESTAMP, &mark.timestamp, ret_err) < 0 ||
        read_exact(t, &mark, ret_err) < 0)
        return -EBADMSG;
    if (gput__names_add(names, name, len, &mark.name) < 0) {
        gput__table_fail(t, ret_err, "%s", strerror(ENOMEM));
        return -ENOMEM;
    }
    *ret = mark;
    return 1;
}

void gput__sub_tracking_file_close(struct gput__sub_tracking_file *f)
{
    f->table = gput__table_close(f->table);
}
