"""clouds.py - servers on loopback that answer as the metadata services of clouds do, or otherwise,
and the machines that ask them.  No test speaks to a true metadata service."""

import os

from harness import folder
from web_server import send

TOKEN = "AQAEAL-token=="

AZURE = ('{"compute": {"location": "westeurope", "name": "vm1", "vmSize": "Standard_NC6s_v3",'
         ' "tags": "a:b"}, "network": {"interface": []}}')
UPCLOUD = '{"cloud_name": "upcloud", "instance_id": "00bf9504", "region": "fi-hel1", "tags": []}'
HCLOUD = ("availability-zone: fsn1-dc14\nhostname: web\ninstance-id: 4711\nlocal-ipv4: ''\n"
          "network-config:\n  config:\n  - name: eth0\n    region: nowhere\n"
          "public-keys: []\nregion: eu-central\n")
OVH_NETWORK = ('{"links": [], "services": [{"type": "dns", "address": "213.186.33.99"}]}')
OVH_META = '{"uuid": "1", "availability_zone": "eu-west-par-a", "name": "vm"}'

# vendor: the firmware's names; (path, answer) of each question; a header that must come with it;
# what is found.
CLOUDS = {
    "aws": (
        {"sys_vendor": "Amazon EC2", "product_name": "g4dn.xlarge"},
        {"/latest/meta-data/instance-type": "g4dn.xlarge", "/latest/meta-data/placement/region": "us-west-2"},
        ("X-aws-ec2-metadata-token", TOKEN),
        ("g4dn.xlarge", "us-west-2")),
    "gcp": (
        {"sys_vendor": "Google", "product_name": "Google Compute Engine"},
        {"/computeMetadata/v1/instance/machine-type": "projects/1234/machineTypes/n1-standard-4",
         "/computeMetadata/v1/instance/zone": "projects/1234/zones/us-central1-a"},
        ("Metadata-Flavor", "Google"),
        ("n1-standard-4", "us-central1")),
    "azure": (
        {"sys_vendor": "Microsoft Corporation", "product_name": "Virtual Machine",
         "chassis_asset_tag": "7783-7084-3265-9085-8269-3286-77"},
        {"/metadata/instance": AZURE},
        ("Metadata", "true"),
        ("Standard_NC6s_v3", "westeurope")),
    "hcloud": (
        {"sys_vendor": "Hetzner", "product_name": "vServer"},
        {"/hetzner/v1/metadata": HCLOUD},
        None,
        ("unknown", "eu-central")),
    "upcloud": (
        {"sys_vendor": "UpCloud", "product_name": "Cloud Server"},
        {"/metadata/v1.json": UPCLOUD},
        None,
        ("unknown", "fi-hel1")),
    "alicloud": (
        {"sys_vendor": "Alibaba Cloud", "product_name": "Alibaba Cloud ECS"},
        {"/latest/meta-data/instance/instance-type": "ecs.g6e.large", "/latest/meta-data/region-id": "cn-hangzhou"},
        ("X-aliyun-ecs-metadata-token", TOKEN),
        ("ecs.g6e.large", "cn-hangzhou")),
    "ovh": (
        {"sys_vendor": "OpenStack Foundation", "product_name": "OpenStack Nova"},
        {"/openstack/latest/network_data.json": OVH_NETWORK, "/openstack/latest/meta_data.json": OVH_META,
         "/latest/meta-data/instance-type": "b3-8"},
        None,
        ("b3-8", "EU-WEST-PAR")),
}
TOKENS = {"aws": "X-aws-ec2-metadata-token-ttl-seconds", "alicloud": "X-aliyun-ecs-metadata-token-ttl-seconds"}


def machine(**names):
    """A folder with sys/ of a machine whose firmware has these names."""
    root = folder("machine")
    os.makedirs(f"{root}/proc")
    os.makedirs(f"{root}/sys/class/dmi/id")
    for name, text in names.items():
        with open(f"{root}/sys/class/dmi/id/{name}", "w") as f:
            f.write(text + "\n")
    return root


def truthful(vendor):
    """Answers as that cloud does: refuses what it would refuse."""
    _, answers, header, _ = CLOUDS[vendor]

    def answer(handler):
        path = handler.path.split("?")[0]
        if handler.command == "PUT" and path == "/latest/api/token" and vendor in TOKENS:
            send(handler, TOKEN, 200 if int(handler.headers[TOKENS[vendor]]) > 0 else 400)
        elif handler.command != "GET" or path not in answers:
            send(handler, "not found", 404)
        elif header and handler.headers[header[0]] != header[1]:
            send(handler, "unauthorized", 401)
        else:
            send(handler, answers[path])
    return answer
