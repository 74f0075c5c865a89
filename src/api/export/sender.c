/* sender.c - one receiver that figures are sent to, by a thread of its own.
 *
 * Figures are cumulative: whatever could not be sent is in what is sent next, so only the newest text is
 * kept.  A receiver that refuses is asked again at the next interval, or when it says (Retry-After). */
#include "api/export/sender.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/system.h"
#include "base/text/text.h"
#include "base/thread.h"
#include "gput.h"
#include "net/curl_api.h"
#include "net/gzip.h"
#include "net/http.h"

#define STACK (256 * 1024)
#define PATIENCE_NS (10 * GPUT__NS_PER_S)
#define LARGEST_ANSWER (64 * 1024)
#define LONGEST_PAUSE_NS (300 * GPUT__NS_PER_S)
#define RETRY_NS (GPUT__NS_PER_S / 5)
enum { MOST_HEADERS = 32 };

struct gput__sender {
    struct gput__sender_options o;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    char *text; /* not sent yet; NULL: none */
    char *last; /* the newest that was not taken, for the spool */
    bool is_ending, is_done, has_failed;
    int64_t until_ns;
    char why[240]; /* it failed */
};

/* --- requests -------------------------------------------------------------------------------- */

struct headers {
    const char *line[MOST_HEADERS + 1];
    char *copy, token[600], type[100];
    int n;
};

static void add_header(struct headers *h, const char *line)
{
    if (h->n < MOST_HEADERS)
        h->line[h->n++] = line;
}

static void make_headers(const struct gput__sender_options *o, struct headers *ret)
{
    char *next = NULL;

    *ret = (struct headers){ .n = 0 };
    snprintf(ret->type, sizeof(ret->type), "Content-Type: %s", o->type);
    add_header(ret, ret->type);
    if (o->is_packed)
        add_header(ret, "Content-Encoding: gzip");
    if (o->token) {
        snprintf(ret->token, sizeof(ret->token), "Authorization: Bearer %s", o->token);
        add_header(ret, ret->token);
    }
    ret->copy = o->headers ? strdup(o->headers) : NULL;
    for (char *line = ret->copy ? strtok_r(ret->copy, "\n", &next) : NULL; line;
         line = strtok_r(NULL, "\n", &next))
        add_header(ret, line);
}

/* Whether it is worth another try. */
static bool is_passing(const struct gput__http_request *r)
{
    return r->error == 0 && (r->status == 429 || r->status >= 500);
}

static void keep_reason(struct gput__sender *s, const struct gput__http_request *r)
{
    char why[sizeof(s->why)];

    if (r->error)
        snprintf(why, sizeof(why), "%s", r->why);
    else
        snprintf(why, sizeof(why), "it answers %ld%s%.120s", r->status,
                 r->answer && *r->answer ? ": " : "", r->answer ? r->answer : "");
    why[strcspn(why, "\r\n")] = '\0';
    gput__text_tidy(why);
    pthread_mutex_lock(&s->lock);
    snprintf(s->why, sizeof(s->why), "%s", why);
    s->has_failed = true;
    pthread_mutex_unlock(&s->lock);
}

/* Returns whether it was taken; else when to try again, 0: not with this. */
static bool send_text(struct gput__sender *s, const char *text, int64_t patience_ns,
                      int64_t *ret_pause_ns)
{
    struct gput__buf packed = GPUT__BUF_INIT;
    struct gput__http_request r = {
        .url = s->o.url,
        .method = text ? NULL : "DELETE",
        .body = text,
        .body_size = text ? strlen(text) : 0,
        .largest = LARGEST_ANSWER,
        .may_use_proxy = true,
        .ca_file = s->o.ca_file,
    };
    struct headers headers;
    bool is_taken;

    make_headers(&s->o, &headers);
    r.headers = headers.line;
    if (text && s->o.is_packed && gput__gzip(text, r.body_size, &packed) == 0) {
        r.body = packed.data;
        r.body_size = packed.len;
    }
    gput__http_perform(&r, 1, patience_ns);
    is_taken = r.error == 0 && r.status >= 200 && r.status < 300;
    *ret_pause_ns = is_passing(&r) ? r.retry_after_s * GPUT__NS_PER_S + RETRY_NS : 0;
    if (!is_taken)
        keep_reason(s, &r);
    gput__http_free(&r, 1);
    gput__buf_free(&packed);
    free(headers.copy);
    return is_taken;
}

/* --- the thread ------------------------------------------------------------------------------ */

static void wait_until(struct gput__sender *s, int64_t ns)
{
    int64_t left = ns - gput__now();
    struct timespec when;

    clock_gettime(CLOCK_MONOTONIC, &when);
    left = (left > 0 ? left : 0) + when.tv_nsec;
    when.tv_sec += left / GPUT__NS_PER_S;
    when.tv_nsec = left % GPUT__NS_PER_S;
    (void)pthread_cond_timedwait(&s->changed, &s->lock, &when);
}

/* The text that is due, at `next_ns` or at the end.  NULL: the end, and there is none. */
static char *wait_for_text(struct gput__sender *s, int64_t next_ns)
{
    char *text;

    pthread_mutex_lock(&s->lock);
    while (!s->is_ending && (!s->text || s->o.last_alone || gput__now() < next_ns)) {
        if (s->text && !s->o.last_alone)
            wait_until(s, next_ns);
        else
            pthread_cond_wait(&s->changed, &s->lock);
    }
    text = s->text;
    s->text = NULL;
    pthread_mutex_unlock(&s->lock);
    return text;
}

static bool is_ending(struct gput__sender *s, int64_t *ret_left_ns)
{
    bool is;

    pthread_mutex_lock(&s->lock);
    is = s->is_ending;
    *ret_left_ns = is ? s->until_ns - gput__now() : PATIENCE_NS;
    pthread_mutex_unlock(&s->lock);
    return is;
}

static void remember(struct gput__sender *s, char *text, bool is_taken)
{
    pthread_mutex_lock(&s->lock);
    free(s->last);
    s->last = is_taken ? NULL : text;
    s->has_failed &= !is_taken;
    pthread_mutex_unlock(&s->lock);
    if (is_taken)
        free(text);
}

/* One that was not taken. */
static char *unsent_text(struct gput__sender *s)
{
    char *text;

    pthread_mutex_lock(&s->lock);
    text = s->last;
    s->last = NULL;
    pthread_mutex_unlock(&s->lock);
    return text;
}

static void pause_for(int64_t ns)
{
    struct timespec t = { ns / GPUT__NS_PER_S, ns % GPUT__NS_PER_S };

    (void)nanosleep(&t, NULL);
}

/* The last one: again and again while the receiver asks for that and there is time. */
static void send_last(struct gput__sender *s, char *text)
{
    int64_t pause = 0, left;
    bool is_taken;

    if (s->o.is_deleted) {
        free(text);
        text = NULL;
    }
    do {
        (void)is_ending(s, &left);
        is_taken = left > 0 && send_text(s, text, left, &pause);
        (void)is_ending(s, &left);
        if (!is_taken && pause > 0 && pause < left)
            pause_for(pause);
    } while (!is_taken && pause > 0 && pause < left);
    remember(s, text, is_taken);
}

static void *run(void *arg)
{
    struct gput__sender *s = arg;
    int64_t next = gput__now(), left, pause = 0;
    char why[200];

    (void)gput__curl_load(why, sizeof(why)); /* takes a while: not at the end */
    for (;;) {
        char *text = wait_for_text(s, next);

        if (is_ending(s, &left)) {
            text = text ? text : unsent_text(s);
            if (text || s->o.is_deleted)
                send_last(s, text);
            break;
        }
        next = gput__now() + (int64_t)(s->o.interval * 1e9);
        remember(s, text, send_text(s, text, PATIENCE_NS, &pause));
        if (pause > LONGEST_PAUSE_NS)
            pause = LONGEST_PAUSE_NS;
        if (pause > 0 && gput__now() + pause > next)
            next = gput__now() + pause;
    }
    pthread_mutex_lock(&s->lock);
    s->is_done = true;
    pthread_mutex_unlock(&s->lock);
    gput__event_raise(s->o.event);
    return NULL;
}

/* --- for its owner --------------------------------------------------------------------------- */

struct gput__sender *gput__sender_start(const struct gput__sender_options *o)
{
    struct gput__sender *s = calloc(1, sizeof(*s));
    pthread_t thread;

    if (!s)
        return NULL;
    s->o = *o;
    pthread_mutex_init(&s->lock, NULL);
    gput__cond_init(&s->changed);
    if (gput__thread_start(&thread, STACK, run, s) < 0) {
        free(s);
        return NULL;
    }
    (void)pthread_detach(thread);
    return s;
}

void gput__sender_add(struct gput__sender *s, char *text)
{
    pthread_mutex_lock(&s->lock);
    free(s->text);
    s->text = text;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

void gput__sender_end(struct gput__sender *s, int64_t until_ns)
{
    pthread_mutex_lock(&s->lock);
    s->is_ending = true;
    s->until_ns = until_ns;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

bool gput__sender_is_done(struct gput__sender *s)
{
    bool is;

    pthread_mutex_lock(&s->lock);
    is = s->is_done;
    pthread_mutex_unlock(&s->lock);
    return is;
}

static int spool(const char *path, const char *text)
{
    int r = gput_user_file_touch(path);

    if (r < 0)
        return r;
    r = gput_file_replace(path, text);
    if (r < 0) /* what was made for it, and is empty */
        (void)unlink(path);
    return r;
}

bool gput__sender_keep_unsent(struct gput__sender *s, char *ret_line, unsigned long size)
{
    const char *text;
    bool is_lost;
    int r = -ENOENT;

    pthread_mutex_lock(&s->lock);
    text = s->text ? s->text : s->last;
    is_lost = !s->is_done || s->has_failed;
    if (!s->why[0])
        snprintf(s->why, sizeof(s->why), "no answer in time");
    if (is_lost && text && s->o.spool)
        r = spool(s->o.spool, text);
    if (is_lost && r == 0)
        snprintf(ret_line, size, "%s: %s: the figures are kept in %s", s->o.what, s->why,
                 s->o.spool);
    else if (is_lost && s->o.is_deleted)
        snprintf(ret_line, size, "%s: %s: what was sent stays there", s->o.what, s->why);
    else if (is_lost)
        snprintf(ret_line, size, "%s: %s: the figures were not sent, nor could they be kept (%s)",
                 s->o.what, s->why, strerror(-r));
    pthread_mutex_unlock(&s->lock);
    return is_lost;
}
