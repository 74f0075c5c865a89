/* catalogue.c - servers to rent, behind gput.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/servers/server_search.h"
#include "base/buf.h"
#include "servers/catalogue.h"
#include "servers/catalogue_cache.h"
#include "servers/catalogue_embedded.h"
#include "servers/servers.h"
#include "servers/servers_table.h"

static void warn(const struct gput_callbacks *on, const char *why)
{
    char line[600];

    if (!on || !on->warn)
        return;
    snprintf(line, sizeof(line), "%s; " GPUT__BUILT_IN " is used instead", why);
    on->warn(on->ctx, line);
}

/* The user's own.  -ENOENT: there is none, or it is of no use, and that was said. */
static int open_own(const struct gput_callbacks *on, struct gput_catalogue **ret,
                    struct gput_error *err)
{
    char *path = NULL;
    int r = gput__catalogue_cache_path(&path);

    if (r == 0 && access(path, F_OK) < 0)
        r = -ENOENT;
    if (r == 0 && gput__catalogue_read(path, ret, err) < 0) {
        warn(on, err->text);
        r = -ENOENT;
    }
    free(path);
    return r;
}

static int open_best(const struct gput_callbacks *on, struct gput_catalogue **ret,
                     struct gput_error *err)
{
    const char *named = secure_getenv("GPUT_CATALOGUE");
    int r;

    if (named && *named)
        return gput__catalogue_read(named, ret, err);
    r = open_own(on, ret, err);
    return r == -ENOENT ? gput__catalogue_embedded(ret, err) : r;
}

int gput_catalogue_open(const char *path, const struct gput_callbacks *on,
                        struct gput_catalogue **ret_c, struct gput_error *ret_err)
{
    struct gput_error err = { .text = "out of memory" };
    int r = path ? gput__catalogue_read(path, ret_c, &err) : open_best(on, ret_c, &err);

    if (r < 0 && ret_err)
        *ret_err = err;
    return r;
}

struct gput_catalogue *gput_catalogue_close(struct gput_catalogue *c)
{
    gput__catalogue_free(c);
    return NULL;
}

const char *gput_catalogue_origin(const struct gput_catalogue *c)
{
    return c->origin;
}

int gput_catalogue_find(const struct gput_catalogue *c, const struct gput_server_needs *needs,
                        const struct gput_server_filters *filters, struct gput_server_offer *ret,
                        size_t n, size_t *ret_total, struct gput_error *ret_err)
{
    struct gput_server_filters whole = { 0 };
    struct gput__servers_found found = { .list = ret, .most = n };
    struct gput_error err;
    int r;

    if (filters)
        memcpy(&whole, filters, filters->size < sizeof(whole) ? filters->size : sizeof(whole));
    whole.arch = gput__server_arch(whole.arch);
    r = gput__servers_find(c, needs, &whole, NULL, &found, &err);
    if (r < 0 && ret_err)
        *ret_err = err;
    if (r == 0 && ret_total)
        *ret_total = found.total;
    return r < 0 ? r : (int)found.n;
}

int gput_catalogue_price(const struct gput_catalogue *c, const char *vendor, const char *type,
                         const char *region, struct gput_server_offer *ret)
{
    return gput__servers_price(c, vendor, type, region, ret);
}

int gput_servers_format(const struct gput_server_offer *list, size_t n,
                        enum gput_servers_format format, char **ret_text)
{
    struct gput__buf out = { 0 };

    if (format == GPUT_SERVERS_JSON)
        gput__servers_json(list, n, &out);
    else if (format == GPUT_SERVERS_CSV)
        gput__servers_csv(list, n, &out);
    else if (format == GPUT_SERVERS_LIST)
        gput__servers_list(list, n, NULL, &out);
    else
        gput__servers_text(list, n, NULL, 0, &out);
    return gput__buf_detach(&out, ret_text);
}
