/* plot.c - the picture of a run on standard output. */
#include "terminal/plot.h"

#include "gput.h"
#include "output/exit_codes.h"
#include "output/say.h"
#include "terminal/terminal.h"

#include <stdio.h>
#include <stdlib.h>

/* What the terminal has, as far as a picture can use it. */
static int usable_width(void)
{
    int width = terminal_width(80);

    return width < PLOT_NARROWEST ? PLOT_NARROWEST : width > PLOT_WIDEST ? PLOT_WIDEST : width;
}

char *plot_text(const struct plot *p)
{
    struct gput_plot_options o = GPUT_PLOT_OPTIONS_INIT;
    struct gput_error err;
    char *text = NULL;

    o.tracker = p->tracker;
    o.file = p->file;
    o.result_file = p->result_file;
    o.width = p->width ? p->width : usable_width();
    o.use_unicode = !p->is_ascii && terminal_has_utf8();
    o.use_colour = terminal_has_colour();
    o.no_redact = p->no_redact;
    o.on.warn = say_warning;
    if (gput_report_text(&o, &text, &err) < 0) {
        say("no picture of the run: %s", err.text);
        return NULL;
    }
    return text;
}

int plot_print(const struct plot *p)
{
    char *text = plot_text(p);

    if (!text)
        return EXIT_FAILED;
    fputs(text, stdout);
    free(text);
    return 0;
}
