/* groups.c - the runs that somebody names on a command line. */
#include "compare/groups.h"

#include "output/exit_codes.h"
#include "output/say.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const comparison_formats[] = { "text", "json", "markdown", "html", NULL };

struct adding {
    struct gput_comparison *c;
    const char *command, *group;
    char *name; /* of the group, where it is not part of the word */
};

int groups_fail_if(struct gput_comparison *c, const char *text, struct refusal *ret_why)
{
    struct gput_error err;

    if (gput_comparison_fail_if(c, text, &err) < 0)
        return refuse(ret_why, "%s", err.text);
    return 0;
}

/* "run.csv+run.json" are two files of one run; a file whose own name has a '+' is one. */
static int add_file(const struct adding *a, const char *name)
{
    const struct gput_callbacks on = { .warn = say_warning };
    const char *plus = access(name, F_OK) < 0 ? strchr(name, '+') : NULL;
    char *file = plus ? strndup(name, (size_t)(plus - name)) : strdup(name);
    struct gput_error err;
    int r;

    if (!file) {
        say("%s: %s", a->command, strerror(ENOMEM));
        return EXIT_FAILED;
    }
    r = gput_comparison_add_file(a->c, a->group, name, file, plus ? plus + 1 : NULL, &on, &err);
    free(file);
    if (r == 0)
        return 0;
    say("%s: %s", a->command, err.text);
    return EXIT_USAGE;
}

static int is_result(const struct dirent *entry)
{
    const char *end = strrchr(entry->d_name, '.');

    return entry->d_name[0] != '.' && end && strcmp(end, ".json") == 0;
}

/* Of one with node files in it, or below it, all is one run. */
static bool is_fleet(const char *folder)
{
    struct gput_fleet *fleet;
    int r = gput_fleet_read(&folder, 1, NULL, NULL, &fleet, NULL);

    if (r == 0)
        gput_fleet_close(fleet);
    return r == 0;
}

/* Each result in it, by name. */
static int add_folder(const struct adding *a, const char *folder)
{
    struct dirent **entries = NULL;
    int n = scandir(folder, &entries, is_result, alphasort), status = 0;
    char *file;

    if (n <= 0)
        say("%s: '%s': %s", a->command, folder,
            n < 0 ? strerror(errno) : "there is no result (.json) in this folder");
    status = n <= 0 ? EXIT_USAGE : 0;
    for (int i = 0; i < n; i++) {
        if (status == 0 && asprintf(&file, "%s/%s", folder, entries[i]->d_name) >= 0) {
            status = add_file(a, file);
            free(file);
        }
        free(entries[i]);
    }
    free(entries);
    return status;
}

static int add_path(const struct adding *a, const char *path)
{
    struct stat st;

    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode) && !is_fleet(path))
        return add_folder(a, path);
    return add_file(a, path);
}

/* "b1.json,b2.json"; a file whose own name has commas is one. */
static int add_list(const struct adding *a, const char *list)
{
    char *copy, *rest, *path;
    int status = 0;

    if (access(list, F_OK) == 0)
        return add_path(a, list);
    copy = rest = strdup(list);
    while (status == 0 && (path = strsep(&rest, ",")))
        status = *path ? add_path(a, path) : 0;
    free(copy);
    return copy ? status : EXIT_FAILED;
}

int groups_add(struct gput_comparison *c, const char *command, const char *word, int place)
{
    struct adding a = { .c = c, .command = command, .group = word };
    const char *equals = strchr(word, '=');
    int status;

    if (equals && equals > word && access(word, F_OK) < 0) {
        a.name = strndup(word, (size_t)(equals - word));
        word = equals + 1;
    } else if (place > 0 && asprintf(&a.name, "%s (%d)", word, place + 1) < 0) {
        a.name = NULL; /* the same run once more */
    }
    a.group = a.name ? a.name : a.group;
    status = *word ? add_list(&a, word) : EXIT_USAGE;
    if (!*word)
        say("%s: the group '%s' has no run", command, a.group);
    free(a.name);
    return status;
}
