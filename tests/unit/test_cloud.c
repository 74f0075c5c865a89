/* test_cloud.c - which cloud the firmware names, and what metadata services answer. */
#include "servers/clouds/cloud.h"

#include <errno.h>
#include <string.h>

#include "fixture.h"
#include "tap.h"

/* --- the firmware --------------------------------------------------------------------------- */

static const char *vendor_of(struct gput__dmi dmi)
{
    const struct gput__cloud_service *s = gput__cloud_of(&dmi);

    return s ? s->vendor : "none";
}

static void is_vendor(struct gput__dmi dmi, const char *want)
{
    OK(!strcmp(vendor_of(dmi), want), "'%s' '%s' '%s' '%s' is %s", dmi.sys_vendor, dmi.product_name,
       dmi.bios_vendor, dmi.chassis_asset_tag, want);
}

#define DMI(...) ((struct gput__dmi){ __VA_ARGS__ })

static void vendors(void)
{
    is_vendor(DMI(.sys_vendor = "Amazon EC2", .product_name = "t3.micro"), "aws");
    is_vendor(DMI(.bios_vendor = "Amazon EC2"), "aws");
    is_vendor(DMI(.board_vendor = "Amazon EC2"), "aws");
    is_vendor(DMI(.sys_vendor = "Xen", .bios_version = "4.11.amazon"), "aws");
    is_vendor(DMI(.sys_vendor = "Xen", .hypervisor_uuid = "ec2e1916-9099"), "aws");
    is_vendor(DMI(.sys_vendor = "Google", .product_name = "Google Compute Engine"), "gcp");
    is_vendor(DMI(.sys_vendor = "Google", .product_name = "Google", .bios_vendor = "Google"),
              "gcp");
    is_vendor(DMI(.sys_vendor = "Microsoft Corporation", .product_name = "Virtual Machine",
                  .chassis_asset_tag = "7783-7084-3265-9085-8269-3286-77"),
              "azure");
    is_vendor(DMI(.sys_vendor = "Hetzner", .product_name = "vServer"), "hcloud");
    is_vendor(DMI(.sys_vendor = "UpCloud", .product_name = "Cloud Server"), "upcloud");
    is_vendor(DMI(.sys_vendor = "Alibaba Cloud", .product_name = "Alibaba Cloud ECS"), "alicloud");
    is_vendor(DMI(.sys_vendor = "OpenStack Foundation", .product_name = "OpenStack Nova"), "ovh");
    is_vendor(DMI(.sys_vendor = "RDO", .product_name = "OpenStack Compute"), "ovh");
    is_vendor(DMI(.sys_vendor = "QEMU", .product_name = "Standard PC"), "none");
    is_vendor(DMI(.sys_vendor = "Microsoft Corporation", .product_name = "Virtual Machine"),
              "none");
    is_vendor(DMI(.sys_vendor = "Google", .product_name = "Eve", .bios_vendor = "coreboot"),
              "none");
    is_vendor(DMI(.sys_vendor = "Xen", .bios_version = "4.11"), "none");
    is_vendor(DMI(.sys_vendor = "Amazon EC2 "), "none");
    is_vendor(DMI(.sys_vendor = ""), "none");
}

static void firmware(void)
{
    struct gput__dmi dmi = { .sys_vendor = "left alone" };
    struct fixture f;

    fixture_begin(&f);
    OK(gput__dmi_read(&f.root, &dmi) == -ENOENT && !strcmp(dmi.sys_vendor, "left alone"),
       "no names at all");
    fixture_write(&f, "class/dmi/id/sys_vendor", "  Amazon EC2 \n");
    fixture_write(&f, "class/dmi/id/product_name",
                  "a\tb\x01"
                  "c\n");
    OK(gput__dmi_read(&f.root, &dmi) == 0 && !strcmp(dmi.sys_vendor, "Amazon EC2"), "trimmed");
    OK(!strcmp(dmi.product_name, "a?b?c"), "nothing that moves a cursor: '%s'", dmi.product_name);
    OK(dmi.bios_vendor[0] == '\0', "what is not there is empty");
    fixture_end(&f);
}

/* --- answers -------------------------------------------------------------------------------- */

static const struct gput__cloud_facts none;

/* As much of a text as a test's name may show. */
static int first_line(const char *text)
{
    return (int)strcspn(text, "\r\n\x1b");
}

/* NULL: refused, with the facts left alone. */
static void takes(gput__cloud_answer_fn *take, const char *text, const char *type,
                  const char *region)
{
    struct gput__cloud_facts facts = none;
    int r = take(text, strlen(text), &facts);

    if (!type)
        OK(r == -EBADMSG && !memcmp(&facts, &none, sizeof(none)), "refused: '%.*s'",
           first_line(text), text);
    else
        OK(r == 0 && !strcmp(facts.instance_type, type) && !strcmp(facts.region, region),
           "'%.*s' tells '%s' '%s'", first_line(text), text, facts.instance_type, facts.region);
}

static void words(void)
{
    char longest[65], longer[66];

    memset(longest, 'a', sizeof(longest));
    longest[63] = '\0';
    memset(longer, 'a', sizeof(longer));
    longer[64] = '\0';
    takes(gput__cloud_parse_type, "g4dn.xlarge", "g4dn.xlarge", "");
    takes(gput__cloud_parse_type, "Standard_NC6s_v3\n", "Standard_NC6s_v3", "");
    takes(gput__cloud_parse_type, "u-6tb1.metal\r\n", "u-6tb1.metal", "");
    takes(gput__cloud_parse_type, longest, longest, "");
    takes(gput__cloud_parse_type, longer, NULL, NULL);
    takes(gput__cloud_parse_region, "us-west-2", "", "us-west-2");
    takes(gput__cloud_parse_region, "", NULL, NULL);
    takes(gput__cloud_parse_region, "\n", NULL, NULL);
    takes(gput__cloud_parse_region, "us west", NULL, NULL);
    takes(gput__cloud_parse_region, "us\nwest", NULL, NULL);
    takes(gput__cloud_parse_region, "us\x1b[2J", NULL, NULL);
    takes(gput__cloud_parse_region, "{\"region\": \"us-west-2\"}", NULL, NULL);
    takes(gput__cloud_parse_region, "-west", NULL, NULL);
    takes(gput__cloud_parse_region, "..", NULL, NULL);
    takes(gput__cloud_parse_region, "caf\xc3\xa9", NULL, NULL);
}

static void zero_bytes(void)
{
    struct gput__cloud_facts facts = none;

    OK(gput__cloud_parse_type("m5\0large", 8, &facts) == -EBADMSG, "a word with a NUL in it");
    OK(gput__cloud_parse_hcloud("instance-id: 1\nregion: a\0b\n", 27, &facts) == -EBADMSG,
       "lines with a NUL in them");
}

static void google(void)
{
    takes(gput__cloud_parse_gcp_type, "projects/12/machineTypes/n1-standard-4", "n1-standard-4",
          "");
    takes(gput__cloud_parse_gcp_type, "projects/12/machineTypes/custom-4-8192\n", "custom-4-8192",
          "");
    takes(gput__cloud_parse_gcp_type, "projects/12/zones/n1-standard-4", NULL, NULL);
    takes(gput__cloud_parse_gcp_type, "projects/12/machineTypes/", NULL, NULL);
    takes(gput__cloud_parse_gcp_type, "projects/12/machineTypes/a/b", NULL, NULL);
    takes(gput__cloud_parse_gcp_type, "projects/", NULL, NULL);
    takes(gput__cloud_parse_gcp_type, "n1-standard-4", NULL, NULL);
    takes(gput__cloud_parse_gcp_type, "", NULL, NULL);
    takes(gput__cloud_parse_gcp_zone, "projects/12/zones/us-central1-a", "", "us-central1");
    takes(gput__cloud_parse_gcp_zone, "projects/12/zones/europe", NULL, NULL);
    takes(gput__cloud_parse_gcp_zone, "projects/12/zones/-a", NULL, NULL);
}

static void json(void)
{
    takes(gput__cloud_parse_azure,
          "{\"compute\": {\"vmSize\": \"Standard_B1s\", \"location\": \"westus\"}}", "Standard_B1s",
          "westus");
    takes(gput__cloud_parse_azure, "{\"compute\": {\"vmSize\": \"Standard_B1s\"}}", NULL, NULL);
    takes(gput__cloud_parse_azure, "{\"compute\": {\"vmSize\": 5, \"location\": \"westus\"}}", NULL,
          NULL);
    takes(gput__cloud_parse_azure, "{\"compute\": []}", NULL, NULL);
    takes(gput__cloud_parse_azure, "[]", NULL, NULL);
    takes(gput__cloud_parse_azure, "", NULL, NULL);
    takes(gput__cloud_parse_azure,
          "{\"compute\": {\"vmSize\": \"a\\u0000b\", \"location\": \"westus\"}}", NULL, NULL);
    takes(gput__cloud_parse_upcloud, "{\"cloud_name\": \"upcloud\", \"region\": \"fi-hel1\"}", "",
          "fi-hel1");
    takes(gput__cloud_parse_upcloud, "{\"cloud_name\": \"other\", \"region\": \"fi-hel1\"}", NULL,
          NULL);
    takes(gput__cloud_parse_upcloud, "{\"cloud_name\": \"upcloud\"}", NULL, NULL);
    takes(gput__cloud_parse_upcloud, "{\"cloud_name\": \"upcloud\", \"region\": \"fi", NULL, NULL);
}

static void hetzner(void)
{
    takes(gput__cloud_parse_hcloud, "hostname: a\ninstance-id: 42\nregion: eu-central\n", "",
          "eu-central");
    takes(gput__cloud_parse_hcloud, "instance-id: 42\r\nregion: 'eu-central' \r\n", "",
          "eu-central");
    takes(gput__cloud_parse_hcloud, "region: \"us-east\"\ninstance-id: 42", "", "us-east");
    takes(gput__cloud_parse_hcloud, "instance-id: 42\nnets:\n  region: eu-central\n", NULL, NULL);
    takes(gput__cloud_parse_hcloud, "region: eu-central\n", NULL, NULL);
    takes(gput__cloud_parse_hcloud, "instance-id: 42\nregion:\n", NULL, NULL);
    takes(gput__cloud_parse_hcloud, "instance-id: 42\nregion: eu central\n", NULL, NULL);
    takes(gput__cloud_parse_hcloud, "", NULL, NULL);
}

static void ovh(void)
{
    static const char services[] = "{\"services\": [{\"type\": \"dns\", \"address\": \"%s\"}, 5]}";
    struct gput__cloud_facts facts = none;
    char text[100];

    snprintf(text, sizeof(text), services, "213.186.33.99");
    OK(gput__cloud_parse_ovh_network(text, strlen(text), &facts) == 0 && facts.is_confirmed,
       "OVH's resolver shows OVH");
    facts = none;
    snprintf(text, sizeof(text), services, "8.8.8.8");
    OK(gput__cloud_parse_ovh_network(text, strlen(text), &facts) == 0 && !facts.is_confirmed,
       "another one does not");
    takes(gput__cloud_parse_ovh_network, "{\"services\": {}}", NULL, NULL);
    takes(gput__cloud_parse_ovh_network, "{}", NULL, NULL);
    takes(gput__cloud_parse_ovh_network, "services", NULL, NULL);
    takes(gput__cloud_parse_ovh_zone, "{\"availability_zone\": \"eu-west-par-a\"}", "",
          "EU-WEST-PAR");
    takes(gput__cloud_parse_ovh_zone, "{\"availability_zone\": \"gra11-a\"}", "", "GRA11");
    takes(gput__cloud_parse_ovh_zone, "{\"availability_zone\": \"nova\"}", "", "");
    takes(gput__cloud_parse_ovh_zone, "{\"availability_zone\": \"x\"}", NULL, NULL);
    takes(gput__cloud_parse_ovh_zone, "{\"availability_zone\": null}", NULL, NULL);
}

static void is_token(const char *text, const char *want)
{
    char token[16] = "before";
    int r = gput__cloud_parse_token(text, strlen(text), token, sizeof(token));

    OK(want ? r == 0 && !strcmp(token, want) : r == -EBADMSG && !strcmp(token, "before"),
       "'%.*s' is %s token", first_line(text), text, want ? "a" : "no");
}

static void tokens(void)
{
    is_token("AQAEAB-x_y==", "AQAEAB-x_y==");
    is_token("AQAEAB\n", "AQAEAB");
    is_token("123456789012345", "123456789012345");
    is_token("1234567890123456", NULL);
    is_token("", NULL);
    is_token("a b", NULL);
    is_token("a\r\nX-Other: 1", NULL);
    is_token("caf\xc3\xa9", NULL);
}

int main(void)
{
    vendors();
    firmware();
    words();
    zero_bytes();
    google();
    json();
    hetzner();
    ovh();
    tokens();
    return DONE();
}
