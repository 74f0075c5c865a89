/* test_http.c - HTTP requests against a small server of the test's own on loopback. */
#include "net/http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "tap.h"

#define LONG (60 * GPUT__NS_PER_S)
#define SHORT (GPUT__NS_PER_S / 10)
#define LARGE (3u << 20)

/* --- the server: one thread per connection, one request each ------------------------------------ */

static struct {
    int fd, port;
    pthread_mutex_t lock;
    pthread_cond_t told;
    unsigned n_requests, n_together;
    char last[4096]; /* the last request, whole */
} server = { .lock = PTHREAD_MUTEX_INITIALIZER, .told = PTHREAD_COND_INITIALIZER };

static void reply(int fd, const char *head, const char *body, size_t n)
{
    char text[600];
    size_t sent = 0;
    int len = snprintf(text, sizeof(text), "HTTP/1.1 %s\r\nContent-Length: %zu\r\n\r\n", head, n);

    if (send(fd, text, (size_t)len, MSG_NOSIGNAL) != len)
        return;
    while (sent < n) {
        ssize_t r = send(fd, body + sent, n - sent, MSG_NOSIGNAL);

        if (r <= 0)
            return;
        sent += (size_t)r;
    }
}

static void reply_large(int fd)
{
    char *body = malloc(LARGE);

    if (!body)
        return;
    for (size_t i = 0; i < LARGE; i++)
        body[i] = (char)('a' + i % 26);
    reply(fd, "200 OK", body, LARGE);
    free(body);
}

/* Nobody is answered before all three are there. */
static void wait_for_three(void)
{
    pthread_mutex_lock(&server.lock);
    server.n_together++;
    pthread_cond_broadcast(&server.told);
    while (server.n_together < 3)
        pthread_cond_wait(&server.told, &server.lock);
    pthread_mutex_unlock(&server.lock);
}

static void answer(int fd, const char *request)
{
    char head[200];

    if (strstr(request, " /together")) {
        wait_for_three();
        reply(fd, "200 OK", "together", 8);
    } else if (strstr(request, " /silent")) {
        char byte;

        (void)recv(fd, &byte, 1, 0); /* until the other side has gone */
    } else if (strstr(request, " /large")) {
        reply_large(fd);
    } else if (strstr(request, " /missing")) {
        reply(fd, "404 Not Found", "no such page", 12);
    } else if (strstr(request, " /elsewhere")) {
        snprintf(head, sizeof(head), "302 Found\r\nLocation: http://127.0.0.1:%d/plain",
                 server.port);
        reply(fd, head, "", 0);
    } else if (strstr(request, " /round")) {
        snprintf(head, sizeof(head), "302 Found\r\nLocation: http://127.0.0.1:%d/round",
                 server.port);
        reply(fd, head, "", 0);
    } else if (strstr(request, " /file")) {
        reply(fd, "302 Found\r\nLocation: file:///etc/passwd", "", 0);
    } else if (strstr(request, " /nothing")) {
        reply(fd, "200 OK", "", 0);
    } else {
        reply(fd, "200 OK", "plain\0text", 10);
    }
}

static bool is_whole(const char *text)
{
    const char *end = strstr(text, "\r\n\r\n"), *length = strcasestr(text, "Content-Length:");

    return end && (!length || strlen(end + 4) >= strtoul(length + 15, NULL, 10));
}

static void *serve_one(void *arg)
{
    int fd = (int)(intptr_t)arg;
    char text[4096] = "";
    size_t n = 0;

    while (n + 1 < sizeof(text) && !is_whole(text)) {
        ssize_t r = recv(fd, text + n, sizeof(text) - 1 - n, 0);

        if (r <= 0)
            break;
        n += (size_t)r;
        text[n] = '\0';
    }
    pthread_mutex_lock(&server.lock);
    server.n_requests++;
    memcpy(server.last, text, n + 1);
    pthread_mutex_unlock(&server.lock);
    answer(fd, text);
    shutdown(fd, SHUT_WR);
    close(fd);
    return NULL;
}

static void *serve(void *arg)
{
    (void)arg;
    for (;;) {
        int fd = accept(server.fd, NULL, NULL);
        pthread_t thread;

        if (fd < 0)
            return NULL;
        if (pthread_create(&thread, NULL, serve_one, (void *)(intptr_t)fd) == 0)
            pthread_detach(thread);
    }
}

static int start_server(void)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
    socklen_t len = sizeof(at);
    pthread_t thread;

    server.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(server.fd, (struct sockaddr *)&at, sizeof(at)) < 0 || listen(server.fd, 16) < 0 ||
        getsockname(server.fd, (struct sockaddr *)&at, &len) < 0)
        return -1;
    server.port = ntohs(at.sin_port);
    return pthread_create(&thread, NULL, serve, NULL);
}

/* --- the tests ------------------------------------------------------------------------------ */

struct
try {
    char url[100];
    struct gput__http_request r;
};

static struct try to(const char *path)
{
    struct try t = { .r.largest = 1000 };

    snprintf(t.url, sizeof(t.url), "http://127.0.0.1:%d%s", server.port, path);
    return t;
}

static void perform(struct try *t, int64_t timeout_ns)
{
    t->r.url = t->url;
    server.n_requests = 0;
    gput__http_perform(&t->r, 1, timeout_ns);
}

static void answers(void)
{
    static const char *const headers[] = { "X-One: 1", "X-Two: 2", NULL };
    struct try t = to("/plain");

    t.r.headers = headers;
    perform(&t, LONG);
    OK(t.r.error == 0 && t.r.status == 200 && t.r.size == 10 &&
           !memcmp(t.r.answer, "plain\0text", 11),
       "an answer, any bytes, with a NUL behind it");
    OK(!strncmp(server.last, "GET /plain HTTP/1.1\r\n", 21) &&
           strstr(server.last, "X-One: 1\r\n") && strstr(server.last, "X-Two: 2\r\n") &&
           strstr(server.last, "gpu-tracker/"),
       "with headers, and who asks");
    gput__http_free(&t.r, 1);
    OK(!t.r.answer, "freed");
    t = to("/nothing");
    perform(&t, LONG);
    OK(t.r.error == 0 && t.r.size == 0 && t.r.answer && !t.r.answer[0], "an empty answer is one");
    gput__http_free(&t.r, 1);
    t = to("/missing");
    perform(&t, LONG);
    OK(t.r.error == 0 && t.r.status == 404 && !strcmp(t.r.answer, "no such page"),
       "one with another status too");
    gput__http_free(&t.r, 1);
}

static void methods(void)
{
    struct try t = to("/plain");

    t.r.method = "PUT";
    perform(&t, LONG);
    OK(t.r.error == 0 && !strncmp(server.last, "PUT /plain ", 11), "PUT without a body");
    gput__http_free(&t.r, 1);
    t = to("/plain");
    t.r.body = "{\"a\": 1}";
    t.r.body_size = 8;
    perform(&t, LONG);
    OK(t.r.error == 0 && !strncmp(server.last, "POST /plain ", 12) &&
           !strcmp(strstr(server.last, "\r\n\r\n") + 4, "{\"a\": 1}"),
       "POST with one");
    OK(!strstr(server.last, "Expect:"), "which is sent at once");
    gput__http_free(&t.r, 1);
}

static void large_ones(void)
{
    struct try t = to("/large");
    bool is_whole_answer = true;

    perform(&t, LONG);
    OK(t.r.error == -EFBIG && !t.r.answer && strstr(t.r.why, "1000"), "too large: %s", t.r.why);
    t.r.largest = LARGE;
    perform(&t, LONG);
    for (size_t i = 0; t.r.error == 0 && i < LARGE; i++)
        is_whole_answer &= t.r.answer[i] == (char)('a' + i % 26);
    OK(t.r.error == 0 && t.r.size == LARGE && is_whole_answer, "3 MB are read where they may be");
    gput__http_free(&t.r, 1);
    t.r.largest = LARGE - 1;
    perform(&t, LONG);
    OK(t.r.error == -EFBIG, "but not one byte more than may be");
}

static void redirects(void)
{
    struct try t = to("/elsewhere");

    perform(&t, LONG);
    OK(t.r.error == 0 && t.r.status == 302 && server.n_requests == 1, "not followed");
    gput__http_free(&t.r, 1);
    t.r.may_redirect = true;
    perform(&t, LONG);
    OK(t.r.error == 0 && t.r.status == 200 && t.r.size == 10 && server.n_requests == 2,
       "followed where it may be");
    gput__http_free(&t.r, 1);
    t = to("/round");
    t.r.may_redirect = true;
    perform(&t, LONG);
    OK(t.r.error == -ELOOP && server.n_requests == 6, "not for ever: %s", t.r.why);
    t = to("/file");
    t.r.may_redirect = true;
    perform(&t, LONG);
    OK(t.r.error < 0 && !t.r.answer, "and not into files: %s", t.r.why);
}

static void proxies(void)
{
    char url[64];
    struct try t = to("");

    snprintf(url, sizeof(url), "http://127.0.0.1:%d", server.port);
    setenv("http_proxy", url, 1);
    strcpy(t.url, "http://192.0.2.1/far"); /* an address that is for documents only */
    t.r.may_use_proxy = true;
    perform(&t, LONG);
    OK(t.r.error == 0 && !strncmp(server.last, "GET http://192.0.2.1/far ", 25), "by a proxy");
    gput__http_free(&t.r, 1);
    t = to("/direct");
    setenv("http_proxy", "http://127.0.0.1:1", 1);
    perform(&t, LONG);
    OK(t.r.error == 0 && !strncmp(server.last, "GET /direct ", 12), "or not by one");
    gput__http_free(&t.r, 1);
    unsetenv("http_proxy");
}

static void failures(void)
{
    static const char *const bad[] = { "file:///etc/passwd", "ftp://127.0.0.1/", "nonsense://x",
                                       "" };
    struct try t = to("/silent");

    perform(&t, SHORT);
    OK(t.r.error == -ETIMEDOUT && strstr(t.r.why, "no answer within 0.1 s"), "%s", t.r.why);
    strcpy(t.url, "http://127.0.0.1:1/");
    perform(&t, LONG);
    OK(t.r.error == -ECONNREFUSED && t.r.why[0], "%s", t.r.why);
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        strcpy(t.url, bad[i]);
        perform(&t, LONG);
        OK(t.r.error == -EINVAL && !t.r.answer, "'%s': %s", bad[i], t.r.why);
    }
    t = to("/plain");
    perform(&t, 0);
    OK(t.r.error == 0 || t.r.error == -ETIMEDOUT, "no time at all: %s", t.r.why);
    gput__http_free(&t.r, 1);
}

static void many(void)
{
    struct try t = to("/together");
    struct gput__http_request list[4] = { t.r, t.r, t.r, t.r };
    unsigned n_good = 0;

    for (int i = 0; i < 4; i++)
        list[i].url = i < 3 ? t.url : "http://127.0.0.1:1/";
    gput__http_perform(list, 4, LONG);
    for (int i = 0; i < 3; i++)
        n_good += list[i].error == 0 && !strcmp(list[i].answer, "together");
    OK(n_good == 3, "three at once, none of which is answered before the others are there");
    OK(list[3].error == -ECONNREFUSED, "one that fails does not take the others along");
    gput__http_free(list, 4);
    gput__http_perform(NULL, 0, LONG);
}

int main(void)
{
    unsetenv("http_proxy");
    unsetenv("all_proxy");
    unsetenv("ALL_PROXY");
    unsetenv("no_proxy");
    unsetenv("NO_PROXY");
    if (!OK(start_server() == 0, "a server on loopback"))
        return DONE();
    answers();
    methods();
    large_ones();
    redirects();
    proxies();
    failures();
    many();
    return DONE();
}
