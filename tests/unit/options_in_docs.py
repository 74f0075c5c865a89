"""Checks that each option that --help shows stands in the man page and in the completions.

usage: options_in_docs.py GPU_TRACKER MAN_SOURCE
"""
import re
import subprocess
import sys


def output(command, *args):
    return subprocess.run([command, *args], check=True, capture_output=True, text=True).stdout


def shown_options(help_text):
    """(letter or None, name) of each option."""
    return re.findall(r"^ +(?:-(\w), )?--([a-z-]+)", help_text, re.MULTILINE)


def sub_track_options(command):
    """(subcommand, form) of each option that `sub-track X --help` shows."""
    for name in ("mark", "run", "combine", "analyze", "compare"):
        text = output(command, "sub-track", name, "--help").split("Options:")[1]
        for form in re.findall(r"^ +(?:-\w, )?(--?[a-z]+)", text, re.MULTILINE):
            yield name, form


# Subcommands with a table of options.
SUBCOMMANDS = ["discover", "process", "system"]


def subcommand_options(command):
    """(subcommand, letter or None, name) of each option that `X --help` shows."""
    for subcommand in SUBCOMMANDS:
        text = output(command, subcommand, "--help").split("Options:")[1]
        for letter, name in shown_options(text):
            yield subcommand, letter or None, name


def flat_options(command):
    """(subcommand, name) of each option of subcommands with one table."""
    for name in ("catalogue", "recommend"):
        for _, option in shown_options(output(command, name, "--help")):
            yield name, option


def forms(letter, name):
    return ["--" + name] + (["-" + letter] if letter else [])


def in_man(man, form):
    # scdoc: options are bold, and '-' needs no escape; "--st" must not be found in "--state".
    return re.search(r"\*" + re.escape(form) + r"(?![a-z-])", man) is not None


def in_completions(text, shell, letter, name):
    if shell == "fish":
        return (" -l %s " % name in text) and (not letter or " -s %s " % letter in text)
    return all(re.search(re.escape(f) + r"(?![a-z-])", text) for f in forms(letter, name))


def main(command, man_path):
    checks = []
    help_text = output(command, "--help")
    with open(man_path, encoding="utf-8") as file:
        man = file.read()
    options = shown_options(help_text)
    checks.append((len(options) > 20, "--help shows the options"))
    checks.append((max(map(len, help_text.splitlines())) <= 100, "--help fits 100 columns"))
    checks.append(("no-watch" not in help_text + man, "hidden options stay hidden"))
    for letter, name in options:
        checks.append((all(in_man(man, f) for f in forms(letter, name)), "man: --" + name))
    for form in re.findall(r"^\*--([a-z-]+)", man, re.MULTILINE):
        checks.append((form in [name for _, name in options], "--help: --" + form))
    blocks = man.split("# CODE BLOCKS")[1].split("\n# ")[0]
    for name, form in sub_track_options(command):
        entry = re.search(r"^\*sub-track\* \*%s\*.*|^\*sub-track %s\*.*" % (name, name), blocks, re.MULTILINE)
        said = {"--output": "-o", "--format": "-f"}.get(form, form)
        checks.append((entry and "*%s*" % said in entry.group(), "man: sub-track %s %s" % (name, form)))
    checks.append((len(list(subcommand_options(command))) > len(SUBCOMMANDS), "subcommands show their options"))
    for subcommand, letter, name in subcommand_options(command):
        entry = re.search(r"^\*%s\* .*" % subcommand, man, re.MULTILINE)
        checks.append((entry and all("*%s*" % f in entry.group() for f in forms(letter, name)),
                       "man: %s --%s" % (subcommand, name)))
    for name, option in flat_options(command):
        checks.append((in_man(man, "--" + option), "man: %s --%s" % (name, option)))
    for shell in ("bash", "zsh", "fish"):
        text = output(command, "completions", shell)
        missing = [(s, n) for s, l, n in subcommand_options(command) if not in_completions(text, shell, l, n)]
        checks.append((not missing, "%s completes the options of subcommands %s" % (shell, missing or "")))
        missing = [f for _, f in sub_track_options(command)
                   if (" -l %s " % f[2:] if f.startswith("--") else " -s %s " % f[1:]) not in text
                   and (shell == "fish" or f not in text)]
        checks.append((not missing, "%s completes the options of sub-track %s" % (shell, missing or "")))
        missing = [n for _, n in flat_options(command) if not in_completions(text, shell, None, n)]
        checks.append((not missing, "%s completes the options of subcommands %s" % (shell, missing or "")))
        missing = [n for l, n in options if not in_completions(text, shell, l, n)]
        checks.append((not missing, "%s completes all options %s" % (shell, missing or "")))
    for number, (ok, what) in enumerate(checks, 1):
        print("%sok %d - %s" % ("" if ok else "not ", number, what))
    print("1..%d" % len(checks))
    return 0 if all(ok for ok, _ in checks) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
