/* http_server.h - THE HTTP server: answers to many clients, on one thread, with deadlines.
 *
 * It refuses what a page of another site could make a browser send: a Host that is neither an address nor
 * a name of this machine (DNS rebinding).  One request for each connection.  An answer is a text, or a stream
 * that goes on until its end: a client that is slow gets less of it, and is never waited for. */
#ifndef GPUT_NET_HTTP_SERVER_H
#define GPUT_NET_HTTP_SERVER_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "net/http_head.h"

struct gput__http_server; /* opaque */

struct gput__http_answer {
    int status;       /* 200 ... */
    const char *type; /* Content-Type */
    char *body;       /* to be freed by the server; NULL: none */
    size_t size;
    char *headers;  /* further lines, each with its "\r\n"; to be freed by the server; NULL: none */
    bool is_stream; /* what more() adds takes the place of the body */
};

/* `ctx` is the caller's.  Only GET and HEAD come here. */
typedef void gput__http_handler(void *ctx, const struct gput__http_head *head,
                                struct gput__http_answer *ret);
/* Adds what there is for a client that has all up to *mark, and moves that; 0 is a new client's.  It is asked
 * whenever such a client has got everything.  false: nothing more comes. */
typedef bool gput__http_more(void *ctx, uint64_t *mark, struct gput__buf *out);

struct gput__http_options {
    const char *token; /* "Authorization: Bearer TOKEN" is needed; NULL: nobody is asked for one */
    gput__http_handler *handle;
    gput__http_more *more; /* NULL: there are no streams */
    void *ctx;
};

/* "9400", ":9400" (loopback), "127.0.0.1:9400", "[::1]:9400", "0.0.0.0:9400", "localhost:9400"; port 0: any.
 * Returns the descriptor, or a negative errno with `why` in words. */
int gput__http_listen(const char *address, char *ret_why, size_t why_size);
/* The address that it has then, as in a URL: "127.0.0.1:9400". */
void gput__http_address(int fd, char *ret, size_t size);

/* Whether a token is the right one, in a time that does not tell how much of it is; "" never is. */
bool gput__http_is_token(const char *given, const char *token);

/* The descriptor becomes the server's.  Strings must stay.  NULL: out of memory. */
struct gput__http_server *gput__http_server_new(int fd, const struct gput__http_options *o);
void gput__http_server_free(struct gput__http_server *s); /* NULL is fine */

enum { GPUT__HTTP_MOST_CLIENTS = 256, GPUT__HTTP_MOST_FDS = GPUT__HTTP_MOST_CLIENTS + 1 };
/* Streams are for people: each keeps its place as long as it takes what it is sent. */
enum { GPUT__HTTP_MOST_STREAMS = 32 };
size_t gput__http_server_streams(const struct gput__http_server *s);
/* Whether anybody is being answered; who has not asked yet, as browsers do that may want to, does not count. */
bool gput__http_server_is_busy(const struct gput__http_server *s);

/* What to wait for, and until when (INT64_MAX: nothing is due). */
size_t gput__http_server_fds(const struct gput__http_server *s,
                             struct pollfd ret[GPUT__HTTP_MOST_FDS]);
int64_t gput__http_server_due(const struct gput__http_server *s);
/* Goes on with what is ready, or has run out of time by `now_ns`; never waits. */
void gput__http_server_serve(struct gput__http_server *s, const struct pollfd *fds, size_t n,
                             int64_t now_ns);

#endif
