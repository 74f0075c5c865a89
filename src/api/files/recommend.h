/* recommend.h - what recommendations share, whatever the runs come from. */
#ifndef GPUT_API_RECOMMEND_H
#define GPUT_API_RECOMMEND_H

#include "report/recommend.h"

/* The options with what is not given, and the target of that name, or NULL.  -EINVAL: one is wrong. */
int gput__recommend_options(const struct gput_recommend_options *opts,
                            struct gput_recommend_options *ret,
                            const struct gput__recommend_target **ret_target,
                            struct gput_error *err);
/* Fills what follows from the runs and writes it.  free() the text. */
int gput__recommend_write(struct gput__recommendation *rec, const struct gput_recommend_options *o,
                          const struct gput__recommend_target *target, char **ret_text);

#endif
