"""gpu.py - GPU figures end to end, on the stand-in for NVIDIA's library."""

import json
import os
import time

from gpu_play import *


def three_gpus():
    play = Play(*gpu("GPU-a", "util 30", "ring 200"), *gpu("GPU-b", "util 60", "ring 200"), *gpu("GPU-c", "util 0"))
    run = play.run("sleep 0.3")
    ok(run("gpu_utilization.system_gpu_count") == 3, "three GPUs are counted", run)
    ok(memory(run)[0] == 3 * (12198 << 20) / 1e6, "12,198 MiB each are 38371.6 MB together", run)
    for uuids, n, busy in ("GPU-a", 1, 30), ("GPU-a,GPU-b", 2, 90), ("GPU-a,GPU-b,GPU-c", 3, 90):
        run = play.run("sleep 0.3", "--guuids", uuids)
        percent = "gpu_utilization.gpu_percentages."
        ok(run("gpu_utilization.n_expected_gpus") == n, f"--guuids {uuids}: {n} expected", run)
        ok(run(percent + "mean_sum_percent") == busy, f"--guuids {uuids}: the sum", run)
        ok(run(percent + "max_hardware_percent") == busy / n, f"--guuids {uuids}: the hardware percent", run)
    marker = f"{play.at}/ran"
    run = play.run(f"touch {marker}", "--guuids", "GPU-a,GPU-x")
    ok(run.rc == 2 and not os.path.exists(marker), "an unknown UUID is refused before the start", run)
    ok(run.err.count("\n") == 1 and "GPU-x" in run.err and "GPU-a, GPU-b, GPU-c" in run.err, "and all there are are named", run)


def whose_memory():
    play = Play(
        *gpu("GPU-a"), "used 3000000000 0.6s", "process compute @main 1000000000 0.6s", "process graphics @main 1000000000 0.6s",
        "process compute @child 2000000000 0.6s", *gpu("GPU-b"), "used 700000000", "process compute 1 700000000")
    run = play.run("sh -c 'echo $$ > CHILD; sleep 1.6'; :")
    ok(memory(run)[1:] == [3700, 1000, 2000, 3000], "main, descendants, combined and system", run)
    ok(run("gpu.attribution") == "by process id", "attributed by pid", run)
    ok(run("gpu.note") is not None, "somebody else's use is noted", run)
    ok(len(run("gpu.processes")) == 2, "each process of the job is listed", run)


def a_short_peak():
    for phase in 0.6, 0.75, 0.9, 1.05:
        play = Play(
            *gpu("GPU-a", total=80 << 30), "used 500000000 0.2s", "process compute @main 500000000 0.2s %.2fs" % phase,
            "used 20500000000 %.2fs" % phase, "process compute @main 20500000000 %.2fs %.2fs" % (phase, phase + 0.1),
            "used 500000000 %.2fs" % (phase + 0.1), "process compute @main 500000000 %.2fs" % (phase + 0.1))
        for _ in range(3):  # a machine that holds up the tracker for 60 ms just then hides it
            run = play.run("sleep 1.5")
            if memory(run)[2] == 20500:
                break
        ok(memory(run)[2] == 20500, f"a peak of 100 ms at {phase} s is seen at the default interval", run)


def the_history():
    play = Play(*gpu("GPU-a"), "ring 200", "util 0", "util 100 0.5s", "util 0 1.5s")
    run = play.run("sleep 2")
    mean = run("gpu_utilization.gpu_percentages.mean_sum_percent")
    ok(38 <= mean <= 62, f"half of two seconds at 100 %: mean {mean}", run)
    ok(run("gpu_utilization.gpu_percentages.max_sum_percent") == 100, "and the maximum is the history's", run)
    ok(play.calls("nvmlDeviceGetSamples") <= 2, "the history is read seldom", run)


def a_table_of_each():
    play = Play(*gpu("GPU-a"), "util 50", "power 300000", "energy 1000", "temp 71", "clock 1980", "memclock 3201", "throttle 4")
    run = play.run("sleep 1", "--full")
    one = run("gpu.gpus")[0]
    ok(one["max_power_watts"] == 300 and abs(one["mean_power_watts"] - 300) < 0.001, "power", run)
    first, *_, last = play.times("nvmlDeviceGetTotalEnergyConsumption")
    ok(abs(one["energy_joules"] / (300 * (last - first)) - 1) < 0.1, f"energy {one['energy_joules']} J", run, first, last)
    within(last - first, 0.5, run("compute_time.time"), "it is that of the run", run)
    ok((one["max_temperature_celsius"], one["max_clock_mhz"], one["max_memory_clock_mhz"]) == (71, 1980, 3201), "temperature, clocks", run)
    ok(one["throttled"] == "power limit", "why it was slowed down", run)


def use_of_each_process():
    for _ in range(3):  # the samples must lie within the run
        now = int(time.time() * 1e6)
        lines = [f"user @main {now + 500000} 40", f"user @main {now + 800000} 60", f"user 1 {now + 600000} 99"]
        play = Play(*gpu("GPU-a"), "used 5000000 0.1s", "process compute @main 5000000 0.1s", *lines)
        run = play.run("sleep 1", patient=False)
        one = (run("gpu.processes") or [{}])[0]
        use = one.get("max_utilization_percent"), one.get("mean_utilization_percent")
        if use == (60, 50):
            break
    ok(use == (60, 50), f"utilisation of a process: {one}", run)
    ok(play.calls("nvmlDeviceGetProcessUtilization") <= 2, "which is read seldom", run)


def the_tracking_file():
    play = Play(*gpu("GPU-a"), "util 50", *gpu("GPU-b"), "util 30", *gpu("GPU-c"), "util 90")
    path = f"{play.at}/t.csv"
    play.run("sleep 1", "--st", "0.2", "--tf", path, "--guuids", "GPU-a,GPU-b")
    head, values, names, *rows = [line.split(",") for line in read(path).splitlines()]
    static, last = dict(zip(head, values)), dict(zip(names, rows[-1]))
    ok((static["system_gpu_count"], static["n_expected_gpus"]) == ("3", "2"), f"the GPUs in its head: {static}")
    ok(float(static["gpu_ram_system_capacity"]) == 3 * (12198 << 20) / 1e6, "and their memory")
    use = last["gpu_sum_utilization_percent"], last["gpu_hardware_utilization_percent"]
    ok(use == ("80.0", "40.0"), f"sum and hardware percent in its rows: {use}")


def rows_follow_the_use():
    play = Play(*gpu("GPU-a"), "ring 200", "used 5000000", "util 0", "util 100 0.7s", "util 0 1.4s")
    path = f"{play.at}/t.csv"
    play.run("sleep 2.1", "--st", "0.1", "--tf", path)
    _, _, names, *rows = [line.split(",") for line in read(path).splitlines()]
    use = [float(dict(zip(names, row))["gpu_sum_utilization_percent"]) for row in rows]
    ok(use[0] == 0 and 100 in use and use[-1] == 0, f"rows show how busy it was though its memory stood still: {use}")


def a_history_that_stays_empty():
    play = Play(*gpu("GPU-a"), "util 60", "util 0 1s", "fail nvmlDeviceGetSamples 6")
    run = play.run("sleep 2")
    mean = run("gpu_utilization.gpu_percentages.mean_sum_percent")
    ok(20 < mean < 45 and run("gpu_utilization.gpu_percentages.max_sum_percent") == 60, f"readings stand in: mean {mean}", run)
    ok(run.source("gpu_utilization.gpu_percentages.mean_sum_percent") == "sampled", "and are called so", run)


def no_energy_unless_shown():
    play = Play(*gpu("GPU-a"), "energy 1000", "power 1000")
    env = dict(os.environ, LD_LIBRARY_PATH=NVML, GPUT_NVML_SCRIPT=f"{play.at}/script", GPUT_NVML_LOG=play.log)
    run = tracker("-f", "json", "--", "sleep", "0.2", env=env)
    ok(run.rc == 0 and play.calls("nvmlDeviceGetTotalEnergyConsumption") == 0, "energy is only read when it is shown", run)


def troubles():
    begun = time.monotonic()
    plain = tracked(["sleep", "0.5"])
    plain_wall = time.monotonic() - begun
    play = Play("delay nvmlInit 4000", *gpu("GPU-a"))
    begun = time.monotonic()
    run = play.run("sleep 0.5", patient=False)
    ok(time.monotonic() - begun < plain_wall + 2, "an init that hangs does not hold the run", run)
    ok(run.rc == 0 and run("max_gpu_ram.main") is None, "its GPU figures are unavailable", run)
    ok("did not answer" in run.err, "and a warning says why", run)
    ok(run("max_ram.main.total_rss") > 0, "RAM is there", run)

    run = Play("init 18").run("sleep 0.1")
    ok(run.rc == 0 and "warning: no GPU figures" in run.err, "an init that fails: one warning", run)
    run = Play("init 18").run("sleep 0.1", "--disable-logs")
    ok("warning" not in run.err, "silenced by --disable-logs", run)

    run = Play(*gpu("GPU-a"), "used 1000000", "fail nvmlDeviceGetMemoryInfo 15 5", "fail nvmlDeviceGetUtilizationRates 15 5",
               *gpu("GPU-b")).run("sleep 1.5", "--full")
    ok(run.rc == 0 and run("gpu_utilization.system_gpu_count") == 2, "a GPU is lost: the run goes on", run)
    ok("lost" in run("gpu.gpus")[0]["state"], "and its state says so", run)

    run = Play(*gpu("GPU-a"), "used 100000000", "used 900000000 0.2s", "process compute @main na").run("sleep 0.8", "--full")
    ok(run("max_gpu_ram.main") == 800, "memory of no process told: by the change of the device", run)
    ok("change" in run("gpu.attribution"), "and that is said", run)


def namespaces():
    if plain(["unshare", "-p", "-f", "--mount-proc", "true"]).rc != 0:
        skip("pid namespaces", "unshare -p is not permitted")
        return
    play = Play(*gpu("GPU-a"), "used 1000000000 0.2s", "process compute 2 1000000000 0.2s")
    run = play.run("unshare -p -f --mount-proc sh -c 'sleep 1; :'")
    ok(run("max_gpu_ram.combined") == 1000, "pids of another namespace are the job's", run)
    ok("namespace" in run("gpu.attribution"), "and that is said", run)


def mig():
    lines = ["gpu GPU-a NVIDIA Test", "total 80000000000", "used 3000000000"]
    for i in 0, 1, 2:
        lines += [f"mig MIG-{i} NVIDIA Test MIG", "total 20000000000", f"used {i + 1}000000000"]
        if i == 1:
            lines += ["process compute @main 2000000000"]
    run = Play(*lines).run("sleep 1", "--full")
    ok(run("max_gpu_ram.main") == 2000, "the job's instance", run)
    ok(run("gpu_utilization.system_gpu_count") == 1 and len(run("gpu.gpus")) == 4, "one GPU, three instances", run)
    ok("MIG" in run("gpu.attribution"), "by MIG instance", run)


def none_at_all():
    if os.path.exists("/sys/class/drm"):
        return  # a machine with a GPU of its own
    env = dict(os.environ, LD_LIBRARY_PATH="/nonexistent")
    run = tracker("-f", "json", "--", "true", env=env)
    ok("warning" not in run.err, "no GPU: nothing is said in a file", run)
    run = tracker("-f", "json", "--gb=nvidia", "--", "true", env=env)
    ok(run.err.count("warning") == 1 and "libnvidia-ml.so.1" in run.err, "no GPU: one warning that says what was looked for", run)
    figures = json.loads(run.out)["max_gpu_ram"]
    ok(all(figures[key] == 0.0 for key in GPU_KEYS), "the figures are 0.0", run)


three_gpus()
whose_memory()
a_short_peak()
the_history()
rows_follow_the_use()
a_table_of_each()
use_of_each_process()
the_tracking_file()
a_history_that_stays_empty()
no_energy_unless_shown()
troubles()
namespaces()
mig()
none_at_all()
done()
