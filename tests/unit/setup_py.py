#!/usr/bin/env python3
"""What meson makes before it compiles, setup.py makes too: else `pip install .` does not link."""
import pathlib
import re
import sys

REPO = pathlib.Path(__file__).resolve().parents[2]
MADE = re.compile(r"custom_target\((.*?output: '(\w+\.c)'.*?)\n\)", re.DOTALL)


def main():
    text = (REPO / "setup.py").read_text()
    n = 0
    for file in "src/meson.build", "cli/meson.build":
        for block, output in MADE.findall((REPO / file).read_text()):
            tool = re.search(r"tools/[\w-]+", block)
            n += 1
            good = tool and '"%s"' % tool[0] in text
            print("%sok %d - %s of %s is made by setup.py too" % ("" if good else "not ", n, output, file))
    print("%sok %d - there are such files" % ("" if n >= 2 else "not ", n + 1))
    print("1..%d" % (n + 1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
