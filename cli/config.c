/* config.c - the file of --tconfig: a JSON object of the Tracker's keyword arguments. */
#include "config.h"

#include <errno.h>
#include <jansson.h>
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
    int id = option_by_key(key);

    return id >= 0 && option_def((enum option_id)id)->in_config ? id : -1;
}

static int refuse_unknown(const struct options *o, json_t *root, struct refusal *ret_why)
{
    char names[700] = "";
    const char *key;
    json_t *value;
    int n = 0;

    json_object_foreach(root, key, value) {
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
static char *joined(const json_t *list)
{
    size_t size = 1, index;
    json_t *item;
    char *text;

    json_array_foreach(list, index, item) {
        if (!json_is_string(item) || !json_string_length(item))
            return NULL;
        size += json_string_length(item) + 1;
    }
    text = calloc(1, size);
    json_array_foreach(list, index, item) {
        if (text && index > 0)
            strcat(text, ",");
        if (text)
            strcat(text, json_string_value(item));
    }
    return text;
}

static int set_list(struct options *o, enum option_id id, const json_t *value,
                    struct refusal *ret_why)
{
    const char *key = option_def(id)->key;
    char *text;
    int r;

    if (json_is_string(value))
        return option_set_text(o, id, FROM_CONFIG, json_string_value(value), ret_why);
    text = json_is_array(value) && json_array_size(value) > 0 ? joined(value) : NULL;
    if (!text)
        return refuse_type(o, key, "a list of strings, or a string", ret_why);
    r = option_set_text(o, id, FROM_CONFIG, text, ret_why);
    free(text);
    return r;
}

static int set_option(struct options *o, enum option_id id, const json_t *value,
                      struct refusal *ret_why)
{
    const char *key = option_def(id)->key;

    switch (option_def(id)->kind) {
    case KIND_FLAG:
        if (!json_is_boolean(value))
            return refuse_type(o, key, "true or false", ret_why);
        option_set_flag(o, id, FROM_CONFIG, json_is_true(value));
        return 0;
    case KIND_COUNT:
        if (!json_is_integer(value))
            return refuse_type(o, key, "a whole number", ret_why);
        return option_set_number(o, id, FROM_CONFIG, json_number_value(value), ret_why);
    case KIND_SECONDS:
        if (!json_is_number(value))
            return refuse_type(o, key, "a number", ret_why);
        return option_set_number(o, id, FROM_CONFIG, json_number_value(value), ret_why);
    case KIND_LIST:
        return set_list(o, id, value, ret_why);
    default:
        if (!json_is_string(value))
            return refuse_type(o, key, "a string", ret_why);
        return option_set_text(o, id, FROM_CONFIG, json_string_value(value), ret_why);
    }
}

static int take_key(struct options *o, const char *key, const json_t *value,
                    struct refusal *ret_why)
{
    if (json_is_null(value)) /* Python's None: not set */
        return 0;
    if (is_idle_key(key))
        return json_is_number(value) ? 0 : refuse_type(o, key, "a number", ret_why);
    if (strcmp(key, "resource_usage_file") == 0)
        return refuse(ret_why,
                      "%s: resource_usage_file is for code that tracks itself; use --output",
                      o->tconfig);
    return set_option(o, (enum option_id)option_of(key), value, ret_why);
}

static json_t *read_json(const char *path, struct refusal *ret_why)
{
    json_error_t error;
    json_t *root;
    FILE *file = fopen(path, "re");
    int saved;

    if (!file) {
        refuse(ret_why, "--tconfig: %s: %s", path, strerror(errno));
        return NULL;
    }
    errno = 0;
    root = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
    saved = ferror(file) ? errno : 0;
    fclose(file);
    if (root)
        return root;
    if (saved)
        refuse(ret_why, "--tconfig: %s: %s", path, strerror(saved));
    else
        refuse(ret_why, "--tconfig: %s is not JSON: line %d: %s", path, error.line, error.text);
    return NULL;
}

int config_load(struct options *o, struct refusal *ret_why)
{
    json_t *root = read_json(o->tconfig, ret_why);
    const char *key;
    json_t *value;
    int r;

    if (!root)
        return -EINVAL;
    if (json_is_object(root))
        r = refuse_unknown(o, root, ret_why);
    else
        r = refuse(ret_why, "--tconfig: %s: must be a JSON object", o->tconfig);
    if (r == 0) {
        json_object_foreach(root, key, value) {
            r = take_key(o, key, value, ret_why);
            if (r < 0)
                break;
        }
    }
    json_decref(root);
    return r;
}
