/* node_series.c - the series of a node file. */
#include "store/fleet/node_series.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The columns as they come; the last is `t`. */
struct columns {
    float *values[GPUT__FLEET_COLUMNS + 1];
    size_t n[GPUT__FLEET_COLUMNS + 1];
};

static int column_of(const char *name, const char *const names[GPUT__FLEET_COLUMNS])
{
    if (strcmp(name, "t") == 0)
        return GPUT__FLEET_COLUMNS;
    for (int i = 0; i < GPUT__FLEET_COLUMNS; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    return -1;
}

/* A column that stands there twice: the first counts. */
static int read_column(struct gput__members_reading *rd, struct columns *c, int which)
{
    int token = gput__json_pull_next(&rd->pull);
    int r = token < 0 ? token : gput__members_read_numbers(rd, token);

    if (r == -EBADMSG && !rd->pull.error)
        return 0; /* null */
    if (r < 0 || rd->n_numbers == 0 || c->values[which])
        return r;
    c->values[which] = malloc(rd->n_numbers * sizeof(float));
    if (!c->values[which])
        return -ENOMEM;
    memcpy(c->values[which], rd->numbers, rd->n_numbers * sizeof(float));
    c->n[which] = rd->n_numbers;
    return 0;
}

static bool do_rise(const float *t, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(t[i] >= (i > 0 ? t[i - 1] : 0)))
            return false;
    return n > 0 && n <= UINT32_MAX;
}

static bool is_any_known(const float *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (values[i] >= 0)
            return true;
    return false;
}

/* Below zero is no value of any column. */
static void forget_negative(float *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        values[i] = values[i] >= 0 ? values[i] : NAN;
}

/* Hands over what fits together. */
static void hand_over(struct columns *c, struct gput__fleet_series *ret)
{
    size_t n = c->n[GPUT__FLEET_COLUMNS];

    if (!do_rise(c->values[GPUT__FLEET_COLUMNS], n))
        return;
    gput__fleet_series_free(ret); /* of a member that stands there twice */
    ret->n = (uint32_t)n;
    ret->t = c->values[GPUT__FLEET_COLUMNS];
    c->values[GPUT__FLEET_COLUMNS] = NULL;
    for (int i = 0; i < GPUT__FLEET_COLUMNS; i++) {
        if (!c->values[i] || c->n[i] != n || !is_any_known(c->values[i], n))
            continue;
        forget_negative(c->values[i], n);
        ret->value[i] = c->values[i];
        c->values[i] = NULL;
    }
}

int gput__node_series_read(struct gput__members_reading *rd, int token,
                           const char *const columns[GPUT__FLEET_COLUMNS],
                           struct gput__fleet_series *ret)
{
    struct columns c = { .n = { 0 } };
    int r = 0;

    if (token != GPUT__JSON_OPEN)
        return gput__json_pull_skip(&rd->pull, token);
    while (r == 0 && (token = gput__json_pull_next(&rd->pull)) == GPUT__JSON_KEY) {
        int which = column_of(gput__buf_text(&rd->pull.text), columns);

        r = which >= 0 ? read_column(rd, &c, which) : gput__json_pull_skip_next(&rd->pull);
    }
    r = r < 0 || token >= 0 ? r : token;
    if (r == 0)
        hand_over(&c, ret);
    for (int i = 0; i <= GPUT__FLEET_COLUMNS; i++)
        free(c.values[i]);
    return r;
}
