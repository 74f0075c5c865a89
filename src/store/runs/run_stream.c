/* run_stream.c - a run from the CSV of a stream: of the system, of a process, or of both side by
 * side, where the names begin with "system_" and "process_". */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "store/runs/run_reading.h"
#include "store/runs/run_usage.h"
#include "store/runs/stream_columns.h"

struct stream {
    struct gput__table *table;
    struct gput__stream_target *targets; /* of each column; without a name: it is left out */
    double *row;                         /* a number for each column */
    unsigned time;                       /* the column of the timestamp */
    bool has[2], is_newer;               /* by enum gput_stream */
    struct gput__run_series_builder b;
};

static bool has_column(const struct gput__table *t, const char *name)
{
    for (unsigned i = 0; i < t->n_columns; i++)
        if (strcmp(t->columns->names[i], name) == 0)
            return true;
    return false;
}

/* Whose column it is, and its name there; the names of a system and a process alone are told apart by
 * what only one of them has. */
static enum gput_stream stream_of(const struct gput__table *t, const char **name)
{
    static const char system[] = "system_", process[] = "process_";

    if (strncmp(*name, system, sizeof(system) - 1) == 0) {
        *name += sizeof(system) - 1;
        return GPUT_STREAM_SYSTEM;
    }
    if (strncmp(*name, process, sizeof(process) - 1) == 0) {
        *name += sizeof(process) - 1;
        return GPUT_STREAM_PROCESS;
    }
    return has_column(t, "pid") ? GPUT_STREAM_PROCESS : GPUT_STREAM_SYSTEM;
}

static int choose_columns(struct stream *s)
{
    const struct gput__table *t = s->table;

    s->targets = calloc(t->n_columns, sizeof(*s->targets));
    s->row = calloc(t->n_columns, sizeof(*s->row));
    if (!s->targets || !s->row)
        return -ENOMEM;
    for (unsigned i = 0; i < t->n_columns; i++) {
        struct gput__stream_target *target = &s->targets[i];
        const char *name = t->columns->names[i];
        enum gput_stream of = stream_of(t, &name);

        if (strcmp(t->columns->names[i], "timestamp") == 0)
            s->time = i;
        if (!gput__stream_target(of, name, target))
            continue;
        s->has[of] = true;
        s->is_newer |= target->is_newer;
        if (gput__run_series_use(&s->b, target->metric) < 0)
            return -ENOMEM;
    }
    return 0;
}

/* 1: a row in s->row, NAN where a cell is empty; columns that nobody wants may hold anything. */
static int next(struct stream *s, struct gput_error *ret_err)
{
    struct gput__table *t = s->table;
    int r = t->ops->numbers(t, s->row);

    if (r != 0)
        return r;
    r = gput__table_next(t, ret_err);
    for (unsigned i = 0; r > 0 && i < t->n_columns; i++)
        if (i == s->time
                ? gput__table_number(t, i, &s->row[i], ret_err) < 0
                : s->targets[i].name && gput__table_number_or_none(t, i, &s->row[i], ret_err) < 0)
            r = -EBADMSG;
    return r;
}

static int read_rows(struct stream *s, struct gput_error *ret_err)
{
    int r;

    while ((r = next(s, ret_err)) > 0) {
        if (gput__run_series_add(&s->b, s->row[s->time]) < 0) {
            gput__table_fail(s->table, ret_err, "%s", strerror(ENOMEM));
            return -ENOMEM;
        }
        for (unsigned i = 0; i < s->table->n_columns; i++) {
            const struct gput__stream_target *target = &s->targets[i];

            if (target->name)
                gput__run_series_set(&s->b, target->metric, s->row[i] * target->factor);
        }
    }
    return r;
}

static void finish(struct gput__run_reading *rd, struct stream *s)
{
    struct gput__run *run = rd->run;

    gput__run_series_end(&s->b, &run->series);
    run->interval = gput__usual_step(run->series.time, run->series.n);
    gput__stream_convert(&run->series, s->is_newer, run->interval);
    gput__run_sum_up(run);
}

static int read_stream(struct gput__run_reading *rd, struct stream *s)
{
    int r = gput__table_begin_any(s->table, "data", rd->ret_err);

    if (r <= 0)
        return r < 0 ? r : gput__table_fail(s->table, rd->ret_err, "the header is unfinished");
    r = choose_columns(s);
    if (r < 0)
        return gput__file_fail(r, rd->path, rd->ret_err, "%s", strerror(-r));
    r = read_rows(s, rd->ret_err);
    if (r < 0)
        return r;
    finish(rd, s);
    if (!gput__run_text(&rd->run->kind, !s->has[GPUT_STREAM_PROCESS]  ? "stream of a machine"
                                        : !s->has[GPUT_STREAM_SYSTEM] ? "stream of a process"
                                                                      : "stream of a process and "
                                                                        "its machine"))
        return gput__file_fail(-ENOMEM, rd->path, rd->ret_err, "%s", strerror(ENOMEM));
    return 0;
}

int gput__run_read_stream(struct gput__run_reading *rd, struct gput__table *table)
{
    struct stream s = { .table = table };
    int r = read_stream(rd, &s);

    gput__table_close(table);
    gput__run_series_free(&s.b.s);
    free(s.targets);
    free(s.row);
    return r;
}
