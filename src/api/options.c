/* options.c - checks the options of a tracker and keeps a copy of them. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/tracker.h"
#include "base/text/print.h"
#include "model/gpus.h"
#include "model/unit.h"

#define SHORTEST_SLEEP 0.001
#define LONGEST_SLEEP 1e6

int gput__refuse(struct gput_error *ret_err, int r, const char *field, const char *fmt, ...)
{
    va_list args;

    if (!ret_err)
        return r;
    snprintf(ret_err->field, sizeof(ret_err->field), "%s", field);
    va_start(args, fmt);
    gput__vsnprintf(ret_err->text, sizeof(ret_err->text), fmt, args);
    va_end(args);
    return r;
}

int gput__refuse_limits(const struct gput_tracker *t, struct gput_error *ret_err)
{
    const char *field = t->opts.timeout > 0                       ? "timeout"
                        : (t->opts.flags & GPUT_KILL_OVER_BUDGET) ? "kill_over_budget"
                                                                  : NULL;

    if (!field)
        return 0;
    return gput__refuse(ret_err, -EINVAL, field,
                        "is for a command that is started, not for a "
                        "process that runs already");
}

/* "MB" becomes "megabytes". */
static int resolve_unit(const char **name, const char *field, struct gput_error *ret_err,
                        const struct gput__unit *(*find)(const char *),
                        void (*refuse)(const char *, char *, size_t))
{
    const struct gput__unit *unit = find(*name);
    char text[GPUT__UNIT_REFUSAL];

    if (unit) {
        *name = unit->name;
        return 0;
    }
    refuse(*name, text, sizeof(text));
    return gput__refuse(ret_err, -EINVAL, field, "%s", text);
}

static int resolve_units(struct gput_options *o, struct gput_error *e)
{
    int r =
        resolve_unit(&o->ram_unit, "ram_unit", e, gput__unit_of_memory, gput__unit_refuse_memory);

    if (r == 0)
        r = resolve_unit(&o->gpu_ram_unit, "gpu_ram_unit", e, gput__unit_of_memory,
                         gput__unit_refuse_memory);
    if (r == 0)
        r = resolve_unit(&o->time_unit, "time_unit", e, gput__unit_of_time, gput__unit_refuse_time);
    return r;
}

static int check_brand(const struct gput_options *o, struct gput_error *e)
{
    char names[80] = "";

    if (!o->gpu_brand || gput__gpu_brand_find(o->gpu_brand) < GPUT_N_GPU_BRANDS)
        return 0;
    for (unsigned i = 0; i < GPUT_N_GPU_BRANDS; i++) {
        size_t len = strlen(names);

        snprintf(names + len, sizeof(names) - len, "%s%s", i ? ", " : "", gput_gpu_brand(i));
    }
    return gput__refuse(e, -EINVAL, "gpu_brand", "'%.80s' is not one of: %s", o->gpu_brand, names);
}

static int check_numbers(const struct gput_options *o, struct gput_error *e)
{
    if (!(o->sleep_time >= SHORTEST_SLEEP && o->sleep_time <= LONGEST_SLEEP))
        return gput__refuse(e, -EINVAL, "sleep_time", "%g is not a number of seconds from %g to %g",
                            o->sleep_time, SHORTEST_SLEEP, LONGEST_SLEEP);
    if (o->n_expected_cores < 0)
        return gput__refuse(e, -EINVAL, "n_expected_cores", "%d is not a number of cores",
                            o->n_expected_cores);
    if (o->process_id < 0)
        return gput__refuse(e, -EINVAL, "process_id", "%d is not a process id", o->process_id);
    if (!(o->start_time >= 0 && o->start_time <= 1e11))
        return gput__refuse(e, -EINVAL, "start_time", "%g is not a time in seconds since 1970",
                            o->start_time);
    if (!(o->carbon_intensity >= 0 && o->carbon_intensity <= 1e6))
        return gput__refuse(e, -EINVAL, "carbon_intensity", "%g is not a number of grams per kWh",
                            o->carbon_intensity);
    if (!(o->timeout >= 0 && o->timeout <= 1e9))
        return gput__refuse(e, -EINVAL, "timeout", "%g is not a number of seconds", o->timeout);
    return 0;
}

static int check_tracking_file(const struct gput_options *o, struct gput_error *e)
{
    if (!o->tracking_file)
        return 0;
    if (gput__file_format(o->tracking_file) == GPUT__FILE_OTHER)
        return gput__refuse(e, -EINVAL, "tracking_file",
                            "'%.200s' does not end in " GPUT__FILE_NAMES, o->tracking_file);
    if (!(o->flags & GPUT_OVERWRITE) && access(o->tracking_file, F_OK) == 0)
        return gput__refuse(e, -EEXIST, "tracking_file",
                            "'%.200s' exists; name another file, or overwrite it "
                            "(--overwrite, overwrite=True)",
                            o->tracking_file);
    if (o->resource_usage_file && gput_file_is_same(o->tracking_file, o->resource_usage_file))
        return gput__refuse(e, -EINVAL, "resource_usage_file",
                            "'%.200s' is the tracking file too: one of them would be lost",
                            o->resource_usage_file);
    return 0;
}

void gput__options_strings(struct gput_options *o, const char **ret[GPUT__N_OPTION_STRINGS])
{
    const char **strings[] = {
        &o->ram_unit,      &o->gpu_ram_unit, &o->time_unit, &o->gpu_uuids, &o->gpu_brand,
        &o->tracking_file, &o->proc_root,    &o->sys_root,  &o->nvml_path, &o->resource_usage_file,
        &o->helper_path,   &o->metadata_url, &o->job_name,  &o->tags,      &o->metadata,
        &o->run_id,        &o->folder,       &o->fleet,     &o->budget,
    };

    _Static_assert(sizeof(strings) / sizeof(*strings) == GPUT__N_OPTION_STRINGS, "one for each");
    memcpy(ret, strings, sizeof(strings));
}

static int copy_strings(struct gput_options *o)
{
    const char **strings[GPUT__N_OPTION_STRINGS];
    int r = 0;

    gput__options_strings(o, strings);
    for (size_t i = 0; i < GPUT__N_OPTION_STRINGS; i++) {
        if (!*strings[i])
            continue;
        *strings[i] = r < 0 ? NULL : strdup(*strings[i]);
        if (!*strings[i])
            r = -ENOMEM;
    }
    return r;
}

int gput__options_copy(const struct gput_options *from, struct gput_options *ret,
                       struct gput_error *ret_err)
{
    struct gput_options o = { 0 };
    int r;

    /* A caller built against an older header knows fewer options: the rest keep their defaults. */
    if (from)
        memcpy(&o, from, from->size < sizeof(o) ? from->size : sizeof(o));
    o.size = sizeof(o);
    o.launch = NULL; /* the fleet has a copy */
    if (o.fleet)
        o.flags |= GPUT_WANT_ALL | GPUT_KEEP_SERIES;
    o.sleep_time = o.sleep_time == 0 ? 1.0 : o.sleep_time;
    o.ram_unit = o.ram_unit ? o.ram_unit : "gigabytes";
    o.gpu_ram_unit = o.gpu_ram_unit ? o.gpu_ram_unit : "gigabytes";
    o.time_unit = o.time_unit ? o.time_unit : "hours";
    r = resolve_units(&o, ret_err);
    if (r == 0)
        r = check_brand(&o, ret_err);
    if (r == 0)
        r = check_numbers(&o, ret_err);
    if (r == 0)
        r = check_tracking_file(&o, ret_err);
    if (r < 0)
        return r;
    r = copy_strings(&o);
    if (r < 0)
        (void)gput__refuse(ret_err, r, "", "out of memory");
    else
        r = gput__identity_choose(&o, ret_err);
    if (r < 0) {
        gput__options_free(&o);
        return r;
    }
    *ret = o;
    return 0;
}

void gput__options_free(struct gput_options *o)
{
    const char **strings[GPUT__N_OPTION_STRINGS];

    gput__options_strings(o, strings);
    for (size_t i = 0; i < GPUT__N_OPTION_STRINGS; i++)
        free((char *)*strings[i]);
    *o = (struct gput_options){ 0 };
}
