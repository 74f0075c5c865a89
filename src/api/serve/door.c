/* door.c - who may see the live page: a token in the link, then a folder whose name nobody can guess. */
#include "api/serve/door.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "api/export/receivers.h"
#include "api/tracker.h"
#include "net/http_server.h"

static int make_secret(char ret[GPUT__DOOR_SECRET])
{
    unsigned char bytes[(GPUT__DOOR_SECRET - 1) / 2];

    if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
        return errno ? -errno : -EIO;
    for (size_t i = 0; i < sizeof(bytes); i++)
        snprintf(ret + 2 * i, 3, "%02x", bytes[i]);
    return 0;
}

/* It stands in a link as it is. */
static int check_kept(const char *token, struct gput_error *err)
{
    static const char fine[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
    size_t n = strlen(token);

    if (n < 8 || n > 128 || strspn(token, fine) != n)
        return gput__refuse(
            err, -EINVAL, "",
            "GPUT_SERVE_TOKEN is not 8 to 128 letters, digits, '-', '.', '_' or '~'");
    return 0;
}

int gput__door_open(struct gput__door *d, struct gput_error *err)
{
    int r;

    *d = (struct gput__door){ .kept = NULL };
    r = gput__receiver_token("GPUT_SERVE_TOKEN", &d->kept, err);
    if (r == 0 && d->kept)
        r = check_kept(d->kept, err);
    if (r < 0)
        return r;
    r = make_secret(d->folder);
    if (r == 0 && !d->kept)
        r = make_secret(d->once);
    return r < 0 ? gput__refuse(err, r, "", "no random numbers: %s", strerror(-r)) : 0;
}

void gput__door_close(struct gput__door *d)
{
    free(d->kept);
    *d = (struct gput__door){ .kept = NULL };
}

const char *gput__door_token(const struct gput__door *d)
{
    return d->kept ? d->kept : d->once;
}

/* "/FOLDER/name" */
static bool is_inside(const struct gput__door *d, const char *path, const char **ret_name)
{
    char folder[GPUT__DOOR_SECRET] = "";
    const char *end = strchr(path + 1, '/');

    if (!end || (size_t)(end - path) != sizeof(folder))
        return false;
    memcpy(folder, path + 1, sizeof(folder) - 1);
    if (!gput__http_is_token(folder, d->folder))
        return false;
    *ret_name = end + 1;
    return true;
}

enum gput__door_answer gput__door_ask(struct gput__door *d, const struct gput__http_head *head,
                                      const char **ret_name)
{
    char token[160];

    if (strcmp(head->path, "/") != 0)
        return is_inside(d, head->path, ret_name) ? GPUT__DOOR_INSIDE : GPUT__DOOR_SHUT;
    if (!gput__http_query_value(head->query, "token", token, sizeof(token)) ||
        !gput__http_is_token(token, gput__door_token(d)))
        return GPUT__DOOR_SHUT;
    if (strcmp(head->method, "HEAD") !=
        0) /* who only looks whether there is something uses nothing up */
        d->once[0] = '\0';
    return GPUT__DOOR_OPENS;
}
