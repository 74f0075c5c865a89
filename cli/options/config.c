/* config.c - the file of --tconfig: a JSON object of the Tracker's keyword arguments. */
#include "options/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Keyword arguments of the Tracker that steer what this program does not have. */
static bool is_idle_key(const char *key)
{
    return strcmp(key, "n_join_attempts") == 0 || strcmp(key, "join_timeout") == 0;
}

/* The option behind a key of the file, or -1. */
static int option_of(const char *key)
{
    int id = option_by_key(run_options, key);

    return id >= 0 && run_options[id].in_config ? id : -1;
}

static int refuse_unknown(const struct options *o, const struct gput_json *root,
                          struct refusal *ret_why)
{
    char names[700] = "";
    int n = 0;

    for (size_t i = 0; i < root->n; i++) {
        const char *key = root->item[i].name;
        size_t used = strlen(names);

        if (option_of(key) < 0 && !is_idle_key(key) && strcmp(key, "resource_usage_file") != 0)
            snprintf(names + used, sizeof(names) - used, "%s'%s'", n++ ? ", " : "", key);
    }
    if (n == 0)
        return 0;
    return refuse(ret_why, "%s: unknown key%s: %s", o->tconfig, n > 1 ? "s" : "", names);
}

static int refuse_type(const struct options *o, const char *key, const char *wanted,
                       struct refusal *ret_why)
{
    return refuse(ret_why, "%s: %s must be %s", o->tconfig, key, wanted);
}

/* The strings of a list with commas between, or NULL.  free() it. */
static char *joined(const struct gput_json *list)
{
    size_t size = 1;
    char *text, *end;

    for (size_t i = 0; i < list->n; i++) {
        if (list->item[i].kind != GPUT_JSON_STRING || !*list->item[i].text)
            return NULL;
        size += strlen(list->item[i].text) + 1;
    }
    text = end = calloc(1, size);
    for (size_t i = 0; text && i < list->n; i++)
        end += sprintf(end, "%s%s", i > 0 ? "," : "", list->item[i].text);
    return text;
}

static int set_list(struct options *o, int id, const struct gput_json *value,
                    struct refusal *ret_why)
{
    const char *key = run_options[id].key;
    char *text;
    int r;

    if (value->kind == GPUT_JSON_STRING)
        return option_set_text(&o->given, id, value->text, ret_why);
    text = value->kind == GPUT_JSON_LIST && value->n > 0 ? joined(value) : NULL;
    if (!text)
        return refuse_type(o, key, "a list of strings, or a string", ret_why);
    r = option_set_text(&o->given, id, text, ret_why);
    free(text);
    return r;
}

/* {"key": "value"} is "key=value" of the command line. */
static int set_pairs(struct options *o, int id, const struct gput_json *value,
                     struct refusal *ret_why)
{
    const char *key = run_options[id].key;
    int r = 0;

    if (value->kind != GPUT_JSON_OBJECT)
        return refuse_type(o, key, "an object of strings", ret_why);
    for (size_t i = 0; r == 0 && i < value->n; i++) {
        const struct gput_json *item = &value->item[i];
        char *pair = NULL;

        if (item->kind != GPUT_JSON_STRING)
            return refuse_type(o, key, "an object of strings", ret_why);
        if (asprintf(&pair, "%s=%s", item->name, item->text) < 0)
            return refuse(ret_why, "%s", strerror(ENOMEM));
        r = option_set_text(&o->given, id, pair, ret_why);
        free(pair);
    }
    return r;
}

/* Behind the name of a figure: "<=4GB" and ">=50" as they are, else at most that. */
static char *limit_of(const struct gput_json *value)
{
    char *text = NULL;
    int r = -1;

    if (value->kind == GPUT_JSON_NUMBER)
        r = asprintf(&text, "%s<=%.17g", value->name, value->number);
    else if (value->kind == GPUT_JSON_STRING)
        r = asprintf(&text, "%s%s%s", value->name,
                     strpbrk(value->text, "<>=") ? "" : "<=", value->text);
    return r < 0 ? NULL : text;
}

/* The members of an object as limits with commas between, or NULL.  free() it. */
static char *joined_limits(const struct gput_json *object)
{
    char *all = strdup("");

    for (size_t i = 0; all && i < object->n; i++) {
        char *limit = limit_of(&object->item[i]), *more = NULL;

        if (!limit || asprintf(&more, "%s%s%s", all, i > 0 ? "," : "", limit) < 0)
            more = NULL;
        free(limit);
        free(all);
        all = more;
    }
    return all;
}

static int set_limits(struct options *o, int id, const struct gput_json *value,
                      struct refusal *ret_why)
{
    char *text;
    int r;

    if (value->kind != GPUT_JSON_OBJECT)
        return set_list(o, id, value, ret_why);
    text = joined_limits(value);
    if (!text)
        return refuse_type(o, run_options[id].key,
                           "an object of figures, each with a number or a string", ret_why);
    r = option_set_text(&o->given, id, text, ret_why);
    free(text);
    return r;
}

static int set_option(struct options *o, int id, const struct gput_json *value,
                      struct refusal *ret_why)
{
    const char *key = run_options[id].key;

    switch (run_options[id].kind) {
    case KIND_FLAG:
        if (value->kind != GPUT_JSON_BOOLEAN)
            return refuse_type(o, key, "true or false", ret_why);
        option_set_flag(&o->given, id, value->number != 0);
        return 0;
    case KIND_COUNT:
    case KIND_PROCESS:
        if (value->kind != GPUT_JSON_NUMBER || !value->is_whole)
            return refuse_type(o, key, "a whole number", ret_why);
        return option_set_number(&o->given, id, value->number, ret_why);
    case KIND_SECONDS:
        if (value->kind != GPUT_JSON_NUMBER)
            return refuse_type(o, key, "a number", ret_why);
        return option_set_number(&o->given, id, value->number, ret_why);
    case KIND_MANY:
        return set_pairs(o, id, value, ret_why);
    case KIND_LIST:
        return set_list(o, id, value, ret_why);
    case KIND_LIMITS:
        return set_limits(o, id, value, ret_why);
    default:
        if (value->kind != GPUT_JSON_STRING)
            return refuse_type(o, key, "a string", ret_why);
        return option_set_text(&o->given, id, value->text, ret_why);
    }
}

static int set_key(struct options *o, const struct gput_json *value, struct refusal *ret_why)
{
    const char *key = value->name;

    if (value->kind == GPUT_JSON_NULL) /* Python's None: not set */
        return 0;
    if (is_idle_key(key))
        return value->kind == GPUT_JSON_NUMBER ? 0 : refuse_type(o, key, "a number", ret_why);
    if (strcmp(key, "resource_usage_file") == 0)
        return refuse(ret_why,
                      "%s: resource_usage_file is for code that tracks itself; use --output",
                      o->tconfig);
    return set_option(o, option_of(key), value, ret_why);
}

int config_read(const char *label, const char *path, struct gput_json **ret,
                struct refusal *ret_why)
{
    struct gput_error err;
    int r = gput_json_read(path, ret, &err);

    if (r == -EBADMSG)
        return refuse(ret_why, "%s%s is not JSON: %s", label, path, err.text);
    if (r < 0)
        return refuse(ret_why, "%s%s: %s", label, path, err.text);
    if ((*ret)->kind == GPUT_JSON_OBJECT)
        return 0;
    *ret = gput_json_free(*ret);
    return refuse(ret_why, "%s%s: must be a JSON object", label, path);
}

int config_load(struct options *o, struct refusal *ret_why)
{
    struct gput_json *root;
    int r = config_read("--tconfig: ", o->tconfig, &root, ret_why);

    if (r < 0)
        return r;
    o->given.options = run_options;
    o->given.config = o->tconfig;
    r = refuse_unknown(o, root, ret_why);
    for (size_t i = 0; r == 0 && i < root->n; i++)
        r = set_key(o, &root->item[i], ret_why);
    gput_json_free(root);
    return r;
}
