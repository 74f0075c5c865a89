/* receivers.c - where figures go: URLs, tokens and headers, checked before anything starts. */
#include "api/export/receivers.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/tracker.h"
#include "base/buf.h"

enum { LONGEST_TOKEN = 4096 };

int gput__receiver_check(const char *url, const char *field, struct gput_error *err)
{
    bool is_http = strncasecmp(url, "http://", 7) == 0, is_https = !strncasecmp(url, "https://", 8);
    const char *host = is_http ? url + 7 : url + 8;
    size_t n;

    if (!is_http && !is_https)
        return gput__refuse(err, -EINVAL, field, "'%.100s' does not begin with http:// or https://",
                            url);
    n = strcspn(host, "/?#");
    if (n == 0 || strpbrk(url, " \t\r\n"))
        return gput__refuse(err, -EINVAL, field, "this is no URL with a host");
    if (memchr(host, '@', n))
        return gput__refuse(err, -EINVAL, field,
                            "no credentials in the URL, please: everybody can see a command line; "
                            "see docs/EXPORT.md for tokens");
    return 0;
}

static bool is_plain(const char *text)
{
    for (const char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("-._~", *c))
            return false;
    return *text != '\0';
}

/* "/NAME/VALUE", or as base64 what cannot stand in a path. */
static void add_group(struct gput__buf *out, const char *name, const char *value)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const unsigned char *b = (const unsigned char *)value;
    size_t n = strlen(value);

    if (is_plain(value)) {
        gput__buf_printf(out, "/%s/%s", name, value);
        return;
    }
    gput__buf_printf(out, "/%s@base64/%s", name, n == 0 ? "=" : "");
    for (size_t i = 0; i < n; i += 3) {
        unsigned three = (unsigned)b[i] << 16 | (i + 1 < n ? (unsigned)b[i + 1] << 8 : 0) |
                         (i + 2 < n ? b[i + 2] : 0);

        for (size_t k = 0; k < 4 && i + k <= n; k++)
            gput__buf_putc(out, digits[three >> (18 - 6 * k) & 63]);
    }
}

char *gput__push_url(const char *base, const char *job, const char *instance, const char *rank)
{
    struct gput__buf out = GPUT__BUF_INIT;
    size_t n = strlen(base);
    char *url = NULL;

    while (n > 0 && base[n - 1] == '/')
        n--;
    gput__buf_add(&out, base, n);
    gput__buf_puts(&out, "/metrics");
    add_group(&out, "job", job);
    if (*instance)
        add_group(&out, "instance", instance);
    if (rank && *rank)
        add_group(&out, "rank", rank);
    return gput__buf_detach(&out, &url) < 0 ? NULL : url;
}

char *gput__otlp_url(const char *base)
{
    const char *host = strstr(base, "://"), *path = host ? strchr(host + 3, '/') : NULL;
    char *url;

    if (path && path[1])
        return strdup(base);
    return asprintf(&url, "%s%sv1/metrics", base, path ? "" : "/") < 0 ? NULL : url;
}

static const char *variable(const char *of_metrics, const char *general)
{
    const char *value = getenv(of_metrics);

    if (!value || !*value)
        value = getenv(general);
    return value && *value ? value : NULL;
}

char *gput__otlp_endpoint(void)
{
    const char *whole = getenv("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT");
    const char *base = getenv("OTEL_EXPORTER_OTLP_ENDPOINT");
    char *url;
    size_t n;

    if (whole && *whole)
        return strdup(whole);
    if (!base || !*base)
        return NULL;
    for (n = strlen(base); n > 0 && base[n - 1] == '/';)
        n--;
    return asprintf(&url, "%.*s/v1/metrics", (int)n, base) < 0 ? NULL : url;
}

static int hex(char c)
{
    return isdigit((unsigned char)c)    ? c - '0'
           : isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10
                                        : -1;
}

/* What would end the line, and so begin another header, is left out. */
static void add_decoded(struct gput__buf *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int high = text[i] == '%' && i + 2 < n ? hex(text[i + 1]) : -1;
        int low = high >= 0 ? hex(text[i + 2]) : -1;
        char c = low >= 0 ? (char)(16 * high + low) : text[i];

        i += low >= 0 ? 2 : 0;
        if ((unsigned char)c >= 0x20 && c != 0x7f)
            gput__buf_putc(out, c);
    }
}

char *gput__otlp_headers(void)
{
    const char *p = variable("OTEL_EXPORTER_OTLP_METRICS_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS");
    struct gput__buf out = GPUT__BUF_INIT;
    char *text = NULL;

    while (p && *p) {
        size_t n, name;

        p += strspn(p, ", ");
        n = strcspn(p, ",");
        name = strcspn(p, "=,");
        if (name > 0 && name < n) {
            add_decoded(&out, p, name);
            gput__buf_puts(&out, ": ");
            add_decoded(&out, p + name + 1, n - name - 1);
            gput__buf_putc(&out, '\n');
        }
        p += n;
    }
    if (out.len == 0 || gput__buf_detach(&out, &text) < 0)
        return NULL;
    return text;
}

static int read_token(const char *file, char **ret, struct gput_error *err)
{
    char text[LONGEST_TOKEN] = "";
    struct stat st;
    FILE *f = fopen(file, "re");
    int r = 0;

    if (!f)
        return gput__refuse(err, -errno, "", "the token's file '%.200s': %s", file,
                            strerror(errno));
    if (fstat(fileno(f), &st) < 0 || !S_ISREG(st.st_mode) || (st.st_mode & 077) ||
        (st.st_uid != geteuid() && st.st_uid != 0))
        r = gput__refuse(err, -EPERM, "",
                         "the token's file '%.200s' can be read by others: chmod 600 it", file);
    else if (!fgets(text, sizeof(text), f))
        text[0] = '\0';
    fclose(f);
    text[strcspn(text, "\r\n")] = '\0';
    if (r == 0 && !*text)
        r = gput__refuse(err, -ENODATA, "", "the token's file '%.200s' is empty", file);
    if (r == 0)
        *ret = strdup(text);
    explicit_bzero(text, sizeof(text));
    return r < 0 || *ret ? r : -ENOMEM;
}

int gput__receiver_token(const char *name, char **ret, struct gput_error *err)
{
    const char *value = getenv(name), *file;
    char of_file[80];

    *ret = NULL;
    snprintf(of_file, sizeof(of_file), "%s_FILE", name);
    file = getenv(of_file);
    if (value && *value) {
        if (strpbrk(value, "\r\n"))
            return gput__refuse(err, -EINVAL, "", "%s is more than a line", name);
        *ret = strdup(value);
        return *ret ? 0 : -ENOMEM;
    }
    return file && *file ? read_token(file, ret, err) : 0;
}
