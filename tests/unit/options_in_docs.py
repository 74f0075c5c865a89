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


def subcommands(help_text):
    """The names in the list of a --help."""
    return re.findall(r"^  ([a-z-]+)  ", help_text.split("Subcommands")[1].split("\n\n")[0], re.MULTILINE)


def all_subcommands(command):
    """The words of each subcommand that has options of its own."""
    for name in subcommands(output(command, "--help")):
        if name == "sub-track":
            yield from ([name, sub] for sub in subcommands(output(command, name, "--help")))
        else:
            yield [name]


def subcommand_options(command):
    """(words of the subcommand, letter or None, name) of each option that its --help shows."""
    for words in all_subcommands(command):
        text = output(command, *words, "--help").split("Options:")[1]
        for letter, name in shown_options(text):
            yield words, letter or None, name
        for letter in re.findall(r"^  -(\w) ", text, re.MULTILINE):
            yield words, letter, letter


def forms(letter, name):
    return (["--" + name] if len(name) > 1 else []) + (["-" + letter] if letter else [])


def in_man(man, form):
    # scdoc: options are bold, and '-' needs no escape; "--st" must not be found in "--state".
    return re.search(r"\*" + re.escape(form) + r"(?![a-z-])", man) is not None


def in_completions(text, shell, letter, name):
    if shell == "fish":
        return (len(name) == 1 or " -l %s " % name in text) and (not letter or " -s %s " % letter in text)
    return all(re.search(re.escape(f) + r"(?![a-z-])", text) for f in forms(letter, name))


def main(command, man_path):
    checks = []
    help_text = output(command, "--help")
    with open(man_path, encoding="utf-8") as file:
        man = file.read()
    options = shown_options(help_text)
    checks.append((len(options) > 20, "--help shows the options"))
    checks.append((max(map(len, help_text.splitlines())) <= 80, "--help fits 80 columns"))
    checks.append(("no-watch" not in help_text + man, "hidden options stay hidden"))
    for letter, name in options:
        checks.append((all(in_man(man, f) for f in forms(letter, name)), "man: --" + name))
    for form in re.findall(r"^\*--([a-z-]+)", man, re.MULTILINE):
        checks.append((form in [name for _, name in options], "--help: --" + form))
    order = re.findall(r"^\*gpu-tracker\* (\*[a-z-]+\*(?: \*[a-z]+\*)?)", man, re.MULTILINE)
    order = [words.replace("*", "") for words in order if words[1] != "-"]
    checks.append((order == sorted(order) and len(order) > 10, "man: the synopsis is in order"))
    for words in all_subcommands(command):
        checks.append((any(o.startswith(" ".join(words)) for o in order), "man: synopsis of " + " ".join(words)))
        entries = "\n".join(re.findall(r"^\*%s[ *].*" % re.escape(" ".join(words)), man, re.MULTILINE))
        for _, letter, name in [o for o in subcommand_options(command) if o[0] == words]:
            # Code blocks: options that are as those of a run have one form there.
            said = [f for f in forms(letter, name) if in_man(entries, f)]
            enough = said if words[0] == "sub-track" else len(said) == len(forms(letter, name))
            checks.append((enough, "man: %s %s" % (" ".join(words), " ".join(forms(letter, name)))))
    checks.append((len(list(subcommand_options(command))) > 50, "subcommands show their options"))
    for words in all_subcommands(command):
        text = output(command, *words, "--help")
        checks.append((max(map(len, text.splitlines())) <= 80, "%s --help fits 80 columns" % " ".join(words)))
    for shell in ("bash", "zsh", "fish"):
        text = output(command, "completions", shell)
        missing = [(w, n) for w, l, n in subcommand_options(command) if not in_completions(text, shell, l, n)]
        checks.append((not missing, "%s completes the options of subcommands %s" % (shell, missing or "")))
        missing = [n for l, n in options if not in_completions(text, shell, l, n)]
        checks.append((not missing, "%s completes all options %s" % (shell, missing or "")))
    for number, (ok, what) in enumerate(checks, 1):
        print("%sok %d - %s" % ("" if ok else "not ", number, what))
    print("1..%d" % len(checks))
    return 0 if all(ok for ok, _ in checks) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
