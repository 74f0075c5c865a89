/* catalogue.c - reads a catalogue of servers, line by line. */
#include "servers/catalogue.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/grow.h"
#include "base/text/print.h"
#include "servers/catalogue_row.h"
#include "store/files/table.h"

#define PIECE 16384

__attribute__((format(printf, 2, 3))) static int refuse(struct gput__catalogue_reader *r,
                                                        const char *format, ...)
{
    char what[300];
    va_list args;

    va_start(args, format);
    gput__vsnprintf(what, sizeof(what), format, args);
    va_end(args);
    return gput__file_fail(-EBADMSG, r->c->origin, r->err, "line %llu: %s",
                           (unsigned long long)r->line, what);
}

static int no_memory(struct gput__catalogue_reader *r)
{
    return gput__file_fail(-ENOMEM, r->c ? r->c->origin : "catalogue", r->err, "%s",
                           strerror(ENOMEM));
}

int gput__catalogue_new(const char *origin, struct gput_catalogue **ret)
{
    struct gput_catalogue *c = calloc(1, sizeof(*c));

    if (c)
        c->origin = strdup(origin);
    if (!c || !c->origin) {
        free(c);
        return -ENOMEM;
    }
    *ret = c;
    return 0;
}

int gput__catalogue_begin(struct gput__catalogue_reader *r, const char *origin,
                          struct gput_error *err)
{
    *r = (struct gput__catalogue_reader){ .err = err, .line = 1 };
    return gput__catalogue_new(origin, &r->c) < 0 ? no_memory(r) : 0;
}

static int check_header(struct gput__catalogue_reader *r)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* some editors put it in front */
    const char *text = r->text;

    if (strncmp(text, mark, sizeof(mark) - 1) == 0)
        text += sizeof(mark) - 1;
    return strcmp(text, GPUT__CATALOGUE_HEADER) == 0
               ? 0
               : refuse(r, "not a catalogue: the first line must be " GPUT__CATALOGUE_HEADER);
}

/* Has the names keep a text, and points to it there. */
static int keep(struct gput__names *names, const char **text)
{
    uint32_t i;

    if (gput__names_add(names, *text, strlen(*text), &i) < 0)
        return -ENOMEM;
    *text = names->list[i].text;
    return 0;
}

/* 1: this type was not in this region yet. */
static int is_new(struct gput__catalogue_reader *r, const struct gput_server_offer *o)
{
    uint32_t n = r->places.n, i;
    char place[GPUT__CATALOGUE_LONGEST_LINE + 1];
    int len = snprintf(place, sizeof(place), "%s\n%s\n%s", o->vendor, o->type, o->region);

    if (gput__names_add(&r->places, place, (size_t)len, &i) < 0)
        return -ENOMEM;
    return r->places.n > n;
}

int gput__catalogue_add(struct gput_catalogue *c, const struct gput_server_offer *offer)
{
    struct gput_server_offer o = *offer;
    const char **texts[] = { &o.vendor, &o.type, &o.region, &o.gpu_model, &o.source, &o.as_of };

    if (GPUT__GROW(c->list, c->cap, c->n + 1) < 0)
        return -ENOMEM;
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        if (keep(&c->names, texts[i]) < 0)
            return -ENOMEM;
    c->list[c->n++] = o;
    return 0;
}

static int add_row(struct gput__catalogue_reader *r)
{
    char *fields[GPUT__N_CATALOGUE_FIELDS];
    struct gput_server_offer offer;
    char why[200];
    int n = gput__catalogue_split(r->text, fields, GPUT__N_CATALOGUE_FIELDS);

    if (n < 0)
        return refuse(r, "a quote is not closed");
    if (n != GPUT__N_CATALOGUE_FIELDS)
        return refuse(r, "there must be %d fields, and there are %s%d", GPUT__N_CATALOGUE_FIELDS,
                      n > GPUT__N_CATALOGUE_FIELDS ? "at least " : "", n);
    if (gput__catalogue_row(fields, &offer, why, sizeof(why)) < 0)
        return refuse(r, "%s", why);
    n = is_new(r, &offer);
    if (n == 0)
        return refuse(r, "%.60s %.60s is there twice in region '%.60s'", offer.vendor, offer.type,
                      offer.region);
    return n < 0 || gput__catalogue_add(r->c, &offer) < 0 ? no_memory(r) : 0;
}

static int parse_line(struct gput__catalogue_reader *r)
{
    int result = 0;

    if (r->len > 0 && r->text[r->len - 1] == '\r')
        r->len--;
    r->text[r->len] = '\0';
    if (strlen(r->text) < r->len)
        return refuse(r, "it has a NUL byte in it");
    if (r->line == 1)
        result = check_header(r);
    else if (r->len > 0)
        result = add_row(r);
    r->line++;
    r->len = 0;
    return result;
}

int gput__catalogue_feed(struct gput__catalogue_reader *r, const char *bytes, size_t n)
{
    int result = 0;

    while (n > 0 && result == 0) {
        const char *newline = memchr(bytes, '\n', n);
        size_t part = newline ? (size_t)(newline - bytes) : n;

        if (part > GPUT__CATALOGUE_LONGEST_LINE - r->len)
            return refuse(r, "it is longer than %d bytes", GPUT__CATALOGUE_LONGEST_LINE);
        memcpy(r->text + r->len, bytes, part);
        r->len += part;
        if (newline)
            result = parse_line(r);
        part += newline != NULL;
        bytes += part;
        n -= part;
    }
    return result;
}

int gput__catalogue_end(struct gput__catalogue_reader *r, int result, struct gput_catalogue **ret)
{
    if (result == 0 && (r->len > 0 || r->line == 1))
        result = parse_line(r);
    if (result == 0 && r->c->n == 0)
        result = refuse(r, "there is no server in it");
    gput__names_free(&r->places);
    if (result < 0)
        gput__catalogue_free(r->c);
    else
        *ret = r->c;
    return result;
}

static int feed_file(struct gput__catalogue_reader *r, int fd)
{
    char piece[PIECE];
    ssize_t n;
    int result = 0;

    while (result == 0 && (n = read(fd, piece, sizeof(piece))) != 0) {
        if (n < 0 && errno == EINTR)
            continue;
        result = n < 0 ? gput__file_fail(-errno, r->c->origin, r->err, "%s", strerror(errno))
                       : gput__catalogue_feed(r, piece, (size_t)n);
    }
    return result;
}

int gput__catalogue_read(const char *path, struct gput_catalogue **ret, struct gput_error *err)
{
    struct gput__catalogue_reader r;
    int fd = open(path, O_RDONLY | O_CLOEXEC), result;

    if (fd < 0)
        return gput__file_fail(-errno, path, err, "%s", strerror(errno));
    result = gput__catalogue_begin(&r, path, err);
    if (result == 0)
        result = gput__catalogue_end(&r, feed_file(&r, fd), ret);
    close(fd);
    return result;
}

int gput__catalogue_parse(const char *text, size_t n, const char *origin,
                          struct gput_catalogue **ret, struct gput_error *err)
{
    struct gput__catalogue_reader r;
    int result = gput__catalogue_begin(&r, origin, err);

    if (result == 0)
        result = gput__catalogue_end(&r, gput__catalogue_feed(&r, text, n), ret);
    return result;
}

void gput__catalogue_free(struct gput_catalogue *c)
{
    if (!c)
        return;
    free(c->origin);
    free(c->list);
    gput__names_free(&c->names);
    free(c);
}
