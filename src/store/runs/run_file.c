/* run_file.c - reads a finished run from the file that is left of it: decides what the file is. */
#include "store/runs/run_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/iso_time.h"
#include "store/records/records.h"
#include "store/runs/run_reading.h"
#include "store/runs/run_usage.h"

#define NONE_OF_OURS "this is no tracking file, result of a run (-f json), snapshot or stream"

bool gput__run_text(char **ret, const char *text)
{
    *ret = text ? strdup(text) : NULL;
    return *ret || !text;
}

int gput__run_fail_json(struct gput__run_reading *rd, const struct gput__json_pull *p, int r)
{
    return gput__file_fail(r, rd->path, rd->ret_err, "line %llu: %s", (unsigned long long)p->line,
                           r == -EBADMSG && p->error ? p->error
                           : r == -EFBIG             ? "there is too much in it"
                                                     : gput__why_unread(r));
}

/* The name of the first member tells a result from a snapshot; names that neither has are passed
 * over. */
static int read_members(struct gput__run_reading *rd, struct gput__json_pull *p)
{
    static const char *const of_result[] = { "max_ram", "max_gpu_ram", "cpu_utilization",
                                             "gpu_utilization", "compute_time" };
    static const char *const of_snapshot[] = { "metadata", "server_info", "cloud_info",
                                               "process_metrics", "system_metrics" };
    int token;

    while ((token = gput__json_pull_next(p)) == GPUT__JSON_KEY) {
        const char *name = gput__buf_text(&p->text);

        for (size_t i = 0; i < 5; i++) {
            if (strcmp(name, of_result[i]) == 0)
                return gput__run_read_json(rd, p, of_result[i]);
            if (strcmp(name, of_snapshot[i]) == 0)
                return gput__run_read_snapshot(rd, p, of_snapshot[i]);
        }
        if (strcmp(name, "overall") == 0 || strcmp(name, "code_block_results") == 0)
            return gput__file_fail(-EBADMSG, rd->path, rd->ret_err,
                                   "this is an analysis of code blocks; give the tracking file "
                                   "that it was made from");
        token = gput__json_pull_skip(p, gput__json_pull_next(p));
        if (token < 0)
            break;
    }
    if (token < 0)
        return gput__run_fail_json(rd, p, token);
    return gput__file_fail(-EBADMSG, rd->path, rd->ret_err, NONE_OF_OURS);
}

static int read_json(struct gput__run_reading *rd, struct gput__input *in)
{
    struct gput__json_pull p;
    int r;

    gput__json_pull_begin(&p, in);
    r = gput__json_pull_next(&p); /* the brace */
    r = r < 0 ? gput__run_fail_json(rd, &p, r) : read_members(rd, &p);
    gput__json_pull_end(&p);
    return r;
}

static bool holds(const char *text, size_t n, const char *word)
{
    return memmem(text, n, word, strlen(word)) != NULL;
}

/* The header, the first line, tells what a CSV file is. */
static int read_csv(struct gput__run_reading *rd, struct gput__input *in, const char *head,
                    size_t n)
{
    const char *end = memchr(head, '\n', n);
    struct gput__table *table;
    bool is_tracking, is_stream;
    int r;

    n = end ? (size_t)(end - head) : n;
    is_tracking = holds(head, n, "ram_unit");
    is_stream = holds(head, n, "timestamp") && holds(head, n, "cpu_usage");
    if (holds(head, n, "code_block_name"))
        return gput__file_fail(-EBADMSG, rd->path, rd->ret_err,
                               "these are marks of code blocks; give the tracking file of the run");
    if (!is_tracking && !is_stream)
        return gput__file_fail(-EBADMSG, rd->path, rd->ret_err, NONE_OF_OURS);
    r = gput__table_open_text(in, rd->path, rd->on, &table, rd->ret_err);
    if (r < 0)
        return r;
    return is_tracking ? gput__run_read_tracking(rd, table) : gput__run_read_stream(rd, table);
}

/* "id" and others into the members that gput__run_columns() has them from. */
static void keep_run_column(struct gput_usage *u, const char *name, const char *text)
{
    struct gput_usage where = { .size = 0 };
    const char **members[GPUT__N_RUN_COLUMNS] = {
        NULL,
        &u->run.id,
        &u->run.start_time,
        &u->run.host,
        &u->run.version,
        &u->job.command,
        &u->run.folder,
        &u->run.job_name,
        &u->run.tags,
        &u->run.metadata,
    };
    struct gput__run_column columns[GPUT__N_RUN_COLUMNS];

    gput__run_columns(&where, columns);
    for (size_t i = 1; i < GPUT__N_RUN_COLUMNS; i++)
        if (strcmp(columns[i].name, name) == 0)
            *members[i] = text;
}

/* Older files and those of other tools have none. */
static void read_run_table(struct gput__run_reading *rd, struct gput__table *table)
{
    struct gput__run *run = rd->run;
    struct gput_error none;
    size_t n = 0;

    run->texts = calloc(GPUT__N_RUN_COLUMNS + 1, sizeof(*run->texts));
    if (!run->texts || gput__table_begin_any(table, "run", &none) <= 0 ||
        gput__table_next(table, &none) <= 0)
        return;
    for (unsigned i = 0; i < table->n_columns && n < GPUT__N_RUN_COLUMNS; i++) {
        struct gput__table_cell cell = table->ops->cell(table, i);

        if (cell.kind != GPUT__CELL_TEXT)
            continue;
        run->texts[n] = strndup(cell.text, cell.len);
        if (run->texts[n])
            keep_run_column(&run->usage, table->columns->names[i], run->texts[n++]);
    }
    if (run->usage.run.start_time)
        run->start = gput__iso_time_read(run->usage.run.start_time);
    (void)gput__run_text(&run->host, run->usage.run.host);
}

static int read_database(struct gput__run_reading *rd)
{
    struct gput__table *table;
    int r;

    if (!GPUT__HAS_SQLITE)
        return gput__file_fail(-ENOSYS, rd->path, rd->ret_err,
                               "this program was built without SQLite");
    r = gput__table_open_database(rd->path, rd->on, &table, rd->ret_err);
    if (r < 0)
        return r;
    read_run_table(rd, table);
    return gput__run_read_tracking(rd, table);
}

static size_t count_blanks(const char *head, size_t n)
{
    size_t i = n >= 3 && memcmp(head, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; /* some editors' mark */

    while (i < n && (head[i] == ' ' || head[i] == '\n' || head[i] == '\r' || head[i] == '\t'))
        i++;
    return i;
}

static int read_any(struct gput__run_reading *rd, struct gput__input *in)
{
    static const char sqlite[] = "SQLite format 3"; /* and its NUL */
    const char *head;
    size_t n, blanks;
    int r;

    if (in->fd < 0)
        return read_database(rd);
    r = gput__input_peek(in, &head, &n);
    if (r < 0)
        return gput__file_fail(r, rd->path, rd->ret_err, "%s", gput__why_unread(r));
    blanks = count_blanks(head, n);
    if (blanks == n)
        return gput__file_fail(-EBADMSG, rd->path, rd->ret_err, "the file is empty");
    if (n >= sizeof(sqlite) && memcmp(head, sqlite, sizeof(sqlite)) == 0) {
        gput__input_close(in);
        return read_database(rd);
    }
    if ((unsigned char)head[0] == 0x80)
        return gput__file_fail(-EBADMSG, rd->path, rd->ret_err,
                               "a Python pickle can run code and is not read");
    if (head[blanks] != '{')
        return read_csv(rd, in, head, n);
    in->begin += blanks;
    return read_json(rd, in);
}

int gput__run_read_input(struct gput__input *in, const char *path, const struct gput_callbacks *on,
                         struct gput__run *ret, struct gput_error *ret_err)
{
    struct gput__run run;
    struct gput__run_reading rd = { .path = path, .on = on, .run = &run, .ret_err = ret_err };
    int r;

    gput__run_begin(&run);
    r = read_any(&rd, in);
    if (r == 0 && !gput__run_text(&run.source, path))
        r = gput__file_fail(-ENOMEM, path, ret_err, "%s", strerror(ENOMEM));
    if (r < 0)
        gput__run_free(&run);
    else
        *ret = run;
    gput__input_close(in);
    return r;
}

/* By its name, without opening it: see look_at() in table.c. */
static bool is_database(const char *path)
{
    return GPUT__HAS_SQLITE && gput__path_ends_in(path, ".sqlite");
}

int gput__run_read(const char *path, const struct gput_callbacks *on, struct gput__run *ret,
                   struct gput_error *ret_err)
{
    struct gput__input in = GPUT__INPUT_INIT;
    int r = is_database(path) ? 0 : gput__input_open(path, &in);

    if (r < 0)
        return gput__file_fail(r, path, ret_err, "%s", gput__why_unread(r));
    return gput__run_read_input(&in, path, on, ret, ret_err);
}
