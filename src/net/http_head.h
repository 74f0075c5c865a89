/* http_head.h - the head of an HTTP request that we are asked, line by line. */
#ifndef GPUT_NET_HTTP_HEAD_H
#define GPUT_NET_HTTP_HEAD_H

#include <stdbool.h>
#include <stddef.h>

/* Of the text that it was read from, which stays; "" where there is none. */
struct gput__http_head {
    char method[8], path[128]; /* without the query */
    char query[256];           /* what is behind the "?" */
    char host[256]; /* without the port, in lower case; an address of IPv6 without brackets */
    char authorization[512];
    bool has_host, is_http11;
};

/* How long the head is, with the empty line behind it; 0: it goes on. */
size_t gput__http_head_length(const char *text, size_t n);
/* 0, or the status of the answer that refuses it: 400, 431, 505. */
int gput__http_head_parse(const char *text, size_t n, struct gput__http_head *ret);

/* The value of a name in a query, "token=abc&x=1", as it stands: what is written as "%41" stays so.  false:
 * there is none of that name, or it does not fit. */
bool gput__http_query_value(const char *query, const char *name, char *ret, size_t size);

/* Whether a host's name is an address of IPv4 or IPv6: those no DNS has changed. */
bool gput__http_host_is_address(const char *host);

#endif
