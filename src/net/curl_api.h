/* curl_api.h - the calls of libcurl, found when they are first needed: linked, it would load some
 * thirty libraries each time that the command starts. */
#ifndef GPUT_NET_CURL_API_H
#define GPUT_NET_CURL_API_H

#include <curl/curl.h>
#include <stddef.h>

struct gput__curl_api {
    CURLcode (*global_init)(long flags);
    CURL *(*easy_init)(void);
    CURLcode (*setopt)(CURL *easy, CURLoption option, ...);
    CURLcode (*getinfo)(CURL *easy, CURLINFO info, ...);
    void (*easy_cleanup)(CURL *easy);
    const char *(*strerror)(CURLcode code);
    struct curl_slist *(*slist_append)(struct curl_slist *list, const char *text);
    void (*slist_free)(struct curl_slist *list);
    CURLM *(*multi_init)(void);
    CURLMcode (*multi_add)(CURLM *multi, CURL *easy);
    CURLMcode (*multi_remove)(CURLM *multi, CURL *easy);
    CURLMcode (*multi_perform)(CURLM *multi, int *running);
    CURLMcode (*multi_wait)(CURLM *multi, struct curl_waitfd *more, unsigned n_more, int timeout_ms,
                            int *ready);
    CURLMsg *(*multi_read)(CURLM *multi, int *left);
    CURLMcode (*multi_cleanup)(CURLM *multi);
};

/* Loads it once for the whole process; it stays loaded.  NULL: there is none, and `ret_why` says
 * what would help. */
const struct gput__curl_api *gput__curl_load(char *ret_why, size_t cap);

#endif
