/* http.h - HTTP requests, several at a time within one deadline, over libcurl. */
#ifndef GPUT_NET_HTTP_H
#define GPUT_NET_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gput__http_request {
    const char *url;            /* http:// or https:// */
    const char *method;         /* NULL: GET, or POST where there is a body */
    const char *const *headers; /* "Name: value" each, then NULL; NULL: none */
    const void *body;           /* NULL: none */
    size_t body_size;
    size_t largest;      /* bytes; an answer that is larger is given up: -EFBIG */
    bool may_use_proxy;  /* the one of the environment (http_proxy ...), if any */
    const char *ca_file; /* certificates to trust instead of the system's; NULL: those */
    bool may_redirect;   /* to follow at most 5; never from https to http */

    /* What came of it.  An answer with any status is an answer: look at `status`. */
    int error;          /* 0, or a negative errno: there is no answer */
    long status;        /* 200 ... */
    long retry_after_s; /* what the answer asks for (Retry-After); 0: nothing */
    char *answer;       /* ends in NUL, which is not counted; never NULL where error is 0 */
    size_t size;
    char why[200]; /* why there is no answer, in words, without the URL */
};

/* Makes all requests at once and returns when each has its outcome; what has none by then has
 * error -ETIMEDOUT.  -ELIBACC: there is no libcurl.  Certificates of https are checked.  Names that
 * have to be resolved may make older versions of libcurl return late: call it from a thread that
 * nobody waits for. */
void gput__http_perform(struct gput__http_request *list, size_t n, int64_t timeout_ns);

/* Frees the answers. */
void gput__http_free(struct gput__http_request *list, size_t n);

#endif
