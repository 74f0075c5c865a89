/* test_servers.c - the cheapest servers that fit. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "servers/server_kind.h"
#include "servers/servers.h"
#include "tap.h"

static const char text[] =
    GPUT__CATALOGUE_HEADER "\n"
                           "aws,m7i.large,2,8192,0,,0,us-east-1,0.10,s,2026-01-01\n"
                           "aws,m7i.large,2,8192,0,,0,eu-west-1,0.11,s,2026-01-01\n"
                           "aws,m7g.large,2,8192,0,,0,us-east-1,0.08,s,2026-01-01\n"
                           "aws,t3.large,2,8192,0,,0,us-east-1,0.05,s,2026-01-01\n"
                           "aws,r7i.large,2,16384,0,,0,us-east-1,0.13,s,2026-01-01\n"
                           "gcp,n2-standard-2,2,8192,0,,0,us-central1,0.10,s,2026-01-01\n"
                           "gcp,n2-standard-4,4,16384,0,,0,us-central1,0.20,s,2026-01-01\n"
                           "gcp,n2-standard-4,4,16384,0,,0,asia-east1,0.20,s,2026-01-01\n"
                           "aws,g5.xlarge,4,16384,1,A10G,24576,us-east-1,1.0,s,2026-01-01\n"
                           "aws,g5.12xlarge,48,196608,4,A10G,98304,us-east-1,5.7,s,2026-01-01\n"
                           "aws,p4d.24xlarge,96,1179648,8,A100,327680,us-east-1,22,s,2026-01-01\n"
                           "aws,g6f.large,2,8192,0.125,L4,3072,us-east-1,0.2,s,2026-01-01\n"
                           "gcp,a2-ultragpu-1g,12,174080,1,A100,81920,,,s,\n";

static struct gput_catalogue *c;
static struct gput_error err;
static const char *old_before; /* prices from before that day are old */

/* The types that are found, with blanks between; behind a bar those with old prices. */
static const char *find(double vcpus, double gib, double gpus, double vram_gib,
                        const struct gput_server_filters *filters)
{
    static char found[500];
    const struct gput_server_needs needs = { vcpus, gib * 1024, gpus, vram_gib * 1024 };
    const struct gput_server_filters none = { 0 };
    struct gput_server_offer list[40];
    struct gput__servers_found got = { .list = list, .most = 20 };
    int r = gput__servers_find(c, &needs, filters ? filters : &none, old_before, &got, &err);

    found[0] = '\0';
    for (size_t i = 0; r == 0 && i < got.n + got.n_old; i++) {
        strcat(found, i == got.n && got.n_old ? " | " : i ? " " : "");
        strcat(found, list[i].type);
        if (filters && (filters->flags & GPUT_SERVERS_EVERY_REGION))
            strcat(strcat(found, "@"), list[i].region);
    }
    return r < 0 ? r == -ENODATA ? err.text : "?" : found;
}

#define FINDS(expected, what, ...)                                                                 \
    do {                                                                                           \
        const char *found_ = find(__VA_ARGS__);                                                    \
        OK(strcmp(found_, expected) == 0, "%s: %s", what, found_);                                 \
    } while (0)

static void needs_decide(void)
{
    struct gput_server_filters x86 = { .arch = "x86_64" };

    FINDS(
        "m7g.large m7i.large n2-standard-2 r7i.large g6f.large n2-standard-4 g5.xlarge g5.12xlarge "
        "p4d.24xlarge",
        "what is cheapest comes first, equal prices by name", 2, 8, 0, 0, NULL);
    FINDS("r7i.large n2-standard-4 g5.xlarge g5.12xlarge p4d.24xlarge", "memory decides", 1, 9, 0,
          0, NULL);
    FINDS("g5.xlarge g5.12xlarge p4d.24xlarge", "a part of a GPU is not one", 0, 0, 1, 0, NULL);
    FINDS("g6f.large g5.xlarge g5.12xlarge p4d.24xlarge", "unless a part is enough", 0, 0, 0.1, 0,
          NULL);
    FINDS("g5.xlarge g5.12xlarge p4d.24xlarge", "GPU memory alone asks for a GPU", 0, 0, 0, 20,
          NULL);
    FINDS("p4d.24xlarge", "which must hold all of it", 0, 0, 0, 25, NULL);
    FINDS("g5.12xlarge p4d.24xlarge", "two GPUs hold a half each", 0, 0, 2, 48, NULL);
    FINDS("p4d.24xlarge", "more than a half does not fit, whatever the total", 0, 0, 2, 50, NULL);
    FINDS("m7i.large n2-standard-2 r7i.large g6f.large n2-standard-4 g5.xlarge g5.12xlarge "
          "p4d.24xlarge",
          "architecture", 2, 8, 0, 0, &x86);
}

static void filters_decide(void)
{
    struct gput_server_filters f = { .vendor = "GCP", .flags = GPUT_SERVERS_EVERY_REGION };

    FINDS("n2-standard-2@us-central1 n2-standard-4@asia-east1 n2-standard-4@us-central1",
          "each region of a vendor, by name", 1, 1, 0, 0, &f);
    f = (struct gput_server_filters){ .region = "eu-west-1,asia-east1" };
    FINDS("m7i.large n2-standard-4", "several regions", 1, 1, 0, 0, &f);
    f = (struct gput_server_filters){ .gpu_model = "a100" };
    FINDS("p4d.24xlarge", "a model of GPU", 0, 0, 0, 0, &f);
    f.flags = GPUT_SERVERS_UNPRICED;
    FINDS("p4d.24xlarge a2-ultragpu-1g", "without a price, behind the others", 0, 0, 0, 0, &f);
    f = (struct gput_server_filters){ .max_usd_hour = 0.1, .flags = GPUT_SERVERS_BURSTABLE };
    FINDS("t3.large m7g.large m7i.large n2-standard-2", "a highest price, burstable ones", 0, 0, 0,
          0, &f);
}

static void what_is_unmet_is_said(void)
{
    static const char only[] =
        GPUT__CATALOGUE_HEADER "\naws,t3.large,2,8192,0,,0,us-east-1,0.05,s,2026-01-01\n";
    struct gput_server_filters f = { .vendor = "azure" };
    struct gput_catalogue *burstable = NULL, *usual = c;

    OK(gput__catalogue_parse(only, sizeof(only) - 1, "it", &burstable, &err) == 0, "another one");
    FINDS("no server has 9 GPUs; the most are 8", "GPUs", 1, 1, 9, 0, NULL);
    FINDS("no server has 97 vCPUs; the most are 96", "vCPUs", 97, 1, 0, 0, NULL);
    FINDS("no server has 2048 GiB of memory; the most is 1152", "memory", 1, 2048, 0, 0, NULL);
    FINDS("no server has 400 GiB of GPU memory; the most is 320", "GPU memory", 1, 1, 1, 400, NULL);
    FINDS("no server has 100 GiB of memory in each GPU; the most is 80", "of each GPU", 1, 1, 2,
          200, NULL);
    FINDS("only servers fit whose price is not in the catalogue, such as gcp a2-ultragpu-1g",
          "no price", 1, 1, 1, 80, NULL);
    FINDS("no server has all at once: 96 vCPUs, 1 GiB of memory, 1 GPUs with 80 GiB in all",
          "all at once", 96, 1, 1, 80, NULL);
    FINDS("no server of vendor 'azure' is in the catalogue", "vendor", 1, 1, 0, 0, &f);
    f = (struct gput_server_filters){ .vendor = "aws", .region = "mars" };
    FINDS("no server in region 'mars' is in the catalogue of aws", "region", 1, 1, 0, 0, &f);
    f = (struct gput_server_filters){ .vendor = "gcp", .region = "us-central1" };
    FINDS("no server of gcp in us-central1 has a GPU", "within filters", 1, 1, 2, 0, &f);
    f = (struct gput_server_filters){ .gpu_model = "H100" };
    FINDS("no server has a GPU of model 'H100'", "model", 1, 1, 1, 0, &f);
    f = (struct gput_server_filters){ .vendor = "gcp", .arch = "aarch64" };
    FINDS("no server has the architecture 'aarch64'", "architecture", 1, 1, 0, 0, &f);
    c = burstable;
    FINDS("all servers that are left are burstable", "burstable", 1, 1, 0, 0, NULL);
    c = usual;
    gput__catalogue_free(burstable);
    f = (struct gput_server_filters){ .max_usd_hour = 0.5 };
    FINDS(
        "the cheapest server that fits, aws g5.xlarge in us-east-1, costs 1 USD an hour: more than "
        "0.5",
        "price", 1, 1, 1, 0, &f);
}

/* What is written as a catalogue is read as one; a list numbers its sources, as far as it has room. */
static void written(void)
{
    static char sources[24][16];
    struct gput_server_offer list[24],
        odd = { "a\"b,c", "x,1", "north", 1, 1024, 0, "", 0, 0.5, "my \"list\"", "2026-01-01" };
    struct gput_catalogue *again = NULL;
    char *out = NULL;

    OK(gput_servers_format(&odd, 1, GPUT_SERVERS_CSV, &out) == 0 &&
           gput__catalogue_parse(out, strlen(out), "it", &again, &err) == 0 && again->n == 1 &&
           !strcmp(again->list[0].vendor, odd.vendor) && !strcmp(again->list[0].type, odd.type) &&
           !strcmp(again->list[0].source, odd.source),
       "names with commas and quotes come back");
    gput__catalogue_free(again);
    free(out);
    for (int i = 0; i < 24; i++) {
        list[i] = odd;
        snprintf(sources[i], sizeof(sources[i]), "source %d", i);
        list[i].source = sources[i];
    }
    list[1].usd_hour = NAN;
    OK(gput_servers_format(list, 24, GPUT_SERVERS_LIST, &out) == 0 && strstr(out, "USD/hour [1]") &&
           strstr(out, "price not known [2]") && strstr(out, "\n[1] source 0, 2026-01-01\n"),
       "sources of a list have numbers");
    OK(out && strstr(out, "[source 23, 2026-01-01]"), "the rest stands where it belongs");
    free(out);
}

static void prices_of_a_type(void)
{
    struct gput_server_offer o = { .usd_hour = 7 };

    OK(gput__servers_price(c, "aws", "m7i.large", "eu-west-1", &o) == 0 && o.usd_hour == 0.11,
       "in the region that was asked for");
    OK(gput__servers_price(c, "aws", "m7i.large", "moon", &o) == 0 && o.usd_hour == 0.10 &&
           strcmp(o.region, "us-east-1") == 0,
       "else in the cheapest, which is told");
    OK(gput__servers_price(c, "gcp", "m7i.large", NULL, &o) == -ENODATA &&
           gput__servers_price(c, "gcp", "a2-ultragpu-1g", NULL, &o) == -ENODATA &&
           o.usd_hour == 0.10,
       "another vendor's, or one without a price: no data");
}

static void names_tell(void)
{
    static const struct {
        const char *vendor, *type, *arch;
        int is_burstable;
    } cases[] = {
        { "aws", "m7i.large", "x86_64", 0 },
        { "aws", "m7gd.large", "aarch64", 0 },
        { "aws", "c8g-flex.large", "aarch64", 0 },
        { "aws", "g5.xlarge", "x86_64", 0 },
        { "aws", "g5g.xlarge", "aarch64", 0 },
        { "aws", "a1.large", "aarch64", 0 },
        { "aws", "im4gn.large", "aarch64", 0 },
        { "aws", "hpc7g.4xlarge", "aarch64", 0 },
        { "aws", "t4g.nano", "aarch64", 1 },
        { "aws", "trn1.2xlarge", "x86_64", 0 },
        { "aws", "p6-b200.48xlarge", "x86_64", 0 },
        { "aws", "u-6tb1.metal", "x86_64", 0 },
        { "azure", "Standard_D2s_v3", "x86_64", 0 },
        { "azure", "Standard_D4ps_v5", "aarch64", 0 },
        { "azure", "Standard_E2pds_v5", "aarch64", 0 },
        { "azure", "Standard_M8-2ms", "x86_64", 0 },
        { "azure", "Standard_B2s", "x86_64", 1 },
        { "azure", "Standard_NC24ads_A100_v4", "x86_64", 0 },
        { "gcp", "t2a-standard-1", "aarch64", 0 },
        { "gcp", "e2-micro", "x86_64", 1 },
        { "gcp", "e2-standard-2", "x86_64", 0 },
        { "mine", "t3.large", NULL, 0 },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct gput__server_kind kind = gput__server_kind(cases[i].vendor, cases[i].type);
        const char *arch = cases[i].arch;

        OK(kind.is_burstable == cases[i].is_burstable &&
               (arch ? kind.arch && strcmp(kind.arch, arch) == 0 : !kind.arch),
           "%s %s: %s%s", cases[i].vendor, cases[i].type, kind.arch ? kind.arch : "not known",
           kind.is_burstable ? ", burstable" : "");
    }
}

/* A program for one brand of GPU runs on no other. */
static void brands(void)
{
    static const char with_amd[] = GPUT__CATALOGUE_HEADER
        "\n"
        "aws,g4ad.xlarge,4,16384,1,Radeon Pro V520,8192,us-east-1,0.3,s,2026-01-01\n"
        "aws,g4dn.xlarge,4,16384,1,T4,16384,us-east-1,0.5,s,2026-01-01\n"
        "aws,m7i.large,2,8192,0,,0,us-east-1,0.1,s,2026-01-01\n";
    struct gput_server_filters nvidia = { .gpu_brand = "nvidia" }, amd = { .gpu_brand = "amd" };
    struct gput_server_filters intel = { .gpu_brand = "intel" };
    struct gput_catalogue *before = c;

    if (!OK(gput__catalogue_parse(with_amd, sizeof(with_amd) - 1, "test", &c, &err) == 0, "two"))
        return;
    FINDS("g4ad.xlarge g4dn.xlarge", "any GPU", 0, 0, 1, 0, NULL);
    FINDS("g4dn.xlarge", "one of NVIDIA", 0, 0, 1, 0, &nvidia);
    FINDS("g4ad.xlarge", "one of AMD", 0, 0, 1, 0, &amd);
    FINDS("m7i.large g4dn.xlarge", "without a GPU it does not matter", 0, 0, 0, 0, &nvidia);
    FINDS("no server has a GPU of brand intel", "none of Intel", 0, 0, 1, 0, &intel);
    gput__catalogue_free(c);
    c = before;
}

/* A price that may no longer hold stands behind all others, however low it is. */
static void old_prices(void)
{
    static const char mixed[] = GPUT__CATALOGUE_HEADER "\n"
                                                       "aws,a,2,8192,0,,0,x,0.5,s,2026-07-06\n"
                                                       "aws,a,2,8192,0,,0,y,0.1,s,2020-08-30\n"
                                                       "aws,b,2,8192,0,,0,x,0.7,s,2025-07-07\n"
                                                       "gcp,c,2,8192,0,,0,x,0.2,s,2025-07-05\n"
                                                       "gcp,d,4,8192,0,,0,x,0.3,s,2020-08-30\n"
                                                       "gcp,e,4,8192,0,,0,,,s,\n";
    struct gput_server_filters each = { .flags = GPUT_SERVERS_EVERY_REGION },
                               all = { .flags = GPUT_SERVERS_UNPRICED };
    struct gput_catalogue *before = c;

    if (!OK(gput__catalogue_parse(mixed, sizeof(mixed) - 1, "test", &c, &err) == 0, "of all ages"))
        return;
    FINDS("a c d b", "the cheapest first, whatever its day", 1, 1, 0, 0, NULL);
    old_before = "2025-07-06";
    FINDS("a b | c d", "prices of the last year, then the older ones", 1, 1, 0, 0, NULL);
    FINDS("a@x b@x | a@y c@x d@x", "a type has the newer of its prices", 1, 1, 0, 0, &each);
    FINDS("a b e | c d", "no price is not an old one", 1, 1, 0, 0, &all);
    FINDS(" | d", "nothing but an old one", 3, 1, 0, 0, NULL);
    old_before = NULL;
    gput__catalogue_free(c);
    c = before;
}

int main(void)
{
    if (!OK(gput__catalogue_parse(text, sizeof(text) - 1, "test", &c, &err) == 0, "a catalogue"))
        return DONE();
    needs_decide();
    filters_decide();
    what_is_unmet_is_said();
    written();
    prices_of_a_type();
    names_tell();
    brands();
    old_prices();
    gput__catalogue_free(c);
    return DONE();
}
