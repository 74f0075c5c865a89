/* http_server.c - THE HTTP server: answers to many clients, on one thread, with deadlines. */
#include "net/http_server.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"

/* A head takes one packet; who sends it byte by byte keeps a place, and no more.  Who takes nothing of an
 * answer for so long has gone. */
#define PATIENCE_NS (5 * GPUT__NS_PER_S)
#define LONGEST_HEAD 8192
/* What the kernel holds for a client: it is by what goes beyond that we see whether one takes anything. */
#define SEND_BUFFER (64 << 10)
#define TEXT_PLAIN "text/plain; charset=utf-8"

struct client {
    int fd;           /* -1: the place is free */
    int64_t since_ns; /* it came, or took a part of its answer */
    size_t n_read;
    char head[LONGEST_HEAD];
    struct gput__buf answer; /* being sent, if there is any */
    size_t n_sent;
    bool is_stream; /* its answer goes on, */
    uint64_t mark;  /* and it has all up to here */
};

struct gput__http_server {
    int fd;
    struct gput__http_options o;
    char hostname[256];
    struct client *clients[GPUT__HTTP_MOST_CLIENTS]; /* NULL: none */
};

struct gput__http_server *gput__http_server_new(int fd, const struct gput__http_options *o)
{
    struct gput__http_server *s = calloc(1, sizeof(*s));

    if (!s)
        return NULL;
    s->fd = fd;
    s->o = *o;
    if (gethostname(s->hostname, sizeof(s->hostname) - 1) < 0)
        s->hostname[0] = '\0';
    return s;
}

static void drop(struct gput__http_server *s, size_t i)
{
    close(s->clients[i]->fd);
    gput__buf_free(&s->clients[i]->answer);
    free(s->clients[i]);
    s->clients[i] = NULL;
}

void gput__http_server_free(struct gput__http_server *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < GPUT__HTTP_MOST_CLIENTS; i++)
        if (s->clients[i])
            drop(s, i);
    close(s->fd);
    free(s);
}

/* --- answers --------------------------------------------------------------------------------- */

static const char *reason_of(int status)
{
    static const struct {
        int status;
        const char *reason;
    } reasons[] = {
        { 200, "OK" },
        { 303, "See Other" },
        { 400, "Bad Request" },
        { 401, "Unauthorized" },
        { 403, "Forbidden" },
        { 404, "Not Found" },
        { 405, "Method Not Allowed" },
        { 431, "Request Header Fields Too Large" },
        { 503, "Service Unavailable" },
        { 505, "HTTP Version Not Supported" },
    };

    for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
        if (reasons[i].status == status)
            return reasons[i].reason;
    return "Error";
}

static void begin_answer(struct client *c, const struct gput__http_answer *a, bool with_body)
{
    char own[64], length[64] = "";
    const char *body = a->body;
    size_t size = a->size;
    bool is_ours = !body && !a->is_stream;

    if (is_ours) {
        size = (size_t)snprintf(own, sizeof(own), "%d %s\n", a->status, reason_of(a->status));
        body = own;
    }
    if (!a->is_stream)
        snprintf(length, sizeof(length), "Content-Length: %zu\r\n", size);
    gput__buf_printf(&c->answer,
                     "HTTP/1.1 %d %s\r\nContent-Type: %s\r\n%s"
                     "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
                     "Cross-Origin-Resource-Policy: same-origin\r\nReferrer-Policy: no-referrer\r\n"
                     "%s%s%sConnection: close\r\n\r\n",
                     a->status, reason_of(a->status), is_ours ? TEXT_PLAIN : a->type, length,
                     a->status == 401 ? "WWW-Authenticate: Bearer\r\n" : "",
                     a->status == 405 ? "Allow: GET, HEAD\r\n" : "", a->headers ? a->headers : "");
    if (with_body && !a->is_stream)
        gput__buf_add(&c->answer, body, size);
    c->is_stream = with_body && a->is_stream;
}

bool gput__http_is_token(const char *given, const char *token)
{
    size_t n = strlen(given), k = strlen(token);
    unsigned char odd = n != k;

    for (size_t i = 0; i < n; i++)
        odd |= (unsigned char)(given[i] ^ token[k ? i % k : 0]);
    return !odd && k > 0;
}

static bool is_allowed(const struct gput__http_server *s, const struct gput__http_head *head)
{
    if (!s->o.token)
        return true;
    return strncasecmp(head->authorization, "Bearer ", 7) == 0 &&
           gput__http_is_token(head->authorization + 7, s->o.token);
}

/* Names of other hosts that lead here: somebody has made a browser believe so. */
static bool is_ours(const struct gput__http_server *s, const char *host)
{
    size_t n = strcspn(s->hostname, ".");

    return strcmp(host, "localhost") == 0 || gput__http_host_is_address(host) ||
           (n > 0 && strncasecmp(host, s->hostname, n) == 0 &&
            (host[n] == '\0' || host[n] == '.') &&
            (host[n] == '\0' || s->hostname[n] == '\0' ||
             strcasecmp(host + n, s->hostname + n) == 0));
}

static int refuse(const struct gput__http_server *s, const struct gput__http_head *head)
{
    if (head->has_host && !is_ours(s, head->host))
        return 403;
    if (!is_allowed(s, head))
        return 401;
    return strcmp(head->method, "GET") && strcmp(head->method, "HEAD") ? 405 : 0;
}

static void answer(struct gput__http_server *s, struct client *c, size_t head_size)
{
    struct gput__http_head head;
    struct gput__http_answer a = { .type = TEXT_PLAIN };

    a.status = head_size ? gput__http_head_parse(c->head, head_size, &head) : 431;
    if (!a.status)
        a.status = refuse(s, &head);
    if (!a.status) {
        a.status = 404;
        s->o.handle(s->o.ctx, &head, &a);
    }
    if (a.is_stream && gput__http_server_streams(s) >= GPUT__HTTP_MOST_STREAMS)
        a = (struct gput__http_answer){ .status = 503, .type = TEXT_PLAIN };
    begin_answer(c, &a, a.status == 431 || strcmp(head.method, "HEAD") != 0);
    free(a.body);
    free(a.headers);
}

/* --- clients --------------------------------------------------------------------------------- */

size_t gput__http_server_streams(const struct gput__http_server *s)
{
    size_t n = 0;

    for (size_t i = 0; i < GPUT__HTTP_MOST_CLIENTS; i++)
        n += s->clients[i] && s->clients[i]->is_stream;
    return n;
}

static bool goes_before(const struct client *a, const struct client *b)
{
    return a->is_stream != b->is_stream ? b->is_stream : a->since_ns < b->since_ns;
}

/* A free place, else that of the client that has it longest; of those who watch a stream only if there is no other,
 * which GPUT__HTTP_MOST_STREAMS rules out. */
static size_t find_place(struct gput__http_server *s)
{
    size_t oldest = 0;

    for (size_t i = 0; i < GPUT__HTTP_MOST_CLIENTS; i++) {
        if (!s->clients[i])
            return i;
        if (goes_before(s->clients[i], s->clients[oldest]))
            oldest = i;
    }
    drop(s, oldest);
    return oldest;
}

static void accept_all(struct gput__http_server *s, int64_t now_ns)
{
    for (int i = 0; i < GPUT__HTTP_MOST_CLIENTS; i++) {
        int fd = accept4(s->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), size = SEND_BUFFER;
        struct client *c = fd >= 0 ? calloc(1, sizeof(*c)) : NULL;

        if (fd < 0)
            return;
        if (!c) {
            close(fd);
            return;
        }
        (void)setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
        c->fd = fd;
        c->since_ns = now_ns;
        s->clients[find_place(s)] = c;
    }
}

static bool has_more_to_send(const struct client *c)
{
    return c->n_sent < c->answer.len;
}

bool gput__http_server_is_busy(const struct gput__http_server *s)
{
    for (size_t i = 0; i < GPUT__HTTP_MOST_CLIENTS; i++)
        if (s->clients[i] && (s->clients[i]->is_stream || has_more_to_send(s->clients[i])))
            return true;
    return false;
}

/* What a stream has for a client that has got everything; false: it is at its end. */
static bool fill_stream(struct gput__http_server *s, struct client *c, int64_t now_ns)
{
    bool goes_on;

    gput__buf_clear(&c->answer);
    c->n_sent = 0;
    goes_on = s->o.more(s->o.ctx, &c->mark, &c->answer);
    c->since_ns = now_ns;
    c->is_stream = goes_on;
    return goes_on || has_more_to_send(c);
}

/* false: it is over. */
static bool send_more(struct client *c, int64_t now_ns)
{
    while (has_more_to_send(c)) {
        ssize_t n =
            send(c->fd, c->answer.data + c->n_sent, c->answer.len - c->n_sent, MSG_NOSIGNAL);

        if (n < 0)
            return errno == EAGAIN || errno == EINTR;
        c->n_sent += (size_t)n;
        c->since_ns = now_ns;
    }
    if (c->is_stream)
        return true;
    (void)shutdown(c->fd, SHUT_WR); /* what it still sends must not make a reset of it */
    return false;
}

/* What somebody says who watches a stream is not listened to; that it has gone is. */
static bool is_still_there(const struct client *c)
{
    char unheard[256];
    ssize_t n = recv(c->fd, unheard, sizeof(unheard), 0);

    return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

static bool read_head(struct gput__http_server *s, struct client *c)
{
    ssize_t n = recv(c->fd, c->head + c->n_read, sizeof(c->head) - c->n_read, 0);
    size_t head;

    if (n <= 0)
        return n < 0 && (errno == EAGAIN || errno == EINTR);
    c->n_read += (size_t)n;
    head = gput__http_head_length(c->head, c->n_read);
    if (head > 0 || c->n_read == sizeof(c->head))
        answer(s, c, head);
    return true;
}

static bool go_on(struct gput__http_server *s, struct client *c, int64_t now_ns)
{
    if (has_more_to_send(c))
        return send_more(c, now_ns);
    if (c->is_stream)
        return is_still_there(c);
    return read_head(s, c) && !c->answer.err && (!has_more_to_send(c) || send_more(c, now_ns));
}

/* Streams go on by themselves: nobody asks again. */
static bool go_on_with_stream(struct gput__http_server *s, struct client *c, int64_t now_ns)
{
    if (!c->is_stream || has_more_to_send(c))
        return true;
    return fill_stream(s, c, now_ns) && !c->answer.err && send_more(c, now_ns);
}

static bool is_late(const struct client *c, int64_t now_ns)
{
    return now_ns - c->since_ns >= PATIENCE_NS && (!c->is_stream || has_more_to_send(c));
}

size_t gput__http_server_fds(const struct gput__http_server *s,
                             struct pollfd ret[GPUT__HTTP_MOST_FDS])
{
    size_t n = 0;

    ret[n++] = (struct pollfd){ .fd = s->fd, .events = POLLIN };
    for (size_t i = 0; i < GPUT__HTTP_MOST_CLIENTS; i++)
        if (s->clients[i])
            ret[n++] =
                (struct pollfd){ .fd = s->clients[i]->fd,
                                 .events = has_more_to_send(s->clients[i]) ? POLLOUT : POLLIN };
    return n;
}

int64_t gput__http_server_due(const struct gput__http_server *s)
{
    int64_t due = INT64_MAX;

    for (size_t i = 0; i < GPUT__HTTP_MOST_CLIENTS; i++) {
        const struct client *c = s->clients[i];

        if (c && (!c->is_stream || has_more_to_send(c)) && c->since_ns + PATIENCE_NS < due)
            due = c->since_ns + PATIENCE_NS;
    }
    return due;
}

static bool is_ready(const struct pollfd *fds, size_t n, int fd)
{
    for (size_t i = 0; i < n; i++)
        if (fds[i].fd == fd)
            return fds[i].revents != 0;
    return false;
}

void gput__http_server_serve(struct gput__http_server *s, const struct pollfd *fds, size_t n,
                             int64_t now_ns)
{
    for (size_t i = 0; i < GPUT__HTTP_MOST_CLIENTS; i++) {
        struct client *c = s->clients[i];

        if (!c)
            continue;
        if ((is_ready(fds, n, c->fd) && !go_on(s, c, now_ns)) || !go_on_with_stream(s, c, now_ns) ||
            is_late(c, now_ns))
            drop(s, i);
    }
    if (is_ready(fds, n, s->fd))
        accept_all(s, now_ns);
}
