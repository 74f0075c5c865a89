"""Shows that tools/check-layers refuses what it must and nothing else.

usage: check_layers_test.py PATH_OF_CHECK_LAYERS
"""
import pathlib
import subprocess
import sys
import tempfile

# file, what it includes, whether that is allowed
CASES = [
    ("src/base/a.c", '"base/buf.h"', True),
    ("src/base/a.c", '<stdio.h>', True),
    ("src/model/a.h", '"base/buf.h"', True),
    ("src/api/a.c", '"gput.h"', True),
    ("src/api/a.c", '"report/text.h"', True),
    ("src/summary/a.c", '"model/metric.h"', True),
    ("src/base/a.c", '"model/metric.h"', False),
    ("src/source/a.c", '"sample/tree/tree.h"', False),
    ("src/sample/a.c", '"api/tracker.h"', False),
    ("src/summary/a.c", '"source/proc/proc_stat.h"', False),
    ("src/summary/a.c", '"sample/tree/tree.h"', False),
    ("src/report/a.c", '"source/proc/proc_stat.h"', False),
    ("src/report/a.h", '"sample/tree/tree.h"', False),
    ("src/report/html/a.c", '"report/text/amount.h"', True),
    ("src/servers/a.c", '"report/html/html.h"', True),
    ("src/report/html/a.c", '"servers/servers.h"', False),
    ("src/sample/tree/a.c", '"summary/summary.h"', False),
    ("src/base/a.c", '<sys/syscall.h>', True),
    ("src/source/proc/a.c", '<linux/netlink.h>', True),
    ("src/api/run/loop.c", '<sys/timerfd.h>', True),
    ("src/api/run/usage.c", '<sys/timerfd.h>', False),
    ("src/sample/tree/a.c", '<linux/kcmp.h>', False),
    ("cli/a.c", '<sys/auxv.h>', False),
    ("cli/a.c", '<sys/pidfd.h>', False),
    ("cli/run/progress.c", '<sys/prctl.h>', False),
    ("cli/run/run.c", '<sys/prctl.h>', True),
    ("src/base/a.c", '"buf.h"', False),
    ("src/base/a.c", '"../api/tracker.h"', False),
    ("src/misc/a.c", '<stdio.h>', False),
    ("cli/main.c", '"gput.h"', True),
    ("cli/main.c", '"options/options.h"', True),
    ("cli/options/a.c", '"options/options.h"', True),
    ("cli/options/a.c", '"options.h"', False),
    ("cli/main.c", '<stdio.h>', True),
    ("cli/main.c", '"base/buf.h"', False),
    ("cli/main.c", '"../src/base/buf.h"', False),
]


def verdict(program, path, include):
    with tempfile.TemporaryDirectory() as root:
        for header in ("src/base/buf.h", "cli/options/options.h", path):
            file = pathlib.Path(root, header)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()
        pathlib.Path(root, path).write_text("#include %s\n" % include)
        return subprocess.run([sys.executable, program, root], stderr=subprocess.PIPE, text=True)


def main(program):
    failed = 0
    for number, (path, include, allowed) in enumerate(CASES, 1):
        run = verdict(program, path, include)
        ok = run.returncode == 0 if allowed else run.returncode == 1 and path in run.stderr
        failed += not ok
        print("%sok %d - %s %s %s" % ("" if ok else "not ", number, path,
                                      "may include" if allowed else "may not include", include))
    print("1..%d" % len(CASES))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
