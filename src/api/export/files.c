/* files.c - the figures of finished runs for export. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/export/fleet.h"
#include "base/text/text.h"
#include "store/fleet/fleet_files.h"
#include "store/runs/run_file.h"

struct one {
    struct gput__run run;
    struct gput__export_material material;
};

static int64_t in_ns(double seconds)
{
    return isfinite(seconds) && seconds > 0 ? (int64_t)(seconds * 1e9) : 0;
}

/* Several runs are told apart by their ids; a file that has none, by its name. */
static int prepare(struct one *one, const char *file, const struct gput_export_options *o,
                   bool is_one_of_many)
{
    const char *id = one->run.usage.run.id;
    char *line = NULL;
    int r;

    if (is_one_of_many && asprintf(&line, "run_id=%s\n", id ? id : file) < 0)
        return -ENOMEM;
    if (line)
        for (char *c = line; c[0] && c[1]; c++)
            *c = *c == '\n' ? ' ' : *c;
    one->material.usage = one->run.usage;
    if (!one->material.usage.run.host)
        one->material.usage.run.host = one->run.host;
    gput__points_of_usage(&one->material.exposed.points, &one->material.usage);
    r = gput__export_prepare(&one->material, o, line);
    free(line);
    one->material.exposed.head.start_ns = in_ns(one->run.start);
    one->material.exposed.head.now_ns = in_ns(one->run.end);
    return r;
}

/* What was asked for: finished runs one by one, and fleets together. */
struct asked {
    const char **runs, **fleets;
    size_t n_runs, n_fleets;
    struct one *all; /* of the runs */
    struct gput__export_fleet fleet;
};

static int sort_out(const char *const *files, size_t n, struct asked *ret)
{
    ret->runs = calloc(n, sizeof(*ret->runs));
    ret->fleets = calloc(n, sizeof(*ret->fleets));
    ret->all = calloc(n, sizeof(*ret->all));
    if (!ret->runs || !ret->fleets || !ret->all)
        return -ENOMEM;
    for (size_t i = 0; i < n; i++)
        if (gput__fleet_is(files[i]))
            ret->fleets[ret->n_fleets++] = files[i];
        else
            ret->runs[ret->n_runs++] = files[i];
    return 0;
}

static int read_runs(const struct asked *a, const struct gput_export_options *o,
                     const struct gput_callbacks *on, struct gput_error *err)
{
    for (size_t i = 0; i < a->n_runs; i++) {
        int r = gput__run_read(a->runs[i], on, &a->all[i].run, err);

        if (r < 0)
            return r;
        if (prepare(&a->all[i], a->runs[i], o, a->n_runs + a->n_fleets > 1) < 0)
            return gput__refuse(err, -ENOMEM, "", "%s", strerror(ENOMEM));
    }
    return 0;
}

static int write_all(const struct asked *a, const struct gput_export_options *o, char **ret_text)
{
    size_t n = a->n_runs + a->fleet.n;
    struct gput__exposed *runs = calloc(n + 1, sizeof(*runs));
    int r;

    if (!runs)
        return -ENOMEM;
    for (size_t i = 0; i < a->n_runs; i++)
        runs[i] = a->all[i].material.exposed;
    for (size_t i = 0; i < a->fleet.n; i++)
        runs[a->n_runs + i] = a->fleet.list[i].exposed;
    r = gput__export_write(runs, n, o, ret_text);
    free(runs);
    return r;
}

static void free_asked(struct asked *a)
{
    for (size_t i = 0; i < a->n_runs; i++) {
        gput__export_free(&a->all[i].material);
        gput__run_free(&a->all[i].run);
    }
    gput__export_fleet_free(&a->fleet);
    free(a->runs);
    free(a->fleets);
    free(a->all);
}

int gput_export_files(const char *const *files, size_t n, const struct gput_export_options *from,
                      const struct gput_callbacks *on, char **ret_text, struct gput_error *ret_err)
{
    struct gput_export_options o = gput__export_options(from);
    struct gput_error unused, *err = ret_err ? ret_err : &unused;
    struct asked a = { .n_runs = 0 };
    int r;

    if (n == 0)
        return gput__refuse(err, -EINVAL, "files", "there is no file");
    r = gput_export_check(&o, err);
    if (r < 0)
        return r;
    if (sort_out(files, n, &a) < 0)
        r = gput__refuse(err, -ENOMEM, "", "%s", strerror(ENOMEM));
    r = r < 0 ? r : read_runs(&a, &o, on, err);
    if (r == 0 && a.n_fleets > 0)
        r = gput__export_fleet_read(a.fleets, a.n_fleets, a.n_runs > 0, &o, on, &a.fleet, err);
    if (r == 0 && write_all(&a, &o, ret_text) < 0)
        r = gput__refuse(err, -ENOMEM, "", "%s", strerror(ENOMEM));
    free_asked(&a);
    return r;
}
