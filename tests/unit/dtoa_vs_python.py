"""Compares gput__dtoa() with Python's repr() on a million doubles, and again with a decimal comma.

usage: dtoa_vs_python.py PATH_OF_DTOA_LINES [COUNT]
"""
import math
import os
import random
import struct
import subprocess
import sys
import tempfile
from array import array


def from_bits(bits):
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def any_bits(rng):
    return from_bits(rng.getrandbits(64))


def subnormal(rng):
    return from_bits(rng.getrandbits(rng.randint(1, 52)))


def decimal(rng):
    digits = rng.randint(1, 17)
    return float("%de%d" % (rng.randrange(10 ** digits), rng.randint(-30, 25)))


def halfway(rng):
    """Ends in a 5 in the fourth decimal, and its neighbours: where rounding is decided."""
    v = rng.randrange(10 ** 7) / 1000 + 0.0005
    return rng.choice([v, math.nextafter(v, 0), math.nextafter(v, math.inf), rng.randrange(10 ** 9) / 16])


def powers_of_two():
    for exp in range(-1074, 1024):
        v = math.ldexp(1.0, exp)
        yield from (v, -v, math.nextafter(v, 0), math.nextafter(v, math.inf))


def comma_locale(folder):
    """The environment of a locale with a decimal comma, made below folder; None if that fails."""
    made = subprocess.run(
        ["localedef", "-i", "de_DE", "-f", "UTF-8", folder + "/de_DE.UTF-8"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    return None if made.returncode else dict(os.environ, LOCPATH=folder, LC_ALL="de_DE.UTF-8")


def run(program, args, raw=b"", env=None):
    done = subprocess.run([program, *args], input=raw, env=env, stdout=subprocess.PIPE, check=True)
    return done.stdout.decode("ascii").splitlines()


def differences(program, args, values, expected, env):
    lines = run(program, args, array("d", values).tobytes(), env)
    if len(lines) != len(values):
        return ["%d lines for %d values" % (len(lines), len(values))]
    return ["%s, not %s" % (got, expected(v)) for v, got in zip(values, lines) if got != expected(v)]


def groups(count):
    """(name, values, argument of the program) of each group"""
    rng = random.Random(20260101)
    part = count // 4
    yield "powers of two and their neighbours", list(powers_of_two()), ()
    yield "random bit patterns", [any_bits(rng) for _ in range(2 * part)], ()
    yield "subnormals", [subnormal(rng) for _ in range(part)], ()
    yield "decimals of 1 to 17 digits", [decimal(rng) for _ in range(2 * part)], ()
    yield "round(v, 3) of decimals", [decimal(rng) for _ in range(part)], ("round3",)
    yield "round(v, 3) at halves", [halfway(rng) for _ in range(part)], ("round3",)


def compare(program, prefix, count, env):
    for name, values, args in groups(count):
        expected = (lambda v: repr(round(v, 3))) if args else repr
        wrong = differences(program, args, values, expected, env)
        yield not wrong, "%s%s: %d values" % (prefix, name, len(values)), wrong


def points(program, count):
    """(ok, description, remarks) of each check"""
    yield from compare(program, "", count, None)
    with tempfile.TemporaryDirectory() as folder:
        env = comma_locale(folder)
        if not env:
            yield True, "decimal comma # SKIP localedef cannot make de_DE", ()
            return
        yield run(program, ["point"], env=env) == [","], "a locale with a decimal comma", ()
        yield from compare(program, "decimal comma, ", count // 50, env)


def main(program, count=1_000_000):
    number = failed = 0
    for ok, description, remarks in points(program, count):
        number += 1
        failed += not ok
        print("%sok %d - %s" % ("" if ok else "not ", number, description))
        for line in remarks[:5]:
            print("# " + line)
    print("1..%d" % number)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
