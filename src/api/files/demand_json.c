/* demand_json.c - what a run needed, as JSON that a history keeps. */
#include "api/files/demand_json.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/text/json_tree.h"
#include "report/json/json.h"

#define MEMBER(name)                                                                               \
    {                                                                                              \
#name, offsetof(struct gput_demand, name)                                                  \
    }
static const struct member {
    const char *name;
    size_t at;
} numbers[] = {
    MEMBER(cpu_mean),    MEMBER(cpu_max),      MEMBER(memory_peak), MEMBER(gpu_mean),
    MEMBER(gpu_max),     MEMBER(vram_peak),    MEMBER(duration),    MEMBER(memory_limit),
    MEMBER(cores_limit), MEMBER(memory_most),
}, wholes[] = {
    MEMBER(n_gpus),     MEMBER(oom),        MEMBER(ending),         MEMBER(code),
    MEMBER(timed_out),  MEMBER(is_sampled), MEMBER(is_machine),     MEMBER(is_gpu_sampled),
};
_Static_assert(sizeof(enum gput_oom) == sizeof(int) && sizeof(enum gput_ending) == sizeof(int),
               "enumerations are kept as whole numbers");

enum {
    N_NUMBERS = sizeof(numbers) / sizeof(*numbers),
    N_WHOLES = sizeof(wholes) / sizeof(*wholes)
};

/* Only the levels that it used. */
static void write_levels(struct gput__json *j, const struct gput_demand *d)
{
    char name[16];

    gput__json_open(j, "cpu_seconds_at");
    for (int i = 0; i < GPUT_CPU_LEVELS; i++) {
        if (!(d->cpu_seconds_at[i] > 0))
            continue;
        snprintf(name, sizeof(name), "%d", i);
        gput__json_double(j, name, d->cpu_seconds_at[i]);
    }
    gput__json_close(j);
}

int gput__demand_write(const struct gput_demand *d, char **ret_text)
{
    struct gput__buf out = GPUT__BUF_INIT;
    struct gput__json j = { .out = &out };

    gput__json_open(&j, NULL);
    for (int i = 0; i < N_NUMBERS; i++) {
        double value;

        memcpy(&value, (const char *)d + numbers[i].at, sizeof(value));
        gput__json_double(&j, numbers[i].name, value);
    }
    for (int i = 0; i < N_WHOLES; i++) {
        int value;

        memcpy(&value, (const char *)d + wholes[i].at, sizeof(value));
        gput__json_count(&j, wholes[i].name, value);
    }
    gput__json_string(&j, "gpu_brand", d->gpu_brand);
    write_levels(&j, d);
    gput__json_close(&j);
    return gput__buf_detach(&out, ret_text);
}

static double number_of(const struct gput_json *object, const char *name)
{
    const struct gput_json *m = gput__json_member_of(object, name, GPUT_JSON_NUMBER);

    return m ? m->number : NAN;
}

static void parse_levels(const struct gput_json *levels, struct gput_demand *d)
{
    for (size_t i = 0; levels && i < levels->n; i++) {
        long at = strtol(levels->item[i].name, NULL, 10);

        if (at >= 0 && at < GPUT_CPU_LEVELS && levels->item[i].number > 0)
            d->cpu_seconds_at[at] = levels->item[i].number;
    }
}

int gput__demand_parse(const char *text, struct gput_demand *ret)
{
    struct gput_demand d = { .n_gpus = 0 };
    const struct gput_json *brand;
    struct gput_json *json;
    struct gput_error err;

    if (!text || gput__json_tree_of(text, strlen(text), false, &json, &err) < 0)
        return -EBADMSG;
    for (int i = 0; i < N_NUMBERS; i++) {
        double value = number_of(json, numbers[i].name);

        memcpy((char *)&d + numbers[i].at, &value, sizeof(value));
    }
    for (int i = 0; i < N_WHOLES; i++) {
        double number = number_of(json, wholes[i].name);
        int value = fabs(number) < 1e9 ? (int)number : 0;

        memcpy((char *)&d + wholes[i].at, &value, sizeof(value));
    }
    brand = gput__json_member_of(json, "gpu_brand", GPUT_JSON_STRING);
    snprintf(d.gpu_brand, sizeof(d.gpu_brand), "%s", brand ? brand->text : "");
    parse_levels(gput__json_member_of(json, "cpu_seconds_at", GPUT_JSON_OBJECT), &d);
    gput_json_free(json);
    *ret = d;
    return 0;
}
