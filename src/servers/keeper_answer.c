/* keeper_answer.c - what the Keeper of Spare Cores answers, read with suspicion: it is printed. */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text/text.h"
#include "model/gpus.h"
#include "servers/keeper.h"

#define SOURCE "Spare Cores Keeper"

/* More than any server has or costs. */
#define MOST_VCPUS 10000.0
#define MOST_MIB (1024.0 * 1024 * 1024)
#define MOST_USD 100000.0

enum { LONGEST_TEXT = 63 };

static json_t *load_list(const char *text, size_t n, const char **ret_why)
{
    json_error_t error;
    json_t *list = json_loadb(text, n, JSON_REJECT_DUPLICATES, &error);

    if (json_is_array(list))
        return list;
    *ret_why = list ? "the answer is not a list" : "the answer is not JSON";
    json_decref(list);
    return NULL;
}

/* A short text of plain characters; NULL: it is none. */
static const char *text_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    const char *text = json_is_string(value) ? json_string_value(value) : NULL;

    if (!text || !*text || strlen(text) > LONGEST_TEXT || !gput__text_is_plain(text) ||
        gput__text_is_formula(text, strlen(text)))
        return NULL;
    return text;
}

/* `otherwise` where it is missing or null; NAN where it is no number within the limits. */
static double number_of(const json_t *object, const char *key, double most, double otherwise)
{
    const json_t *value = json_object_get(object, key);
    double number = json_is_number(value) ? json_number_value(value) : NAN;

    if (!value || json_is_null(value))
        return otherwise;
    return number >= 0 && number <= most ? number : NAN;
}

static bool take_server(const json_t *object, const char *as_of, struct gput_server_offer *ret)
{
    const char *model = text_of(object, "gpu_model");
    double vcpus = number_of(object, "vcpus", MOST_VCPUS, NAN);

    *ret = (struct gput_server_offer){
        .vendor = text_of(object, "vendor_id"),
        .type = text_of(object, "api_reference"),
        .region = "",
        .vcpus = vcpus >= 1 ? (int)vcpus : 0,
        .memory_mib = number_of(object, "memory_amount", MOST_MIB, NAN),
        .gpus = number_of(object, "gpu_count", GPUT__MOST_SERVER_GPUS, 0),
        .vram_mib = number_of(object, "gpu_memory_total", MOST_MIB, 0),
        .usd_hour = number_of(object, "min_price_ondemand", MOST_USD, NAN),
        .source = SOURCE,
        .as_of = as_of,
    };
    ret->gpu_model = ret->gpus > 0 ? model ? model : "unknown" : "";
    return ret->vendor && ret->type && ret->vcpus >= 1 && ret->memory_mib > 0 &&
           ret->usd_hour > 0 && !isnan(ret->gpus) && !isnan(ret->vram_mib);
}

int gput__keeper_servers(const char *text, size_t n, const char *origin, const char *as_of,
                         struct gput_catalogue **ret, const char **ret_why)
{
    json_t *list = load_list(text, n, ret_why), *object;
    struct gput_catalogue *c = NULL;
    struct gput_server_offer offer;
    size_t i;
    int r = list ? gput__catalogue_new(origin, &c) : -EBADMSG;

    json_array_foreach(list, i, object) {
        if (r == 0 && take_server(object, as_of, &offer))
            r = gput__catalogue_add(c, &offer);
    }
    json_decref(list);
    if (r < 0) {
        *ret_why = r == -ENOMEM ? "out of memory" : *ret_why;
        gput__catalogue_free(c);
        return r;
    }
    *ret = c;
    return 0;
}

static bool has(const json_t *object, const char *key, const char *wanted)
{
    const char *text = text_of(object, key);

    return text && strcmp(text, wanted) == 0;
}

int gput__keeper_price(const char *text, size_t n, const char *region, double *ret_usd_hour,
                       char *ret_region, const char **ret_why)
{
    json_t *list = load_list(text, n, ret_why), *object;
    bool is_found = false, is_there = false;
    size_t i;

    if (!list)
        return -EBADMSG;
    json_array_foreach(list, i, object) {
        double price = number_of(object, "price", MOST_USD, NAN);

        if (!(price > 0) || !has(object, "allocation", "ondemand") ||
            !has(object, "operating_system", "Linux") || is_there)
            continue;
        is_there = region && has(object, "region_id", region);
        if (is_found && !is_there)
            continue;
        is_found = true;
        *ret_usd_hour = price;
        snprintf(ret_region, LONGEST_TEXT + 1, "%s",
                 text_of(object, "region_id") ? text_of(object, "region_id") : "");
    }
    json_decref(list);
    *ret_why = "no price on demand under Linux";
    return is_found ? 0 : -ENODATA;
}
