/* http.c - HTTP requests, several at a time within one deadline, over libcurl. */
#include "net/http.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/system.h"
#include "base/text/print.h"
#include "base/text/text.h"
#include "net/curl_api.h"

/* Nobody sends so many headers. */
#define MOST_HEADER_BYTES (64 * 1024)
#define MOST_REDIRECTS 5L
#define MOST_RETRY_AFTER_S 3600L
#define LONGEST_WAIT_MS 1000

/* By number: the newer names of these options are unknown to older libraries, and the older names
 * are marked as such in newer headers.  The numbers are the same in all. */
#define OPT_PROTOCOLS ((CURLoption)(CURLOPTTYPE_LONG + 181))
#define OPT_REDIR_PROTOCOLS ((CURLoption)(CURLOPTTYPE_LONG + 182))
#define OPT_HTTP09_ALLOWED ((CURLoption)(CURLOPTTYPE_LONG + 285))
#define OPT_QUICK_EXIT ((CURLoption)(CURLOPTTYPE_LONG + 322))
#define PROTO_HTTP 1L
#define PROTO_HTTPS 2L

struct transfer {
    struct gput__http_request *request;
    CURL *easy;
    struct curl_slist *headers;
    struct gput__buf answer;
    size_t header_bytes;
    bool is_too_large;
    char error[CURL_ERROR_SIZE];
};

static void fail(struct gput__http_request *r, int error, const char *why)
{
    r->error = error;
    r->status = 0;
    snprintf(r->why, sizeof(r->why), "%.199s", why);
    gput__text_tidy(r->why);
}

/* --- what libcurl calls --------------------------------------------------------------------- */

static size_t receive_body(char *data, size_t one, size_t n, void *ctx)
{
    struct transfer *t = ctx;

    n *= one;
    t->is_too_large = n > t->request->largest - t->answer.len;
    if (t->is_too_large)
        return 0;
    gput__buf_add(&t->answer, data, n);
    return t->answer.err ? 0 : n;
}

/* In seconds; a date is not understood, and so is none. */
static long read_retry_after(const char *line, size_t n)
{
    static const char name[] = "retry-after:";
    char number[16] = "";
    size_t at = sizeof(name) - 1, len = 0;

    if (n <= at || strncasecmp(line, name, at) != 0)
        return 0;
    while (at < n && line[at] == ' ')
        at++;
    while (at + len < n && len < sizeof(number) - 1 && line[at + len] >= '0' &&
           line[at + len] <= '9')
        len++;
    memcpy(number, line + at, len);
    return strtol(number, NULL, 10) <= MOST_RETRY_AFTER_S ? strtol(number, NULL, 10)
                                                          : MOST_RETRY_AFTER_S;
}

static size_t receive_header(char *data, size_t one, size_t n, void *ctx)
{
    struct transfer *t = ctx;
    long retry = read_retry_after(data, one * n);

    t->request->retry_after_s = retry ? retry : t->request->retry_after_s;
    t->header_bytes += one * n;
    t->is_too_large = t->header_bytes > MOST_HEADER_BYTES;
    return t->is_too_large ? 0 : one * n;
}

/* --- before --------------------------------------------------------------------------------- */

static bool is_https(const char *url)
{
    return !strncasecmp(url, "https:", 6);
}

static int add_header(const struct gput__curl_api *c, struct transfer *t, const char *line)
{
    struct curl_slist *longer = c->slist_append(t->headers, line);

    if (!longer)
        return -ENOMEM;
    t->headers = longer;
    return 0;
}

static int set_headers(const struct gput__curl_api *c, struct transfer *t)
{
    const char *const *line = t->request->headers;
    int r = 0;

    for (; r == 0 && line && *line; line++)
        r = add_header(c, t, *line);
    if (r == 0 && t->request->body) /* a server need not be asked first */
        r = add_header(c, t, "Expect:");
    if (r == 0 && t->headers)
        c->setopt(t->easy, CURLOPT_HTTPHEADER, t->headers);
    return r;
}

static void set_method(const struct gput__curl_api *c, const struct transfer *t)
{
    const struct gput__http_request *r = t->request;

    if (r->body) {
        c->setopt(t->easy, CURLOPT_POSTFIELDS, r->body);
        c->setopt(t->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)r->body_size);
    }
    if (r->method)
        c->setopt(t->easy, CURLOPT_CUSTOMREQUEST, r->method);
}

static void set_limits(const struct gput__curl_api *c, const struct transfer *t, int64_t timeout_ns)
{
    const struct gput__http_request *r = t->request;
    long redirect_to = is_https(r->url) ? PROTO_HTTPS : PROTO_HTTP | PROTO_HTTPS;

    c->setopt(t->easy, CURLOPT_TIMEOUT_MS, (long)(timeout_ns / GPUT__NS_PER_MS) + 1);
    c->setopt(t->easy, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)r->largest);
    c->setopt(t->easy, OPT_PROTOCOLS, PROTO_HTTP | PROTO_HTTPS);
    c->setopt(t->easy, OPT_REDIR_PROTOCOLS, redirect_to);
    c->setopt(t->easy, OPT_HTTP09_ALLOWED, 0L);
    c->setopt(t->easy, OPT_QUICK_EXIT, 1L);
    c->setopt(t->easy, CURLOPT_FOLLOWLOCATION, r->may_redirect ? 1L : 0L);
    c->setopt(t->easy, CURLOPT_MAXREDIRS, MOST_REDIRECTS);
    if (r->ca_file)
        c->setopt(t->easy, CURLOPT_CAINFO, r->ca_file);
    /* libcurl asks the environment, which others may have set */
    if (!r->may_use_proxy || gput__has_more_rights())
        c->setopt(t->easy, CURLOPT_PROXY, "");
}

static int prepare(const struct gput__curl_api *c, struct transfer *t, int64_t timeout_ns)
{
    t->easy = c->easy_init();
    if (!t->easy)
        return -ENOMEM;
    c->setopt(t->easy, CURLOPT_NOSIGNAL, 1L); /* signals are the main thread's business */
    c->setopt(t->easy, CURLOPT_USERAGENT, "gpu-tracker/" GPUT_VERSION);
    c->setopt(t->easy, CURLOPT_ERRORBUFFER, t->error);
    c->setopt(t->easy, CURLOPT_PRIVATE, (void *)t);
    c->setopt(t->easy, CURLOPT_WRITEFUNCTION, receive_body);
    c->setopt(t->easy, CURLOPT_WRITEDATA, (void *)t);
    c->setopt(t->easy, CURLOPT_HEADERFUNCTION, receive_header);
    c->setopt(t->easy, CURLOPT_HEADERDATA, (void *)t);
    set_method(c, t);
    set_limits(c, t, timeout_ns);
    if (set_headers(c, t) < 0 || c->setopt(t->easy, CURLOPT_URL, t->request->url) != CURLE_OK)
        return -ENOMEM;
    return 0;
}

/* --- after ---------------------------------------------------------------------------------- */

static int errno_of(CURLcode code)
{
    static const struct {
        CURLcode code;
        int error;
    } table[] = {
        { CURLE_OPERATION_TIMEDOUT, -ETIMEDOUT },
        { CURLE_COULDNT_CONNECT, -ECONNREFUSED },
        { CURLE_COULDNT_RESOLVE_HOST, -EHOSTUNREACH },
        { CURLE_COULDNT_RESOLVE_PROXY, -EHOSTUNREACH },
        { CURLE_FILESIZE_EXCEEDED, -EFBIG },
        { CURLE_URL_MALFORMAT, -EINVAL },
        { CURLE_UNSUPPORTED_PROTOCOL, -EINVAL },
        { CURLE_OUT_OF_MEMORY, -ENOMEM },
        { CURLE_TOO_MANY_REDIRECTS, -ELOOP },
        { CURLE_SEND_ERROR, -ECONNRESET },
        { CURLE_RECV_ERROR, -ECONNRESET },
        { CURLE_GOT_NOTHING, -ECONNRESET },
        { CURLE_PEER_FAILED_VERIFICATION, -EPERM },
    };

    for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
        if (table[i].code == code)
            return table[i].error;
    return -EPROTO;
}

static void keep_answer(const struct gput__curl_api *c, struct transfer *t)
{
    struct gput__http_request *r = t->request;
    size_t size = t->answer.len;

    if (gput__buf_detach(&t->answer, &r->answer) < 0) {
        fail(r, -ENOMEM, "out of memory");
        return;
    }
    r->size = size;
    r->error = 0;
    r->why[0] = '\0';
    c->getinfo(t->easy, CURLINFO_RESPONSE_CODE, &r->status);
}

static void record_outcome(const struct gput__curl_api *c, struct transfer *t, CURLcode code)
{
    struct gput__http_request *r = t->request;
    char why[64];

    if (code == CURLE_OPERATION_TIMEDOUT)
        return; /* said below, as of one that we gave up ourselves */
    if (t->is_too_large || code == CURLE_FILESIZE_EXCEEDED) {
        snprintf(why, sizeof(why), "its answer is larger than %zu bytes", r->largest);
        fail(r, -EFBIG, why);
    } else if (code != CURLE_OK) {
        fail(r, errno_of(code), t->error[0] ? t->error : c->strerror(code));
    } else {
        keep_answer(c, t);
    }
}

static void read_messages(const struct gput__curl_api *c, CURLM *multi)
{
    CURLMsg *m;
    int left;

    while ((m = c->multi_read(multi, &left))) {
        char *private = NULL;

        if (m->msg != CURLMSG_DONE)
            continue;
        c->getinfo(m->easy_handle, CURLINFO_PRIVATE, &private);
        record_outcome(c, (struct transfer *)(void *)private, m->data.result);
    }
}

/* --- all of it ------------------------------------------------------------------------------ */

static void run(const struct gput__curl_api *c, CURLM *multi, int64_t deadline)
{
    int running = 1;

    while (running) {
        int64_t left_ms;

        if (c->multi_perform(multi, &running) != CURLM_OK)
            return;
        read_messages(c, multi);
        left_ms = (deadline - gput__now()) / GPUT__NS_PER_MS;
        if (left_ms <= 0)
            return;
        if (running)
            c->multi_wait(multi, NULL, 0,
                          left_ms < LONGEST_WAIT_MS ? (int)left_ms : LONGEST_WAIT_MS, NULL);
    }
}

static void perform(const struct gput__curl_api *c, CURLM *multi, struct transfer *list, size_t n,
                    int64_t timeout_ns)
{
    int64_t deadline = gput__now() + timeout_ns;

    for (size_t i = 0; i < n; i++) {
        int r = prepare(c, &list[i], timeout_ns);

        if (r == 0 && c->multi_add(multi, list[i].easy) == CURLM_OK)
            continue;
        fail(list[i].request, -ENOMEM, "out of memory");
    }
    run(c, multi, deadline);
    for (size_t i = 0; i < n; i++)
        c->multi_remove(multi, list[i].easy);
}

static void clean_up(const struct gput__curl_api *c, struct transfer *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (list[i].easy)
            c->easy_cleanup(list[i].easy);
        c->slist_free(list[i].headers);
        gput__buf_free(&list[i].answer);
    }
}

void gput__http_perform(struct gput__http_request *list, size_t n, int64_t timeout_ns)
{
    char why[200] = "out of memory";
    const struct gput__curl_api *c = gput__curl_load(why, sizeof(why));
    struct transfer *transfers = c ? calloc(n, sizeof(*transfers)) : NULL;
    CURLM *multi = transfers ? c->multi_init() : NULL;

    for (size_t i = 0; i < n; i++) {
        list[i].answer = NULL;
        list[i].size = 0;
        list[i].retry_after_s = 0;
        fail(&list[i], c ? -ENOMEM : -ELIBACC, why);
        if (!multi)
            continue;
        gput__snprintf(why, sizeof(why), "no answer within %.2g s", (double)timeout_ns / 1e9);
        fail(&list[i], -ETIMEDOUT, why); /* unless something else is heard */
        transfers[i].request = &list[i];
    }
    if (multi) {
        perform(c, multi, transfers, n, timeout_ns);
        clean_up(c, transfers, n);
        c->multi_cleanup(multi);
    }
    free(transfers);
}

void gput__http_free(struct gput__http_request *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(list[i].answer);
        list[i].answer = NULL;
        list[i].size = 0;
    }
}
