"""Shows that tools/check-writers refuses what it must and nothing else.

usage: check_writers_test.py PATH_OF_CHECK_WRITERS
"""
import pathlib
import subprocess
import sys
import tempfile

HEADER = """
/* The clock of a run; written by clock.c alone. */
struct clock { long start, end; char name[8]; struct { int ticks; } hands; };

/* One lap; written
 * by clock.c. */
struct lap { int n; };

/* Written by clock.c and
 * speed.c. */
struct both { int n; };

struct run {
    struct clock clock;
    struct lap *laps, first;
    int speed; /* metres a second; written by speed.c */
    struct clock *other;
    int free;
    struct both both;
};
"""

# what is written in src/api/a.c, whether that is allowed
WRITES = [
    ("r->free = 1", True),
    ("x = r->clock.start", True),
    ("if (r->clock.start == 1) return", True),
    ("x = r->speed <= 2 && r->clock.end >= 3", True),
    ("*r = (struct run){ .clock.start = 1 }", True),
    ("struct clock own = r->clock; own.start = 2", True),
    ("struct run own = { 0 }; own.clock.start = 2", True),
    ("const struct clock *c = &r->clock; x = c->end", True),
    ("r->other = 0", True),
    ("r->laps = 0", True),
    ("/* r->clock.start = 1 */ x = 0", True),
    ('x = f("r->clock.start = 1")', True),
    ("u->clock.start = 1", True),
    ("r->clock.start = 1", False),
    ("r->clock.end += 1", False),
    ("r->clock.end |= 1", False),
    ("r->clock.end <<= 1", False),
    ("r->clock.end++", False),
    ("--r->clock.end", False),
    ("x = r->clock.end = 1", False),
    ("r->clock.name[x] = 0", False),
    ("r->clock.hands.ticks = 0", False),
    ("r->clock = (struct clock){ 0 }", False),
    ("r->speed = 1", False),
    ("r->other->end = 1", False),
    ("r->laps[r->laps[0].n].n = 1", False),
    ("r->first.n = 1", False),
    ("all[x].clock.end = 1", False),
    ("struct clock *c = &r->clock; c->end = 1", False),
    ("struct clock *c = &r->clock; *c = (struct clock){ 0 }", False),
    ("struct run own = { 0 }; own.other->end = 2", False),
    ("((struct run *)r)->clock.end = 1", False),
    ("snprintf(r->clock.name, 8, x)", False),
    ("memset(&r->clock, 0, 8)", False),
    ("memset(r->other, 0, 8)", False),
    ("r->both.n = 1", False),
]

FUNCTION = """
#include "api/run.h"
/* Something else of the same name. */
struct usage { struct { int start; } clock; };

static void f(struct run *r, struct run all[], struct usage *u, int x)
{
    %s;
}
"""

MANY = "struct many { int %s; };\n"

# files, whether they are allowed, what it is about
TREES = [
    ({"src/api/clock.c": FUNCTION % "r->clock.start = 1"}, True, "the file that is named writes"),
    ({"src/api/clock.c": FUNCTION % "struct clock *c = &r->clock; c->end = 1"}, True,
     "by a pointer too"),
    ({"src/api/speed.c": FUNCTION % "r->both.n = 1"}, True, "two files where two are named"),
    ({"src/sample/clock.c": FUNCTION % "r->clock.start = 1"}, False,
     "one of that name in another folder does not"),
    ({"src/store/b.c": FUNCTION % "r->clock.start = 1"}, False, "nor any other folder"),
    ({"src/api/b.h": MANY % ", ".join("m%d" % i for i in range(20))}, True, "20 members"),
    ({"src/api/b.h": MANY % ", ".join("m%d" % i for i in range(21))}, False, "21 members"),
    ({"src/sample/b.c": MANY % "; int ".join("m%d[3]" % i for i in range(21))}, False,
     "in a source too"),
    ({"src/api/b.h": MANY % ("; struct { int %s; }; int z" % ", ".join("m%d" % i for i in range(20)))},
     False, "members of a struct without a name"),
    ({"src/api/b.h": MANY % ("; struct { int %s; } z" % ", ".join("m%d" % i for i in range(20)))},
     True, "a part counts as one"),
    ({"src/store/b.h": MANY % ", ".join("m%d" % i for i in range(30))}, True, "other folders"),
    ({"src/api/b.h": "/* Written by nobody.c. */\nstruct b { int n; };\n"}, False,
     "a file that is not there"),
]


def verdict(program, files):
    with tempfile.TemporaryDirectory() as root:
        for name, text in {"src/api/run.h": HEADER, "src/api/clock.c": "", "src/api/speed.c": "",
                           **files}.items():
            file = pathlib.Path(root, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return subprocess.run([sys.executable, program, root], stderr=subprocess.PIPE, text=True)


def main(program):
    failed = 0
    cases = [({"src/api/a.c": FUNCTION % write}, allowed, write) for write, allowed in WRITES]
    for number, (files, allowed, what) in enumerate(cases + TREES, 1):
        run = verdict(program, files)
        ok = not run.stderr if allowed else run.returncode == 1 and list(files)[0] in run.stderr
        failed += not ok
        print("%sok %d - %s: %s" % ("" if ok else "not ", number,
                                    "allowed" if allowed else "refused", what))
        if not ok:
            print("# exit status %d\n# %s" % (run.returncode, run.stderr.replace("\n", "\n# ")))
    print("1..%d" % (len(cases) + len(TREES)))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
