/* cloud_service.c - the clouds that we know: how their machines are told, and what is asked. */
#include <string.h>

#include "servers/clouds/cloud.h"

#define LINK_LOCAL "http://169.254.169.254"

static const struct gput__cloud_service aws = {
    .vendor = "aws",
    .base = LINK_LOCAL,
    .token = { .path = "/latest/api/token",
               .ttl = "X-aws-ec2-metadata-token-ttl-seconds: 60",
               .name = "X-aws-ec2-metadata-token" },
    .questions = { { "/latest/meta-data/instance-type", gput__cloud_parse_type },
                   { "/latest/meta-data/placement/region", gput__cloud_parse_region } },
};

static const struct gput__cloud_service gcp = {
    .vendor = "gcp",
    .base = LINK_LOCAL, /* metadata.google.internal without a name to resolve */
    .header = "Metadata-Flavor: Google",
    .questions = { { "/computeMetadata/v1/instance/machine-type", gput__cloud_parse_gcp_type },
                   { "/computeMetadata/v1/instance/zone", gput__cloud_parse_gcp_zone } },
};

static const struct gput__cloud_service azure = {
    .vendor = "azure",
    .base = LINK_LOCAL,
    .header = "Metadata: true",
    /* The last version whose answer is without the user data, which may be larger than we read. */
    .questions = { { "/metadata/instance?api-version=2020-09-01&format=json",
                     gput__cloud_parse_azure } },
};

static const struct gput__cloud_service hcloud = {
    .vendor = "hcloud",
    .base = LINK_LOCAL,
    .no_type = "Hetzner's metadata service does not tell the instance type",
    .questions = { { "/hetzner/v1/metadata", gput__cloud_parse_hcloud } },
};

static const struct gput__cloud_service upcloud = {
    .vendor = "upcloud",
    .base = LINK_LOCAL,
    .no_type = "UpCloud's metadata service does not tell the instance type",
    .questions = { { "/metadata/v1.json", gput__cloud_parse_upcloud } },
};

static const struct gput__cloud_service alicloud = {
    .vendor = "alicloud",
    .base = "http://100.100.100.200",
    .token = { .path = "/latest/api/token",
               .ttl = "X-aliyun-ecs-metadata-token-ttl-seconds: 60",
               .name = "X-aliyun-ecs-metadata-token",
               .is_optional = true },
    .questions = { { "/latest/meta-data/instance/instance-type", gput__cloud_parse_type },
                   { "/latest/meta-data/region-id", gput__cloud_parse_region } },
};

static const struct gput__cloud_service ovh = {
    .vendor = "ovh",
    .base = LINK_LOCAL,
    .is_doubtful = true, /* OpenStack, as many a cloud */
    .questions = { { "/openstack/latest/network_data.json", gput__cloud_parse_ovh_network },
                   { "/openstack/latest/meta_data.json", gput__cloud_parse_ovh_zone },
                   { "/latest/meta-data/instance-type", gput__cloud_parse_type } },
};

static bool is_amazon(const struct gput__dmi *d)
{
    static const char name[] = "Amazon EC2";

    return !strcmp(d->sys_vendor, name) || !strcmp(d->bios_vendor, name) ||
           !strcmp(d->board_vendor, name) ||
           /* the older instances, on Xen: "4.11.amazon" */
           (!strcmp(d->sys_vendor, "Xen") && strstr(d->bios_version, "amazon")) ||
           !strncmp(d->hypervisor_uuid, "ec2", 3);
}

static bool is_google(const struct gput__dmi *d)
{
    return !strcmp(d->product_name, "Google Compute Engine") ||
           (!strcmp(d->sys_vendor, "Google") && !strcmp(d->bios_vendor, "Google"));
}

/* Hyper-V elsewhere has the same vendor and product, but not this. */
static bool is_azure(const struct gput__dmi *d)
{
    return !strcmp(d->chassis_asset_tag, "7783-7084-3265-9085-8269-3286-77");
}

static bool is_openstack(const struct gput__dmi *d)
{
    return !strcmp(d->product_name, "OpenStack Nova") ||
           !strcmp(d->product_name, "OpenStack Compute");
}

const struct gput__cloud_service *gput__cloud_of(const struct gput__dmi *d)
{
    if (is_amazon(d))
        return &aws;
    if (is_google(d))
        return &gcp;
    if (is_azure(d))
        return &azure;
    if (!strcmp(d->sys_vendor, "Hetzner"))
        return &hcloud;
    if (!strcmp(d->sys_vendor, "UpCloud"))
        return &upcloud;
    if (!strcmp(d->sys_vendor, "Alibaba Cloud") || !strcmp(d->product_name, "Alibaba Cloud ECS"))
        return &alicloud;
    return is_openstack(d) ? &ovh : NULL;
}
