"""Which GPU a type of server has: models and their memory as the vendors publish them."""
from row import Gpus

# family -> model and GiB of each
AWS = {
    "g2": ("GRID K520", 4),
    "g3": ("M60", 8),
    "g3s": ("M60", 8),
    "g4ad": ("Radeon Pro V520", 8),
    "g4dn": ("T4", 16),
    "g5": ("A10G", 24),
    "g5g": ("T4G", 16),
    "g6": ("L4", 24),
    "g6e": ("L40S", 48),
    "g6f": ("L4", 24),
    "g7e": ("RTX PRO 6000", 96),
    "gr6": ("L4", 24),
    "gr6f": ("L4", 24),
    "p2": ("K80", 12),
    "p3": ("V100", 16),
    "p3dn": ("V100", 32),
    "p4d": ("A100", 40),
    "p4de": ("A100", 80),
    "p5": ("H100", 80),
    "p5e": ("H200", 141),
    "p5en": ("H200", 141),
    "p6-b200": ("B200", 180),
    "p6-b300": ("B300", 268),
}
# type -> number of GPUs, where libcloud does not tell it
AWS_COUNTS = {
    "g4dn.metal": 8,
    "g5g.metal": 2,
    "g6f.large": 1 / 8,
    "g6f.xlarge": 1 / 8,
    "g6f.2xlarge": 1 / 4,
    "g6f.4xlarge": 1 / 2,
    "g7e.2xlarge": 1,
    "g7e.4xlarge": 1,
    "g7e.8xlarge": 1,
    "g7e.12xlarge": 2,
    "g7e.24xlarge": 4,
    "g7e.48xlarge": 8,
    "gr6f.4xlarge": 1 / 2,
    "p5.4xlarge": 1,
    "p6-b200.48xlarge": 8,
    "p6-b300.48xlarge": 8,
}

AZURE = {
    "Standard_NC4as_T4_v3": Gpus(1, "T4", 16),
    "Standard_NC8as_T4_v3": Gpus(1, "T4", 16),
    "Standard_NC16as_T4_v3": Gpus(1, "T4", 16),
    "Standard_NC64as_T4_v3": Gpus(4, "T4", 16),
    "Standard_NC24ads_A100_v4": Gpus(1, "A100", 80),
    "Standard_NC48ads_A100_v4": Gpus(2, "A100", 80),
    "Standard_NC96ads_A100_v4": Gpus(4, "A100", 80),
    "Standard_ND96asr_v4": Gpus(8, "A100", 40),
    "Standard_ND96amsr_A100_v4": Gpus(8, "A100", 80),
}

# What skypilot calls the GPU -> model and GiB of each
GCP = {
    "A100": ("A100", 40),
    "A100-80GB": ("A100", 80),
    "L4": ("L4", 24),
    "H100": ("H100", 80),
    "H100-MEGA": ("H100", 80),
    "H200": ("H200", 141),
    "B200": ("B200", 180),
    "RTXPRO6000": ("RTX PRO 6000", 96),
}


def aws_gpus(name, count):
    """`count` is what libcloud says, or None."""
    kind = AWS.get(name.split(".")[0])
    count = AWS_COUNTS.get(name, count)
    if bool(kind) != bool(count):
        raise SystemExit("tools/catalogue/gpus.py: what GPUs has %s?" % name)
    return Gpus(count, *kind) if kind else Gpus()
