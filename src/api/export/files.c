/* files.c - the figures of finished runs for export. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/export/material.h"
#include "base/text/text.h"
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

static int read_all(struct one *all, const char *const *files, size_t n,
                    const struct gput_export_options *o, const struct gput_callbacks *on,
                    struct gput_error *err)
{
    for (size_t i = 0; i < n; i++) {
        int r = gput__run_read(files[i], on, &all[i].run, err);

        if (r < 0)
            return r;
        if (prepare(&all[i], files[i], o, n > 1) < 0)
            return gput__refuse(err, -ENOMEM, "", "%s", strerror(ENOMEM));
    }
    return 0;
}

static int write_all(const struct one *all, size_t n, const struct gput_export_options *o,
                     char **ret_text)
{
    struct gput__exposed *runs = calloc(n, sizeof(*runs));
    int r;

    if (!runs)
        return -ENOMEM;
    for (size_t i = 0; i < n; i++)
        runs[i] = all[i].material.exposed;
    r = gput__export_write(runs, n, o, ret_text);
    free(runs);
    return r;
}

int gput_export_files(const char *const *files, size_t n, const struct gput_export_options *from,
                      const struct gput_callbacks *on, char **ret_text, struct gput_error *ret_err)
{
    struct gput_export_options o = gput__export_options(from);
    struct gput_error unused, *err = ret_err ? ret_err : &unused;
    struct one *all;
    int r;

    if (n == 0)
        return gput__refuse(err, -EINVAL, "files", "there is no file");
    r = gput_export_check(&o, err);
    if (r < 0)
        return r;
    all = calloc(n, sizeof(*all));
    if (!all)
        return gput__refuse(err, -ENOMEM, "", "%s", strerror(ENOMEM));
    r = read_all(all, files, n, &o, on, err);
    if (r == 0 && write_all(all, n, &o, ret_text) < 0)
        r = gput__refuse(err, -ENOMEM, "", "%s", strerror(ENOMEM));
    for (size_t i = 0; i < n; i++) {
        gput__export_free(&all[i].material);
        gput__run_free(&all[i].run);
    }
    free(all);
    return r;
}
