/* config.c - the sessions to compare, from -m and the file of --cconfig. */
#include "sub_track/config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "options/config.h"

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

static int read_map(const char *path, const struct gput_json *map, struct sessions *s,
                    struct refusal *ret_why)
{
    if (map->kind != GPUT_JSON_OBJECT)
        return refuse(ret_why, "%s: file_path_map must be an object of names and files", path);
    for (size_t i = 0; i < map->n; i++) {
        const struct gput_json *file = &map->item[i];

        if (file->kind != GPUT_JSON_STRING)
            return refuse(ret_why, "%s: file_path_map: '%s' must be the name of a file", path,
                          file->name);
        if (sessions_set(s, file->name, file->text, ret_why) < 0)
            return -EINVAL;
    }
    return 0;
}

static int read_key(const char *path, const struct gput_json *value, struct sessions *s,
                    enum gput_statistic *ret_statistic, struct refusal *ret_why)
{
    bool is_map = strcmp(value->name, "file_path_map") == 0;

    if (!is_map && strcmp(value->name, "statistic") != 0)
        return refuse(ret_why, "%s: unknown key '%s'; there are file_path_map and statistic", path,
                      value->name);
    if (value->kind == GPUT_JSON_NULL)
        return 0;
    if (is_map)
        return read_map(path, value, s, ret_why);
    if (!value->text || statistic_of(value->text, ret_statistic) < 0)
        return refuse(ret_why, "%s: statistic: '%s' is not one of: min, max, mean, std", path,
                      value->text ? value->text : "this value");
    return 0;
}

int sub_track_config(const char *path, struct sessions *s, enum gput_statistic *ret_statistic,
                     struct refusal *ret_why)
{
    struct gput_json *root;
    int r = config_read("", path, &root, ret_why);

    if (r < 0)
        return r;
    for (size_t i = 0; r == 0 && i < root->n; i++)
        r = read_key(path, &root->item[i], s, ret_statistic, ret_why);
    gput_json_free(root);
    return r;
}
