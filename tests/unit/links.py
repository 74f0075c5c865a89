"""Checks the links between the pages of the project: each leads to a file that is there, and to a heading in it.
The README leads to every page of docs/.

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
