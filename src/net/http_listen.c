/* http_listen.c - a socket that listens, by an address as users write it. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/http_server.h"

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

static bool parse_port(const char *text, in_port_t *ret)
{
    char *end;
    long port = strtol(text, &end, 10);

    if (!*text || *end || text[0] < '0' || text[0] > '9' || port > 65535)
        return false;
    *ret = htons((in_port_t)port);
    return true;
}

static bool parse_host(const char *host, in_port_t port, union address *ret)
{
    memset(ret, 0, sizeof(*ret));
    if (!*host || strcmp(host, "localhost") == 0)
        host = "127.0.0.1";
    if (inet_pton(AF_INET, host, &ret->v4.sin_addr) == 1) {
        ret->v4.sin_family = AF_INET;
        ret->v4.sin_port = port;
        return true;
    }
    if (inet_pton(AF_INET6, host, &ret->v6.sin6_addr) == 1) {
        ret->v6.sin6_family = AF_INET6;
        ret->v6.sin6_port = port;
        return true;
    }
    return false;
}

/* "PORT", ":PORT", "HOST:PORT", "[HOST]:PORT" */
static bool parse(const char *text, union address *ret)
{
    const char *colon = strrchr(text, ':');
    char host[64] = "";
    in_port_t port;
    size_t n = colon ? (size_t)(colon - text) : 0;

    if (n >= 2 && text[0] == '[' && text[n - 1] == ']') {
        text++;
        n -= 2;
    }
    if (n >= sizeof(host) || !parse_port(colon ? colon + 1 : text, &port))
        return false;
    memcpy(host, text, n);
    return parse_host(host, port, ret);
}

static int fail(int error, const char *what, const char *address, char *ret_why, size_t size)
{
    snprintf(ret_why, size, "'%.60s': %s%s", address, what, error ? strerror(error) : "");
    return error ? -error : -EINVAL;
}

int gput__http_listen(const char *address, char *ret_why, size_t why_size)
{
    union address a;
    int on = 1, fd;

    if (!parse(address, &a))
        return fail(0, "this is not an address and a port, such as 127.0.0.1:9400 or :9400",
                    address, ret_why, why_size);
    fd = socket(a.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return fail(errno, "", address, ret_why, why_size);
    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (bind(fd, &a.any, a.any.sa_family == AF_INET ? sizeof(a.v4) : sizeof(a.v6)) < 0 ||
        listen(fd, SOMAXCONN) < 0) {
        int error = errno;

        close(fd);
        return fail(error, "", address, ret_why, why_size);
    }
    return fd;
}

void gput__http_address(int fd, char *ret, size_t size)
{
    union address a;
    socklen_t len = sizeof(a);
    char host[INET6_ADDRSTRLEN] = "";

    snprintf(ret, size, "?");
    if (getsockname(fd, &a.any, &len) < 0)
        return;
    if (a.any.sa_family == AF_INET && inet_ntop(AF_INET, &a.v4.sin_addr, host, sizeof(host)))
        snprintf(ret, size, "%s:%d", host, ntohs(a.v4.sin_port));
    if (a.any.sa_family == AF_INET6 && inet_ntop(AF_INET6, &a.v6.sin6_addr, host, sizeof(host)))
        snprintf(ret, size, "[%s]:%d", host, ntohs(a.v6.sin6_port));
}
