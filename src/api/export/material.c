/* material.c - a run made ready for export: labels, the command without secrets, the figures. */
#include "api/export/material.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text/redact.h"
#include "export/otlp.h"
#include "export/rows.h"

struct gput_export_options gput__export_options(const struct gput_export_options *o)
{
    struct gput_export_options all = GPUT_EXPORT_OPTIONS_INIT;

    if (o)
        memcpy(&all, o, o->size < sizeof(all) ? o->size : sizeof(all));
    return all;
}

int gput_export_check(const struct gput_export_options *from, struct gput_error *ret_err)
{
    struct gput_export_options o = gput__export_options(from);
    static const char *const ours[] = { "scope", "gpu", "task", "host", "run_id" };

    for (const char *p = o.labels; p && *p;) {
        size_t line = strcspn(p, "\n"), key = strcspn(p, "=\n");

        if (key == line || !gput__label_name_is_valid(p, key))
            return gput__refuse(ret_err, -EINVAL, "labels",
                                "'%.*s' is not a name=value whose name has letters, digits and '_'",
                                (int)line, p);
        for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
            if (strlen(ours[i]) == key && strncmp(p, ours[i], key) == 0)
                return gput__refuse(ret_err, -EINVAL, "labels", "'%s' is a label of our own",
                                    ours[i]);
        p += line + (p[line] == '\n');
    }
    return 0;
}

static void add_label(struct gput__buf *out, const char *name, const char *value)
{
    if (!value || !*value)
        return;
    gput__buf_printf(out, "%s=%s\n", name, value);
}

static char *make_labels(const struct gput_usage *u, const struct gput_export_options *o,
                         const char *extra)
{
    struct gput__buf out = GPUT__BUF_INIT;
    char *text = NULL;

    add_label(&out, "task", u->run.job_name);
    add_label(&out, "host", u->run.host);
    gput__buf_puts(&out, o->labels ? o->labels : "");
    if (out.len > 0 && out.data[out.len - 1] != '\n')
        gput__buf_putc(&out, '\n');
    gput__buf_puts(&out, extra ? extra : "");
    return gput__buf_detach(&out, &text) < 0 ? NULL : text;
}

static bool is_over(enum gput_ending ending)
{
    return ending == GPUT_EXITED || ending == GPUT_SIGNALED || ending == GPUT_GONE;
}

int gput__export_prepare(struct gput__export_material *m, const struct gput_export_options *o,
                         const char *extra)
{
    const char *command = m->usage.job.command;

    m->labels = make_labels(&m->usage, o, extra);
    if (command)
        m->command = o->no_redact ? strdup(command) : gput__redacted(command);
    if (!m->labels || (command && !m->command))
        return -ENOMEM;
    m->exposed.head.u = &m->usage;
    m->exposed.head.rank = -1;
    m->exposed.head.labels = m->labels;
    m->exposed.head.command = m->command;
    m->exposed.head.is_final = is_over(m->usage.job.ending);
    return m->exposed.points.err;
}

void gput__export_free(struct gput__export_material *m)
{
    gput__points_free(&m->exposed.points);
    free(m->labels);
    free(m->command);
    *m = (struct gput__export_material){ 0 };
}

int gput__export_write(const struct gput__exposed *runs, size_t n,
                       const struct gput_export_options *o, char **ret_text)
{
    struct gput__buf out = GPUT__BUF_INIT;

    switch (o->format) {
    case GPUT_EXPORT_OTLP:
        gput__otlp_json(runs, n, getenv("OTEL_RESOURCE_ATTRIBUTES"), getenv("OTEL_SERVICE_NAME"),
                        &out);
        break;
    case GPUT_EXPORT_CSV:
        gput__export_csv(runs, n, &out);
        break;
    case GPUT_EXPORT_JSONL:
        gput__export_jsonl(runs, n, &out);
        break;
    default:
        gput__expose(runs, n,
                     o->format == GPUT_EXPORT_OPENMETRICS ? GPUT__EXPOSE_OPENMETRICS
                                                          : GPUT__EXPOSE_TEXT,
                     &out);
    }
    return gput__buf_detach(&out, ret_text);
}

char *gput_redacted(const char *command)
{
    return gput__redacted(command);
}
