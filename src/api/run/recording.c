/* recording.c - the tracking file of a run: a row per record, from its first to its last. */
#include <string.h>
#include <unistd.h>

#include "api/tracker.h"
#include "model/unit.h"
#include "store/files/unsafe_path.h"

int gput__recording_open(struct gput_tracker *t, struct gput_error *ret_err)
{
    unsigned cores = t->sampler.n_cores;
    struct gput__static_data data = {
        .ram_unit = t->opts.ram_unit,
        .gpu_ram_unit = t->opts.gpu_ram_unit,
        .time_unit = t->opts.time_unit,
        .ram_unit_size = gput__unit_of_memory(t->opts.ram_unit)->size,
        .gpu_ram_unit_size = gput__unit_of_memory(t->opts.gpu_ram_unit)->size,
        .ram_system_capacity = (double)t->sampler.ram_capacity,
        .system_core_count = cores,
        .n_expected_cores = t->opts.n_expected_cores ? (unsigned)t->opts.n_expected_cores : cores,
        .has_all_columns = t->opts.flags & GPUT_ALL_COLUMNS,
    };
    int r;

    if (!t->opts.tracking_file)
        return 0;
    r = gput__records_open(&t->records, t->opts.tracking_file, t->opts.flags & GPUT_OVERWRITE,
                           &data);
    if (r < 0)
        return gput__refuse(ret_err, r, "tracking_file", "'%.200s' cannot be written: %s",
                            t->opts.tracking_file, gput__why_unwritten(r));
    return 0;
}

void gput__recording_drop(struct gput_tracker *t)
{
    if (gput__records_is_open(&t->records) && t->records.is_new)
        (void)unlink(t->opts.tracking_file);
    (void)gput__records_close(&t->records);
}

void gput__recording_close(struct gput_tracker *t)
{
    if (gput__records_close(&t->records) < 0)
        gput__warn(t, "%s: the last records are lost: another program held it",
                   t->opts.tracking_file);
}

/* A full disk stops the tracking file with one warning and nothing else. */
static void check(struct gput_tracker *t, int r)
{
    if (r >= 0)
        return;
    gput__warn(t, "%s: no more records are written: %s", t->opts.tracking_file, strerror(-r));
    (void)gput__records_close(&t->records);
}

/* With which run it is. */
static int begin_file(struct gput_tracker *t)
{
    struct gput_usage u = { .job.command = t->job.command };
    struct gput__run_column run[GPUT__N_RUN_COLUMNS];
    int r;

    gput__identity_fill(t, &u);
    gput__run_columns(&u, run);
    gput__gpu_tell_static(t, &t->records.data);
    t->records.data.run = run;
    r = gput__records_begin(&t->records);
    t->records.data.run = NULL;
    return r;
}

void gput__recording_write(struct gput_tracker *t)
{
    if (gput__records_is_open(&t->records) && !t->records.has_head)
        check(t, begin_file(t));
    if (gput__records_is_open(&t->records))
        check(t, gput__records_write(&t->records, &t->summary.last, &t->now));
}

void gput__recording_retry(struct gput_tracker *t)
{
    check(t, gput__records_retry(&t->records));
}
