"""clock_steps.py - the wall clock is set an hour forth and back while the tracker runs.

Records carry the wall clock's time, as marks of code blocks do, so that both step together; all else
goes by a clock that nobody sets."""

from scenes import *

STEP_CLOCK = os.path.abspath(os.environ.get("STEP_CLOCK",
                                            f"{REPO}/build/tests/faults/step_clock.so"))
SECONDS_OF_JOB = 6 if ALL else 1.2
PERIOD = 0.05


def steps_of(name):
    third = SECONDS_OF_JOB / 3
    return {"forth": f"{third}:3600", "back": f"{third}:-3600",
            "forth and back": f"{third}:3600 {2 * third}:-3600",
            "back and forth": f"{third}:-3600 {2 * third}:3600"}[name]


def stepped(name):
    return {"LD_PRELOAD": STEP_CLOCK, "STEP_CLOCK": steps_of(name)}


def run_with(name, ending):
    file = scratch(f"track.{ending}")
    truth = scratch("truth")
    before = time.time()
    run = tracked(workload("steady", bytes="20M", share=0.4, seconds=SECONDS_OF_JOB, truth=truth),
                  f"--st={PERIOD}", f"--tf={file}", env=stepped(name))
    run.truth = parse(read(truth))
    run.span = before, time.time()
    return run, file


def stamps_of(file):
    if file.endswith(".csv"):
        with open(file, newline="") as f:
            rows = list(csv.reader(f))
        return [float(row[rows[2].index("timestamp")]) for row in rows[3:]]
    with sqlite3.connect(file) as db:
        return [row[0] for row in db.execute("select timestamp from data order by rowid")]


def without_steps(stamps):
    """Times as a clock that was never set would have shown them."""
    return [s - 3600 * round((s - stamps[0]) / 3600) for s in stamps]


def command(name, ending):
    run, file = run_with(name, ending)
    text = f"{name}, {ending}"
    if not ok(run.rc == 0 and run.result and run.truth, f"{text}: it works", run):
        return
    within(run("compute_time.time"), run.truth["wall"], run.wall, f"{text}: the time is that of no wall clock", run)
    cpu = run.truth["user"] + run.truth["sys"]
    near(run("totals.main_cpu_seconds"), cpu, 0.02, f"{text}: CPU seconds", run, slack=0.02)
    # It wants 40 %; on a busy machine it gets less.
    within(run("cpu_utilization.main.max_sum_percent"), min(20, 90 * cpu / run.truth["wall"]), 101, f"{text}: no rate is made of the "
           "step", run)
    n = run("tracker.n_records")
    due = run("compute_time.time") / PERIOD
    within(n, due / 2, due + 1, f"{text}: records come at their pace", run)
    stamps = without_steps(stamps_of(file))
    within(len(stamps), n, n + 1, f"{text}: each record is in the file", stamps)
    gaps = [b - a for a, b in zip(stamps, stamps[1:])]
    ok(all(gap > 0 for gap in gaps), f"{text}: records are in order", gaps)
    begin, end = run.span
    within(max(stamps) - min(stamps), 0, end - begin, f"{text}: their times are no further apart "
           "than the run was long")
    shown = tracker("report", "--text", file)
    ok(shown.rc == 0, f"{text}: the report reads it", shown)


def stream(name):
    n = int(SECONDS_OF_JOB / 0.1)
    run = tracker("system", "-i", "0.1", "-n", str(n), "-f", "jsonl", env=stepped(name))
    rows = [parse(line) for line in run.out.splitlines()]
    ok(run.rc == 0 and len(rows) == n and None not in rows, f"{name}: {n} rows", run)
    within(run.wall, n * 0.1 * 0.5, n * 0.1 + 5, f"{name}: rows come at their pace")
    ok(all(0 <= row["cpu_usage"] <= os.cpu_count() + 0.5 for row in rows), f"{name}: rates of rows",
       rows)
    stamps = without_steps([row["timestamp"] for row in rows])
    ok(stamps == sorted(stamps), f"{name}: rows are in order", stamps)


def timeout(name):
    started = time.monotonic()
    run = tracker("--timeout=0.8", "-o", scratch(), "--", "sleep", "20", env=stepped(name))
    within(time.monotonic() - started, 0.7, 10, f"{name}: a time limit is not moved", run)
    ok(run.rc == 124, f"{name}: and it ends the job", run)


names = ["forth", "back", "forth and back", "back and forth"] if ALL else ["forth and back"]
jobs = [lambda n=n, e=e: command(n, e) for n in names for e in ("csv", "sqlite")]
jobs += [lambda n=n: stream(n) for n in names] + [lambda n=n: timeout(n) for n in names]
at_once(4, jobs)
done()
