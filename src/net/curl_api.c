/* curl_api.c - the calls of libcurl, found when they are first needed. */
#include "net/curl_api.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#ifdef GPUT_WITHOUT_CURL
static const char *const libraries[] = { NULL };
static const char none[] = "this program was built without libcurl's headers; build it with them";
#else
static const char *const libraries[] = { "libcurl.so.4", "libcurl-gnutls.so.4", NULL };
static const char none[] = "libcurl.so.4 was not found; install libcurl (libcurl4 on Debian and "
                           "Ubuntu, libcurl elsewhere)";
#endif

#define AT(field) offsetof(struct gput__curl_api, field)

static const struct {
    size_t at;
    const char *name;
} symbols[] = {
    { AT(global_init), "curl_global_init" },
    { AT(easy_init), "curl_easy_init" },
    { AT(setopt), "curl_easy_setopt" },
    { AT(getinfo), "curl_easy_getinfo" },
    { AT(easy_cleanup), "curl_easy_cleanup" },
    { AT(strerror), "curl_easy_strerror" },
    { AT(slist_append), "curl_slist_append" },
    { AT(slist_free), "curl_slist_free_all" },
    { AT(multi_init), "curl_multi_init" },
    { AT(multi_add), "curl_multi_add_handle" },
    { AT(multi_remove), "curl_multi_remove_handle" },
    { AT(multi_perform), "curl_multi_perform" },
    { AT(multi_wait), "curl_multi_wait" },
    { AT(multi_read), "curl_multi_info_read" },
    { AT(multi_cleanup), "curl_multi_cleanup" },
};

/* Of the process and not of a handle, as the library itself is: it may be set up by one thread only,
 * and does not survive being unloaded. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct gput__curl_api loaded;
static bool is_loaded;
static char why_not[200];

static bool find_calls(void *library, struct gput__curl_api *ret)
{
    for (size_t i = 0; i < sizeof(symbols) / sizeof(*symbols); i++) {
        void *found = dlsym(library, symbols[i].name);

        if (!found)
            return false;
        memcpy((char *)ret + symbols[i].at, &found, sizeof(found));
    }
    return true;
}

static void load(void)
{
    snprintf(why_not, sizeof(why_not), "%s", none);
    for (size_t i = 0; libraries[i] && !is_loaded; i++) {
        void *library = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);

        is_loaded = library && find_calls(library, &loaded) &&
                    loaded.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
        if (library && !is_loaded)
            snprintf(why_not, sizeof(why_not), "%s is too old or broken; install a newer libcurl",
                     libraries[i]);
    }
}

const struct gput__curl_api *gput__curl_load(char *ret_why, size_t cap)
{
    pthread_once(&once, load);
    if (is_loaded)
        return &loaded;
    snprintf(ret_why, cap, "%s", why_not);
    return NULL;
}
