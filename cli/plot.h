/* plot.h - the picture of a run on standard output. */
#ifndef CLI_PLOT_H
#define CLI_PLOT_H

#include <stdbool.h>

enum { PLOT_NARROWEST = 40, PLOT_WIDEST = 1000 }; /* as gput_report_text() takes them */

struct plot {
    const char *file;
    int width;     /* columns; 0: as many as the terminal has */
    bool is_ascii; /* even if the locale has more */
};

/* Returns the exit status; what went wrong is said, with the name of the subcommand in front. */
int plot_print(const struct plot *p, const char *subcommand);

#endif
