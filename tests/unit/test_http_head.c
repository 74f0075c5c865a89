/* test_http_head.c - requests that we are asked: heads, hosts, addresses to listen at. */
#include "net/http_head.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "net/http_server.h"
#include "tap.h"

static struct gput__http_head head;

static int parse(const char *text)
{
    size_t n = gput__http_head_length(text, strlen(text));

    return n ? gput__http_head_parse(text, n, &head) : -1;
}

static void good_heads(void)
{
    OK(parse(
           "GET /metrics?a=b HTTP/1.1\r\nHost: Node7:9400\r\nAuthorization:  Bearer x y \r\n\r\n") ==
               0 &&
           !strcmp(head.method, "GET") && !strcmp(head.path, "/metrics") &&
           !strcmp(head.host, "node7") && !strcmp(head.authorization, "Bearer x y"),
       "a request, its host without the port");
    OK(parse("HEAD / HTTP/1.0\n\n") == 0 && !head.has_host && !head.is_http11, "an old one");
    OK(parse("GET / HTTP/1.1\r\nhost:[::1]:80\r\n\r\n") == 0 && !strcmp(head.host, "::1"),
       "an address of IPv6");
    OK(gput__http_head_length("GET / HTTP/1.1\r\nHost: a\r\n", 25) == 0, "one that goes on");
}

static void queries(void)
{
    char value[9] = "";

    OK(parse("GET /a?x=1&token=abc HTTP/1.0\n\n") == 0 && !strcmp(head.path, "/a") &&
           !strcmp(head.query, "x=1&token=abc"),
       "a query");
    OK(gput__http_query_value(head.query, "token", value, sizeof(value)) && !strcmp(value, "abc"),
       "a value of it");
    OK(gput__http_query_value(head.query, "x", value, sizeof(value)) && !strcmp(value, "1"),
       "another");
    OK(!gput__http_query_value(head.query, "oken", value, sizeof(value)) &&
           !gput__http_query_value(head.query, "tok", value, sizeof(value)) &&
           !gput__http_query_value("token", "token", value, sizeof(value)) && !strcmp(value, "1"),
       "not of other names");
    OK(gput__http_query_value("token=12345678", "token", value, sizeof(value)) &&
           !gput__http_query_value("token=123456789", "token", value, sizeof(value)),
       "nor one that does not fit");
    OK(gput__http_query_value("token=&token=b", "token", value, sizeof(value)) && !value[0],
       "the first counts");
}

static void tokens(void)
{
    OK(gput__http_is_token("abc", "abc") && !gput__http_is_token("abd", "abc") &&
           !gput__http_is_token("ab", "abc") && !gput__http_is_token("abcabc", "abc") &&
           !gput__http_is_token("", "abc"),
       "a token is the whole of it");
    OK(!gput__http_is_token("", "") && !gput__http_is_token("a", ""), "none at all lets nobody in");
}

static void bad_heads(void)
{
    static const struct {
        const char *text;
        int status;
    } bad[] = {
        { "\r\n\r\n", 400 },
        { "GET\r\n\r\n", 400 },
        { "GET /\r\n\r\n", 400 },
        { " / HTTP/1.0\r\n\r\n", 400 },
        { " / HTTP/1.1\r\nHost: a\r\n\r\n", 400 },
        { "GET / HTTP/1.1\r\n\r\n", 400 },
        { "GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505 },
        { "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400 },
        { "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400 },
        { "GET / HTTP/1.1\r\n Host: a\r\n\r\n", 400 },
        { "GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400 },
        { "GET / HTTP/1.1\r\nHost: [a\r\n\r\n", 400 },
        { "GET / HTTP/1.1\r\nHost: [a b]\r\n\r\n", 400 },
        { "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400 },
        { "GET / HTTP/1.1\r\nHost: [: :1]:80\r\n\r\n", 400 },
        { "GET / HTTP/1.1\r\nHost: [::1].evil.example\r\n\r\n", 400 },
        { "TOOLONGAMETHOD / HTTP/1.1\r\nHost: a\r\n\r\n", 400 },
        { "GET /\x01 HTTP/1.1\r\nHost: a\r\n\r\n", 431 },
    };

    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        OK(parse(bad[i].text) == bad[i].status, "%d: number %zu is refused", bad[i].status, i);
}

/* No prefix of a head is one, and none makes the reader go beyond its end. */
static void every_cut(void)
{
    static const char full[] =
        "GET /metrics HTTP/1.1\r\nHost: [::1]:1\r\nAuthorization: Bearer x\r\n\r\n";
    int taken = 0;

    for (size_t n = 0; n < sizeof(full) - 2; n++) {
        char *cut = malloc(n ? n : 1);

        memcpy(cut, full, n);
        taken += gput__http_head_length(cut, n) != 0;
        taken += n > 0 && gput__http_head_parse(cut, n, &head) == 0;
        free(cut);
    }
    OK(taken == 0, "no prefix of a head is one: %d", taken);
}

static void hosts(void)
{
    OK(gput__http_host_is_address("10.0.0.1") && gput__http_host_is_address("fe80::1"),
       "addresses");
    OK(!gput__http_host_is_address("localhost") && !gput__http_host_is_address("1.2.3") &&
           !gput__http_host_is_address("1.2.3.4.example.org") && !gput__http_host_is_address(""),
       "names");
}

static void addresses(void)
{
    static const char *const bad[] = { "",     "x",          "1.2.3:4", ":65536",
                                       ":-1",  "[::1]",      "host:80", "127.0.0.1",
                                       ": 80", "[127.0.0.1", ":80x" };
    static const char *const good[][2] = { { ":0", "127.0.0.1:" },
                                           { "0", "127.0.0.1:" },
                                           { "localhost:0", "127.0.0.1:" },
                                           { "0.0.0.0:0", "0.0.0.0:" } };
    char why[200], name[80];

    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        OK(gput__http_listen(bad[i], why, sizeof(why)) < 0 && why[0], "'%s': %s", bad[i], why);
    for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
        int fd = gput__http_listen(good[i][0], why, sizeof(why));

        gput__http_address(fd, name, sizeof(name));
        OK(fd >= 0 && !strncmp(name, good[i][1], strlen(good[i][1])), "'%s' is %s", good[i][0],
           name);
        close(fd);
    }
}

int main(void)
{
    good_heads();
    queries();
    tokens();
    bad_heads();
    every_cut();
    hosts();
    addresses();
    return DONE();
}
