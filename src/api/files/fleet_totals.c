/* fleet_totals.c - what a merged fleet used as a whole, as the figures of one run. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "api/files/comparison.h"
#include "base/text/json_tree.h"

#define WHY "the totals of a fleet"

static void set(const struct gput_json *totals, const char *name, struct gput_figure *ret)
{
    const struct gput_json *m = gput__json_member_of(totals, name, GPUT_JSON_NUMBER);

    *ret = m ? (struct gput_figure){ m->number, GPUT_SAMPLED, WHY }
             : (struct gput_figure){ 0, GPUT_UNAVAILABLE, "the fleet does not tell it" };
}

static void fill(const struct gput_json *totals, struct gput__fleet_totals_usage *ret)
{
    struct gput_usage *u = &ret->usage;

    *ret = (struct gput__fleet_totals_usage){ .usage = { .size = sizeof(*u) } };
    u->job.ending = GPUT_GONE;
    set(totals, "max_ram_at_once", &u->max_ram.combined.total_rss);
    set(totals, "wall_seconds", &u->compute_time.time);
    set(totals, "cpu_seconds", &u->totals.main_cpu_seconds);
    u->totals.descendants_cpu_seconds = u->totals.main_cpu_seconds;
    u->totals.descendants_cpu_seconds.value = 0;
    set(totals, "disk_read_bytes", &u->totals.disk_read_bytes);
    set(totals, "disk_write_bytes", &u->totals.disk_write_bytes);
    set(totals, "energy_joules", &ret->gpu.energy);
}

/* What gpu-tracker merge would write of a folder or a node file; -EBADMSG: it is neither. */
static int merge(const char *path, struct gput_json **ret, struct gput_error *err)
{
    struct gput_fleet *fleet;
    char *text = NULL;
    int r = gput_fleet_read(&path, 1, NULL, NULL, &fleet, err);

    if (r < 0)
        return r == -ENODATA ? -EBADMSG : r;
    r = gput_fleet_format(fleet, GPUT_FLEET_JSON, &text);
    if (r == 0)
        r = gput__json_tree_of(text, strlen(text), false, ret, err);
    free(text);
    gput_fleet_close(fleet);
    return r;
}

int gput__fleet_totals_read(const char *file, struct gput__fleet_totals_usage *ret)
{
    const struct gput_json *totals;
    struct gput_json *json;
    struct gput_error err;
    int r = gput_fleet_is(file) ? merge(file, &json, &err) : gput_json_read(file, &json, &err);

    if (r < 0)
        return r;
    totals = gput__json_member_of(json, "totals", GPUT_JSON_OBJECT);
    if (!totals || !gput__json_member_of(json, "ranks", GPUT_JSON_LIST))
        r = -EBADMSG;
    else
        fill(totals, ret);
    gput_json_free(json);
    return r;
}
