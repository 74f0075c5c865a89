/* sub_track.c - code blocks behind gput.h: analysis, comparison, combination. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/compare.h"
#include "report/analysis.h"
#include "store/files/warnings.h"
#include "store/marks/combined_file.h"
#include "store/records/records.h"

const char *gput_column_name(unsigned i)
{
    return i < GPUT__N_MEASURED ? gput__column_name(i) : NULL;
}

int gput_sub_analyze(const char *tracking_file, const char *sub_tracking_file,
                     const struct gput_callbacks *on, struct gput_analysis **ret_a,
                     struct gput_error *ret_err)
{
    struct gput__warnings warnings;
    struct gput_error err;
    int r;

    gput__warnings_begin(&warnings, on);
    r = gput__analysis_make(tracking_file, sub_tracking_file, &warnings.on, ret_a, &err);
    gput__warnings_end(&warnings, r == 0);
    if (r < 0 && ret_err)
        *ret_err = err;
    return r;
}

struct gput_analysis *gput_analysis_close(struct gput_analysis *a)
{
    return gput__analysis_close(a);
}

const struct gput_block *gput_analysis_blocks(const struct gput_analysis *a, size_t *ret_n)
{
    *ret_n = a->n_blocks;
    return a->blocks;
}

const struct gput_stats *gput_analysis_overall(const struct gput_analysis *a)
{
    return a->overall;
}

double gput_analysis_duration(const struct gput_analysis *a)
{
    return a->last > a->first ? a->last - a->first : 0;
}

const char *gput_analysis_ram_unit(const struct gput_analysis *a)
{
    return a->has_tracking ? a->statics[0].text : NULL;
}

const char *gput_analysis_gpu_ram_unit(const struct gput_analysis *a)
{
    return a->has_tracking ? a->statics[1].text : NULL;
}

int gput_analysis_format(const struct gput_analysis *a, enum gput_format format, int full,
                         char **ret_text)
{
    struct gput__buf out = { 0 };

    if (format == GPUT_JSON)
        gput__analysis_json(a, full, &out);
    else
        gput__analysis_text(a, full, &out);
    return gput__buf_detach(&out, ret_text);
}

int gput_sub_compare(const struct gput_session *sessions, size_t n, enum gput_statistic statistic,
                     enum gput_format format, const struct gput_callbacks *on, char **ret_text,
                     struct gput_error *ret_err)
{
    struct gput_error err = { .text = "" };
    struct gput__comparison c = { 0 };
    struct gput__buf out = { 0 };
    int r = n == 0 || statistic > GPUT_STD
                ? -EINVAL
                : gput__comparison_make(&c, sessions, n, statistic, on, &err);

    if (r == 0) {
        if (format == GPUT_JSON)
            gput__comparison_json(&c, &out);
        else
            gput__comparison_text(&c, statistic, &out);
        r = gput__buf_detach(&out, ret_text);
    }
    gput__comparison_free(&c);
    if (r < 0 && !err.text[0])
        snprintf(err.text, sizeof(err.text), "%s",
                 r == -EINVAL ? "there is no session to compare" : strerror(-r));
    if (r < 0 && ret_err)
        *ret_err = err;
    return r;
}

/* Looks at the heads of all files before anything is written. */
static int check_files(const char *const *files, size_t n, bool *ret_has_exact,
                       struct gput_error *err)
{
    struct gput__sub_tracking_file in;
    int r = 0;

    for (size_t i = 0; i < n && r == 0; i++) {
        r = gput__sub_tracking_file_open(&in, files[i], NULL, err);
        *ret_has_exact |= r == 0 && in.table->has_further;
        gput__sub_tracking_file_close(&in);
    }
    return r;
}

static int add_file(struct gput__combined_file *out, const char *file,
                    const struct gput_callbacks *on, struct gput_error *err)
{
    struct gput__sub_tracking_file in;
    struct gput__names names = { 0 };
    struct gput__read_mark mark;
    int r = gput__sub_tracking_file_open(&in, file, on, err);

    while (r == 0 && (r = gput__sub_tracking_file_next(&in, &names, &mark, err)) > 0) {
        r = gput__combined_file_add(out, &mark, &names.list[mark.name]);
        if (r < 0)
            gput__file_fail(r, out->path, err, "%s", strerror(-r));
    }
    gput__sub_tracking_file_close(&in);
    gput__names_free(&names);
    return r;
}

static int combine(const char *into, const char *const *files, size_t n,
                   const struct gput_callbacks *on, struct gput_error *err)
{
    struct gput__combined_file out;
    bool has_exact = false;
    int r = check_files(files, n, &has_exact, err);

    if (r < 0)
        return r;
    r = gput__combined_file_open(&out, into, has_exact);
    if (r < 0)
        gput__file_fail(r, into, err, "%s", strerror(-r));
    for (size_t i = 0; r == 0 && i < n; i++)
        r = add_file(&out, files[i], on, err);
    if (r == 0) {
        r = gput__combined_file_finish(&out);
        if (r < 0)
            gput__file_fail(r, into, err, "%s", strerror(-r));
    }
    gput__combined_file_close(&out);
    return r;
}

int gput_sub_combine(const char *into, const char *const *files, size_t n,
                     const struct gput_callbacks *on, struct gput_error *ret_err)
{
    struct gput_error err = { .text = "there is no file to combine" };
    struct gput__warnings warnings;
    int r = -EINVAL;

    gput__warnings_begin(&warnings, on);
    if (!gput__path_ends_in(into, ".csv") &&
        !(GPUT__HAS_SQLITE && gput__path_ends_in(into, ".sqlite")))
        gput__file_fail(r, into, &err, "the name must end in " GPUT__FILE_NAMES);
    else if (n > 0)
        r = combine(into, files, n, &warnings.on, &err);
    gput__warnings_end(&warnings, r == 0);
    if (r < 0 && ret_err)
        *ret_err = err;
    return r;
}
