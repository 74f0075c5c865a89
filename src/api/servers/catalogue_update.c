/* catalogue_update.c - another catalogue in the place of the user's own. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "net/http.h"
#include "servers/catalogue.h"
#include "servers/catalogue_cache.h"
#include "store/files/table.h"

/* A catalogue of all vendors and regions has some ten megabytes. */
#define LARGEST_FILE (64u << 20)
#define PATIENCE_NS (60 * GPUT__NS_PER_S)

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

static bool is_url(const char *from)
{
    return strncmp(from, "http://", 7) == 0 || strncmp(from, "https://", 8) == 0;
}

/* ftp:// and others are no names of files either. */
static bool is_other_address(const char *from)
{
    return strstr(from, "://") != NULL && access(from, F_OK) < 0;
}

static int fetch(const char *url, struct gput__buf *out, struct gput_error *err)
{
    struct gput__http_request request = {
        .url = url,
        .largest = LARGEST_FILE,
        .may_use_proxy = true,
        .may_redirect = true,
    };
    int r;

    gput__http_perform(&request, 1, PATIENCE_NS);
    if (request.error < 0)
        r = gput__file_fail(request.error, url, err, "%s", request.why);
    else if (request.status != 200)
        r = gput__file_fail(-EPROTO, url, err, "the answer has status %ld", request.status);
    else
        r = (gput__buf_add(out, request.answer, request.size), out->err);
    gput__http_free(&request, 1);
    return r;
}

/* What is checked is what is written, even if the file changes meanwhile. */
static int update(const char *from, char **ret_path, struct gput_error *err)
{
    struct gput_catalogue *c = NULL;
    struct gput__buf text = { 0 };
    char *path = NULL;
    int r = gput__catalogue_cache_path(&path);

    if (r == -ENOENT)
        *err = (struct gput_error){
            .text = "neither HOME nor XDG_CACHE_HOME names a folder of this user's"
        };
    else if (r < 0)
        *err = (struct gput_error){ .text = "out of memory" };
    else if (is_url(from))
        r = fetch(from, &text, err);
    else if (is_other_address(from))
        r = gput__file_fail(-EINVAL, from, err, "only http:// and https:// are fetched");
    else
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
    struct gput_error err = { .text = "" };
    int r = update(from, ret_path, &err);

    if (r < 0 && !err.text[0])
        snprintf(err.text, sizeof(err.text), "%s", strerror(-r));
    if (r < 0 && ret_err)
        *ret_err = err;
    return r;
}
