/* catalogue.c - servers to rent, behind gput.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/servers.h"
#include "base/buf.h"
#include "report/servers.h"
#include "store/catalogue.h"
#include "store/catalogue_cache.h"
#include "store/catalogue_embedded.h"
#include "store/table.h"

/* A catalogue of all vendors and regions has some ten megabytes. */
#define LARGEST_FILE (64u << 20)

static void warn(const struct gput_callbacks *on, const char *line, const char *what)
{
    struct gput_error said;

    if (!on || !on->warn)
        return;
    gput__file_fail(0, line, &said, "%s", what);
    on->warn(on->ctx, said.text);
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
        warn(on, err->text, "the built-in catalogue is used instead");
        r = -ENOENT;
    }
    free(path);
    return r;
}

static int open_best(const struct gput_callbacks *on, struct gput_catalogue **ret,
                     struct gput_error *err)
{
    const char *named = getenv("GPUT_CATALOGUE");
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
    struct gput_error err;
    size_t total = 0;
    int r;

    if (filters)
        memcpy(&whole, filters, filters->size < sizeof(whole) ? filters->size : sizeof(whole));
    r = gput__servers_find(c, needs, &whole, ret, n, &total, &err);
    if (r < 0 && ret_err)
        *ret_err = err;
    if (r >= 0 && ret_total)
        *ret_total = total;
    return r;
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
    else
        gput__servers_text(list, n, &out);
    return gput__buf_take(&out, ret_text);
}

static int read_fd(int fd, struct gput__buf *out)
{
    char piece[16384];
    ssize_t n;

    while ((n = read(fd, piece, sizeof(piece))) != 0) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -errno;
        gput__buf_add(out, piece, (size_t)n);
        if (out->len > LARGEST_FILE)
            return -EFBIG;
    }
    return out->err;
}

static int read_file(const char *path, struct gput__buf *out, struct gput_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int r = fd < 0 ? -errno : read_fd(fd, out);

    if (fd >= 0)
        close(fd);
    return r < 0 ? gput__file_fail(r, path, err, "%s", strerror(-r)) : 0;
}

/* What is checked is what is written, even if the file changes meanwhile. */
static int update(const char *from, char **ret_path, struct gput_error *err)
{
    struct gput_catalogue *c = NULL;
    struct gput__buf text = { 0 };
    char *path = NULL;
    int r = gput__catalogue_cache_path(&path);

    if (r < 0)
        *err = (struct gput_error){ .text = "neither HOME nor XDG_CACHE_HOME names a folder" };
    if (r == 0)
        r = read_file(from, &text, err);
    if (r == 0)
        r = gput__catalogue_parse(gput__buf_text(&text), text.len, from, &c, err);
    if (r == 0)
        r = gput__catalogue_cache_write(path, gput__buf_text(&text), err);
    gput__catalogue_free(c);
    gput__buf_free(&text);
    if (r == 0 && ret_path)
        *ret_path = path;
    else
        free(path);
    return r;
}

int gput_catalogue_update(const char *from, char **ret_path, struct gput_error *ret_err)
{
    struct gput_error err;
    int r = update(from, ret_path, &err);

    if (r < 0 && ret_err)
        *ret_err = err;
    return r;
}
