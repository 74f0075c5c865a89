/* fleet_source.c - the jobs of a fleet's folder, read again and again while they run. */
#include "top/fleet/fleet_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What reading may take of the time: the folder is shared, and each file in it changes once a minute. */
static const double least_share = 20;
/* So long after its start a node has left its first file. */
static const double first_files = 60;

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int by_start(const void *a, const void *b)
{
    const struct gput_fleet_job *x = a, *y = b;

    return (x->start < y->start) - (x->start > y->start);
}

static int list_jobs(struct gput_fleet *fleet, struct gput_fleet_job **ret, int *ret_n)
{
    int n = gput_fleet_jobs(fleet), r = 0;
    struct gput_fleet_job *jobs = calloc((size_t)n + 1, sizeof(*jobs));

    for (int i = 0; jobs && r == 0 && i < n; i++) {
        jobs[i].size = sizeof(jobs[i]);
        r = gput_fleet_job(fleet, i, &jobs[i]);
    }
    if (!jobs || r < 0) {
        free(jobs);
        return -1;
    }
    qsort(jobs, (size_t)n, sizeof(*jobs), by_start);
    *ret = jobs;
    *ret_n = n;
    return 0;
}

void top_fleet_read(struct top_fleet *f)
{
    double began = now();
    struct gput_error error = { .text = "" };
    struct gput_fleet *fleet = NULL;
    struct gput_fleet_job *jobs = NULL;
    int n = 0, r;

    if (began < f->next)
        return;
    r = gput_fleet_read(&f->folder, 1, NULL, NULL, &fleet, &error);
    if (r == 0 && list_jobs(fleet, &jobs, &n) < 0)
        snprintf(error.text, sizeof(error.text), "out of memory");
    snprintf(f->why, sizeof(f->why), "%.399s",
             jobs            ? ""
             : error.text[0] ? error.text
                             : strerror(-r));
    if (jobs) {
        top_fleet_close(f);
        f->fleet = fleet;
        f->jobs = jobs;
        f->n = n;
    } else {
        gput_fleet_close(fleet);
    }
    f->next = now() + least_share * (now() - began);
}

void top_fleet_close(struct top_fleet *f)
{
    gput_fleet_close(f->fleet);
    free(f->jobs);
    f->fleet = NULL;
    f->jobs = NULL;
    f->n = 0;
}

bool top_fleet_is_early(const struct gput_fleet_job *job)
{
    return difftime(time(NULL), (time_t)job->start) < first_files;
}

bool top_fleet_is_over(const struct gput_fleet_job *job)
{
    return job->n_in_state[GPUT_RANK_RUNNING] == 0 &&
           (job->n_in_state[GPUT_RANK_MISSING] == 0 || !top_fleet_is_early(job));
}
