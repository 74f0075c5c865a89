/* cloud.c - asks the metadata service of the cloud that the machine is in. */
#include "servers/clouds/cloud.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "net/http.h"

#define LARGEST_ANSWER (64 * 1024)
#define LONGEST_TOKEN 1024
#define LONGEST_URL 512
#define MOST_QUESTIONS                                                                             \
    (sizeof(((struct gput__cloud_service *)0)->questions) / sizeof(struct gput__cloud_question))

struct asking {
    const struct gput__cloud_service *service;
    const char *base;
    int64_t deadline;
    char token_header[LONGEST_TOKEN + 64]; /* "": none */
    struct gput__cloud_found *found;
};

/* The first reason stands. */
static void note(struct gput__cloud_found *found, const char *url, const char *why)
{
    if (!found->why[0])
        snprintf(found->why, sizeof(found->why), "%s%s%s", url, *url ? ": " : "", why);
}

static void prepare(const struct asking *a, const char *path, char url[LONGEST_URL],
                    struct gput__http_request *ret)
{
    size_t n = strlen(a->base);

    while (n > 0 && a->base[n - 1] == '/')
        n--;
    snprintf(url, LONGEST_URL, "%.*s%s", (int)n, a->base, path);
    *ret = (struct gput__http_request){ .url = url, .largest = LARGEST_ANSWER };
}

static void perform(const struct asking *a, struct gput__http_request *list, size_t n)
{
    int64_t left = a->deadline - gput__now();

    gput__http_perform(list, n, left > 0 ? left : 0);
}

/* Whether there is an answer to read. */
static bool is_answer(const struct asking *a, const struct gput__http_request *r)
{
    char status[40];

    if (r->error < 0) {
        note(a->found, r->error == -ELIBACC ? "" : r->url, r->why);
        return false;
    }
    if (r->status == 200)
        return true;
    snprintf(status, sizeof(status), "HTTP status %ld", r->status);
    note(a->found, r->url, status);
    return false;
}

static void note_form(const struct asking *a, const struct gput__http_request *r)
{
    char why[64];

    snprintf(why, sizeof(why), "not an answer as %s gives it", a->service->vendor);
    note(a->found, r->url, why);
}

/* A token for the questions that follow; false: there is none, and no use in asking on. */
static bool get_token(struct asking *a)
{
    const char *headers[] = { a->service->token.ttl, NULL };
    char url[LONGEST_URL], token[LONGEST_TOKEN];
    struct gput__http_request request;
    bool is_there = false;

    prepare(a, a->service->token.path, url, &request);
    request.method = "PUT";
    request.headers = headers;
    perform(a, &request, 1);
    if (a->service->token.is_optional && request.error == 0 && request.status >= 400) {
        gput__http_free(&request, 1);
        return true;
    }
    if (is_answer(a, &request)) {
        is_there = gput__cloud_parse_token(request.answer, request.size, token, sizeof(token)) == 0;
        if (!is_there)
            note_form(a, &request);
    }
    gput__http_free(&request, 1);
    if (is_there)
        snprintf(a->token_header, sizeof(a->token_header), "%s: %s", a->service->token.name, token);
    return is_there;
}

static void ask(const struct asking *a)
{
    const struct gput__cloud_question *q = a->service->questions;
    const char *headers[3] = { NULL };
    char urls[MOST_QUESTIONS][LONGEST_URL];
    struct gput__http_request requests[MOST_QUESTIONS];
    size_t n = 0, n_headers = 0;

    if (a->service->header)
        headers[n_headers++] = a->service->header;
    if (a->token_header[0])
        headers[n_headers] = a->token_header;
    for (; n < MOST_QUESTIONS && q[n].path; n++) {
        prepare(a, q[n].path, urls[n], &requests[n]);
        requests[n].headers = headers;
    }
    perform(a, requests, n);
    for (size_t i = 0; i < n; i++)
        if (is_answer(a, &requests[i]) &&
            q[i].parse(requests[i].answer, requests[i].size, &a->found->facts) < 0)
            note_form(a, &requests[i]);
    gput__http_free(requests, n);
}

/* What is missing has a reason. */
static void explain(const struct asking *a)
{
    struct gput__cloud_found *found = a->found;

    if (a->service->is_doubtful && !found->facts.is_confirmed) {
        note(found, "", "an OpenStack cloud that does not show itself to be OVH's");
        found->facts = (struct gput__cloud_facts){ .region = "" };
        return;
    }
    found->vendor = a->service->vendor;
    if (!found->facts.instance_type[0])
        note(found, "", a->service->no_type ? a->service->no_type : "no instance type was told");
    if (!found->facts.region[0])
        note(found, "", "the metadata service does not tell the region");
    if (found->facts.instance_type[0] && found->facts.region[0])
        found->why[0] = '\0';
}

void gput__cloud_find(const struct gput__root *sys, const char *base, int64_t timeout_ns,
                      struct gput__cloud_found *ret)
{
    struct asking a = { .deadline = gput__now() + timeout_ns, .found = ret };
    struct gput__dmi dmi;
    int r = gput__dmi_read(sys, &dmi);

    *ret = (struct gput__cloud_found){ .vendor = NULL };
    if (r < 0) {
        snprintf(
            ret->why, sizeof(ret->why),
            "the firmware's names in /sys/class/dmi/id, which tell the cloud, cannot be read: %s",
            strerror(-r));
        return;
    }
    a.service = gput__cloud_of(&dmi);
    if (!a.service) {
        snprintf(ret->why, sizeof(ret->why),
                 "the firmware names no cloud that is known here, but '%s' and '%s'",
                 dmi.sys_vendor, dmi.product_name);
        return;
    }
    a.base = base ? base : a.service->base;
    if (!a.service->token.path || get_token(&a))
        ask(&a);
    explain(&a);
}
