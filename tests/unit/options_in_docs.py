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
        text = output(command, name, "--help")
        if "Subcommands" in text:
            yield from ([name, sub] for sub in subcommands(text))
        else:
            yield [name]


def subcommand_options(command):
    """(words of the subcommand, letter or None, name) of each option that its --help shows."""
    for words in all_subcommands(command):
        text = output(command, *words, "--help").partition("Options:")[2]
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


# Words of a line, the last of which is completed, and what the completions of bash make of it.
TYPED = [
    (["--ouptu"], ""), (["--o"], "--output --overwrite --otlp --open"), (["--ru", "=", "giga"], "gigabytes"), (["rep"], "report repeat"),
    (["--full", "report", "--te"], "--text"), (["--", "report", "--te"], ""), (["report", "--width", ""], ""),
    (["sub-track", "c"], "combine compare"), (["sub-track", "mark", "st"], "start stop"),
    (["sub-track", "analyze", "-f", ""], "text json"), (["catalogue", "show", "--arch", "=", ""], "x86_64 aarch64"),
]


def typed(script, words):
    words = ["gpu-tracker"] + words
    line = "PATH=\nCOMP_WORDS=(%s)\nCOMP_CWORD=%d\n_gpu_tracker\necho ${COMPREPLY[@]}\n" % (
        " ".join("'%s'" % word for word in words), len(words) - 1)
    return subprocess.run(["bash", "-c", script + line], capture_output=True, text=True).stdout.strip()


def words_of(text):
    """The words of a text, without what marks them in the man page."""
    return re.findall(r"[a-z]{3,}", re.sub(r"[*_`\\]", "", text))


def help_checks(command, man):
    """`gpu-tracker help` has the man page's words, whole or a section of it."""
    whole = output(command, "help")
    titles = re.findall(r"^# (.+)$", man, re.MULTILINE)
    yield words_of(whole) == words_of(man.split("\n", 1)[1]), "help: the words of the man page"
    yield re.findall(r"^\S.*$", whole, re.MULTILINE) == titles, "help: its sections"
    yield not re.search(r"[*]\w|\w[*]|\b_|_\b|\+\+$|\t", whole, re.MULTILINE), "help: no marks are left"
    for title in titles:
        text = output(command, "help", *title.lower().split())
        yield text.startswith(title + "\n") and text in whole, "help " + title.lower()
    yield output(command, "help", "doctor") == output(command, "doctor", "--help"), "help doctor"
    yield output(command, "help", "sub-track", "mark") == output(command, "sub-track", "mark", "--help"), "of two words"
    run = subprocess.run([command, "help", "docter"], capture_output=True, text=True)
    yield run.returncode == 2 and "did you mean 'doctor'?" in run.stderr and not run.stdout, "help docter"
    run = subprocess.run([command, "help", "zebra"], capture_output=True, text=True)
    yield run.returncode == 2 and "EXIT STATUS" in run.stderr and run.stderr.count("\n") == 1, "help zebra"


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
    checks += help_checks(command, man)
    for shell in ("bash", "zsh", "fish"):
        text = output(command, "completions", shell)
        missing = [(w, n) for w, l, n in subcommand_options(command) if not in_completions(text, shell, l, n)]
        checks.append((not missing, "%s completes the options of subcommands %s" % (shell, missing or "")))
        missing = [n for l, n in options if not in_completions(text, shell, l, n)]
        checks.append((not missing, "%s completes all options %s" % (shell, missing or "")))
    bash = output(command, "completions", "bash")
    for words, fit in TYPED:
        checks.append((typed(bash, words) == fit, "bash completes %s: %s" % (" ".join(words), typed(bash, words))))
    for number, (ok, what) in enumerate(checks, 1):
        print("%sok %d - %s" % ("" if ok else "not ", number, what))
    print("1..%d" % len(checks))
    return 0 if all(ok for ok, _ in checks) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
