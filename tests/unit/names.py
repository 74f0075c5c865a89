"""Checks what can go stale without a compiler's noticing: files that comments and documents name exist, the first
line of a C file names it, CHANGELOG.md has its form, and text files are as .editorconfig says.

usage: names.py ROOT_OF_THE_TREE
"""
import os
import re
import subprocess
import sys

TOP = "src cli docs tests tools bench man python web data include examples completions".split()
PATH = re.compile(r"(?<![\w./$~-])(?:%s)/[\w./-]*\w" % "|".join(TOP))
C_FILE = re.compile(r"(?<![\w./$*%{}<-])[a-z]\w*(?:/\w+)*\.[ch]\b")
# Of the system, of SQLite and of Python; what is made or installed; a name that stands for any.
ELSEWHERE = re.compile(r"(linux|sys|asm|bits)/|(malloc|stdio|os|cputype|pyconfig)\.h$|web/node_modules|.*(NAME|/a\.c$)")
BYTE_FOR_BYTE = re.compile(r"tests/(fixtures|golden|fuzz/corpus|fuzz/words)/|web/node_modules/|.*\.(png|gz|sqlite|ico|patch)$")
SECTIONS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security", "Known limits"}


def tree(root):
    """The files that belong to it; None where that is not known."""
    try:
        listed = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                                stdout=subprocess.PIPE, check=True).stdout.decode()
    except (OSError, subprocess.CalledProcessError):
        return None
    return [name for name in listed.split("\0") if name and os.path.isfile(os.path.join(root, name))]


def prose(name, text):
    """What is written for people: documents, comments."""
    if name.endswith(".md"):
        return text
    if name.endswith((".c", ".h")):
        return "\n".join(re.findall(r"/\*.*?\*/", text, re.DOTALL))
    if name.endswith((".py", "meson.build", "Makefile")) or name.startswith("tools/"):
        return "\n".join(re.findall(r"(?:^|\s)# .*", text))
    return ""


def unknown_names(name, text, known, tails):
    said = prose(name, text)
    for found in sorted(set(PATH.findall(said) + C_FILE.findall(said))):
        beside = os.path.normpath(os.path.join(os.path.dirname(name), found))
        if not ELSEWHERE.match(found) and found not in tails and beside not in known:
            yield "%s: there is no %s" % (name, found)


def wrong_title(name, text):
    """/* schedule.c - when to record ... */"""
    title = re.match(r"/\* (\S+\.[ch]) - ", text)
    if title and title.group(1) != os.path.basename(name):
        yield "%s calls itself %s" % (name, title.group(1))


def wrong_layout(name, text):
    if "\r" in text:
        yield name + ": lines end in CR"
    if text and not text.endswith("\n"):
        yield name + ": no newline at its end"
    for number, line in enumerate(text.split("\n"), 1):
        if line != line.rstrip(" \t"):
            yield "%s:%d: blanks at the end" % (name, number)
        if line.startswith("\t") and not name.endswith(("Makefile", ".scd", ".md")):
            yield "%s:%d: a tab" % (name, number)


def wrong_changelog(text):
    versions = re.findall(r"^## (.*)", text, re.MULTILINE)
    for i, version in enumerate(versions):
        if not (re.fullmatch(r"\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d", version) or i == 0 and version == "Unreleased"):
            yield "## " + version
    for section in re.findall(r"^### (.*)", text, re.MULTILINE):
        if section not in SECTIONS:
            yield "### " + section
    if not versions:
        yield "no version"


def main(root):
    files = tree(root)
    if files is None:
        print("1..0 # SKIP this is no git repository, or there is no git: what belongs to the tree is not known")
        return 0
    known = set(files)
    for name in files:
        parts = name.split("/")
        known.update("/".join(parts[:i]) for i in range(1, len(parts)))
    tails = {"/".join(parts[i:]) for parts in (name.split("/") for name in known) for i in range(len(parts))}
    names, titles, layout, n_texts = [], [], [], 0
    for name in files:
        if BYTE_FOR_BYTE.match(name):
            continue
        try:
            with open(os.path.join(root, name), encoding="utf-8", newline="") as file:
                text = file.read()
        except UnicodeDecodeError:
            continue
        n_texts += 1
        names += unknown_names(name, text, known, tails)
        titles += wrong_title(name, text)
        layout += wrong_layout(name, text)
    with open(os.path.join(root, "CHANGELOG.md"), encoding="utf-8") as file:
        changelog = list(wrong_changelog(file.read()))
    with open(os.path.join(root, "CONTRIBUTING.md"), encoding="utf-8") as file:
        rule = re.search(r"subject has the form\s+`area: what changed`.*?72\s+characters", file.read(), re.DOTALL)
    checks = (("files that comments and documents name are there", names),
              ("the first line of a C file names it", titles),
              ("text files are as .editorconfig says", layout),
              ("CHANGELOG.md has its form", changelog),
              ("CONTRIBUTING.md has the rule for commits", [] if rule else ["it has not"]),
              ("the tree was read", [] if n_texts > 500 else [str(n_texts)]))
    for number, (text, wrong) in enumerate(checks, 1):
        print("%sok %d - %s" % ("not " if wrong else "", number, text))
        for line in wrong[:40]:
            print("#   " + line)
    print("1..%d" % len(checks))
    return any(wrong for _, wrong in checks)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
