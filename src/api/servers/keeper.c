/* keeper.c - the Keeper of Spare Cores, behind gput.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "servers/keeper.h"
#include "store/files/table.h"

int gput_keeper_get(const char *url, const char *path, double timeout, char **ret_text,
                    struct gput_error *ret_err)
{
    struct gput_error err;
    int r = gput__keeper_get(url, path, timeout, ret_text, &err);

    if (r < 0 && ret_err)
        *ret_err = err;
    return r;
}

int gput_keeper_find(const char *url, const struct gput_server_needs *needs, int n, double timeout,
                     struct gput_catalogue **ret_c, char **ret_json, struct gput_error *ret_err)
{
    char question[400], today[16] = "", *text = NULL;
    const char *why = "";
    struct gput_error err;
    struct tm tm;
    time_t now = time(NULL);
    int r;

    gput__keeper_question(needs, n, question, sizeof(question));
    strftime(today, sizeof(today), "%Y-%m-%d", gmtime_r(&now, &tm));
    r = gput__keeper_get(url, question, timeout, &text, &err);
    if (r == 0) {
        r = gput__keeper_servers(text, strlen(text), "the Spare Cores Keeper", today, ret_c, &why);
        if (r < 0)
            gput__file_fail(r, "the Spare Cores Keeper", &err, "%s", why);
    }
    if (r == 0 && ret_json)
        *ret_json = text;
    else
        free(text);
    if (r < 0 && ret_err)
        *ret_err = err;
    return r;
}

int gput_keeper_price(const char *url, const char *vendor, const char *type, const char *region,
                      double timeout, double *ret_usd_hour, char ret_region[64],
                      struct gput_error *ret_err)
{
    char question[1024], *text = NULL;
    const char *why = "the name is too long";
    struct gput_error err;
    int r = gput__keeper_price_question(vendor, type, question, sizeof(question));

    if (r < 0)
        gput__file_fail(r, "the Spare Cores Keeper", &err, "%s", why);
    else
        r = gput__keeper_get(url, question, timeout, &text, &err);
    if (r == 0) {
        r = gput__keeper_price(text, strlen(text), region, ret_usd_hour, ret_region, &why);
        if (r < 0)
            gput__file_fail(r, "the Spare Cores Keeper", &err, "%.60s: %s", type, why);
    }
    free(text);
    if (r < 0 && ret_err)
        *ret_err = err;
    return r;
}
