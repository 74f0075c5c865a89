/* http_head.c - the head of an HTTP request that we are asked. */
#include "net/http_head.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <string.h>
#include <strings.h>

size_t gput__http_head_length(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (text[i] != '\n')
            continue;
        if (i + 1 < n && text[i + 1] == '\n')
            return i + 2;
        if (i + 2 < n && text[i + 1] == '\r' && text[i + 2] == '\n')
            return i + 3;
    }
    return 0;
}

/* false: it is too long, or holds what no head may. */
static bool copy(char *ret, size_t size, const char *text, size_t n)
{
    if (n >= size)
        return false;
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
            return false;
    memcpy(ret, text, n);
    ret[n] = '\0';
    return true;
}

/* "GET /metrics?x HTTP/1.1" */
static int parse_request(const char *line, size_t n, struct gput__http_head *ret)
{
    const char *path = memchr(line, ' ', n), *version, *query;
    size_t left = path ? n - (size_t)(++path - line) : 0;

    version = path ? memchr(path, ' ', left) : NULL;
    if (!version || line[0] == ' ' ||
        !copy(ret->method, sizeof(ret->method), line, (size_t)(path - line) - 1))
        return 400;
    left = n - (size_t)(++version - line);
    if (left != 8 || strncmp(version, "HTTP/1.", 7) != 0 || !isdigit((unsigned char)version[7]))
        return left > 5 && strncmp(version, "HTTP/", 5) == 0 ? 505 : 400;
    ret->is_http11 = version[7] != '0';
    left = (size_t)(version - path) - 1;
    query = memchr(path, '?', left);
    if (query &&
        !copy(ret->query, sizeof(ret->query), query + 1, left - (size_t)(query + 1 - path)))
        return 431;
    if (query)
        left = (size_t)(query - path);
    if (left == 0 || path[0] != '/')
        return 400;
    return copy(ret->path, sizeof(ret->path), path, left) ? 0 : 431;
}

/* "Name:9400", "[::1]:9400" */
static bool parse_host(const char *value, size_t n, struct gput__http_head *ret)
{
    const char *end = n > 0 && value[0] == '[' ? memchr(value, ']', n) : NULL;
    const char *colon = memchr(value, ':', n);

    /* Two of them, or two words: a proxy between us may have read the other. */
    if (ret->has_host || memchr(value, ' ', n))
        return false;
    ret->has_host = true;
    if (n > 0 && value[0] == '[') {
        if (!end || (end + 1 < value + n && end[1] != ':'))
            return false;
        value++;
        n = (size_t)(end - value);
    } else if (colon) {
        n = (size_t)(colon - value);
    }
    if (!copy(ret->host, sizeof(ret->host), value, n))
        return false;
    for (char *c = ret->host; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return true;
}

static int parse_header(const char *line, size_t n, struct gput__http_head *ret)
{
    const char *colon = memchr(line, ':', n), *value;
    size_t name = colon ? (size_t)(colon - line) : 0;

    if (name == 0 || line[0] == ' ' || line[0] == '\t' || line[name - 1] == ' ')
        return 400;
    value = colon + 1;
    n -= name + 1;
    while (n > 0 && (*value == ' ' || *value == '\t'))
        value++, n--;
    while (n > 0 && (value[n - 1] == ' ' || value[n - 1] == '\t'))
        n--;
    if (name == 4 && strncasecmp(line, "host", 4) == 0 && !parse_host(value, n, ret))
        return 400;
    if (name == 13 && strncasecmp(line, "authorization", 13) == 0 &&
        !copy(ret->authorization, sizeof(ret->authorization), value, n))
        return 431;
    return 0;
}

int gput__http_head_parse(const char *text, size_t n, struct gput__http_head *ret)
{
    bool is_first = true;

    *ret = (struct gput__http_head){ .method = "" };
    while (n > 0) {
        const char *end = memchr(text, '\n', n);
        size_t line = end ? (size_t)(end - text) : n, whole = line + (end != NULL);
        int status;

        if (line > 0 && text[line - 1] == '\r')
            line--;
        if (line == 0)
            return is_first ? 400 : ret->is_http11 && !ret->has_host ? 400 : 0;
        status = is_first ? parse_request(text, line, ret) : parse_header(text, line, ret);
        if (status)
            return status;
        is_first = false;
        text += whole;
        n -= whole;
    }
    return 400;
}

bool gput__http_query_value(const char *query, const char *name, char *ret, size_t size)
{
    size_t n = strlen(name);

    while (*query) {
        size_t part = strcspn(query, "&");

        if (part > n && query[n] == '=' && strncmp(query, name, n) == 0)
            return copy(ret, size, query + n + 1, part - n - 1);
        query += part + (query[part] == '&');
    }
    return false;
}

bool gput__http_host_is_address(const char *host)
{
    unsigned char room[sizeof(struct in6_addr)];

    return inet_pton(AF_INET, host, room) == 1 || inet_pton(AF_INET6, host, room) == 1;
}
