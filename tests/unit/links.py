"""Checks the links between the pages of the project: each leads to a file that is there, and to a heading in it.
The README leads to every page of docs/, and docs/SECURITY.md names tests that there are.

usage: links.py ROOT_OF_THE_TREE
"""
import os
import re
import sys


def pages(root):
    """All pages, relative to the root."""
    for folder in ("", "docs", "examples", "examples/c", "examples/python"):
        for name in sorted(os.listdir(os.path.join(root, folder))):
            if name.endswith(".md"):
                yield os.path.join(folder, name)


def text_of(root, page):
    """Without code."""
    with open(os.path.join(root, page), encoding="utf-8") as file:
        return re.sub(r"^```.*?^```$", "", file.read(), flags=re.MULTILINE | re.DOTALL)


def anchors(text):
    """As GitHub makes them of headings."""
    for heading in re.findall(r"^#+ (.*)", text, re.MULTILINE):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def links(text):
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"[a-z]+:", target):
            yield target


def fault(root, page, target):
    path, _, anchor = target.partition("#")
    there = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
    if not os.path.exists(os.path.join(root, there)):
        return "there is no " + there
    if anchor and anchor not in anchors(text_of(root, there)):
        return "%s has no heading #%s" % (there, anchor)
    return None


def tests_of(root):
    """The names of all tests."""
    prefixes = {"unit": "", "e2e": "", "browser": "", "python": "python_", "capi": "capi_"}
    for folder, prefix in prefixes.items():
        for name in os.listdir(os.path.join(root, "tests", folder)):
            yield prefix + re.sub(r"^test_|\.(py|c)$", "", name)


def named_tests(root):
    """Those that docs/SECURITY.md names: behind "Test:", and in the last column of its table."""
    text = text_of(root, "docs/SECURITY.md")
    for part in re.findall(r"\*Tests?:(.*?)\*", text, re.DOTALL) + re.findall(r"\| ((?:`\w+`(?:, )?)+) \|$", text, re.MULTILINE):
        yield from re.findall(r"`(\w+)`", part)


def main(root):
    number = failed = n_links = 0
    checks = []
    for page in pages(root):
        targets = list(links(text_of(root, page)))
        n_links += len(targets)
        checks.append((page, [f for f in (fault(root, page, t) for t in targets) if f]))
    reading = text_of(root, "README.md").split("## Further reading")[-1]
    missing = [p for p in pages(root) if p.startswith("docs/") and "(%s)" % p not in reading]
    checks.append(("README.md leads to every page of docs/", missing))
    named, tests = set(named_tests(root)), set(tests_of(root))
    checks.append(("docs/SECURITY.md names %d tests that there are" % len(named),
                   sorted(named - tests) if len(named) > 10 else ["too few"]))
    checks.append(("there are links", [] if n_links > 50 else [str(n_links)]))
    for text, wrong in checks:
        number += 1
        failed += bool(wrong)
        print("%sok %d - %s" % ("not " if wrong else "", number, text))
        for line in wrong:
            print("#   " + line)
    print("1..%d" % number)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
