"""Checks how programs and libraries were compiled and linked, by what readelf says of them: what an attacker who
has found a fault could make of it.

usage: hardening.py [--fortified] FILE...     TAP
"""
import re
import subprocess
import sys


def readelf(path, *options):
    return subprocess.run(["readelf", "-W", *options, path], capture_output=True, text=True, check=True,
                          env={"LC_ALL": "C", "PATH": "/usr/bin:/bin:/usr/local/bin"}).stdout


class Elf:
    def __init__(self, path):
        self.is_program = "INTERP" in readelf(path, "-l")
        self.type = re.search(r"Type:\s+(\w+)", readelf(path, "-h")).group(1)
        self.segments = readelf(path, "-l")
        self.dynamic = readelf(path, "-d")
        self.imports = set(re.findall(r" UND ([\w]+)", readelf(path, "--dyn-syms")))
        self.machine = re.search(r"Machine:\s+(.*)", readelf(path, "-h")).group(1)
        self.path = path

    def segment(self, name):
        """The flags of a segment, None: there is none."""
        found = re.search(rf"^\s+{name}\s+(?:0x\w+\s+){{5}}([RWE ]{{3}})", self.segments, re.MULTILINE)
        return found and found.group(1).strip()


def has_stack_probes(elf):
    """A function with a large frame touches each page of it in turn."""
    if "X86-64" not in elf.machine:
        return None
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", elf.path], capture_output=True, text=True).stdout
    if not re.search(r"sub\s+\$0x[0-9a-f]{4,},%rsp", text):
        return None
    return bool(re.search(r"(or|mov)[ql]?\s+\$0x0,(0x\w+)?\(%rsp\)\n.*\n?.*\$0x1000,%rsp|"
                          r"\$0x1000,%rsp\n.*(or|mov)[ql]?\s+\$0x0,\(%rsp\)", text))


def facts(elf, is_fortified):
    yield elf.type == "DYN", "loaded at any address"
    if elf.is_program:
        yield re.search(r"FLAGS_1\b.*\bPIE\b", elf.dynamic), "a position-independent program"
    yield elf.segment("GNU_RELRO") is not None, "relocated data is made read-only"
    yield re.search(r"\(FLAGS\).*BIND_NOW|\(BIND_NOW\)", elf.dynamic), "all of it: every symbol is bound at the start"
    yield elf.segment("GNU_STACK") == "RW", "the stack is not executable"
    yield not re.search(r"LOAD.*\bRWE\b", elf.segments), "no memory is both writable and executable"
    yield not re.search(r"\((RPATH|RUNPATH)\)", elf.dynamic), "no folder of its own is searched for libraries"
    yield "TEXTREL" not in elf.dynamic, "code is never written to"
    yield not re.search(r"NEEDED.*\[.*/", elf.dynamic), "libraries are needed by name, not from a folder"
    yield "__stack_chk_fail" in elf.imports, "stack protector"
    if is_fortified:
        yield len([name for name in elf.imports if name.endswith("_chk")]) >= 3, "fortified calls"
    probes = has_stack_probes(elf)
    if probes is not None:
        yield probes, "large frames are touched page by page"


def main(words):
    is_fortified = "--fortified" in words
    n = failed = 0
    for path in [w for w in words if not w.startswith("--")]:
        for holds, text in facts(Elf(path), is_fortified):
            n += 1
            failed += not holds
            print(f"{'ok' if holds else 'not ok'} {n} - {path.rpartition('/')[2]}: {text}")
    print(f"1..{n}")
    return 1 if failed or not n else 0


sys.exit(main(sys.argv[1:]))
