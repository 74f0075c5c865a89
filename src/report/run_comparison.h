/* run_comparison.h - runs side by side: for people, as Markdown, as JSON. */
#ifndef GPUT_REPORT_RUN_COMPARISON_H
#define GPUT_REPORT_RUN_COMPARISON_H

#include "analysis/run_comparison.h"
#include "base/buf.h"
#include "report/text/amount.h"

void gput__run_comparison_text(const struct gput__run_comparison *c, struct gput__buf *out);
void gput__run_comparison_markdown(const struct gput__run_comparison *c, struct gput__buf *out);
void gput__run_comparison_json(const struct gput__run_comparison *c, struct gput__buf *out);

/* run_comparison_words.c: what they share. */

/* As people say it: "1.24 GB", "3.2 s"; "?": not known. */
const char *gput__compared_amount(enum gput__figure_unit unit, double value,
                                  char ret[GPUT__AMOUNT_SIZE]);
/* "+10.2 %", "50 times"; where there was nothing before, the amount: "+3". */
const char *gput__compared_change(enum gput__figure_unit unit, const struct gput__difference *d,
                                  char ret[GPUT__AMOUNT_SIZE]);
const char *gput__compared_noise(enum gput__figure_unit unit, const struct gput__difference *d,
                                 char ret[GPUT__AMOUNT_SIZE]);
/* "worse"; "not judged" */
const char *gput__compared_verdict(const struct gput__difference *d);
/* A figure of a group beside that of the first. */
struct gput__compared_cells {
    char base[GPUT__AMOUNT_SIZE], other[GPUT__AMOUNT_SIZE], change[GPUT__AMOUNT_SIZE],
        noise[GPUT__AMOUNT_SIZE];
    const char *verdict;
    bool differs; /* it is worse or better */
};
void gput__compared_cells(const struct gput__run_comparison *c, size_t group, int figure,
                          struct gput__compared_cells *ret);
/* "ram went from 1.00 GB to 1.10 GB (+10.0 %)" */
void gput__compared_difference(const struct gput__named_figure *f, const struct gput__difference *d,
                               struct gput__buf *out);
/* Whether it is worth a line: it is known in one of the groups, not nothing in all, and not what another
 * line says. */
bool gput__compared_is_shown(const struct gput__run_comparison *c, int figure);
/* Calls `write` for each such figure. */
void gput__compared_each(const struct gput__run_comparison *c, size_t group,
                         void (*write)(const struct gput__run_comparison *c, size_t group,
                                       int figure, struct gput__buf *out),
                         struct gput__buf *out);
/* What became of condition `i` in a group, a sentence without its full stop. */
void gput__compared_condition(const struct gput__run_comparison *c, size_t group, int i,
                              struct gput__buf *out);
/* "1 figure is worse, 2 are better, 3 are the same" */
void gput__compared_sum(const struct gput__run_comparison *c, size_t group, struct gput__buf *out);
/* Calls `add` with "energy: why" of each figure that no run tells. */
void gput__compared_unknown(const struct gput__run_comparison *c,
                            void (*add)(void *ctx, const char *figure, const char *why), void *ctx);

#endif
