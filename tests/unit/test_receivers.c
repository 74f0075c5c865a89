/* test_receivers.c - where figures are sent: URLs, groups, headers of the environment. */
#include "api/export/receivers.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"

static bool is(char *got, const char *want)
{
    bool same = got && want ? strcmp(got, want) == 0 : !got && !want;

    if (!same)
        printf("# got %s\n", got ? got : "nothing");
    free(got);
    return same;
}

static void urls(void)
{
    static const char *const bad[] = { "h:9091",        "ftp://h",     "http://",   "http:///x",
                                       "http://u:p@h/", "https://u@h", "http://h /" };
    struct gput_error err;

    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        OK(gput__receiver_check(bad[i], "push", &err) == -EINVAL && !strcmp(err.field, "push"),
           "%s: %s", bad[i], err.text);
    OK(gput__receiver_check("http://h:9091/a@b?c", "push", &err) == 0 &&
           gput__receiver_check("HTTPS://[::1]:9091", "push", &err) == 0,
       "good ones");
    OK(is(gput__push_url("http://h:1//", "train", "n7", NULL),
          "http://h:1/metrics/job/train/instance/n7"),
       "a group");
    OK(is(gput__push_url("http://h/p", "a/b", "", NULL), "http://h/p/metrics/job@base64/YS9i"),
       "as base64 where a path cannot have it");
    OK(is(gput__push_url("http://h", "a?", "\xc3\xa4", NULL),
          "http://h/metrics/job@base64/YT8/instance@base64/w6Q"),
       "without padding, for URLs");
    OK(is(gput__push_url("http://h", "", "x", NULL), "http://h/metrics/job@base64/=/instance/x"),
       "an empty one");
    OK(is(gput__push_url("http://h", "train", "n7", "3"),
          "http://h/metrics/job/train/instance/n7/rank/3"),
       "a rank");
    OK(is(gput__otlp_url("http://h:4318"), "http://h:4318/v1/metrics") &&
           is(gput__otlp_url("http://h:4318/"), "http://h:4318/v1/metrics") &&
           is(gput__otlp_url("http://h/otlp/x"), "http://h/otlp/x"),
       "of OTLP");
}

static void the_environment(void)
{
    unsetenv("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT");
    unsetenv("OTEL_EXPORTER_OTLP_METRICS_HEADERS");
    setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://h:4318/x/", 1);
    OK(is(gput__otlp_endpoint(), "http://h:4318/x/v1/metrics"), "the general endpoint");
    setenv("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "http://m/y", 1);
    OK(is(gput__otlp_endpoint(), "http://m/y"), "that of metrics is taken as it is");
    setenv("OTEL_EXPORTER_OTLP_HEADERS", "a=b%20c, d=%0d%0aInjected: x,=no,e=f=g", 1);
    OK(is(gput__otlp_headers(), "a: b c\nd: Injected: x\ne: f=g\n"), "headers, none of them two");
    setenv("OTEL_EXPORTER_OTLP_HEADERS", "", 1);
    OK(is(gput__otlp_headers(), NULL), "none");
}

static void tokens(void)
{
    char file[] = "/tmp/gput-token-XXXXXX", *token = NULL;
    struct gput_error err;
    int fd = mkstemp(file);

    OK(fd >= 0 && write(fd, "s3cret\r\nx\n", 10) == 10 && fchmod(fd, 0600) == 0, "a file");
    unsetenv("T");
    unsetenv("T_FILE");
    OK(gput__receiver_token("T", &token, &err) == 0 && !token, "no token is none");
    setenv("T_FILE", file, 1);
    OK(gput__receiver_token("T", &token, &err) == 0 && is(token, "s3cret"), "its first line");
    OK(fchmod(fd, 0640) == 0 && gput__receiver_token("T", &token, &err) == -EPERM &&
           strstr(err.text, "chmod 600"),
       "one that others can read is refused");
    setenv("T", "own", 1);
    OK(gput__receiver_token("T", &token, &err) == 0 && is(token, "own"), "the variable wins");
    setenv("T", "a\nb: c", 1);
    OK(gput__receiver_token("T", &token, &err) == -EINVAL, "a second line is refused");
    unsetenv("T");
    setenv("T_FILE", "/no/such/file", 1);
    OK(gput__receiver_token("T", &token, &err) == -ENOENT, "a file that is not there");
    close(fd);
    unlink(file);
}

int main(void)
{
    urls();
    the_environment();
    tokens();
    return DONE();
}
