/* fuzz_cloud_answers.c - what metadata services answer. */
#include "fuzz.h"
#include "servers/clouds/cloud_answers.h"
#include "text.h"

static gput__cloud_answer_fn *const takers[] = {
    gput__cloud_parse_type,     gput__cloud_parse_region,      gput__cloud_parse_gcp_type,
    gput__cloud_parse_gcp_zone, gput__cloud_parse_azure,       gput__cloud_parse_hcloud,
    gput__cloud_parse_upcloud,  gput__cloud_parse_ovh_network, gput__cloud_parse_ovh_zone,
};

/* Fit to be printed. */
static int is_plain(const char *text)
{
    for (const char *p = text; *p; p++)
        if (*p <= ' ' || *p >= 0x7F || strchr("/\"'\\;$`<>", *p))
            return 0;
    return strlen(text) < 64;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), token[64] = "before";

    for (size_t i = 0; i < sizeof(takers) / sizeof(*takers); i++) {
        static const struct gput__cloud_facts none;
        struct gput__cloud_facts facts = none;

        if (takers[i](text, size, &facts) < 0)
            fuzz_must(!memcmp(&facts, &none, sizeof(none)));
        fuzz_must(is_plain(facts.instance_type) && is_plain(facts.region));
    }
    if (gput__cloud_parse_token(text, size, token, sizeof(token)) < 0)
        fuzz_must(!strcmp(token, "before"));
    else
        fuzz_must(token[0] && !strpbrk(token, " \r\n"));
    free(text);
    return 0;
}
