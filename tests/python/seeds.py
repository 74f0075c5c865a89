"""seeds.py - the tutorials' own code, unchanged, and what it prints."""

import ast
import re

from example_module import BYTES, CPU_SECONDS
from pyharness import *

# As the newest tutorial prints it, a number being "#".
TEXT = """\
Max RAM:
   Unit: {ram}
   System capacity: #
   System: #
   Main:
      Total RSS: #
      Private RSS: #
      Shared RSS: #
   Descendants:
      Total RSS: #
      Private RSS: #
      Shared RSS: #
   Combined:
      Total RSS: #
      Private RSS: #
      Shared RSS: #
Max GPU RAM:
   Unit: {gpu_ram}
   System capacity: #
   System: #
   Main: #
   Descendants: #
   Combined: #
CPU utilization:
   System core count: #
   Number of expected cores: #
   System:
      Max sum percent: #
      Max hardware percent: #
      Mean sum percent: #
      Mean hardware percent: #
   Main:
      Max sum percent: #
      Max hardware percent: #
      Mean sum percent: #
      Mean hardware percent: #
   Descendants:
      Max sum percent: #
      Max hardware percent: #
      Mean sum percent: #
      Mean hardware percent: #
   Combined:
      Max sum percent: #
      Max hardware percent: #
      Mean sum percent: #
      Mean hardware percent: #
   Main number of threads: #
   Descendants number of threads: #
   Combined number of threads: #
GPU utilization:
   System GPU count: #
   Number of expected GPUs: #
   GPU percentages:
      Max sum percent: #
      Max hardware percent: #
      Mean sum percent: #
      Mean hardware percent: #
Compute time:
   Unit: {time}
   Time: #
"""

RSS = '{\n   "total_rss": #,\n   "private_rss": #,\n   "shared_rss": #\n  }'
PERCENT = ('{\n   "max_sum_percent": #,\n   "max_hardware_percent": #,\n'
           '   "mean_sum_percent": #,\n   "mean_hardware_percent": #\n  }')
JSON = f"""\
{{
 "max_ram": {{
  "unit": "megabytes",
  "system_capacity": #,
  "system": #,
  "main": {RSS},
  "descendants": {RSS},
  "combined": {RSS}
 }},
 "max_gpu_ram": {{
  "unit": "GPU_UNIT",
  "system_capacity": #,
  "system": #,
  "main": #,
  "descendants": #,
  "combined": #
 }},
 "cpu_utilization": {{
  "system_core_count": #,
  "n_expected_cores": #,
  "system": {PERCENT},
  "main": {PERCENT},
  "descendants": {PERCENT},
  "combined": {PERCENT},
  "main_n_threads": #,
  "descendants_n_threads": #,
  "combined_n_threads": #
 }},
 "gpu_utilization": {{
  "system_gpu_count": #,
  "n_expected_gpus": #,
  "gpu_percentages": {PERCENT}
 }},
 "compute_time": {{
  "unit": "seconds",
  "time": #
 }}
}}
"""

RSS_REPR = "RSSValues(total_rss=#, private_rss=#, shared_rss=#)"
MAX_RAM_REPR = (f"MaxRAM(unit='megabytes', system_capacity=#, system=#, main={RSS_REPR}, "
                f"descendants={RSS_REPR}, combined={RSS_REPR})\n")
MAX_GPU_RAM_REPR = ("MaxGPURAM(unit='GPU_UNIT', system_capacity=#, system=#, main=#, "
                    "descendants=#, combined=#)\n")
TIME_REPR = "ComputeTime(unit='seconds', time=#)\n"

DEFAULTS = dict(ram="gigabytes", gpu_ram="gigabytes", time="hours")

# Not the tutorials': the figures of the sample before, for a closer look.
FIGURES = ("json.dumps(tracker.to_json())", None)

# Each piece of code with what it prints.
NEWEST = [
    ("""\
import gpu_tracker as gput
from example_module import example_function
""", ""),
    ("""\
tracker = gput.Tracker(n_expected_cores=1, sleep_time=0.1)
tracker.start()
example_function()
tracker.stop()
""", ""),
    ("print(tracker)", TEXT.format(**DEFAULTS)),
    ("""\
with gput.Tracker() as tracker:
    example_function()
""", ""),
    ("""\
with gput.Tracker(ram_unit='megabytes', gpu_ram_unit='megabytes', time_unit='seconds', sleep_time=0.1) as tracker:
    example_function()
print(tracker)
""", TEXT.format(ram="megabytes", gpu_ram="megabytes", time="seconds")),
    ("""\
import json
print(json.dumps(tracker.to_json(), indent=1))
""", JSON.replace("GPU_UNIT", "megabytes")),
    FIGURES,
    ("tracker.resource_usage.max_ram", MAX_RAM_REPR),
    ("tracker.resource_usage.max_ram.unit", "'megabytes'\n"),
    ("tracker.resource_usage.max_ram.main", RSS_REPR + "\n"),
    ("tracker.resource_usage.max_ram.main.total_rss", "#\n"),
    ("tracker.resource_usage.max_gpu_ram", MAX_GPU_RAM_REPR.replace("GPU_UNIT", "megabytes")),
    ("tracker.resource_usage.compute_time", TIME_REPR),
    ("""\
try:
    with gput.Tracker() as tracker:
        example_function()
        raise RuntimeError('AN ERROR')
except Exception as error:
    print(f'The following error occured while tracking: {error}')
finally:
    print(tracker.resource_usage.max_gpu_ram.main)
""", "The following error occured while tracking: AN ERROR\n#\n"),
    ("""\
import multiprocessing as mp
ctx = mp.get_context(method='spawn')
child_process = ctx.Process(target=example_function)
with gput.Tracker(n_expected_cores=2, sleep_time=0.2) as tracker:
    child_process.start()
    example_function()
    child_process.join()
child_process.close()
print(tracker)
""", TEXT.format(**DEFAULTS)),
    FIGURES,
]

OLDER = [
    ("import gpu_tracker as gput", ""),
    ("""\
tracker = gput.Tracker()
tracker.start()
# Perform expensive operations
tracker.stop()
""", ""),
    ("print(tracker)", TEXT.format(**DEFAULTS)),
    ("""\
with gput.Tracker() as tracker:
    # Perform expensive operations
    pass
print(tracker)
""", TEXT.format(**DEFAULTS)),
    ("""\
with gput.Tracker(ram_unit='megabytes', gpu_ram_unit='kilobytes', time_unit='seconds') as tracker:
    # Perform expensive operations
    pass
print(tracker)
""", TEXT.format(ram="megabytes", gpu_ram="kilobytes", time="seconds")),
    ("""\
import json
print(json.dumps(tracker.to_json(), indent=1))
""", JSON.replace("GPU_UNIT", "kilobytes")),
    ("tracker.max_ram", MAX_RAM_REPR),
    ("tracker.max_gpu_ram", MAX_GPU_RAM_REPR.replace("GPU_UNIT", "kilobytes")),
    ("tracker.compute_time", TIME_REPR),
]

def without_numbers(text):
    return re.sub(r"(?m)(?<=[=: ])[0-9][0-9.e+-]*(?=[,)]|$)|^[0-9][0-9.e+-]*$", "#", text)


def figures(printed):
    run = Run(0, "", "", 0)
    run.result = parse(ast.literal_eval(printed))
    return run


def play(name, samples):
    """Runs the samples: each prints what it should.  Returns the figures in between."""
    run = plain([sys.executable, f"{HERE}/notebook.py"],
                stdin=json.dumps([code for code, _ in samples]))
    printed = parse(run.out)
    if not ok(run.rc == 0 and printed, f"{name}: the samples run", run):
        return []
    for (code, expected), text in zip(samples, printed):
        if expected is not None:
            head = code.splitlines()[0].rstrip(":")
            ok(without_numbers(text) == expected,
               f"{name}: {head} ...: prints what the tutorial shows", text)
    return [figures(text) for (_, expected), text in zip(samples, printed) if expected is None]


def has_the_function(run, group, bytes_of_unit, seconds_of_unit, text):
    ok(run(f"max_ram.{group}.total_rss") >= BYTES / bytes_of_unit,
       f"{text}: the function's memory is in {group}", run)
    seconds = run("compute_time.time") * seconds_of_unit
    within(run(f"cpu_utilization.{group}.mean_sum_percent") * seconds / 100, CPU_SECONDS - 0.03,
           CPU_SECONDS + 2, f"{text}: the function's CPU seconds are in {group}", run)


def newest():
    alone, with_child = play("newest", NEWEST)
    has_the_function(alone, "main", 1e6, 1, "alone")
    ok(alone("max_ram.descendants.total_rss") == 0 and
       alone("cpu_utilization.descendants_n_threads") == 0, "alone: no descendants", alone)
    has_the_function(with_child, "main", 1e9, 3600, "with a child")
    has_the_function(with_child, "descendants", 1e9, 3600, "with a child")
    ok(with_child("cpu_utilization.descendants_n_threads") >= 1, "with a child: it has threads",
       with_child)


at_once(1, [newest, lambda: play("older", OLDER)])
done()
