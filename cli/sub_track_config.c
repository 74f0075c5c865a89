/* sub_track_config.c - the sessions to compare, from -m and the file of --cconfig. */
#include "sub_track_config.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int statistic_of(const char *word, enum gput_statistic *ret)
{
    static const char *const words[] = {
        [GPUT_MIN] = "min", [GPUT_MAX] = "max", [GPUT_MEAN] = "mean", [GPUT_STD] = "std"
    };

    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
        if (strcmp(words[i], word) == 0) {
            *ret = (enum gput_statistic)i;
            return 0;
        }
    }
    return -EINVAL;
}

static int add(struct sessions *s, char *name, char *file)
{
    struct gput_session *list = realloc(s->list, (s->n + 1) * sizeof(*list));

    if (!list)
        return -ENOMEM;
    s->list = list;
    list[s->n++] = (struct gput_session){ name, file };
    return 0;
}

int sessions_set(struct sessions *s, const char *name, const char *file, struct refusal *ret_why)
{
    char *name_copy, *copy = strdup(file);

    if (!copy)
        return refuse(ret_why, "%s", strerror(ENOMEM));
    for (size_t i = 0; i < s->n; i++) {
        if (strcmp(s->list[i].name, name) == 0) {
            free((char *)s->list[i].file);
            s->list[i].file = copy;
            return 0;
        }
    }
    name_copy = strdup(name);
    if (name_copy && add(s, name_copy, copy) == 0)
        return 0;
    free(name_copy);
    free(copy);
    return refuse(ret_why, "%s", strerror(ENOMEM));
}

void sessions_free(struct sessions *s)
{
    for (size_t i = 0; i < s->n; i++) {
        free((char *)s->list[i].name);
        free((char *)s->list[i].file);
    }
    free(s->list);
    *s = (struct sessions){ 0 };
}

static int take_map(const char *path, json_t *map, struct sessions *s, struct refusal *ret_why)
{
    const char *name;
    json_t *file;

    if (!json_is_object(map))
        return refuse(ret_why, "%s: file_path_map must be an object of names and files", path);
    json_object_foreach(map, name, file) {
        if (!json_is_string(file))
            return refuse(ret_why, "%s: file_path_map: '%s' must be the name of a file", path,
                          name);
        if (sessions_set(s, name, json_string_value(file), ret_why) < 0)
            return -EINVAL;
    }
    return 0;
}

static int take_key(const char *path, const char *key, json_t *value, struct sessions *s,
                    enum gput_statistic *ret_statistic, struct refusal *ret_why)
{
    const char *word = json_string_value(value);

    if (strcmp(key, "file_path_map") == 0)
        return json_is_null(value) ? 0 : take_map(path, value, s, ret_why);
    if (strcmp(key, "statistic") != 0)
        return refuse(ret_why, "%s: unknown key '%s'; there are file_path_map and statistic", path,
                      key);
    if (json_is_null(value))
        return 0;
    if (!word || statistic_of(word, ret_statistic) < 0)
        return refuse(ret_why, "%s: statistic: '%s' is not one of: min, max, mean, std", path,
                      word ? word : "this value");
    return 0;
}

int sub_track_config(const char *path, struct sessions *s, enum gput_statistic *ret_statistic,
                     struct refusal *ret_why)
{
    json_error_t error;
    const char *key;
    json_t *value, *root;
    FILE *file = fopen(path, "re");
    int r = 0;

    if (!file)
        return refuse(ret_why, "%s: %s", path, strerror(errno));
    root = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
    fclose(file);
    if (!root)
        return refuse(ret_why, "%s is not JSON: line %d: %s", path, error.line, error.text);
    if (!json_is_object(root))
        r = refuse(ret_why, "%s: must be a JSON object", path);
    json_object_foreach(root, key, value) {
        if (r == 0)
            r = take_key(path, key, value, s, ret_statistic, ret_why);
    }
    json_decref(root);
    return r;
}
