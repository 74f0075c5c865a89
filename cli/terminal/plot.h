/* plot.h - the picture of a run on standard output. */
#ifndef CLI_PLOT_H
#define CLI_PLOT_H

#include "gput.h"

#include <stdbool.h>

enum { PLOT_NARROWEST = 40, PLOT_WIDEST = 1000 }; /* as gput_report_text() takes them */

struct plot {
    struct gput_tracker *tracker;   /* what it has measured, instead of files; or NULL */
    const char *file, *result_file; /* the second may be NULL */
    int width;                      /* columns; 0: as many as the terminal has */
    bool is_ascii;                  /* even if the locale has more */
    bool no_redact;                 /* the command is shown as it is */
};

/* free() it; NULL: what went wrong has been said. */
char *plot_text(const struct plot *p);
/* Returns the exit status; what went wrong has been said. */
int plot_print(const struct plot *p);

#endif
