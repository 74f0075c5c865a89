/* csv.c - a run as one row under a header: how it ended, then the figures with short names. */
#include <string.h>

#include "base/text/dtoa.h"
#include "model/figure.h"
#include "model/named_figure.h"
#include "report/formats/formats.h"

static void write_text(struct gput__buf *out, const char *text)
{
    gput__buf_putc(out, '"');
    for (; *text; text++) {
        if (*text == '"')
            gput__buf_putc(out, '"');
        gput__buf_putc(out, *text);
    }
    gput__buf_putc(out, '"');
}

/* Lines end in CR LF, as those of tracking files; what is not known is an empty cell. */
void gput__usage_csv(const struct gput_usage *u, struct gput__buf *out)
{
    int status = gput__format_status(u);
    char number[32];

    gput__buf_puts(out, "command,exit_status");
    for (int i = 0; i < GPUT__N_NAMED_FIGURES; i++)
        gput__buf_printf(out, ",%s%s", gput__named_figures[i].name,
                         gput__format_suffix(gput__named_figures[i].unit));
    gput__buf_puts(out, "\r\n");
    write_text(out, u->job.command ? u->job.command : "");
    gput__buf_putc(out, ',');
    if (status >= 0)
        gput__buf_printf(out, "%d", status);
    for (int i = 0; i < GPUT__N_NAMED_FIGURES; i++) {
        struct gput_figure f = gput__named_figure_of(u, i);

        gput__buf_putc(out, ',');
        if (!gput__figure_is_known(f))
            continue;
        gput__dtoa_round3(f.value, number);
        gput__buf_puts(out, number);
    }
    gput__buf_puts(out, "\r\n");
}
