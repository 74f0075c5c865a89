/* findings.c - what a check-up of the machine found, written as text or JSON. */
#include "report/findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "report/json.h"

void gput__findings_add(struct gput__findings *f, const char *group, const char *name,
                        enum gput__verdict verdict, const char *step, const char *fmt, ...)
{
    struct gput__finding *one;
    va_list args;

    if (f->n == sizeof(f->list) / sizeof(*f->list))
        return;
    one = &f->list[f->n++];
    *one = (struct gput__finding){ .group = group,
                                   .verdict = verdict,
                                   .step = verdict == GPUT__GOOD ? NULL : step };
    snprintf(one->name, sizeof(one->name), "%s", name);
    va_start(args, fmt);
    vsnprintf(one->found, sizeof(one->found), fmt, args);
    va_end(args);
}

int gput__findings_text(const struct gput__findings *f, struct gput__buf *out)
{
    static const char *const words[] = { "yes", "partly", "no" };
    const char *group = "";

    for (size_t i = 0; i < f->n; i++) {
        const struct gput__finding *one = &f->list[i];

        if (strcmp(group, one->group))
            gput__buf_printf(out, "%s:\n", one->group);
        group = one->group;
        gput__buf_printf(out, "   %-6s  %-28s %s\n", words[one->verdict], one->name, one->found);
        if (one->step)
            gput__buf_printf(out, "%*sto change it: %s\n", 39, "", one->step);
    }
    return out->err;
}

int gput__findings_json(const struct gput__findings *f, struct gput__buf *out)
{
    static const char *const words[] = { "yes", "partly", "no" };
    struct gput__json j = { .out = out };

    gput__json_open(&j, NULL);
    gput__json_open_list(&j, "findings");
    for (size_t i = 0; i < f->n; i++) {
        const struct gput__finding *one = &f->list[i];

        gput__json_open(&j, NULL);
        gput__json_string(&j, "group", one->group);
        gput__json_string(&j, "name", one->name);
        gput__json_string(&j, "measured", words[one->verdict]);
        gput__json_string(&j, "found", one->found);
        gput__json_string(&j, "step", one->step);
        gput__json_close(&j);
    }
    gput__json_close_list(&j);
    gput__json_close(&j);
    return out->err;
}
