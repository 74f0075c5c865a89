"""What every row must be like, and types that must be there, before anything is written."""

# type -> vCPUs, GiB, GPUs, model, GiB of GPU memory, as published
KNOWN = {
    ("aws", "p5.48xlarge"): (192, 2048, 8, "H100", 640),
    ("aws", "g5.xlarge"): (4, 16, 1, "A10G", 24),
    ("aws", "m7i.large"): (2, 8, 0, "", 0),
    ("azure", "Standard_NC24ads_A100_v4"): (24, 220, 1, "A100", 80),
    ("gcp", "a2-highgpu-1g"): (12, 85, 1, "A100", 40),
}
# Prices that are known, in dollars: a wrong unit or a wrong column shows here.
PRICES = {
    ("aws", "m7i.large", "us-east-1"): 0.1008,
    ("aws", "g5.xlarge", "us-east-1"): 1.006,
    ("aws", "m5.2xlarge", "eu-west-1"): 0.428,
    ("azure", "Standard_D2s_v3", "eastus"): 0.096,
    ("gcp", "n1-standard-1", "us-central1"): 0.0475,
    ("gcp", "e2-standard-4", "us-central1"): 0.134,
}


def fault_of_row(row):
    per_vcpu = (row.usd_hour or 0) / row.vcpus
    without_gpus = row.gpus.count == 0 and not row.type.startswith(("dl", "f1", "f2", "inf", "trn", "vt1"))
    if not 1 <= row.vcpus <= 2000 or not 0.25 <= row.mem_gib / row.vcpus <= 64:
        return "%d vCPUs with %g GiB" % (row.vcpus, row.mem_gib)
    if row.usd_hour is not None and not 0.002 < per_vcpu < (0.6 if without_gpus else 10):
        return "%g dollars for a vCPU" % per_vcpu
    if bool(row.gpus.count) != bool(row.gpus.model) or row.gpus.count > 16:
        return "%g GPUs of model '%s'" % (row.gpus.count, row.gpus.model)
    if (row.usd_hour is None) == bool(row.region) or (row.usd_hour is None) == bool(row.as_of):
        return "price, region and day do not go together"
    return None


def faults(rows):
    found = ["%s %s %s: %s" % (*row.key(), fault_of_row(row)) for row in rows if fault_of_row(row)]
    if len({row.key() for row in rows}) != len(rows):
        found.append("a type stands twice in one region")
    by_type = {(row.vendor, row.type): row for row in rows}
    by_place = {row.key(): row for row in rows}
    for key, (vcpus, gib, count, model, vram) in KNOWN.items():
        row = by_type.get(key)
        if not row or (row.vcpus, row.mem_gib, row.gpus.count, row.gpus.model,
                       row.gpus.vram_mib()) != (vcpus, gib, count, model, vram * 1024):
            found.append("%s: not as published: %s" % (key, row))
    for key, price in PRICES.items():
        row = by_place.get(key)
        if not row or abs(row.usd_hour / price - 1) > 0.003:
            found.append("%s: not %g dollars: %s" % (key, price, row))
    return found
