/* keeper_answer.c - what the Keeper of Spare Cores answers, read with suspicion: it is printed. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text/json_tree.h"
#include "base/text/text.h"
#include "model/gpus.h"
#include "servers/keeper.h"

#define SOURCE "Spare Cores Keeper"

/* More than any server has or costs. */
#define MOST_VCPUS 10000.0
#define MOST_MIB (1024.0 * 1024 * 1024)
#define MOST_USD 100000.0

enum { LONGEST_TEXT = 63 };

static struct gput_json *load_list(const char *text, size_t n, const char **ret_why)
{
    struct gput_json *list = NULL;

    if (gput__json_tree_of(text, n, false, &list, NULL) < 0)
        *ret_why = "the answer is not JSON";
    else if (list->kind != GPUT_JSON_LIST) {
        *ret_why = "the answer is not a list";
        list = gput_json_free(list);
    }
    return list;
}

/* A short text of plain characters; NULL: it is none. */
static const char *text_of(const struct gput_json *object, const char *key)
{
    const struct gput_json *value = gput__json_member_of(object, key, GPUT_JSON_STRING);
    const char *text = value ? value->text : NULL;

    if (!text || !*text || strlen(text) > LONGEST_TEXT || !gput__text_is_plain(text) ||
        gput__text_is_formula(text, strlen(text)))
        return NULL;
    return text;
}

/* `otherwise` where it is missing or null; NAN where it is no number within the limits. */
static double number_of(const struct gput_json *object, const char *key, double most,
                        double otherwise)
{
    const struct gput_json *value = gput_json_member(object, key);

    if (!value || value->kind == GPUT_JSON_NULL)
        return otherwise;
    return value->kind == GPUT_JSON_NUMBER && value->number >= 0 && value->number <= most
               ? value->number
               : NAN;
}

static bool parse_server(const struct gput_json *object, const char *as_of,
                         struct gput_server_offer *ret)
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
    struct gput_json *list = load_list(text, n, ret_why);
    struct gput_catalogue *c = NULL;
    struct gput_server_offer offer;
    int r = list ? gput__catalogue_new(origin, &c) : -EBADMSG;

    for (size_t i = 0; r == 0 && i < list->n; i++)
        if (parse_server(&list->item[i], as_of, &offer))
            r = gput__catalogue_add(c, &offer);
    gput_json_free(list);
    if (r < 0) {
        *ret_why = r == -ENOMEM ? "out of memory" : *ret_why;
        gput__catalogue_free(c);
        return r;
    }
    *ret = c;
    return 0;
}

static bool has(const struct gput_json *object, const char *key, const char *wanted)
{
    const char *text = text_of(object, key);

    return text && strcmp(text, wanted) == 0;
}

int gput__keeper_price(const char *text, size_t n, const char *region, double *ret_usd_hour,
                       char *ret_region, const char **ret_why)
{
    struct gput_json *list = load_list(text, n, ret_why);
    bool is_found = false, is_there = false;

    if (!list)
        return -EBADMSG;
    for (size_t i = 0; i < list->n; i++) {
        const struct gput_json *object = &list->item[i];
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
    gput_json_free(list);
    *ret_why = "no price on demand under Linux";
    return is_found ? 0 : -ENODATA;
}
