/* findings.h - what a check-up of the machine found, written as text or JSON. */
#ifndef GPUT_REPORT_FINDINGS_H
#define GPUT_REPORT_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum gput__verdict { GPUT__GOOD, GPUT__PARTLY, GPUT__MISSING };

struct gput__finding {
    const char *group; /* findings of one group follow each other */
    char name[64];
    enum gput__verdict verdict;
    char found[200];
    const char *step; /* what would change it; NULL: nothing need or can */
};

struct gput__findings {
    struct gput__finding *list;
    size_t n, cap;
    int err; /* sticky -ENOMEM */
};

void gput__findings_free(struct gput__findings *f);
void gput__findings_add(struct gput__findings *f, const char *group, const char *name,
                        enum gput__verdict verdict, const char *step, const char *fmt, ...)
    __attribute__((format(printf, 6, 7)));

int gput__findings_text(const struct gput__findings *f, struct gput__buf *out);
int gput__findings_json(const struct gput__findings *f, struct gput__buf *out);

#endif
