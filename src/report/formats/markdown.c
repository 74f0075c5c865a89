/* markdown.c - a run as a table of Markdown, for the pages of a build. */
#include <string.h>

#include "model/figure.h"
#include "model/named_figure.h"
#include "model/usage_rows.h"
#include "report/budget.h"
#include "report/formats/formats.h"
#include "report/text/amount.h"
#include "report/text/screen_text.h"

void gput__markdown_text(struct gput__buf *out, const char *text)
{
    struct gput__buf line = GPUT__BUF_INIT;

    gput__screen_line(&line, text);
    for (const char *p = gput__buf_text(&line); *p; p++) {
        if (strchr("\\`*_{}[]<>|#!&~@", *p))
            gput__buf_putc(out, '\\');
        gput__buf_putc(out, *p);
    }
    gput__buf_free(&line);
}

static void write_head(struct gput__buf *out, const struct gput_usage *u)
{
    int status = gput__format_status(u);

    gput__buf_puts(out, "### ");
    gput__markdown_text(out, u->job.command ? u->job.command : "A running process");
    if (status >= 0)
        gput__buf_printf(out, " (status %d)", status);
    gput__buf_puts(out, "\n\n| | | |\n|---|---|---|\n");
}

void gput__usage_markdown(const struct gput_usage *u, struct gput__buf *out)
{
    char text[GPUT__AMOUNT_SIZE], words[GPUT__BUDGET_WORDS];

    write_head(out, u);
    for (int i = 0; i < GPUT__N_NAMED_FIGURES; i++) {
        struct gput_figure f = gput__named_figure_of(u, i);

        if (gput__figure_is_known(f))
            gput__buf_printf(out, "| %s | %s | %s |\n", gput__named_figures[i].label,
                             gput__amount_figure(f.value, gput__named_figures[i].unit, text),
                             gput__source_name(f.source));
    }
    for (int i = 0; i < u->budget.n_lines; i++) {
        const struct gput_budget_line *line = &u->budget.lines[i];

        gput__buf_printf(out, "%s- %s: ", i ? "" : "\n", line->is_met ? "kept" : "**broken**");
        gput__markdown_text(out, gput_budget_words(line, words, sizeof(words)));
        gput__buf_putc(out, '\n');
    }
}
