/* findings.c - what a check-up of the machine found, written as text or JSON. */
#include "report/text/findings.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/text/print.h"
#include "gput.h"
#include "report/json/json.h"

static struct gput__finding *new_finding(struct gput__findings *f)
{
    if (GPUT__GROW(f->list, f->cap, f->n + 1) < 0) {
        f->err = -ENOMEM;
        return NULL;
    }
    return &f->list[f->n++];
}

void gput__findings_free(struct gput__findings *f)
{
    free(f->list);
    *f = (struct gput__findings){ 0 };
}

void gput__findings_add(struct gput__findings *f, const char *group, const char *name,
                        enum gput__verdict verdict, const char *step, const char *fmt, ...)
{
    struct gput__finding *one = new_finding(f);
    va_list args;

    if (!one)
        return;
    *one = (struct gput__finding){ .group = group,
                                   .verdict = verdict,
                                   .step = verdict == GPUT__GOOD ? NULL : step };
    snprintf(one->name, sizeof(one->name), "%s", name);
    va_start(args, fmt);
    gput__vsnprintf(one->found, sizeof(one->found), fmt, args);
    va_end(args);
    gput_text_plain(one->name); /* names of devices, and what libraries say of them */
    gput_text_plain(one->found);
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
            gput__buf_printf(out, "%*sto change it: %s\n", 40, "", one->step);
    }
    return f->err ? f->err : out->err;
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
    return f->err ? f->err : out->err;
}
