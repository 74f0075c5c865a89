/* fleet.h - what other files of runs do when they are given a fleet. */
#ifndef GPUT_API_FLEET_H
#define GPUT_API_FLEET_H

#include "gput.h"
#include "report/recommend.h"

/* As gput_recommend_files(), of node files and their folders; `target` may be NULL. */
int gput__fleet_recommend_files(const char *const *files, size_t n,
                                const struct gput__recommend_target *target,
                                const struct gput_recommend_options *o, char **ret_text,
                                struct gput_error *err);

#endif
