"""Strict JSON against Python's json: texts of the fuzz corpora and more are read by both."""
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

MORE = [b"", b" ", b"1", b"-0", b"01", b"1.", b".5", b"+1", b"-", b"1e5", b"1E+05", b"1e", b"1.5e-3", b"0x10", b"1_0",
        b"1e400", b"-1e400", b"1" * 30, b"9007199254740993", b"NaN", b"[Infinity]", b"[-Infinity]", b"nul", b"True",
        b"[1,]", b"[,1]", b"[1 2]", b"[1", b"]", b"{\"a\":1,}", b"{\"a\" 1}", b"{a:1}", b"{'a':1}", b"{\"a\":1,\"a\":1}",
        b"{\"a\":{\"b\":1},\"c\":{\"b\":1}}", b"{\"a\":1,\"\\u0061\":2}", b"\"\xff\"", b"\"\xc0\x80\"", b"\"\xed\xa0\x80\"",
        b"\"\xc3\xa9\"", b"\"\\u00e9\\n\\/\\\\\"", b"\"\\ud83d\\ude00\"", b"\"\\ufffd\"", b"\"\\ud83d\"", b"\"\\ud83dx\"", b"\"\\ude00\"", b"\"\\ud83d\\u0041\"", b"\"\\u0000\"", b"\"\\x\"", b"\"\\u12\"", b"\"a\nb\"", b"\"\t\"",
        b"\"open", b"\xef\xbb\xbf{}", b"{} x", b"[] []", b"/* c */ {}", b"\x0c[]", b"[1]\n\n\r\t ",
        b"[" * 32 + b"]" * 32, b"{\"b\":2,\"a\":[true,false,null,\"\",{}]}"]


def no_duplicates(pairs):
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("duplicate")
    return dict(pairs)


def refuse(word):
    raise ValueError(word)


def expected(text):
    """The value, or ValueError; what we refuse beyond Python's json is refused here too."""
    value = json.loads(text.decode(), object_pairs_hook=no_duplicates, parse_constant=refuse)
    shown = json.dumps(value)
    if re.search(r"\\u(0000|d[89a-f])", re.sub(r"\\ud[89ab]..\\ud[c-f]..", "", shown)) or "Infinity" in shown:
        raise ValueError("U+0000, half a character, or a number that is too large")
    depth = deepest = 0
    for c in re.sub(r'"(\\.|[^"\\])*"', "", shown):
        depth += (c in "[{") - (c in "]}")
        deepest = max(deepest, depth)
    if deepest > 32:
        raise ValueError("too deep")
    return value


def same(a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, (int, float)) and not isinstance(a, bool) and isinstance(b, (int, float)) and not isinstance(b, bool):
        return float(a) == float(b)
    return type(a) is type(b) and a == b


def main(program, corpora):
    texts = MORE + [path.read_bytes() for name in ("json", "tconfig", "cconfig", "results_file", "keeper", "cloud_answers")
                    for path in sorted(pathlib.Path(corpora, name).iterdir())]
    texts = [text for text in texts if not text.startswith(b"\x1f\x8b")]
    wrong, n_accepted = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for i, text in enumerate(texts):
            pathlib.Path(folder, "%06d" % i).write_bytes(text)
        files = sorted(map(str, pathlib.Path(folder).iterdir()))
        lines = subprocess.run([program, *files], stdout=subprocess.PIPE, check=True).stdout.split(b"\n")
    for text, line in zip(texts, lines):
        try:
            want = expected(text)
        except (ValueError, RecursionError, OverflowError):
            if not line.startswith(b"refused: "):
                wrong.append(("taken", text))
            continue
        n_accepted += 1
        if line.startswith(b"refused: ") or not same(want, json.loads(line)):
            wrong.append(("not the same", text, line))
    for item in wrong[:20]:
        print("#", *item)
    ok = not wrong and n_accepted > 20 and len(texts) - n_accepted > 20
    print("%sok 1 - %d texts: Python's json takes %d, and so do we, to the same values"
          % ("" if ok else "not ", len(texts), n_accepted))
    print("1..1")
    return not ok


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
