/* fleet.h - what other files of runs do when they are given a fleet. */
#ifndef GPUT_API_FLEET_H
#define GPUT_API_FLEET_H

#include "analysis/fleet/fleet_job.h"
#include "gput.h"
#include "report/recommend.h"

struct gput_fleet {
    struct gput__fleet fleet;
    struct gput__fleet_job *jobs;
    size_t n_jobs;
    struct gput_fleet_rank **ranks; /* of each job that was asked for; written by fleet_job.c */
};

/* Frees what gput_fleet_job() has made. */
void gput__fleet_ranks_free(struct gput_fleet *f);

/* As gput_recommend_files(), of node files and their folders; `target` may be NULL. */
int gput__fleet_recommend_files(const char *const *files, size_t n,
                                const struct gput__recommend_target *target,
                                const struct gput_recommend_options *o, char **ret_text,
                                struct gput_error *err);

#endif
