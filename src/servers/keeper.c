/* keeper.c - asks the Keeper of Spare Cores. */
#include "servers/keeper.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "net/http.h"
#include "store/files/table.h"

#define PUBLIC_URL "https://keeper.sparecores.net"
#define MIB_PER_GIB 1024
#define USUAL_SECONDS 2.0
#define LONGEST_SECONDS 3600.0

enum {
    LONGEST_URL = 4096,
    LARGEST_ANSWER = 16 << 20,
};

static int check_answer(const struct gput__http_request *request, const char *url,
                        struct gput_error *err)
{
    if (request->error < 0)
        return gput__file_fail(request->error, url, err, "%s", request->why);
    if (request->status != 200)
        return gput__file_fail(-EPROTO, url, err, "the answer has status %ld", request->status);
    return 0;
}

int gput__keeper_get(const char *url, const char *path, double timeout, char **ret_text,
                     struct gput_error *err)
{
    static const char *const headers[] = { "X-Application-ID: gpu-tracker",
                                           "Accept: application/json", NULL };
    const char *named = secure_getenv("GPUT_KEEPER_URL");
    const char *base = url ? url : named && *named ? named : PUBLIC_URL;
    char whole[LONGEST_URL];
    struct gput__http_request request = {
        .url = whole,
        .headers = headers,
        .largest = LARGEST_ANSWER,
        .may_use_proxy = true,
        .may_redirect = true,
    };
    size_t n = strlen(base);
    int r;

    while (n > 0 && base[n - 1] == '/')
        n--;
    if (strncmp(base, "http://", 7) != 0 && strncmp(base, "https://", 8) != 0)
        return gput__file_fail(-EINVAL, base, err, "it does not begin with http:// or https://");
    if (snprintf(whole, sizeof(whole), "%.*s%s", (int)n, base, path) >= (int)sizeof(whole))
        return gput__file_fail(-ENAMETOOLONG, base, err, "the URL is too long");
    timeout = timeout > 0 ? fmin(timeout, LONGEST_SECONDS) : USUAL_SECONDS;
    gput__http_perform(&request, 1, (int64_t)(timeout * (double)GPUT__NS_PER_S));
    r = check_answer(&request, base, err);
    if (r == 0) {
        *ret_text = request.answer;
        request.answer = NULL;
    }
    gput__http_free(&request, 1);
    return r;
}

void gput__keeper_question(const struct gput_server_needs *needs, int n, char *ret, size_t size)
{
    char gpus[100] = "", vram[100] = "";

    if (needs->gpus > 0)
        snprintf(gpus, sizeof(gpus), "&gpu_min=%.0f", ceil(needs->gpus));
    if (needs->vram_mib > 0)
        snprintf(vram, sizeof(vram), "&gpu_memory_total=%.0f", ceil(needs->vram_mib / MIB_PER_GIB));
    snprintf(ret, size,
             "/servers?vcpus_min=%.0f&memory_min=%.0f%s%s&order_by=min_price_ondemand&"
             "order_dir=asc&limit=%d",
             ceil(needs->vcpus), ceil(needs->memory_mib / MIB_PER_GIB), gpus, vram, n);
}

/* Appends a part of a path, with what may not stand in one as %XX. */
static void append_part(char *ret, size_t size, const char *text)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    size_t used = strlen(ret);

    for (; *text && used + 4 < size; text++)
        used += (size_t)snprintf(ret + used, size - used, strchr(plain, *text) ? "%c" : "%%%02X",
                                 (unsigned char)*text);
}

int gput__keeper_price_question(const char *vendor, const char *type, char *ret, size_t size)
{
    if (strlen("/server///prices") + 3 * (strlen(vendor) + strlen(type)) + 4 >= size)
        return -ENAMETOOLONG;
    snprintf(ret, size, "/server/");
    append_part(ret, size, vendor);
    strcat(ret, "/");
    append_part(ret, size, type);
    strcat(ret, "/prices");
    return 0;
}
