"""exposition.py - reads what Prometheus reads, strictly: for tests of exports."""

import math
import re
import shutil
import subprocess

LINE = re.compile(r'([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)(?: (\S+))?$')
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)')


def labels_of(text):
    found, at = {}, 0
    while at < len(text):
        match = LABEL.match(text, at)
        if not match or match[1] in found:
            raise ValueError(f"labels: {text}")
        found[match[1]] = match[2].replace("\\n", "\n").replace('\\"', '"').replace("\\\\", "\\")
        at = match.end()
    return found


def parse(text, openmetrics=False):
    """{(name, frozenset of labels): value}; ValueError: it is no exposition."""
    if not text.endswith("# EOF\n" if openmetrics else "\n"):
        raise ValueError("the end is missing")
    samples, types, seen, family = {}, {}, set(), None
    for line in text.splitlines():
        if line == "# EOF":
            break
        if line.startswith("#"):
            _, word, name, rest = line.split(" ", 3)
            if word == "HELP":
                if name in seen:
                    raise ValueError(f"{name} is there twice")
                seen.add(name)
                family = name
            if name != family or word not in ("HELP", "TYPE", "UNIT"):
                raise ValueError(line)
            if word == "TYPE":
                types[name] = rest
            if word == "UNIT" and not name.endswith("_" + rest):
                raise ValueError(line)
            continue
        match = LINE.match(line)
        if not match:
            raise ValueError(f"no sample: {line}")
        name, value = match[1], float(match[3])
        want = family
        if openmetrics:
            want += {"counter": "_total", "info": "_info"}.get(types[family], "")
        if name != want or (types[family] == "counter") != name.endswith("_total") or not name.startswith("gpu_tracker_"):
            raise ValueError(f"{name} in {family}")
        key = name, frozenset(labels_of(match[2] or "").items())
        if key in samples or not math.isfinite(value):
            raise ValueError(f"twice, or no number: {line}")
        samples[key] = value
    return samples


def one(samples, name, **labels):
    """The value of the only sample with that name and these labels, whatever others it has."""
    found = [value for (own, had), value in samples.items()
             if own == "gpu_tracker_" + name and set(labels.items()) <= had]
    return found[0] if len(found) == 1 else None


def promtool(text):
    """What `promtool check metrics` finds fault with; None: it is not installed."""
    if not shutil.which("promtool"):
        return None
    run = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True)
    return "" if run.returncode == 0 else f"{run.returncode} {run.stdout}{run.stderr}"


def truth(result):
    """name, labels, value of the run's own JSON in bytes and seconds."""
    for scope in "main", "descendants", "combined":
        for key, name in ("total_rss", "memory"), ("private_rss", "memory_private"), ("shared_rss", "memory_shared"):
            value = result["max_ram"][scope][key]
            yield f"{name}_peak_bytes", {"scope": scope}, value
        yield "cpu_mean_cores", {"scope": scope}, result["cpu_utilization"][scope]["mean_sum_percent"] / 100
        yield "threads_peak", {"scope": scope}, result["cpu_utilization"][f"{scope}_n_threads"]
    totals = result["totals"]
    yield "cpu_seconds_total", {"scope": "main"}, totals["main_cpu_seconds"]
    yield "cpu_seconds_total", {"scope": "descendants"}, totals["descendants_cpu_seconds"]
    yield "cpu_seconds_total", {"scope": "combined"}, totals["main_cpu_seconds"] + totals["descendants_cpu_seconds"]
    yield "cpu_user_seconds_total", {}, totals["cpu_user_seconds"]
    yield "run_duration_seconds", {}, result["compute_time"]["time"]
    yield "machine_memory_peak_bytes", {}, result["max_ram"]["system"]
    yield "memory_limit_bytes", {}, result["limits"]["memory_effective"]
    for gpu in result["gpu"]["gpus"]:
        label = {"gpu": str(gpu["index"])}
        yield "gpu_memory_peak_bytes", label, gpu["max_memory"]
        yield "gpu_utilization_mean_ratio", label, gpu["mean_utilization_percent"] / 100
    if result["gpu"]["gpus"]:
        yield "job_gpu_memory_peak_bytes", {"scope": "combined"}, result["max_gpu_ram"]["combined"]


def differences(samples, result):
    """What is not there as the run's own JSON has it."""
    for name, labels, value in truth(result):
        if value is None:
            continue
        got = one(samples, name, **labels)
        if got is None or abs(got - value) > 1e-9 * max(abs(value), 1):
            yield f"{name}{labels}: {got}, the result says {value}"
