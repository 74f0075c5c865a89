/* results_file.c - reads the JSON of an analysis, for comparison. */
#include "store/marks/results_file.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
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
static int take_statistic(const struct reading *rd, const json_t *stats, const char *where,
                          double *ret)
{
    const json_t *value = json_object_get(stats, rd->statistic);

    if (!json_is_number(value) && !json_is_null(value))
        return REFUSE(rd, "not an analysis: no number '%s' in '%.80s'", rd->statistic, where);
    *ret = json_is_null(value) ? NAN : json_number_value(value);
    return 0;
}

static int take_overall(const struct reading *rd, json_t *overall)
{
    struct gput__result *res = rd->res;
    size_t n = json_object_size(overall);
    const char *key;
    json_t *stats;

    res->measurements = calloc(n + 1, sizeof(*res->measurements));
    res->overall = calloc(n + 1, sizeof(*res->overall));
    if (!res->measurements || !res->overall)
        return REFUSE(rd, "%s", strerror(ENOMEM));
    json_object_foreach(overall, key, stats) {
        if (take_statistic(rd, stats, key, &res->overall[res->n_measurements]) < 0)
            return -EBADMSG;
        res->measurements[res->n_measurements++] = key;
    }
    return 0;
}

static int take_block(const struct reading *rd, json_t *json, struct gput__result_block *b)
{
    const json_t *usage = json_object_get(json, "resource_usage");

    b->name = json_string_value(json_object_get(json, "name"));
    b->usage = calloc(rd->res->n_measurements + 1, sizeof(*b->usage));
    if (!b->usage)
        return REFUSE(rd, "%s", strerror(ENOMEM));
    if (!b->name)
        return REFUSE(rd, "not an analysis: a code block without a name");
    if (take_statistic(rd, json_object_get(json, "compute_time"), "compute_time",
                       &b->compute_time) < 0)
        return -EBADMSG;
    for (size_t i = 0; i < rd->res->n_measurements; i++)
        if (take_statistic(rd, json_object_get(usage, rd->res->measurements[i]),
                           rd->res->measurements[i], &b->usage[i]) < 0)
            return -EBADMSG;
    return 0;
}

static int take_blocks(const struct reading *rd, json_t *list)
{
    struct gput__result *res = rd->res;
    size_t n = json_array_size(list);

    res->blocks = calloc(n + 1, sizeof(*res->blocks));
    if (!res->blocks)
        return REFUSE(rd, "%s", strerror(ENOMEM));
    while (res->n_blocks < n) {
        json_t *json = json_array_get(list, res->n_blocks);

        if (take_block(rd, json, &res->blocks[res->n_blocks++]) < 0)
            return -EBADMSG;
    }
    return 0;
}

static int take_all(const struct reading *rd, json_t *root)
{
    json_t *overall = json_object_get(root, "overall");
    json_t *blocks = json_object_get(root, "code_block_results");

    if (!json_is_object(overall) || !json_is_array(blocks))
        return REFUSE(rd, "not an analysis: 'overall' and 'code_block_results' are missing");
    if (take_overall(rd, overall) < 0)
        return -EBADMSG;
    return take_blocks(rd, blocks);
}

/* All but the oldest protocol begin so. */
static bool is_pickle(const char *text, size_t len)
{
    return len > 1 && (unsigned char)text[0] == 0x80 && text[1] >= 2 && text[1] < 16;
}

/* What Python's json writes where there is no number, and JSON does not know. */
static size_t length_of_non_number(const char *text, size_t len)
{
    static const char *const words[] = { "NaN", "Infinity", "-Infinity" };

    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
        size_t n = strlen(words[i]);

        if (len >= n && memcmp(text, words[i], n) == 0)
            return n;
    }
    return 0;
}

/* Behind the string that begins at text[at]. */
static size_t skip_string(const char *text, size_t len, size_t at)
{
    for (at++; at < len && text[at] != '"'; at++)
        at += text[at] == '\\';
    return at < len ? at + 1 : len;
}

/* The text with each of them, outside of strings, as null. */
static int put_as_json(struct gput__buf *out, const char *text, size_t len)
{
    size_t at = 0, done = 0, n;

    while (at < len) {
        if (text[at] == '"') {
            at = skip_string(text, len, at);
            continue;
        }
        n = length_of_non_number(text + at, len - at);
        if (n > 0) {
            gput__buf_add(out, text + done, at - done);
            gput__buf_puts(out, "null");
            done = at + n;
        }
        at += n > 0 ? n : 1;
    }
    gput__buf_add(out, text + done, len - done);
    return out->err;
}

static json_t *load(const char *text, size_t len, json_error_t *ret_error)
{
    struct gput__buf buf = { 0 };
    json_t *json = NULL;

    *ret_error = (json_error_t){ .text = "out of memory" };
    if (put_as_json(&buf, text, len) == 0)
        json = json_loadb(buf.data, buf.len, JSON_REJECT_DUPLICATES, ret_error);
    gput__buf_free(&buf);
    return json;
}

int gput__result_parse(struct gput__result *res, const char *path, const char *text, size_t len,
                       enum gput_statistic statistic, struct gput_error *ret_err)
{
    struct reading rd = { res, path, statistics[statistic], ret_err };
    json_error_t error;

    *res = (struct gput__result){ 0 };
    if (is_pickle(text, len) || gput__path_ends_in(path, ".pkl") ||
        gput__path_ends_in(path, ".pickle"))
        return REFUSE(&rd, "a Python pickle can run code and is not read; write JSON, by "
                           "'gpu-tracker sub-track analyze -f json'");
    if (len == 0)
        return REFUSE(&rd, "line 1: the file is empty");
    res->json = load(text, len, &error);
    if (!res->json)
        return REFUSE(&rd, "line %d: not JSON: %s", error.line > 0 ? error.line : 1, error.text);
    return take_all(&rd, res->json);
}

static int read_all(int fd, struct gput__buf *buf)
{
    ssize_t n;

    do {
        if (gput__buf_reserve(buf, 65536) < 0)
            return -ENOMEM;
        n = read(fd, buf->data + buf->len, 65536);
        if (n < 0 && errno != EINTR)
            return -errno;
        buf->len += n > 0 ? (size_t)n : 0;
    } while (n != 0);
    return 0;
}

int gput__result_read(struct gput__result *res, const char *path, enum gput_statistic statistic,
                      struct gput_error *ret_err)
{
    struct gput__buf buf = { 0 };
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int r = fd < 0 ? -errno : read_all(fd, &buf);

    *res = (struct gput__result){ 0 };
    if (fd >= 0)
        close(fd);
    if (r < 0)
        gput__file_fail(r, path, ret_err, "%s", strerror(-r));
    else
        r = gput__result_parse(res, path, buf.data, buf.len, statistic, ret_err);
    gput__buf_free(&buf);
    return r;
}

void gput__result_free(struct gput__result *res)
{
    for (size_t i = 0; i < res->n_blocks; i++)
        free(res->blocks[i].usage);
    free(res->blocks);
    free(res->measurements);
    free(res->overall);
    json_decref(res->json);
    *res = (struct gput__result){ 0 };
}
