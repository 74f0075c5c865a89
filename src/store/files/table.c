/* table.c - rows of a .csv or .sqlite file: columns by name, cells by type, faults by place. */
#include "store/files/table.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text/atod.h"
#include "base/text/dtoa.h"
#include "base/text/print.h"
#include "base/text/text.h"
#include "store/records/records.h"

/* More is no table of ours. */
#define MOST_COLUMNS 1000

/* Above this a double no longer counts one by one. */
#define LARGEST_WHOLE 9007199254740992.0

const char *gput__why_unread(int r)
{
    if (r == -EILSEQ)
        return "the gzip data is damaged or cut off";
    return r == -ENOSYS ? "this program was built without zlib, which reads gzip" : strerror(-r);
}

static void set_error(struct gput_error *ret, const char *where, const char *format, va_list args)
{
    char text[sizeof(ret->text)];

    gput__vsnprintf(text, sizeof(text), format, args);
    *ret = (struct gput_error){ .field = "" };
    /* A long path must not push the reason out. */
    snprintf(ret->text, sizeof(ret->text), "%.*s%.400s", (int)(sizeof(ret->text) - 402), where,
             text);
}

int gput__file_fail(int r, const char *path, struct gput_error *ret_err, const char *format, ...)
{
    char where[sizeof(ret_err->text)];
    va_list args;

    snprintf(where, sizeof(where), "%s: ", path);
    va_start(args, format);
    set_error(ret_err, where, format, args);
    va_end(args);
    return r;
}

int gput__table_fail(const struct gput__table *t, struct gput_error *ret_err, const char *format,
                     ...)
{
    char place[64], where[sizeof(ret_err->text)];
    va_list args;

    t->ops->place(t, place, sizeof(place));
    snprintf(where, sizeof(where), "%s: %s: ", t->path, place);
    va_start(args, format);
    set_error(ret_err, where, format, args);
    va_end(args);
    return -EBADMSG;
}

void gput__table_tell_unfinished(struct gput__table *t, const char *what)
{
    struct gput_error line;

    if (t->has_told)
        return;
    t->has_told = true;
    if (!t->on || !t->on->warn)
        return;
    gput__file_fail(0, t->path, &line, "%s", what);
    t->on->warn(t->on->ctx, line.text);
}

bool gput__path_ends_in(const char *path, const char *extension)
{
    size_t n = strlen(path), m = strlen(extension);

    return n > m && strcmp(path + n - m, extension) == 0;
}

/* Without opening it: closing a descriptor ends the locks that SQLite has on the file in this
 * process, those of a thread that writes to it too. */
static int check_file(const char *path)
{
    struct stat st;

    if (stat(path, &st) < 0 || access(path, R_OK) < 0)
        return -errno;
    return S_ISDIR(st.st_mode) ? -EISDIR : 0;
}

/* What each kind of table has in common; r is what opening it came to. */
static int finish_open(int r, struct gput__table *t, const char *why, const char *path,
                       const struct gput_callbacks *on, struct gput__table **ret,
                       struct gput_error *ret_err)
{
    if (r < 0)
        return gput__file_fail(r, path, ret_err, "%s", why ? why : gput__why_unread(r));
    t->on = on;
    t->path = strdup(path);
    if (!t->path) {
        gput__table_close(t);
        return gput__file_fail(-ENOMEM, path, ret_err, "%s", strerror(ENOMEM));
    }
    *ret = t;
    return 0;
}

int gput__table_open_database(const char *path, const struct gput_callbacks *on,
                              struct gput__table **ret, struct gput_error *ret_err)
{
    struct gput__table *t = NULL;
    const char *why = NULL;
    int r = check_file(path);

    r = r < 0 ? r : gput__table_open_sqlite(path, &t, &why);
    return finish_open(r, t, why, path, on, ret, ret_err);
}

int gput__table_open_text(struct gput__input *in, const char *path, const struct gput_callbacks *on,
                          struct gput__table **ret, struct gput_error *ret_err)
{
    struct gput__table *t = NULL;
    int r = gput__table_open_csv(in, &t);

    return finish_open(r, t, NULL, path, on, ret, ret_err);
}

int gput__table_open(const char *path, const struct gput_callbacks *on, struct gput__table **ret,
                     struct gput_error *ret_err)
{
    struct gput__input in;
    int r;

    if (GPUT__HAS_SQLITE && gput__path_ends_in(path, ".sqlite"))
        return gput__table_open_database(path, on, ret, ret_err);
    if (!gput__path_ends_in(path, ".csv"))
        return gput__file_fail(-EINVAL, path, ret_err, "the name must end in " GPUT__FILE_NAMES);
    r = gput__input_open(path, &in);
    if (r < 0)
        return gput__file_fail(r, path, ret_err, "%s", gput__why_unread(r));
    return gput__table_open_text(&in, path, on, ret, ret_err);
}

static void free_own(struct gput__table *t)
{
    for (unsigned i = 0; t->own_names && i < t->own.n_needed; i++)
        free(t->own_names[i]);
    free(t->own_names);
    t->own_names = NULL;
    t->own = (struct gput__columns){ 0 };
}

struct gput__table *gput__table_close(struct gput__table *t)
{
    if (!t)
        return NULL;
    free(t->path);
    free(t->at);
    free(t->spare);
    free_own(t);
    t->ops->close(t);
    return NULL;
}

static bool is_named(struct gput__table_cell cell, const char *name)
{
    return cell.kind == GPUT__CELL_TEXT && strcmp(cell.text, name) == 0;
}

/* Fills t->at; a column that is not there is UINT_MAX there. */
static int find_columns(struct gput__table *t, const struct gput__columns *c,
                        struct gput_error *ret_err)
{
    unsigned n = c->n_needed + c->n_further + c->n_optional;

    for (unsigned i = 0; i < n; i++)
        t->at[i] = UINT32_MAX;
    for (unsigned cell = 0; cell < t->n_columns; cell++) {
        struct gput__table_cell header = t->ops->cell(t, cell);
        char shown[80];
        unsigned i = 0;

        while (i < n && !is_named(header, c->names[i]))
            i++;
        if (i == n && c->may_have_others) {
            t->is_in_order = false;
            continue;
        }
        if (i == n)
            return gput__table_fail(
                t, ret_err, "unknown column '%s'",
                gput__text_shown(header.text, header.len, shown, sizeof(shown)));
        if (t->at[i] != UINT32_MAX)
            return gput__table_fail(t, ret_err, "column '%s' is there twice", c->names[i]);
        t->at[i] = cell;
        t->is_in_order &= i == cell;
        t->has_further |= i >= c->n_needed && i < c->n_needed + c->n_further;
    }
    for (unsigned i = 0; i < c->n_needed + (t->has_further ? c->n_further : 0); i++)
        if (t->at[i] == UINT32_MAX)
            return gput__table_fail(t, ret_err, "column '%s' is missing", c->names[i]);
    return 1;
}

static int go_to(struct gput__table *t, const char *name, struct gput_error *ret_err)
{
    int r;

    t->in_rows = t->has_further = false;
    t->is_in_order = true;
    r = t->ops->begin(t, name, ret_err);
    t->n_columns = r > 0 ? t->n_cells : 0;
    return r;
}

static int use_columns(struct gput__table *t, const struct gput__columns *columns,
                       struct gput_error *ret_err)
{
    unsigned n = columns->n_needed + columns->n_further + columns->n_optional;
    int r;

    t->columns = columns;
    free(t->at);
    t->at = malloc(n * sizeof(*t->at));
    free(t->spare);
    t->spare = malloc(n * sizeof(*t->spare));
    if (!t->at || !t->spare) {
        gput__table_fail(t, ret_err, "%s", strerror(ENOMEM));
        return -ENOMEM;
    }
    r = find_columns(t, columns, ret_err);
    t->in_rows = true;
    return r;
}

int gput__table_begin(struct gput__table *t, const char *name, const struct gput__columns *columns,
                      struct gput_error *ret_err)
{
    int r = go_to(t, name, ret_err);

    return r > 0 ? use_columns(t, columns, ret_err) : r;
}

int gput__table_begin_any(struct gput__table *t, const char *name, struct gput_error *ret_err)
{
    int r = go_to(t, name, ret_err);

    if (r <= 0)
        return r;
    if (t->n_columns > MOST_COLUMNS)
        return gput__table_fail(t, ret_err, "there are %u columns", t->n_columns);
    free_own(t);
    t->own_names = calloc(t->n_columns, sizeof(*t->own_names));
    for (; t->own_names && t->own.n_needed < t->n_columns; t->own.n_needed++)
        if (!(t->own_names[t->own.n_needed] = strdup(t->ops->cell(t, t->own.n_needed).text)))
            break;
    if (t->own.n_needed < t->n_columns) {
        gput__table_fail(t, ret_err, "%s", strerror(ENOMEM));
        return -ENOMEM;
    }
    t->own.names = (const char *const *)t->own_names;
    return use_columns(t, &t->own, ret_err);
}

int gput__table_next(struct gput__table *t, struct gput_error *ret_err)
{
    int r = t->ops->next(t, ret_err);

    if (r > 0 && t->n_cells != t->n_columns)
        return gput__table_fail(t, ret_err, "%u value%s instead of %u", t->n_cells,
                                t->n_cells == 1 ? "" : "s", t->n_columns);
    return r;
}

bool gput__table_has_optional(const struct gput__table *t, unsigned i)
{
    return t->at[t->columns->n_needed + t->columns->n_further + i] != UINT32_MAX;
}

static int read_optional(struct gput__table *t, double *ret, struct gput_error *ret_err)
{
    const struct gput__columns *c = t->columns;
    unsigned from = c->n_needed + c->n_further;

    for (unsigned i = 0; i < c->n_optional; i++) {
        ret[c->n_needed + i] = NAN;
        if (gput__table_has_optional(t, i) &&
            gput__table_number_or_none(t, from + i, &ret[c->n_needed + i], ret_err) < 0)
            return -EBADMSG;
    }
    return 0;
}

int gput__table_next_numbers(struct gput__table *t, double *ret, struct gput_error *ret_err)
{
    int r = t->n_columns == t->columns->n_needed ? t->ops->numbers(t, t->spare) : 0;

    if (r == 0) {
        r = gput__table_next(t, ret_err);
        for (unsigned i = 0; r > 0 && i < t->columns->n_needed; i++)
            if (gput__table_number(t, i, &ret[i], ret_err) < 0)
                r = -EBADMSG;
        if (r > 0 && read_optional(t, ret, ret_err) < 0)
            r = -EBADMSG;
        return r;
    } else if (r > 0 && t->is_in_order) {
        memcpy(ret, t->spare, t->n_columns * sizeof(*ret));
    } else if (r > 0) {
        for (unsigned i = 0; i < t->n_columns; i++)
            ret[i] = t->spare[t->at[i]];
    }
    return r;
}

static int fail_type(const struct gput__table *t, unsigned i, struct gput__table_cell cell,
                     const char *wanted, struct gput_error *ret_err)
{
    char shown[80], number[32];

    if (cell.kind == GPUT__CELL_NONE || (cell.kind == GPUT__CELL_TEXT && cell.len == 0))
        return gput__table_fail(t, ret_err, "%s is empty", t->columns->names[i]);
    if (cell.kind == GPUT__CELL_NUMBER) {
        gput__dtoa(cell.number, number);
        return gput__table_fail(t, ret_err, "%s: %s is not %s", t->columns->names[i], number,
                                wanted);
    }
    return gput__table_fail(t, ret_err, "%s: '%s' is not %s", t->columns->names[i],
                            gput__text_shown(cell.text, cell.len, shown, sizeof(shown)), wanted);
}

/* Of a cell that is no number at all: nothing. */
static bool number_in(struct gput__table_cell cell, double *ret)
{
    const char *end;

    if (cell.kind == GPUT__CELL_NUMBER) {
        *ret = cell.number;
        return isfinite(cell.number);
    }
    end = cell.kind == GPUT__CELL_TEXT ? gput__atod(cell.text, ret) : NULL;
    return end == cell.text + cell.len && end && isfinite(*ret);
}

int gput__table_number(struct gput__table *t, unsigned i, double *ret, struct gput_error *ret_err)
{
    struct gput__table_cell cell = t->ops->cell(t, t->at[i]);
    double value;

    if (!number_in(cell, &value))
        return fail_type(t, i, cell, "a number", ret_err);
    *ret = value;
    return 0;
}

int gput__table_whole(struct gput__table *t, unsigned i, int64_t *ret, struct gput_error *ret_err)
{
    struct gput__table_cell cell = t->ops->cell(t, t->at[i]);
    double value;

    if (!number_in(cell, &value) || value != trunc(value) || fabs(value) > LARGEST_WHOLE)
        return fail_type(t, i, cell, "a whole number", ret_err);
    *ret = (int64_t)value;
    return 0;
}

int gput__table_text(struct gput__table *t, unsigned i, const char **ret, size_t *ret_len,
                     struct gput_error *ret_err)
{
    struct gput__table_cell cell = t->ops->cell(t, t->at[i]);

    if (cell.kind != GPUT__CELL_TEXT)
        return fail_type(t, i, cell, "text", ret_err);
    if (memchr(cell.text, '\0', cell.len))
        return gput__table_fail(t, ret_err, "%s holds a NUL byte", t->columns->names[i]);
    *ret = cell.text;
    *ret_len = cell.len;
    return 0;
}

int gput__table_number_or_none(struct gput__table *t, unsigned i, double *ret,
                               struct gput_error *ret_err)
{
    struct gput__table_cell cell = t->ops->cell(t, t->at[i]);

    if (cell.kind == GPUT__CELL_NONE || (cell.kind == GPUT__CELL_TEXT && cell.len == 0)) {
        *ret = NAN;
        return 0;
    }
    return gput__table_number(t, i, ret, ret_err);
}
