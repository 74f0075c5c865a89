/* fuzz_http.c - requests over a libcurl that answers anything.
 *
 * The input is what its answers are made of, byte by byte; behind its end all is 0. */
#include <stdarg.h>

#include "fuzz.h"
#include "net/curl_api.h"
#include "net/http.h"
#include "text.h"

#define REQUESTS 2
#define LARGEST 200

/* Takes the place of gput__curl_load(). */
const struct gput__curl_api *__wrap_gput__curl_load(char *ret_why, size_t cap);

struct easy {
    size_t (*body)(char *, size_t, size_t, void *);
    size_t (*header)(char *, size_t, size_t, void *);
    void *private;
    char *error;
    CURLMsg message;
    bool is_added, is_done;
    long status;
};

static const uint8_t *answers;
static size_t n_answers;
static struct easy easies[REQUESTS];
static size_t n_easies;

static uint8_t byte(void)
{
    if (!n_answers)
        return 0;
    n_answers--;
    return *answers++;
}

static CURLcode global_init(long flags)
{
    (void)flags;
    return CURLE_OK;
}

static CURL *easy_init(void)
{
    if (byte() == 0xFF || n_easies == REQUESTS)
        return NULL;
    easies[n_easies] = (struct easy){ 0 };
    return &easies[n_easies++];
}

static CURLcode setopt(CURL *easy, CURLoption option, ...)
{
    struct easy *e = easy;
    va_list args;

    va_start(args, option);
    if (option == CURLOPT_WRITEFUNCTION)
        e->body = va_arg(args, size_t(*)(char *, size_t, size_t, void *));
    else if (option == CURLOPT_HEADERFUNCTION)
        e->header = va_arg(args, size_t(*)(char *, size_t, size_t, void *));
    else if (option == CURLOPT_PRIVATE)
        e->private = va_arg(args, void *);
    else if (option == CURLOPT_ERRORBUFFER)
        e->error = va_arg(args, char *);
    va_end(args);
    return option == CURLOPT_URL && byte() == 0xFF ? CURLE_OUT_OF_MEMORY : CURLE_OK;
}

static CURLcode getinfo(CURL *easy, CURLINFO info, ...)
{
    struct easy *e = easy;
    va_list args;

    va_start(args, info);
    if (info == CURLINFO_PRIVATE)
        *va_arg(args, char **) = e->private;
    else if (info == CURLINFO_RESPONSE_CODE)
        *va_arg(args, long *) = e->status;
    va_end(args);
    return CURLE_OK;
}

static void nothing(CURL *easy)
{
    (void)easy;
}

static const char *error_text(CURLcode code)
{
    (void)code;
    return "it failed";
}

static struct curl_slist *append(struct curl_slist *list, const char *text)
{
    static struct curl_slist one;

    (void)text;
    (void)list;
    return byte() == 0xFF ? NULL : &one;
}

static void free_list(struct curl_slist *list)
{
    (void)list;
}

static CURLM *multi_init(void)
{
    return byte() == 0xFF ? NULL : (CURLM *)easies;
}

static CURLMcode multi_add(CURLM *multi, CURL *easy)
{
    (void)multi;
    if (byte() == 0xFF)
        return CURLM_OUT_OF_MEMORY;
    ((struct easy *)easy)->is_added = true;
    return CURLM_OK;
}

static CURLMcode multi_one(CURLM *multi, CURL *easy)
{
    (void)multi;
    (void)easy;
    return CURLM_OK;
}

/* A piece of a header or of the body; as libcurl does, a piece that is not taken ends it. */
static bool give_piece(struct easy *e, bool is_header)
{
    char piece[256];
    size_t n = byte();

    for (size_t i = 0; i < n; i++)
        piece[i] = (char)byte();
    return (is_header ? e->header : e->body)(piece, 1, n, e->private) == n;
}

static CURLMcode perform(CURLM *multi, int *running)
{
    (void)multi;
    *running = 0;
    for (size_t i = 0; i < n_easies; i++) {
        struct easy *e = &easies[i];
        uint8_t what = byte();

        if (!e->is_added || e->is_done)
            continue;
        if (n_answers && (what & 3) < 2) { /* a piece that is not taken is a write error */
            e->is_done = !give_piece(e, what & 1);
            e->message.data.result = CURLE_WRITE_ERROR;
        } else {
            e->is_done = true;
            e->message.data.result = (what & 3) == 2 ? CURLE_OK : (CURLcode)byte();
            e->status = byte() * 4;
            if (what & 4)
                snprintf(e->error, CURL_ERROR_SIZE, "\x1b[1m%c\n", byte());
        }
        *running += !e->is_done;
    }
    return byte() == 0xFF ? CURLM_INTERNAL_ERROR : CURLM_OK;
}

static CURLMcode wait_a_while(CURLM *multi, struct curl_waitfd *more, unsigned n_more,
                              int timeout_ms, int *ready)
{
    (void)multi;
    (void)more;
    (void)n_more;
    (void)ready;
    fuzz_must(timeout_ms > 0 && timeout_ms <= 1000);
    return CURLM_OK;
}

static CURLMsg *next_message(CURLM *multi, int *left)
{
    (void)multi;
    *left = 0;
    for (size_t i = 0; i < n_easies; i++) {
        struct easy *e = &easies[i];

        if (!e->is_done || e->message.easy_handle)
            continue;
        e->message.easy_handle = e;
        e->message.msg = byte() == 0xFF ? CURLMSG_NONE : CURLMSG_DONE;
        return &e->message;
    }
    return NULL;
}

static CURLMcode multi_cleanup(CURLM *multi)
{
    (void)multi;
    return CURLM_OK;
}

const struct gput__curl_api *__wrap_gput__curl_load(char *ret_why, size_t cap)
{
    static const struct gput__curl_api api = {
        .global_init = global_init,
        .easy_init = easy_init,
        .setopt = setopt,
        .getinfo = getinfo,
        .easy_cleanup = nothing,
        .strerror = error_text,
        .slist_append = append,
        .slist_free = free_list,
        .multi_init = multi_init,
        .multi_add = multi_add,
        .multi_remove = multi_one,
        .multi_perform = perform,
        .multi_wait = wait_a_while,
        .multi_read = next_message,
        .multi_cleanup = multi_cleanup,
    };

    if (byte() == 0xFF) {
        snprintf(ret_why, cap, "there is none");
        return NULL;
    }
    return &api;
}

static void check(const struct gput__http_request *r)
{
    fuzz_must(r->error <= 0 && strlen(r->why) < sizeof(r->why));
    if (r->error < 0) {
        fuzz_must(!r->answer && r->size == 0 && r->status == 0 && r->why[0]);
        for (const char *p = r->why; *p; p++)
            fuzz_must((unsigned char)*p >= ' ' && *p != 0x7F);
    } else {
        fuzz_must(r->answer && r->size <= LARGEST && r->answer[r->size] == '\0' && !r->why[0]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const headers[] = { "A: b", NULL };
    struct gput__http_request list[REQUESTS] = {
        { .url = "http://a/", .headers = headers, .largest = LARGEST },
        { .url = "https://b/", .body = "x", .body_size = 1, .largest = LARGEST },
    };

    answers = data;
    n_answers = size;
    n_easies = 0;
    gput__http_perform(list, REQUESTS, INT64_C(60000000000));
    for (size_t i = 0; i < REQUESTS; i++)
        check(&list[i]);
    gput__http_free(list, REQUESTS);
    return 0;
}
