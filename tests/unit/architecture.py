"""Checks that docs/ARCHITECTURE.md names each file of src/, cli/ and python/ once, and no other.

The tables below a heading "### `src/base/`: ..." are about that folder: the names in code font in their
first column. NAME.c stands for NAME.h too.

usage: architecture.py ROOT_OF_THE_TREE
"""
import collections
import os
import re
import sys

FOLDERS = ["src", "cli", "python"]
KINDS = (".c", ".h", ".py", ".pyi")
# Headers in the place of libraries that a build does without.
LEFT_OUT = "python/without"
# Of src/ and cli/: so many files a reader takes in at a glance.
MOST_FILES = 25


def files(root):
    """All files that are to be named, relative to the root."""
    for top in FOLDERS:
        for folder, _, names in os.walk(os.path.join(root, top)):
            folder = os.path.relpath(folder, root)
            if folder.startswith(LEFT_OUT) or "__pycache__" in folder:
                continue
            for name in names:
                base, kind = os.path.splitext(name)
                if kind in KINDS and not (kind == ".h" and base + ".c" in names):
                    yield folder + "/" + name


def named(page):
    """The files in the first columns of the tables."""
    folder = None
    for line in page.splitlines():
        heading = re.match(r"#+ (?:`([\w/]+)/`)?", line)
        if heading:
            folder = heading.group(1)
        elif folder and line.startswith("| `"):
            for name in re.findall(r"`([^`]+)`", line.split("|")[1]):
                yield folder + "/" + name


def stale(root):
    """Files that the text of the pages for developers names, and that are not there."""
    for page in "docs/ARCHITECTURE.md", "docs/STYLE.md", "docs/TESTING.md", "CONTRIBUTING.md":
        with open(os.path.join(root, page), encoding="utf-8") as file:
            for name in re.findall(r"`([\w./]+/[\w.]+\.(?:c|h|py|mjs))\b", file.read()):
                places = [os.path.join(root, top, name) for top in ("", "src", "tests", "python")]
                if "NAME" not in name and not any(map(os.path.exists, places)):
                    yield "%s: %s" % (page, name)


def crowded(root):
    """Folders of code with too many files."""
    for top in "src", "cli":
        for folder, _, names in os.walk(os.path.join(root, top)):
            if len(names) > MOST_FILES:
                yield "%s: %d files" % (os.path.relpath(folder, root), len(names))


def main(root):
    with open(os.path.join(root, "docs/ARCHITECTURE.md"), encoding="utf-8") as file:
        said = collections.Counter(named(file.read()))
    there = set(files(root))
    checks = [
        ("it names files", [] if len(said) > 100 else ["hardly any"]),
        ("every file is named", sorted(there - set(said))),
        ("every name is a file", sorted(set(said) - there)),
        ("no page for developers names a file that is not there", sorted(stale(root))),
        ("no folder has more than %d files" % MOST_FILES, sorted(crowded(root))),
        ("each is named once", sorted(name for name, n in said.items() if n > 1)),
    ]
    for number, (text, wrong) in enumerate(checks, 1):
        print("%sok %d - %s" % ("not " if wrong else "", number, text))
        for name in wrong:
            print("#   " + name)
    print("1..%d" % len(checks))
    return any(wrong for _, wrong in checks)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
