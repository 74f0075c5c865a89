/* os_release.c - os-release(5): the distribution, as it names itself. */
#include "source/machine/os_release.h"

#include <stdio.h>
#include <string.h>

#include "base/text/text.h"

/* A word as a shell reads it, up to the end of the line. */
static void copy_value(const char *p, char *ret, size_t cap)
{
    char quote = '\0';
    size_t n = 0;

    for (; *p && *p != '\n'; p++) {
        if (*p == quote) {
            quote = '\0';
        } else if (!quote && (*p == '"' || *p == '\'')) {
            quote = *p;
        } else {
            if (*p == '\\' && quote != '\'' && p[1] && p[1] != '\n')
                p++;
            if (n + 1 < cap)
                ret[n++] = *p;
        }
    }
    ret[n] = '\0';
    gput__text_tidy(ret);
}

static void find(const char *text, const char *key, char *ret, size_t cap)
{
    size_t n = strlen(key);

    ret[0] = '\0';
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (!strncmp(line, key, n) && line[n] == '=')
            copy_value(line + n + 1, ret, cap);
    }
}

void gput__os_release_parse(const char *text, struct gput__os_release *ret)
{
    char plain[sizeof(ret->name)];

    find(text, "ID", ret->id, sizeof(ret->id));
    find(text, "VERSION_ID", ret->version, sizeof(ret->version));
    find(text, "PRETTY_NAME", ret->name, sizeof(ret->name));
    if (ret->name[0])
        return;
    find(text, "NAME", plain, sizeof(plain));
    snprintf(ret->name, sizeof(ret->name), "%s", plain);
}

void gput__os_release_read(const struct gput__root *proc, struct gput__os_release *ret)
{
    /* The root folder of the process: /, but below a root that tests replace. */
    static const char *const names[] = { "self/root/etc/os-release",
                                         "self/root/usr/lib/os-release" };
    char text[4096] = "";

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (gput__root_read(proc, names[i], text, sizeof(text)) > 0)
            break;
    gput__os_release_parse(text, ret);
}
