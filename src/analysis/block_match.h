/* block_match.h - which code blocks of several runs belong together. */
#ifndef GPUT_ANALYSIS_BLOCK_MATCH_H
#define GPUT_ANALYSIS_BLOCK_MATCH_H

#include "store/marks/results_file.h"

/* Puts the blocks of a run in the order in which they are matched: by name, where ":line" at the
 * end counts as a number. */
void gput__blocks_sort(struct gput__result *res);

/* Checks that block i of each run belongs to block i of the others, which are all sorted: the same
 * name, or the same but for the line, which a warning tells.  -EBADMSG: they do not match. */
int gput__blocks_match(const struct gput__result *results, const struct gput_session *sessions,
                       size_t n, const struct gput_callbacks *on, struct gput_error *ret_err);

/* The names that block i has in the runs, each once, sorted: "a.py:12 -> a.py:14".  free() it. */
char *gput__block_label(const struct gput__result *results, size_t n, size_t block);

#endif
