"""servers.py - a small catalogue of servers, shown and searched, byte for byte.

usage: servers.py GPU_TRACKER              compares with servers/expected/*
       servers.py --update GPU_TRACKER     rewrites them
"""
import os
import subprocess
import sys

from tap import finish, ok

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "servers")
SHOW = ["catalogue", "show", "--catalogue=small.csv"]

# name of the expected output, arguments, and what the list must begin with, worked out by hand
CASES = [
    ("all.txt", SHOW, ["m7i.large", "m7i.large", "t3.xlarge"]),
    ("all.json", SHOW + ["--format=json"], None),
    ("all.csv", SHOW + ["-f", "csv"], None),
    ("cpu.txt", SHOW + ["--min-vcpus=3", "--arch=x86_64"], ["t3.xlarge", "m7i.xlarge", "n2-standard-4"]),
    ("memory.txt", SHOW + ["--min-memory=16.5GiB"], ["Standard_E4s_v5", "r7i.xlarge", "g5.12xlarge"]),
    ("gpu.txt", SHOW + ["--gpus=1", "--vram=24"], ["g5.xlarge", "g5.12xlarge", "p4d.24xlarge",
                                                    "Standard_NC24ads_A100_v4"]),
    ("gpus_share.txt", SHOW + ["--gpus=2", "--vram=50GiB"], ["p4d.24xlarge"]),
    ("no_gpus.txt", SHOW + ["--gpus=9"], None),
    ("no_memory.txt", SHOW + ["--min-memory=2TiB", "--vendor=aws,gcp"], None),
    ("no_model.txt", SHOW + ["--gpu-model=H100"], None),
    ("no_price.txt", SHOW + ["--gpu-model=A10G", "--max-price=1"], None),
    ("no_region.txt", SHOW + ["--region=mars-1"], None),
    ("vendor.txt", SHOW + ["--vendor=gcp"], ["n2-standard-4", "n2-standard-4"]),
    ("region.txt", SHOW + ["--region=us-central1,eu-west-1"], ["m7i.large", "n2-standard-4"]),
    ("limit.txt", SHOW + ["--limit=1"], ["m7i.large"]),
    ("bad_line.txt", ["catalogue", "show", "--catalogue=bad.csv"], None),
    ("bad_amount.txt", SHOW + ["--min-memory=16GB"], None),
    ("bad_option.txt", SHOW + ["--from=x"], None),
    ("bad_word.txt", ["catalogue", "list"], None),
    ("help.txt", ["catalogue", "--help"], None),
    ("help_show.txt", ["catalogue", "show", "--help"], None),
]


def run(command, arguments):
    done = subprocess.run([command, *arguments], capture_output=True, text=True, cwd=HERE,
                          env={**os.environ, "HOME": "/dev/null/none", "XDG_CACHE_HOME": "/dev/null/none",
                               "GPUT_CATALOGUE": ""}, timeout=60)
    return done.stdout + done.stderr + "status %d\n" % done.returncode


def main(words):
    update = words[:1] == ["--update"]
    command = os.path.abspath(words[-1])
    for name, arguments, first in CASES:
        path = os.path.join(HERE, "expected", name)
        got = run(command, arguments)
        if update:
            with open(path, "w") as file:
                file.write(got)
        with open(path) as file:
            expected = file.read()
        types = [line.split()[1] for line in got.splitlines()[1:] if len(line.split()) > 7]
        good = got == expected and (first is None or types[:len(first)] == first)
        ok(good, name, " ".join(arguments), got)
    return finish()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
