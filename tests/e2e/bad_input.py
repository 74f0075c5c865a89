"""bad_input.py - what is wrong is refused before the command starts, in one line, with status 2."""

from harness import *

COUNT = 0


def refused(words, text, names=(), command=True, files=None):
    """The job would make a file; nothing in the folder may change."""
    global COUNT
    COUNT += 1
    at = folder()
    for name, content in (files or {}).items():
        with open(f"{at}/{name}", "w") as f:
            f.write(content)
    before = listing(at)
    run = tracker(*words, *(["--", "touch", f"{at}/started"] if command else []), cwd=at)
    good = run.rc == 2 and run.out == "" and len(run.err.splitlines()) == 1
    ok(good, f"{text}: one line on standard error, status 2", run)
    for name in names:
        ok(name in run.err, f"{text}: the line names {name}", run)
    ok(listing(at) == before, f"{text}: the command did not start, nothing is left", listing(at))


for value in "0", "-1", "nan", "abc", "inf", "1e400", "", "0.0009", "1x", "1,5":
    refused([f"--st={value}"], f"--st={value}", ["--st"])
for value in "0", "-1", "abc", "", "1.5", "99999999999999999999", "nan":
    refused([f"--nec={value}"], f"--nec={value}", ["--nec"])
for option, values, valid in (
    ("--ru", ("parsecs", "", "Bytes", "Mb"), "megabytes"),
    ("--gru", ("parsecs", ""), "megabytes"),
    ("--tu", ("fortnights", "", "sec"), "minutes"),
    ("-f", ("xml", "", "JSON"), "json"),
    ("--gb", ("matrox",), "nvidia"),
):
    for value in values:
        refused([option, value], f"{option} {value}", [valid])
refused(["-f", "pickle"], "-f pickle", ["json"])
for value in "0", "-1", "nan", "abc":
    refused([f"--timeout={value}"], f"--timeout={value}", ["--timeout"])
for value in "0", "-1", "abc":
    refused([f"--pid={value}"], f"--pid={value}", ["--pid"], command=False)
refused(["--pid=1"], "--pid and a command")

refused(["--no-such-option"], "an unknown option", ["no-such-option"])
refused(["-Z"], "an unknown letter")
refused(["--st"], "an option without its value", command=False)
for option in "--report", "-o", "--st":
    refused([option], f"{option} -- command", [option])
for value, names in ("no/such/page.html", ["--report", "no/such/page.html"]), ("-", ["--report", "standard output"]), (".", ["--report"]):
    refused([f"--report={value}"], f"--report={value}", names)
refused(["-e", "true"], "two commands")
refused(["-e", "true", "-e", "false"], "-e twice", command=False)
refused([], "no command", command=False)
refused(["--"], "no command after --", command=False)
refused(["-e", ""], "an empty command", command=False)
refused(["-e", "echo 'open"], "a quote that is not closed", command=False)
refused(["--full=yes"], "a flag with a value")

refused(["--tconfig=none.json"], "a config that is missing", ["none.json"])
for content, text, names in (
    ('{"sleep_tim": 1}', "an unknown key", ["sleep_tim"]),
    ('{"sleep_time": 1, "a": 1, "b": 2}', "two unknown keys", ["a", "b"]),
    ('{"sleep_time": "1"}', "a number as text", ["sleep_time"]),
    ('{"sleep_time": -1}', "a negative time", ["sleep_time"]),
    ('{"sleep_time": true}', "a flag for a number", ["sleep_time"]),
    ('{"n_expected_cores": 1.5}', "a fraction of cores", ["n_expected_cores"]),
    ('{"n_expected_cores": 0}', "no cores", ["n_expected_cores"]),
    ('{"ram_unit": "parsecs"}', "an unknown unit", ["ram_unit", "megabytes"]),
    ('{"ram_unit": 7}', "a number for a unit", ["ram_unit"]),
    ('{"disable_logs": "yes"}', "text for a flag", ["disable_logs"]),
    ('{"gpu_uuids": 5}', "a number for a list", ["gpu_uuids"]),
    ('{"overwrite": 1}', "a number for a flag", ["overwrite"]),
    ("[1, 2]", "a list for a config", []),
    ("{", "a config that is cut", []),
    ("", "an empty config", []),
    ('{"sleep_time": 1} x', "rubbish after a config", []),
    ('{"sleep_time": 1, "sleep_time": 2}', "a key that is there twice", []),
):
    refused(["--tconfig=c.json"], f"config: {text}", names, files={"c.json": content})

refused(["-o", "no/folder/here.json"], "an output folder that does not exist")
refused(["-o", "."], "an output that is a folder")
refused(["-o", ""], "an output without a name")
refused(["--tf=no/folder/t.csv"], "a tracking folder that does not exist")
refused(["--tf=t.txt"], "a tracking file of a wrong kind", [".csv"])
refused(["--tf=t.csv"], "a tracking file that exists", ["t.csv"], files={"t.csv": "keep"})
refused(["--guuids="], "an empty list of GPUs")

# Two results in one file, by whatever names: one of them would be lost.
HERE = folder()
os.mkdir(f"{HERE}/real")
os.symlink("real", f"{HERE}/link")
os.symlink("real/z.csv", f"{HERE}/dangling.csv")
for output, option, file in (("z.csv", "--tf", "./z.csv"), ("z.csv", "--report", "z.csv"),
                             ("./z.csv", "--report", ".//z.csv"), ("z", "--report", "./z.partial"),
                             (f"{HERE}/real/../z.csv", "--tf", f"{HERE}/z.csv"),
                             (f"{HERE}/real/z.csv", "--tf", f"{HERE}/link/z.csv"),
                             (f"{HERE}/real/z.csv", "--tf", f"{HERE}/dangling.csv")):
    refused(["-o", output, option, file], f"-o {output} {option} {file}", ["-o", option, "the same file"])
refused(["--tf=z.csv", "--report=./z.csv"], "--tf and --report of one file", ["--tf", "--report", "the same file"])
refused(["-o", "keep.csv", "--tf=./keep.csv", "--overwrite"], "a file that is there, by two names",
        ["-o", "--tf"], files={"keep.csv": "keep"})

# What is refused for a reason that is found last must not have opened what comes first.
refused(["--tf=new.csv", "-o", "new.json", "--st=abc"], "files are not made before the checks")
refused(["--tf=new.csv", "-o", "no/such/folder"], "a wrong output leaves no tracking file")
note(f"{COUNT} kinds of bad input")
done()
