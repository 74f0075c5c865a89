#!/usr/bin/env python3
"""Writes the machines of the golden tests (cases/) as stories.py tells them, and checks what is
expected of them against the figures that were worked out by hand there.

    make_cases.py            writes cases/*/case and cases/*/N; the expected files are for
                             `golden --update` to write, and for --check to judge
    make_cases.py --check    TAP: the files are as told; the expected files hold the figures by
                             hand, in the format of a run's text and JSON
"""
import datetime
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile

from stories import CASES

HERE = pathlib.Path(__file__).resolve().parent

RAM_UNITS = {"bytes": 1e-6, "kilobytes": 1e-3, "megabytes": 1.0, "gigabytes": 1e3, "terabytes": 1e6}
TIME_UNITS = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86400}


MACHINE = ("max_n_processes", "max_cached", "disk_read_bytes", "disk_write_bytes", "net_received_bytes",
           "net_sent_bytes", "disk_space_total", "disk_space_used", "disk_space_free", "stolen_cpu_seconds", "max_core_percent",
           "max_busy_cores", "swapped_in_bytes", "swapped_out_bytes")


CGROUP = ("cpu_seconds", "cpu_user_seconds", "cpu_system_seconds", "max_memory", "max_anon", "max_shmem", "max_mapped_file",
          "memory_peak", "max_processes", "max_tasks", "disk_read_bytes", "disk_write_bytes", "oom_kills")


ENERGY = ("cpu_joules", "job_cpu_joules", "gpu_joules", "grams_per_kwh", "grams_co2")


WAITING = ("cpu_some_seconds", "cpu_full_seconds", "memory_some_seconds", "memory_full_seconds", "io_some_seconds",
           "io_full_seconds", "throttled_seconds", "throttled_periods", "quota_periods", "run_queue_seconds", "io_wait_seconds",
           "blocked_seconds")


# --- what is expected, from the figures by hand -------------------------------------------------

def percentages(figures, cores):
    if figures is None:
        return dict.fromkeys(("max_sum_percent", "max_hardware_percent", "mean_sum_percent",
                              "mean_hardware_percent"))
    most, mean = figures
    return {"max_sum_percent": most, "max_hardware_percent": most / cores,
            "mean_sum_percent": mean, "mean_hardware_percent": mean / cores}


def expected(case):
    """The whole result in its order; None is unavailable."""
    hand, cores = case.by_hand, case.machine["cores"]
    expected_cores = case.n_expected_cores or cores
    ram_unit, time_unit = case.ram_unit or "gigabytes", case.time_unit or "hours"
    capacity = hand.get("capacity", case.machine["capacity"])

    def ram(mb):
        return None if mb is None else mb / RAM_UNITS[ram_unit]

    def total_bytes(figures):
        return None if figures[0] is None else round(figures[0] * 10**6)

    def rss(figures):
        return dict(zip(("total_rss", "private_rss", "shared_rss"), map(ram, figures)))

    limits = {"memory_host": capacity, "memory_cgroup": None, "memory_effective": capacity,
              "cores_host": cores, "cores_cgroup": None, "cores_affinity": cores,
              "cores_effective": cores, "near_memory_seconds": 0, **hand.get("limits", {})}
    for key in ("memory_host", "memory_cgroup", "memory_effective"):
        limits[key] = ram(limits[key])
    machine = {**dict.fromkeys(MACHINE), **hand.get("machine", {})}  # only where it was asked for
    for key in ("max_cached", "disk_space_total", "disk_space_used", "disk_space_free"):
        machine[key] = ram(machine[key])
    return {
        "max_ram": {"unit": ram_unit, "system_capacity": ram(capacity),
                    "system": ram(hand["system"]), "main": rss(hand["main"]),
                    "descendants": rss(hand["descendants"]), "combined": rss(hand["combined"])},
        "max_gpu_ram": {"unit": ram_unit, **dict.fromkeys(
            ("system_capacity", "system", "main", "descendants", "combined"))},
        "cpu_utilization": {
            "system_core_count": cores, "n_expected_cores": expected_cores,
            "system": percentages(hand["cpu_system"], cores),
            "main": percentages(hand["cpu_main"], expected_cores),
            "descendants": percentages(hand["cpu_descendants"], expected_cores),
            "combined": percentages(hand["cpu_combined"], expected_cores),
            **dict(zip(("main_n_threads", "descendants_n_threads", "combined_n_threads"),
                       hand["threads"]))},
        "gpu_utilization": {"system_gpu_count": 0, "n_expected_gpus": 0,
                            "gpu_percentages": percentages(None, 1)},
        "compute_time": {"unit": time_unit, "time": hand["time"] / TIME_UNITS[time_unit]},
        "job": {"command": "./job", "pid": 100, "ending": "exited", "exit_code": 0,
                "signal": None, "timed_out": False, "killed_for_memory": "no", "n_left": 0,
                **hand.get("job", {})},
        "totals": {"cpu_user_seconds": 0, "cpu_system_seconds": 0, "main_cpu_seconds": 0,
                   "descendants_cpu_seconds": 0, "max_n_processes": 0, "minor_faults": 0,
                   "major_faults": 0, "voluntary_switches": 12, "involuntary_switches": 5,
                   "disk_read_bytes": 0, "disk_write_bytes": 0, "max_open_files": None,
                   "max_swap": 0 if case.want_all else None, **hand["totals"]},
        "limits": {"unit": ram_unit, **limits},
        "waiting": {"pressure_of": None, **dict.fromkeys(WAITING), **hand.get("waiting", {})},
        "energy": {**dict.fromkeys(ENERGY), **hand.get("energy", {})},
        "machine": {"unit": ram_unit, **machine},
        "tracker": {"cpu_seconds": 0.0125, "max_rss": 2500 * 1024, "n_records": 0, "n_polls": 0,
                    "n_memory_scans": 0, "process_events": False, **hand["tracker"]},
        "cgroup": {"path": None, "version": None, "made": False, **dict.fromkeys(CGROUP), **hand.get("cgroup", {})},
        "ram_bounds": {**{f"{group}_at_{bound}": total_bytes(hand[group]) for group in ("descendants", "combined")
                          for bound in ("least", "most")}, **hand.get("ram_bounds", {})},
    }


NO_GPUS = {"attribution": None, "note": None, "gpus": [], "processes": []}
DEFAULT_SECTIONS = ("max_ram", "max_gpu_ram", "cpu_utilization", "gpu_utilization", "compute_time")
COUNTS = {"system_core_count", "n_expected_cores", "main_n_threads", "descendants_n_threads",
          "combined_n_threads", "system_gpu_count", "n_expected_gpus"}


def leaves(tree, path=""):
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{path}{key}.")
        else:
            yield path + key, value


def is_same(got, want):
    """Floats to the last digits: the hand works in another order."""
    if isinstance(want, bool) or isinstance(want, str) or want is None:
        return got == want and type(got) is type(want)
    return isinstance(got, (int, float)) and abs(got - want) <= 1e-12 * max(abs(want), 1e-3)


def differences(got, want):
    got, want = dict(leaves(got)), dict(leaves(want))
    if list(got) != list(want):
        odd = set(got) ^ set(want)
        yield f"other keys, or another order: {sorted(odd) or list(got)}"
    for path, value in want.items():
        if path in got and not is_same(got[path], value):
            yield f"{path}: {got[path]!r}, by hand {value!r}"


def with_zeros(result):
    """The default output: its sections, and a number where nothing is known."""
    def fill(section):
        return {key: fill(value) if isinstance(value, dict)
                else (0 if key in COUNTS else 0.0) if value is None else value
                for key, value in section.items()}

    return {key: fill(result[key]) for key in DEFAULT_SECTIONS}


def text_values(text):
    """What stands behind the colons, from the first line to the list of sources."""
    text = re.sub(r"^Run:\n(   .*\n)+", "", text, flags=re.M)  # check_identity() has it
    for line in text.split("\nWhat limited it:")[0].splitlines():
        value = line.partition(":")[2]
        if value:
            yield value[1:]


def as_text(value):
    if value is None:
        return None
    if isinstance(value, bool):
        return "yes" if value else "no"
    return repr(round(value, 3)) if isinstance(value, float) else str(value)


# --- writing and checking ------------------------------------------------------------------------

def write(folder, case):
    for path, text in case.files().items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(text, tuple):
            target.symlink_to(text[1])
        else:
            target.write_text(text)


def write_all():
    for name, make in CASES.items():
        folder = HERE / "cases" / name
        for old in folder.glob("[0-9]*"):
            shutil.rmtree(old)
        (folder / "case").unlink(missing_ok=True)
        write(folder, make())


def walk(folder):
    """Path -> contents of everything but what is expected."""
    found = {}
    for root, folders, files in os.walk(folder):
        for entry in files + [f for f in folders if os.path.islink(os.path.join(root, f))]:
            path = pathlib.Path(root, entry)
            if not entry.startswith("expected"):
                found[str(path.relative_to(folder))] = (
                    os.readlink(path) if path.is_symlink() else path.read_text())
    return found


class Tap:
    run = failed = 0

    def ok(self, good, what, *notes):
        self.run += 1
        self.failed += not good
        print(f"{'' if good else 'not '}ok {self.run} - {what}")
        for note in [] if good else notes:
            print(f"# {note}")


def check_files(tap, name, case):
    with tempfile.TemporaryDirectory() as scratch:
        write(pathlib.Path(scratch), case)
        want, got = walk(scratch), walk(HERE / "cases" / name)
    odd = sorted(path for path in set(want) | set(got) if want.get(path) != got.get(path))
    tap.ok(not odd, f"{name}: the machine is as make_cases.py describes it", *odd[:8])


def check_use(tap, name, got, want, wanted, what, levels):
    """The levels hold the time that was looked at, and its CPU time within the width of a level."""
    mean = got["cpu_utilization"]["combined"]["mean_sum_percent"] or 0
    seconds = want["compute_time"]["time"] * TIME_UNITS[want["compute_time"]["unit"]]
    known = sum(one["seconds"] for one in levels)
    cpu = sum(one["seconds"] * one["cores"] for one in levels)
    tap.ok(known <= seconds + 1e-9 and abs(cpu - mean / 100 * seconds) <= 0.07 * max(known, 0.5),
           f"{name}: CPU time by levels", f"{levels}, by hand {mean} % of {seconds} s")
    tap.ok(what == wanted, f"{name}: what limited it", what)


def check_identity(tap, name, raw, schema, run, command):
    """What golden.c gives it, and when the clock of the made-up machine says that it began."""
    clock = (HERE / "cases" / name / "0" / "clock").read_text()
    began = int(re.search(r"real_ns (\d+)", clock)[1]) / 1e9
    start = datetime.datetime.fromisoformat(run.pop("start_time"))
    tap.ok(abs(start.timestamp() - began) < 2e-6 and start.tzinfo and schema == 1,
           f"{name}: when it began, with its zone")
    tap.ok(run == {"id": "0" * 31 + "1", "host": None, "version": "0.0.0", "command": command,
                   "folder": "/golden", "job_name": None, "tags": {}, "metadata": {}},
           f"{name}: which run it is", run)


def check_json(tap, name, file, want, limited=None):
    raw = (HERE / "cases" / name / file).read_text()
    got = json.loads(raw)
    tap.ok(json.dumps(got, indent=1, ensure_ascii=False) + "\n" == raw,
           f"{name}/{file}: laid out as json.dumps(indent=1) does, floats as repr")
    got.pop("sources", None)
    if "cpu_levels" in got:
        check_use(tap, name, got, want, limited, [one["what"] for one in got.pop("bottlenecks")], got.pop("cpu_levels"))
    if "run" in got:
        check_identity(tap, name, raw, got.pop("schema"), got.pop("run"), want["job"]["command"])
    groups = got.pop("processes", None)
    gpu = got.pop("gpu", NO_GPUS)
    odd = list(differences(got, want)) + ([] if gpu == NO_GPUS else [f"GPUs: {gpu}"])
    tap.ok(not odd, f"{name}/{file}: as worked out by hand", *odd)
    if groups:
        totals = got["totals"]
        used = totals["main_cpu_seconds"] + totals["descendants_cpu_seconds"]
        tap.ok(abs(sum(g["cpu_seconds"] for g in groups) - used) < 1e-6 and
               groups[-1]["name"] == "others" and groups[0]["max_rss"] > 0 and
               sum(g["count"] for g in groups) >= totals["max_n_processes"],
               f"{name}/{file}: who used it adds up to the job", groups)
    return got


def says_nothing_is_known(text):
    return text.startswith("unavailable (") or text in ("none", "unknown")


def check_text(tap, name, file, result):
    """Text shows the same values in the same order, floats rounded to 3 decimals."""
    raw = (HERE / "cases" / name / file).read_text()
    shown = list(text_values(raw))
    values = [as_text(value) for _, value in leaves(result)]
    odd = [f"{a!r} for {b!r}" for a, b in zip(shown, values)
           if a != b and not (b is None and says_nothing_is_known(a))]
    tap.ok(len(shown) == len(values) and not odd, f"{name}/{file}: the values of the JSON", *odd)
    steps = {len(line) - len(line.lstrip(" ")) for line in raw.splitlines()}
    tap.ok(all(step % 3 == 0 for step in steps), f"{name}/{file}: indented by 3 blanks a level")


def check_sources(tap, name, case, full):
    sources = json.loads((HERE / "cases" / name / "expected-full.json").read_text())["sources"]
    want = {path: "unavailable" for path, value in leaves(full)
            if value is None and not path.startswith("job.") and path not in ("cgroup.path", "cgroup.version", "waiting.pressure_of")}
    want.update(case.by_hand["sources"])
    odd = [f"{path}: {sources.get(path)}, by hand {source}" for path, source in want.items()
           if sources.get(path, {}).get("source") != source]
    mute = [path for path, s in sources.items() if s["source"] != "exact" and not s.get("why")]
    tap.ok(not odd and not mute, f"{name}: sources as by hand, and what is not exact says why",
           *odd, *mute)


def check_all():
    tap = Tap()
    for name, make in CASES.items():
        case = make()
        want = expected(case)
        check_files(tap, name, case)
        check_text(tap, name, "expected.txt",
                   check_json(tap, name, "expected.json", with_zeros(want)))
        full = check_json(tap, name, "expected-full.json", want, case.by_hand.get("bottlenecks", []))
        check_text(tap, name, "expected-full.txt", full)
        check_sources(tap, name, case, full)
    print(f"1..{tap.run}")
    return tap.failed > 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(check_all())
    if len(sys.argv) > 1:
        sys.exit(__doc__)
    write_all()
