"""Checks that the tests which docs/SECURITY.md names are there: behind "Test:", and in last columns of tables.

usage: security_page.py ROOT_OF_THE_TREE
"""
import os
import re
import sys

PREFIXES = {"unit": "", "e2e": "", "python": "python_", "capi": "capi_"}


def tests(root):
    for folder, prefix in PREFIXES.items():
        for name in os.listdir(os.path.join(root, "tests", folder)):
            yield prefix + re.sub(r"^test_|\.(py|c)$", "", name)
    with open(os.path.join(root, "tests/browser/meson.build"), encoding="utf-8") as build:
        yield from re.findall(r"^ *'(\w+)'[,:]", build.read(), re.MULTILINE)


def named(page):
    parts = re.findall(r"\*Tests?:(.*?)\*", page, re.DOTALL)
    parts += re.findall(r"\| ((?:`\w+`(?:, )?)+) \|$", page, re.MULTILINE)
    return {name for part in parts for name in re.findall(r"`(\w+)`", part)}


def main(root):
    with open(os.path.join(root, "docs/SECURITY.md"), encoding="utf-8") as file:
        names = named(file.read())
    missing = sorted(names - set(tests(root)))
    print("1..2")
    print("%sok 1 - it names %d tests" % ("" if len(names) > 15 else "not ", len(names)))
    print("%sok 2 - all of them are there" % ("not " if missing else ""))
    for name in missing:
        print("#   " + name)
    return len(names) <= 15 or missing != []


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
