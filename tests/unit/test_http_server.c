/* test_http_server.c - answers to clients that read, that do not, and that go; streams. */
#include "net/http_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "tap.h"

#define LONG (4u << 20)
enum { PATIENCE_S = 5 };

static struct gput__http_server *server;
static uint64_t news; /* how many there were */
static bool is_over;
static int64_t now_ns = 1000 * GPUT__NS_PER_S;

static void handle(void *ctx, const struct gput__http_head *head, struct gput__http_answer *ret)
{
    (void)ctx;
    ret->status = 200;
    ret->is_stream = !strcmp(head->path, "/news");
    if (ret->is_stream)
        return;
    ret->size = !strcmp(head->path, "/long") ? LONG : 2;
    ret->body = malloc(ret->size);
    memset(ret->body, 'x', ret->size);
    ret->headers = strdup("X-More: yes\r\n");
}

static bool add(void *ctx, uint64_t *mark, struct gput__buf *out)
{
    (void)ctx;
    if (*mark < news)
        gput__buf_printf(out, "%d to %d\n", (int)*mark + 1, (int)news);
    *mark = news;
    return !is_over;
}

static void serve(void)
{
    struct pollfd fds[GPUT__HTTP_MOST_FDS];

    for (int i = 0; i < 20; i++) {
        size_t n = gput__http_server_fds(server, fds);
        int ready = poll(fds, n, 1);

        gput__http_server_serve(server, fds, n, now_ns);
        if (ready == 0)
            return;
    }
}

static void fail(const char *why)
{
    OK(0, "%s", why);
    exit(DONE());
}

static int begin(int port, const char *path)
{
    struct sockaddr_in a = { .sin_family = AF_INET,
                             .sin_port = htons((in_port_t)port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), small = 4096;
    char head[200];
    int n = snprintf(head, sizeof(head), "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path);

    (void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
    if (connect(fd, (struct sockaddr *)&a, sizeof(a)) < 0 || send(fd, head, (size_t)n, 0) != n)
        fail("no connection");
    serve();
    return fd;
}

/* What came until now, or until its end. */
static size_t take(int fd, char *ret, size_t size)
{
    size_t n = 0;
    ssize_t r;

    while (n + 1 < size && (r = recv(fd, ret + n, size - n - 1, MSG_DONTWAIT)) > 0)
        n += (size_t)r;
    ret[n] = '\0';
    return n;
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), k = strlen(end);

    return n >= k && !strcmp(text + n - k, end);
}

static void answers(int port)
{
    char text[2000];
    int fd = begin(port, "/");

    (void)take(fd, text, sizeof(text));
    OK(strstr(text, "HTTP/1.1 200 OK\r\n") && strstr(text, "\r\nX-More: yes\r\n") &&
           strstr(text, "\r\nContent-Length: 2\r\n") && ends_with(text, "\r\n\r\nxx"),
       "an answer, with a line of its own in the head");
    close(fd);
    serve();
    OK(!gput__http_server_is_busy(server), "then there is nobody");
}

static void readers_that_take_their_time(int port)
{
    char *text = malloc(LONG + 4096);
    size_t n = 0;
    ssize_t r;
    int fd = begin(port, "/long");

    for (int i = 0; i < 100000 && gput__http_server_is_busy(server); i++) {
        size_t more = take(fd, text + n, 256u << 10);

        n += more;
        now_ns += more ? GPUT__NS_PER_S : 0;
        serve();
    }
    while ((r = recv(fd, text + n, LONG + 4096 - n, 0)) > 0) /* the rest is the kernel's */
        n += (size_t)r;
    OK(n > LONG && text[n - 1] == 'x' && n < LONG + 1000,
       "who reads slowly gets all of a long answer");
    close(fd);
    fd = begin(port, "/long");
    serve();
    OK(gput__http_server_due(server) == now_ns + PATIENCE_S * GPUT__NS_PER_S, "who does not read");
    now_ns += PATIENCE_S * GPUT__NS_PER_S;
    serve();
    OK(!gput__http_server_is_busy(server), "is left after 5 s");
    close(fd);
    free(text);
}

static void streams(int port)
{
    char text[2000];
    int fd, later;

    news = 2;
    fd = begin(port, "/news");
    (void)take(fd, text, sizeof(text));
    OK(!strstr(text, "Content-Length") && ends_with(text, "\r\n\r\n1 to 2\n"),
       "a stream begins with what there is");
    news = 3;
    serve();
    (void)take(fd, text, sizeof(text));
    OK(!strcmp(text, "3 to 3\n"), "and goes on with what is new");
    later = begin(port, "/news");
    (void)take(later, text, sizeof(text));
    OK(ends_with(text, "1 to 3\n"), "each client has what it lacks");
    now_ns += 100 * GPUT__NS_PER_S;
    serve();
    OK(gput__http_server_streams(server) == 2 && gput__http_server_due(server) == INT64_MAX,
       "nothing new for long: nobody is left for that");
    close(later);
    serve();
    OK(gput__http_server_streams(server) == 1, "who goes is gone");
    news = 4;
    is_over = true;
    serve();
    (void)take(fd, text, sizeof(text));
    OK(!strcmp(text, "4 to 4\n") && !gput__http_server_is_busy(server),
       "the last is sent, and that is it");
    is_over = false;
    close(fd);
}

static void crowds(int port)
{
    int watching[GPUT__HTTP_MOST_STREAMS + 1], others[GPUT__HTTP_MOST_CLIENTS];
    char text[2000];

    for (int i = 0; i <= GPUT__HTTP_MOST_STREAMS; i++)
        watching[i] = begin(port, "/news");
    (void)take(watching[GPUT__HTTP_MOST_STREAMS], text, sizeof(text));
    OK(strstr(text, "HTTP/1.1 503 ") &&
           gput__http_server_streams(server) == GPUT__HTTP_MOST_STREAMS,
       "more streams than there are places for are refused");
    now_ns += GPUT__NS_PER_S;
    for (int i = 0; i < GPUT__HTTP_MOST_CLIENTS; i++)
        others[i] = begin(port, "/long");
    OK(gput__http_server_streams(server) == GPUT__HTTP_MOST_STREAMS,
       "a crowd takes none of theirs");
    for (int i = 0; i < GPUT__HTTP_MOST_CLIENTS; i++)
        close(others[i]);
    for (int i = 0; i <= GPUT__HTTP_MOST_STREAMS; i++)
        close(watching[i]);
}

int main(void)
{
    const struct gput__http_options o = { .handle = handle, .more = add };
    char why[200], address[80];
    int fd = gput__http_listen(":0", why, sizeof(why)), port;

    if (fd < 0)
        fail(why);
    gput__http_address(fd, address, sizeof(address));
    port = atoi(strrchr(address, ':') + 1);
    server = gput__http_server_new(fd, &o);
    answers(port);
    readers_that_take_their_time(port);
    streams(port);
    crowds(port);
    gput__http_server_free(server);
    return DONE();
}
