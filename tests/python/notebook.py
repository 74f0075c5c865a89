"""notebook.py - runs pieces of code one after the other, as a notebook would: standard input is a
JSON list of them, standard output a JSON list of what each one printed.  The value of a piece that
ends in an expression is printed too."""

import ast
import contextlib
import io
import json
import sys
import traceback


def run_cell(code, names):
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    if last:
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
        if value is not None:
            print(repr(value))


def main():
    names, printed = {"__name__": "__main__"}, []
    for code in json.load(sys.stdin):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            try:
                run_cell(code, names)
            except Exception:
                traceback.print_exc(file=out)
        printed.append(out.getvalue())
    json.dump(printed, sys.stdout)


if __name__ == "__main__":
    main()
