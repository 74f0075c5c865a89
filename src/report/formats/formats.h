/* formats.h - the figures of a run as other programs write them.  Each appends. */
#ifndef GPUT_REPORT_FORMATS_H
#define GPUT_REPORT_FORMATS_H

#include "base/buf.h"
#include "gput.h"
#include "model/named_figure.h"

void gput__usage_markdown(const struct gput_usage *u, struct gput__buf *out);
void gput__usage_csv(const struct gput_usage *u, struct gput__buf *out);
/* A text from outside in Markdown: what has a meaning there loses it. */
void gput__markdown_text(struct gput__buf *out, const char *text);
/* GNU time -v */
void gput__usage_time(const struct gput_usage *u, struct gput__buf *out);
/* the benchmark file of a Snakemake rule */
void gput__usage_snakemake(const struct gput_usage *u, struct gput__buf *out);
/* the .command.trace of a Nextflow task */
void gput__usage_nextflow(const struct gput_usage *u, struct gput__buf *out);

/* the XML of JUnit */
void gput__usage_junit(const struct gput_usage *u, struct gput__buf *out);

/* What these have in common: CPU seconds, of user and kernel together; the largest peak of one process;
 * the exit status as a shell has it, -1: not known. */
struct gput_figure gput__format_cpu(const struct gput_usage *u);
struct gput_figure gput__format_largest(const struct gput_usage *u);
int gput__format_status(const struct gput_usage *u);
/* Behind the name of a figure: "_bytes", "_seconds" ... */
const char *gput__format_suffix(enum gput__figure_unit unit);

#endif
