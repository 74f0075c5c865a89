/* material.h - a run made ready for export, with what its texts live in. */
#ifndef GPUT_API_EXPORT_MATERIAL_H
#define GPUT_API_EXPORT_MATERIAL_H

#include "api/tracker.h"
#include "export/exposition.h"

struct gput__export_material {
    struct gput__exposed exposed; /* points into the rest: it must stay where it is */
    struct gput_usage usage;
    char *labels, *command;
};

/* What goes with the points and figures that it has, whose strings stay: `extra` is one more line of labels, or NULL.  -ENOMEM. */
int gput__export_prepare(struct gput__export_material *m, const struct gput_export_options *o,
                         const char *extra);
void gput__export_free(struct gput__export_material *m);

/* Writes them in the format of the options. */
int gput__export_write(const struct gput__exposed *runs, size_t n,
                       const struct gput_export_options *o, char **ret_text);

/* The options of a caller, who may have been built against an older header. */
struct gput_export_options gput__export_options(const struct gput_export_options *o);

#endif
