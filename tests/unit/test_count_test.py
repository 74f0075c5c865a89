"""Checks tools/test-count, whose word ends `make test`: what it counts, and that it names what failed.

usage: test_count_test.py TOOL
"""
import json
import subprocess
import sys
import tempfile

TAP = "ok 1 - a\nnot ok 2 - b\n#   why\nok 3 - c # SKIP no GPU\n1..3\n"
count = failures = 0


def same(logs, wanted, text, *words):
    """What it prints for tests of (name, result, stdout), its exit status last."""
    global count, failures
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        for name, result, stdout in logs:
            file.write(json.dumps({"name": name, "result": result, "stdout": stdout, "duration": 300.1}) + "\n")
        file.flush()
        run = subprocess.run([sys.executable, sys.argv[1], *words, file.name], capture_output=True, text=True)
    got = [*run.stdout.splitlines(), run.returncode]
    count += 1
    failures += got != wanted
    print("%sok %d - %s" % ("" if got == wanted else "not ", count, text))
    if got != wanted:
        print("#   got %r, not %r %s" % (got, wanted, run.stderr.replace("\n", " ")))


same([("x", "OK", "ok 1 - a\nok 2 - b\n")], ["2 passed, 0 failed", 0], "each point of TAP counts")
same([("x", "OK", "")], ["1 passed, 0 failed", 0], "a program without points counts once")
same([("x", "SKIP", "")], ["0 passed, 0 failed, 1 skipped", 0], "one that was skipped")
same([("x", "FAIL", TAP)], ["x: not ok 2 - b", "1 passed, 1 failed, 1 skipped", 1], "a failed point is named")
same([("x", "TIMEOUT", "ok 1 - a\n")], ["x: TIMEOUT after 300 s", "1 passed, 1 failed", 1],
     "a program that hangs has no such point")
same([("x", "FAIL", ""), ("y", "OK", "ok 1 - a\n")], ["x: FAIL after 300 s", "1 passed, 1 failed", 1],
     "nor has one that crashes")
same([], ["2 passed, 1 failed", 1], "checks that are no test programs", "--passed", "2", "--failed", "1")
print("1..%d" % count)
sys.exit(failures > 0)
