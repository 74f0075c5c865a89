/* fuzz_node_file.c - the file of a node of a fleet, and all that follows from it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/text/json_tree.h"
#include "fuzz.h"
#include "report/fleet/fleet_report.h"
#include "store/fleet/node_file.h"
#include "text.h"

static void check_series(const struct gput__fleet_series *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        fuzz_must(s->t[i] >= (i > 0 ? s->t[i - 1] : 0));
}

static void check_job(const struct gput__fleet_job *job)
{
    fuzz_must(job->n_ranks > 0 && job->n_nodes > 0);
    for (size_t i = 0; i < job->n_ranks; i++)
        fuzz_must(job->ranks[i].node < job->n_nodes);
    for (size_t i = 0; i < job->missing_ranks.n; i++)
        fuzz_must(job->missing_ranks.range[i].from <= job->missing_ranks.range[i].to);
}

static void check_formats(const struct gput__fleet_report *report)
{
    struct gput__buf out = GPUT__BUF_INIT;
    struct gput_json *tree = NULL;
    struct gput_error err;

    gput__fleet_json(report, &out);
    fuzz_must(out.err == 0 && gput__json_tree_of(out.data, out.len, false, &tree, &err) == 0);
    gput_json_free(tree);
    gput__buf_clear(&out);
    gput__fleet_csv(report, &out);
    fuzz_must(out.err == 0 && out.len > 0);
    gput__buf_free(&out);
}

/* The file twice: one fleet of two files. */
static void check_fleet(struct gput__fleet *fleet)
{
    struct gput__fleet_job *jobs = NULL;
    struct gput__buf out = GPUT__BUF_INIT;
    size_t n = 0;

    fuzz_must(gput__fleet_jobs(fleet, &jobs, &n) == 0 && n > 0);
    for (size_t i = 0; i < n; i++)
        check_job(&jobs[i]);
    gput__fleet_text(&(struct gput__fleet_report){ fleet, jobs, n }, &out);
    fuzz_must(out.err == 0 && out.len > 0);
    for (size_t i = 0; i < out.len; i++)
        fuzz_must((unsigned char)out.data[i] >= ' ' || out.data[i] == '\n');
    gput__buf_free(&out);
    check_formats(&(struct gput__fleet_report){ fleet, jobs, n });
    gput__fleet_jobs_free(jobs, n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gput__fleet fleet = { .rank_points = 12, .node_points = 24 };
    struct gput__fleet_file files[2];
    char *copy = malloc(size + 1), why[200] = "";
    int r = 0;

    fuzz_must(copy != NULL);
    for (int i = 0; i < 2 && r == 0; i++) {
        struct gput__input in = { .fd = -1, .data = copy, .end = size };

        if (size > 0)
            memcpy(copy, data, size);
        r = gput__node_file_read(&in, "/nowhere", &fleet, &files[i], why);
        fuzz_must(r == 0 || why[0]);
        fuzz_must(r == 0 || i == 0); /* the same text is read in the same way */
    }
    if (r == 0) {
        for (uint32_t i = 0; i < files[0].n_ranks; i++)
            check_series(&files[0].ranks[i].series);
        fleet.files = files;
        fleet.n = 2;
        check_fleet(&fleet);
        gput__fleet_file_free(&files[0]);
        gput__fleet_file_free(&files[1]);
        fleet.files = NULL;
        fleet.n = 0;
    }
    gput__fleet_free(&fleet);
    free(copy);
    return 0;
}
