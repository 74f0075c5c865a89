/* test_keeper.c - questions to the Keeper of Spare Cores, and its answers. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "servers/keeper.h"
#include "tap.h"

static void questions(void)
{
    struct gput_server_needs needs = { .vcpus = 1.5, .memory_mib = 2049 };
    char text[400];

    gput__keeper_question(&needs, 5, text, sizeof(text));
    OK(strcmp(text, "/servers?vcpus_min=2&memory_min=3&order_by=min_price_ondemand&order_dir=asc&"
                    "limit=5") == 0,
       "what is needed is rounded up: %s", text);
    needs.gpus = 2;
    needs.vram_mib = 81920;
    gput__keeper_question(&needs, 1, text, sizeof(text));
    OK(strstr(text, "&gpu_min=2&gpu_memory_total=80&") != NULL, "with GPUs: %s", text);
    OK(gput__keeper_price_question("a/b", "m7i large?", text, sizeof(text)) == 0 &&
           strcmp(text, "/server/a%2Fb/m7i%20large%3F/prices") == 0,
       "names become parts of a path: %s", text);
    OK(gput__keeper_price_question("aws", "m7i.large", text, 20) == -ENAMETOOLONG,
       "a name that is too long");
}

static void servers(void)
{
    static const char answer[] =
        "[{\"vendor_id\": \"aws\", \"api_reference\": \"g5.xlarge\", \"vcpus\": 4,"
        "  \"memory_amount\": 16384, \"gpu_count\": 1.0, \"gpu_memory_total\": 24576,"
        "  \"gpu_model\": \"A10G\", \"min_price_ondemand\": 1.006, \"score\": 7},"
        " {\"vendor_id\": \"hcloud\", \"api_reference\": \"cx22\", \"vcpus\": 2,"
        "  \"memory_amount\": 4096, \"gpu_count\": null, \"min_price_ondemand\": 0.006},"
        " {\"vendor_id\": \"aws\", \"api_reference\": \"free\", \"vcpus\": 2,"
        "  \"memory_amount\": 4096, \"min_price_ondemand\": null},"
        " {\"vendor_id\": \"aws\", \"api_reference\": \"\\u001b[2J\", \"vcpus\": 2,"
        "  \"memory_amount\": 4096, \"min_price_ondemand\": 1},"
        " {\"vendor_id\": \"aws\", \"api_reference\": \"huge\", \"vcpus\": 1e9,"
        "  \"memory_amount\": 4096, \"min_price_ondemand\": 1},"
        " \"text\", 7, null]";
    static const char *const wrong[] = { "", "{}", "[", "7", "{\"detail\": \"no\"}", "<html>" };
    struct gput_catalogue *c = NULL;
    const char *why = "";
    int refused = 0;

    if (OK(gput__keeper_servers(answer, sizeof(answer) - 1, "o", "2026-01-02", &c, &why) == 0 &&
               c->n == 2,
           "what has no price, or is absurd, is left out"))
        OK(c->list[0].gpus == 1 && c->list[0].vram_mib == 24576 && c->list[0].usd_hour == 1.006 &&
               strcmp(c->list[0].as_of, "2026-01-02") == 0 && c->list[1].gpus == 0 &&
               strcmp(c->list[1].gpu_model, "") == 0,
           "the fields of servers");
    gput__catalogue_free(c);
    c = NULL;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
        refused += gput__keeper_servers(wrong[i], strlen(wrong[i]), "o", "", &c, &why) == -EBADMSG;
    OK(refused == (int)(sizeof(wrong) / sizeof(*wrong)) && !c && *why, "other answers are refused");
    OK(gput__keeper_servers("[]", 2, "o", "", &c, &why) == 0 && c->n == 0, "an empty list is one");
    gput__catalogue_free(c);
}

static void prices(void)
{
    static const char answer[] =
        "[{\"region_id\": \"a\", \"allocation\": \"spot\", \"operating_system\": \"Linux\", "
        "\"price\": 1},"
        " {\"region_id\": \"b\", \"allocation\": \"ondemand\", \"operating_system\": \"Linux\", "
        "\"price\": 2},"
        " {\"region_id\": \"c\", \"allocation\": \"ondemand\", \"operating_system\": \"Linux\", "
        "\"price\": 3},"
        " {\"region_id\": \"c\", \"allocation\": \"ondemand\", \"operating_system\": \"Linux\", "
        "\"price\": 4}]";
    char region[64] = "";
    const char *why = "";
    double price = 0;

    OK(gput__keeper_price(answer, sizeof(answer) - 1, "c", &price, region, &why) == 0 &&
           price == 3 && strcmp(region, "c") == 0,
       "the price in the region that was asked for");
    OK(gput__keeper_price(answer, sizeof(answer) - 1, "a", &price, region, &why) == 0 &&
           price == 2 && strcmp(region, "b") == 0,
       "else the first one on demand");
    OK(gput__keeper_price("[]", 2, "a", &price, region, &why) == -ENODATA && price == 2,
       "no price is no data");
    OK(gput__keeper_price("{}", 2, "a", &price, region, &why) == -EBADMSG, "no list: %s", why);
}

static void addresses(void)
{
    static char url[5000] = "http://";
    struct gput_error err = { .text = "" };
    char *text = NULL;

    memset(url + 7, 'a', sizeof(url) - 8);
    OK(gput_keeper_get(url, "/servers", 1, &text, &err) == -ENAMETOOLONG && !text &&
           strstr(err.text, "the URL is too long"),
       "an address that is too long");
    OK(gput_keeper_get("gopher://x", "/servers", 1, &text, &err) == -EINVAL && !text,
       "one of another kind: %s", err.text);
}

int main(void)
{
    addresses();
    questions();
    servers();
    prices();
    return DONE();
}
