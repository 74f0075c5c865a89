/* exposition.c - figures as Prometheus reads them: the text format and OpenMetrics. */
#include "export/exposition.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/text/utf8.h"

#define PREFIX "gpu_tracker_"

struct writer {
    struct gput__buf *out;
    bool is_openmetrics;
    unsigned n_labels; /* of the sample under way */
};

/* --- texts ----------------------------------------------------------------------------------- */

static void write_escaped(struct gput__buf *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n;) {
        size_t len = gput__utf8_length(text + i);

        if (text[i] == '\\' || text[i] == '"')
            gput__buf_putc(out, '\\');
        if (text[i] == '\n')
            gput__buf_puts(out, "\\n");
        else if (len == 0 || len > n - i)
            gput__utf8_append(out, GPUT__UTF8_REPLACEMENT);
        else
            gput__buf_add(out, text + i, len);
        i += len && len <= n - i ? len : 1;
    }
}

static void write_label(struct writer *w, const char *name, size_t name_len, const char *value,
                        size_t n)
{
    gput__buf_puts(w->out, w->n_labels++ ? "," : "{");
    gput__buf_add(w->out, name, name_len);
    gput__buf_puts(w->out, "=\"");
    write_escaped(w->out, value, n);
    gput__buf_puts(w->out, "\"");
}

static void write_label_of(struct writer *w, const char *name, const char *value)
{
    if (value)
        write_label(w, name, strlen(name), value, strlen(value));
}

/* Names that are none are left out: where they come from, they were refused. */
static void write_common_labels(struct writer *w, const struct gput__export_head *head)
{
    const char *lines = head->labels;
    struct gput__pair pair;

    w->n_labels = 0;
    while (gput__pair_next(&lines, &pair))
        if (gput__label_name_is_valid(pair.key, pair.key_len))
            write_label(w, pair.key, pair.key_len, pair.value, pair.value_len);
}

static void write_value(struct writer *w, double value)
{
    char number[32];

    gput__export_number(value, number);
    gput__buf_printf(w->out, "%s %s\n", w->n_labels ? "}" : "", number);
}

/* --- families -------------------------------------------------------------------------------- */

static void write_family(struct writer *w, const struct gput__point *p)
{
    bool is_counter = p->kind == GPUT__POINT_COUNTER;
    const char *total = is_counter && !w->is_openmetrics ? "_total" : "";
    const char *unit = gput__point_unit(p->family);

    gput__buf_printf(w->out, "# HELP " PREFIX "%s%s %s%s\n", p->family, total, p->prefix, p->help);
    gput__buf_printf(w->out, "# TYPE " PREFIX "%s%s %s\n", p->family, total,
                     is_counter ? "counter" : "gauge");
    if (w->is_openmetrics && *unit)
        gput__buf_printf(w->out, "# UNIT " PREFIX "%s %s\n", p->family, unit);
}

static void write_point(struct writer *w, const struct gput__export_head *head,
                        const struct gput__point *p)
{
    char gpu[16];

    gput__buf_printf(w->out, PREFIX "%s%s", p->family,
                     p->kind == GPUT__POINT_COUNTER ? "_total" : "");
    write_common_labels(w, head);
    write_label_of(w, "scope", p->scope);
    if (p->gpu >= 0) {
        snprintf(gpu, sizeof(gpu), "%d", p->gpu);
        write_label_of(w, "gpu", gpu);
    }
    write_value(w, p->value);
}

static bool is_of_family(const struct gput__point *a, const struct gput__point *b)
{
    return a->kind == b->kind && strcmp(a->family, b->family) == 0;
}

/* The first point of each family: of thousands of ranks there are not more families than of one. */
struct families {
    const struct gput__point **first;
    size_t n, cap;
};

static int add_family(struct families *f, const struct gput__point *p)
{
    for (size_t i = 0; i < f->n; i++)
        if (is_of_family(f->first[i], p))
            return 0;
    if (GPUT__GROW(f->first, f->cap, f->n + 1) < 0)
        return -ENOMEM;
    f->first[f->n++] = p;
    return 0;
}

static int find_families(const struct gput__exposed *runs, size_t n, struct families *ret)
{
    int err = 0;

    for (size_t r = 0; err == 0 && r < n; r++) {
        err = runs[r].points.err;
        for (size_t i = 0; err == 0 && i < runs[r].points.n; i++)
            err = add_family(ret, &runs[r].points.list[i]);
    }
    return err;
}

/* All points of a family together, with the help of the last: that of the job as a whole. */
static void write_all_of(struct writer *w, const struct gput__exposed *runs, size_t n,
                         const struct gput__point *of)
{
    const struct gput__point *last = of;

    for (size_t i = 0; i < runs[0].points.n; i++)
        if (is_of_family(&runs[0].points.list[i], of))
            last = &runs[0].points.list[i];
    write_family(w, last);
    for (size_t r = 0; r < n; r++)
        for (size_t i = 0; i < runs[r].points.n; i++)
            if (is_of_family(&runs[r].points.list[i], of))
                write_point(w, &runs[r].head, &runs[r].points.list[i]);
}

/* --- which runs they are --------------------------------------------------------------------- */

/* "tag_" and the key, with what no label may have replaced. */
static void write_tags(struct writer *w, const char *prefix, const char *lines)
{
    struct gput__pair pair;
    char name[80];

    while (gput__pair_next(&lines, &pair)) {
        int n = snprintf(name, sizeof(name), "%s%.*s", prefix, (int)pair.key_len, pair.key);

        if (n >= (int)sizeof(name))
            continue;
        for (char *c = name; *c; c++)
            if (!gput__label_name_is_valid(c, 1) && !(*c >= '0' && *c <= '9'))
                *c = '_';
        write_label(w, name, strlen(name), pair.value, pair.value_len);
    }
}

/* Of several runs each figure has it. */
static bool has_label(const struct gput__export_head *head, const char *name)
{
    const char *lines = head->labels;
    struct gput__pair pair;

    while (gput__pair_next(&lines, &pair))
        if (strlen(name) == pair.key_len && strncmp(name, pair.key, pair.key_len) == 0)
            return true;
    return false;
}

static void write_info(struct writer *w, const struct gput__export_head *head)
{
    gput__buf_puts(w->out, PREFIX "run_info");
    write_common_labels(w, head);
    if (!has_label(head, "run_id"))
        write_label_of(w, "run_id", head->u->run.id);
    write_label_of(w, "version", head->u->run.version);
    write_label_of(w, "command", head->command);
    write_label_of(w, "folder", head->u->run.folder);
    write_tags(w, "tag_", head->u->run.tags);
    write_tags(w, "", head->u->run.metadata);
    write_value(w, 1);
}

static void write_gpus(struct writer *w, const struct gput__export_head *head)
{
    for (int i = 0; i < head->u->gpu.n_gpus; i++) {
        const struct gput_gpu *g = &head->u->gpu.gpus[i];
        char gpu[16];

        snprintf(gpu, sizeof(gpu), "%d", g->index);
        gput__buf_puts(w->out, PREFIX "gpu_info");
        write_common_labels(w, head);
        write_label_of(w, "gpu", gpu);
        write_label_of(w, "uuid", g->uuid);
        write_label_of(w, "name", g->name);
        write_label_of(w, "brand", g->brand);
        write_value(w, 1);
    }
}

static void write_infos(struct writer *w, const struct gput__exposed *runs, size_t n)
{
    /* OpenMetrics has a type for it, whose name is without "_info". */
    const char *suffix = w->is_openmetrics ? "" : "_info";
    const char *type = w->is_openmetrics ? "info" : "gauge";
    int n_gpus = 0;

    gput__buf_printf(w->out, "# HELP " PREFIX "run%s Which run it is\n# TYPE " PREFIX "run%s %s\n",
                     suffix, suffix, type);
    for (size_t r = 0; r < n; r++) {
        write_info(w, &runs[r].head);
        n_gpus += runs[r].head.u->gpu.n_gpus;
    }
    if (n_gpus == 0)
        return;
    gput__buf_printf(w->out, "# HELP " PREFIX "gpu%s Which GPU it is\n# TYPE " PREFIX "gpu%s %s\n",
                     suffix, suffix, type);
    for (size_t r = 0; r < n; r++)
        write_gpus(w, &runs[r].head);
}

static void write_times(struct writer *w, const struct gput__exposed *runs, size_t n,
                        const char *family, const char *help, bool is_end)
{
    bool has_head = false;

    for (size_t r = 0; r < n; r++) {
        const struct gput__export_head *h = &runs[r].head;
        int64_t ns = is_end ? h->now_ns : h->start_ns;
        bool is_success = h->is_final && h->u->job.ending == GPUT_EXITED && h->u->job.code == 0;

        if (ns == 0 || (is_end && !is_success))
            continue;
        if (!has_head)
            gput__buf_printf(w->out, "# HELP " PREFIX "%s %s\n# TYPE " PREFIX "%s gauge\n%s",
                             family, help, family, w->is_openmetrics ? "# UNIT " : "");
        if (!has_head && w->is_openmetrics)
            gput__buf_printf(w->out, PREFIX "%s seconds\n", family);
        has_head = true;
        gput__buf_printf(w->out, PREFIX "%s", family);
        write_common_labels(w, h);
        write_value(w, (double)(ns / 1000) / 1e6);
    }
}

void gput__expose(const struct gput__exposed *runs, size_t n, enum gput__exposition form,
                  struct gput__buf *out)
{
    struct writer w = { .out = out, .is_openmetrics = form == GPUT__EXPOSE_OPENMETRICS };
    struct families families = { NULL, 0, 0 };
    int err = find_families(runs, n, &families);

    if (err)
        out->err = err;
    for (size_t i = 0; i < families.n; i++)
        write_all_of(&w, runs, n, families.first[i]);
    free(families.first);
    write_times(&w, runs, n, "run_start_time_seconds", "When the run began, since 1970", false);
    write_times(&w, runs, n, "last_success_time_seconds",
                "When the job last ended with exit code 0, since 1970", true);
    write_infos(&w, runs, n);
    if (w.is_openmetrics)
        gput__buf_puts(out, "# EOF\n");
}
