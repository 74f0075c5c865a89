/* block_match.c - which code blocks of several runs belong together. */
#include "analysis/block_match.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/text/text.h"
#include "store/files/table.h"

enum { SHOWN = 100 }; /* bytes of a name in a message */

/* The digits behind the last colon of "path:line", or NULL. */
static const char *line_of(const char *name)
{
    const char *colon = strrchr(name, ':');

    if (!colon || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")])
        return NULL;
    return colon + 1;
}

/* Up to and with the colon where there is a line, else all of it. */
static size_t length_of_path(const char *name)
{
    const char *line = line_of(name);

    return line ? (size_t)(line - name) : strlen(name);
}

/* Decimal digits of any length as numbers. */
static int compare_digits(const char *a, const char *b)
{
    size_t n, m;

    a += strspn(a, "0");
    b += strspn(b, "0");
    n = strlen(a);
    m = strlen(b);
    return n != m ? (n > m) - (n < m) : strcmp(a, b);
}

static int by_path_and_line(const void *a, const void *b)
{
    const char *x = ((const struct gput__result_block *)a)->name;
    const char *y = ((const struct gput__result_block *)b)->name;
    size_t n = length_of_path(x), m = length_of_path(y);
    int order = memcmp(x, y, n < m ? n : m);
    const char *line_x = line_of(x), *line_y = line_of(y);

    if (order || n != m)
        return order ? order : (n > m) - (n < m);
    order = line_x && line_y ? compare_digits(line_x, line_y) : !!line_x - !!line_y;
    return order ? order : strcmp(x, y);
}

void gput__blocks_sort(struct gput__result *res)
{
    qsort(res->blocks, res->n_blocks, sizeof(*res->blocks), by_path_and_line);
}

static bool differ_by_line_only(const char *a, const char *b)
{
    size_t n = length_of_path(a);

    return line_of(a) && line_of(b) && length_of_path(b) == n && memcmp(a, b, n) == 0;
}

struct matching {
    const struct gput__result *results;
    const struct gput_session *sessions;
    struct gput_error *ret_err;
    char first[400]; /* the first pair whose lines differ */
    size_t n_moved;  /* such pairs */
};

static int refuse(struct matching *m, size_t session, const char *a, const char *b)
{
    char x[SHOWN], y[SHOWN];

    return gput__file_fail(-EBADMSG, m->sessions[session].file, m->ret_err,
                           "code block '%s' does not match '%s' of session '%.80s'",
                           gput__text_shown(b, strlen(b), y, sizeof(y)),
                           gput__text_shown(a, strlen(a), x, sizeof(x)), m->sessions[0].name);
}

static int match_one(struct matching *m, size_t session, size_t block)
{
    const char *a = m->results[0].blocks[block].name;
    const char *b = m->results[session].blocks[block].name;
    char x[SHOWN], y[SHOWN];

    if (strcmp(a, b) == 0)
        return 0;
    if (!differ_by_line_only(a, b))
        return refuse(m, session, a, b);
    if (m->n_moved++ == 0)
        snprintf(m->first, sizeof(m->first), "'%s' of session '%.60s' with '%s' of '%.60s'",
                 gput__text_shown(a, strlen(a), x, sizeof(x)), m->sessions[0].name,
                 gput__text_shown(b, strlen(b), y, sizeof(y)), m->sessions[session].name);
    return 0;
}

static int match_session(struct matching *m, size_t session)
{
    size_t n = m->results[0].n_blocks, here = m->results[session].n_blocks;

    if (here != n)
        return gput__file_fail(-EBADMSG, m->sessions[session].file, m->ret_err,
                               "%zu code block%s, but session '%.80s' has %zu", here,
                               here == 1 ? "" : "s", m->sessions[0].name, n);
    for (size_t i = 0; i < n; i++)
        if (match_one(m, session, i) < 0)
            return -EBADMSG;
    return 0;
}

static void tell_moved(const struct matching *m, const struct gput_callbacks *on)
{
    char line[600], more[48] = "";

    if (m->n_moved == 0 || !on || !on->warn)
        return;
    if (m->n_moved > 1)
        snprintf(more, sizeof(more), ", and %zu more", m->n_moved - 1);
    snprintf(line, sizeof(line),
             "code blocks whose names differ by line number are matched by their order: %s%s",
             m->first, more);
    on->warn(on->ctx, line);
}

int gput__blocks_match(const struct gput__result *results, const struct gput_session *sessions,
                       size_t n, const struct gput_callbacks *on, struct gput_error *ret_err)
{
    struct matching m = { .results = results, .sessions = sessions, .ret_err = ret_err };

    for (size_t i = 1; i < n; i++)
        if (match_session(&m, i) < 0)
            return -EBADMSG;
    tell_moved(&m, on);
    return 0;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

char *gput__block_label(const struct gput__result *results, size_t n, size_t block)
{
    const char **names = calloc(n, sizeof(*names));
    struct gput__buf label = { 0 };
    char *text = NULL;

    if (!names)
        return NULL;
    for (size_t i = 0; i < n; i++)
        names[i] = results[i].blocks[block].name;
    qsort(names, n, sizeof(*names), by_text);
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && strcmp(names[i], names[i - 1]) == 0)
            continue;
        gput__buf_puts(&label, i ? " -> " : "");
        gput__buf_puts(&label, names[i]);
    }
    free(names);
    return gput__buf_detach(&label, &text) < 0 ? NULL : text;
}
