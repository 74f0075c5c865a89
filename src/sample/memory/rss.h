/* rss.h - the memory of one process, from /proc/PID/statm and status. */
#ifndef GPUT_SAMPLE_RSS_H
#define GPUT_SAMPLE_RSS_H

#include "sample/tree/tree.h"

/* What stat says of it. */
void gput__rss_apply_stat(struct gput__tree *tree, struct gput__task *t,
                          const struct gput__proc_stat *st);
/* It runs another program: its high-water mark began anew. */
void gput__rss_exec(struct gput__task *t);
/* The next poll reads it, whether it took pages or not. */
void gput__rss_must_read(struct gput__task *t);
/* A lap begins: a high-water mark that it has reached so far counts no more. */
void gput__rss_begin_lap(const struct gput__tree *tree, struct gput__task *t);
/* Reads it if it has moved. */
void gput__rss_poll(struct gput__tree *tree, struct gput__task *t);

#endif
