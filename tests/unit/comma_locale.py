"""Shows that a program's locale changes nothing of what the library writes.

usage: comma_locale.py PATH_OF_COMMA_WORDS FOLDER_OF_RUNS
"""
import os
import pathlib
import subprocess
import sys
import tempfile

from dtoa_vs_python import comma_locale

RUNS = ["tracking.csv", "result-full.json", "combined.csv", "snapshot.json.gz"]


def words(program, args, env):
    done = subprocess.run([program, *args], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def first_difference(one, other):
    for a, b in zip(one.splitlines(), other.splitlines()):
        if a != b:
            return "%.120s | %.120s" % (a, b)
    return ""


def points(program, runs, folder):
    """(ok, description, remark) of each check"""
    plain, comma = dict(os.environ, LC_ALL="C"), comma_locale(folder)
    if not comma:
        yield True, "decimal comma # SKIP localedef cannot make de_DE", ""
        return
    yield words(program, [], comma)[1] == ",\n", "a locale with a decimal comma", ""
    for name in RUNS:
        in_plain, in_comma = (words(program, [str(runs / name)], env) for env in (plain, comma))
        yield in_plain[0] == 0 and len(in_plain[1]) > 5000, name + ": there is much to write", in_plain[2]
        yield in_plain == in_comma, name + ": it is the same", first_difference(in_plain[1], in_comma[1])


def main(program, runs):
    number = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for ok, description, remark in points(program, pathlib.Path(runs), folder):
            number += 1
            failed += not ok
            print("%sok %d - %s" % ("" if ok else "not ", number, description))
            if not ok:
                print("# " + remark.strip())
    print("1..%d" % number)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
