/* results_file.c - reads the JSON of an analysis, for comparison. */
#include "store/marks/results_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/json_tree.h"
#include "store/files/table.h"

static const char *const statistics[] = {
    [GPUT_MIN] = "min", [GPUT_MAX] = "max", [GPUT_MEAN] = "mean", [GPUT_STD] = "std"
};

/* What the functions below have in common. */
struct reading {
    struct gput__result *res;
    const char *path, *statistic;
    struct gput_error *ret_err;
};

#define REFUSE(rd, ...) gput__file_fail(-EBADMSG, (rd)->path, (rd)->ret_err, __VA_ARGS__)

/* {"min": ..., "max": ..., ...}: the statistic that is wanted. */
static int read_statistic(const struct reading *rd, const struct gput_json *stats,
                          const char *where, double *ret)
{
    const struct gput_json *value = gput_json_member(stats, rd->statistic);

    if (!value || (value->kind != GPUT_JSON_NUMBER && value->kind != GPUT_JSON_NULL))
        return REFUSE(rd, "not an analysis: no number '%s' in '%.80s'", rd->statistic, where);
    *ret = value->kind == GPUT_JSON_NULL ? NAN : value->number;
    return 0;
}

static int read_overall(const struct reading *rd, const struct gput_json *overall)
{
    struct gput__result *res = rd->res;

    res->measurements = calloc(overall->n + 1, sizeof(*res->measurements));
    res->overall = calloc(overall->n + 1, sizeof(*res->overall));
    if (!res->measurements || !res->overall)
        return REFUSE(rd, "%s", strerror(ENOMEM));
    for (size_t i = 0; i < overall->n; i++) {
        const struct gput_json *stats = &overall->item[i];

        if (read_statistic(rd, stats, stats->name, &res->overall[i]) < 0)
            return -EBADMSG;
        res->measurements[res->n_measurements++] = stats->name;
    }
    return 0;
}

static int read_block(const struct reading *rd, const struct gput_json *json,
                      struct gput__result_block *b)
{
    const struct gput_json *usage = gput_json_member(json, "resource_usage");
    const struct gput_json *name = gput__json_member_of(json, "name", GPUT_JSON_STRING);

    b->name = name ? name->text : NULL;
    b->usage = calloc(rd->res->n_measurements + 1, sizeof(*b->usage));
    if (!b->usage)
        return REFUSE(rd, "%s", strerror(ENOMEM));
    if (!b->name)
        return REFUSE(rd, "not an analysis: a code block without a name");
    if (read_statistic(rd, gput_json_member(json, "compute_time"), "compute_time",
                       &b->compute_time) < 0)
        return -EBADMSG;
    for (size_t i = 0; i < rd->res->n_measurements; i++) {
        const char *of = rd->res->measurements[i];

        if (read_statistic(rd, gput_json_member(usage, of), of, &b->usage[i]) < 0)
            return -EBADMSG;
    }
    return 0;
}

static int read_blocks(const struct reading *rd, const struct gput_json *list)
{
    struct gput__result *res = rd->res;

    res->blocks = calloc(list->n + 1, sizeof(*res->blocks));
    if (!res->blocks)
        return REFUSE(rd, "%s", strerror(ENOMEM));
    while (res->n_blocks < list->n) {
        size_t i = res->n_blocks++;

        if (read_block(rd, &list->item[i], &res->blocks[i]) < 0)
            return -EBADMSG;
    }
    return 0;
}

static int read_analysis(const struct reading *rd, const struct gput_json *root)
{
    const struct gput_json *overall = gput__json_member_of(root, "overall", GPUT_JSON_OBJECT);
    const struct gput_json *blocks =
        gput__json_member_of(root, "code_block_results", GPUT_JSON_LIST);

    if (!overall || !blocks)
        return REFUSE(rd, "not an analysis: 'overall' and 'code_block_results' are missing");
    if (read_overall(rd, overall) < 0)
        return -EBADMSG;
    return read_blocks(rd, blocks);
}

/* All but the oldest protocol begin so. */
static bool is_pickle(const char *text, size_t len)
{
    return len > 1 && (unsigned char)text[0] == 0x80 && text[1] >= 2 && text[1] < 16;
}

static int read_input(struct gput__result *res, const char *path, struct gput__input *in,
                      enum gput_statistic statistic, struct gput_error *ret_err)
{
    struct reading rd = { res, path, statistics[statistic], ret_err };
    struct gput_error error = { .text = "" };
    const char *text;
    size_t n;
    int r = gput__input_peek(in, &text, &n);

    if (r < 0)
        return gput__file_fail(r, path, ret_err, "%s", strerror(-r));
    if (is_pickle(text, n) || gput__path_ends_in(path, ".pkl") ||
        gput__path_ends_in(path, ".pickle"))
        return REFUSE(&rd, "a Python pickle can run code and is not read; write JSON, by "
                           "'gpu-tracker sub-track analyze -f json'");
    if (n == 0)
        return REFUSE(&rd, "line 1: the file is empty");
    r = gput__json_tree(in, true, &res->json, &error);
    if (r == -EBADMSG)
        return REFUSE(&rd, "not JSON: %.300s", error.text);
    if (r < 0)
        return gput__file_fail(r, path, ret_err, "%.300s", error.text);
    return read_analysis(&rd, res->json);
}

int gput__result_read(struct gput__result *res, const char *path, enum gput_statistic statistic,
                      struct gput_error *ret_err)
{
    struct gput__input in = GPUT__INPUT_INIT;
    int r = gput__input_open(path, &in);

    *res = (struct gput__result){ 0 };
    if (r < 0)
        return gput__file_fail(r, path, ret_err, "%s", strerror(-r));
    r = read_input(res, path, &in, statistic, ret_err);
    gput__input_close(&in);
    return r;
}

void gput__result_free(struct gput__result *res)
{
    for (size_t i = 0; i < res->n_blocks; i++)
        free(res->blocks[i].usage);
    free(res->blocks);
    free(res->measurements);
    free(res->overall);
    gput_json_free(res->json);
    *res = (struct gput__result){ 0 };
}
