"""gpu_work.py - what GPUs really did, end to end, on the stand-in for NVIDIA's library: it plays a device whose hardware
counts (Hopper and later), one whose does not (Ampere), and instances of a partitioned one."""

from gpu_play import *


def hopper(uuid, *lines):
    return gpu(uuid, "gpm 1", "clock 1980", "util 99", *lines)


# As measured on an H200, in whole percent.
KINDS = {
    "half matmul": dict(engine=99, sm=95, occupancy=14, tensor=93, tensor16=93, fp32=0, dram=16, pcierx=2),
    "fp32 matmul": dict(engine=99, sm=96, occupancy=12, tensor=0, tensor16=0, fp32=76, dram=5, pcierx=0),
    "elementwise": dict(engine=95, sm=94, occupancy=80, tensor=0, tensor16=0, fp32=2, dram=83, pcierx=6),
    "copies": dict(engine=0, sm=0, occupancy=0, tensor=0, tensor16=0, fp32=0, dram=1, pcierx=55900),
}
MEMBERS = dict(engine="engine_active", sm="sm_active", occupancy="sm_occupancy", tensor="tensor_active",
               tensor16="tensor_half_active", fp32="fp32_active", dram="dram_active")


def lines_of(kind):
    return [f"{key} {value}" for key, value in KINDS[kind].items()]


def steady():
    for kind, truth in KINDS.items():
        run = Play(*hopper("GPU-a", *lines_of(kind))).run("sleep 0.7", "--st", "0.2")
        one = run("gpu.gpus")[0]
        for key, member in MEMBERS.items():
            near(one[member]["mean"], truth[key], 1e-6, f"{kind}: mean of {member}", run)
            near(one[member]["max"], truth[key], 1e-6, f"{kind}: maximum of {member}", run)
        if truth["pcierx"]:
            rate = one["pcie_rx_bytes"] / (1 << 20) / truth["pcierx"]
            within(rate, 0.4, run("compute_time.time"), f"{kind}: bytes received over PCIe, in seconds of its rate", run)
        ok(one["fp64_active"] == {"mean": None, "max": None}, f"{kind}: what the driver does not tell is null", run)


def weighted_by_time():
    """On for 0.4 s, off for 0.6 s, and in between its clock falls: counted in clock cycles it would be another share."""
    lines, at = [], 0.0
    for _ in range(6):
        lines += [f"{k} {v} {at:.1f}s" for k, v in dict(tensor=90, tensor16=90, engine=90, clock=1000).items()]
        lines += [f"{k} {v} {at + 0.4:.1f}s" for k, v in dict(tensor=0, tensor16=0, engine=0, clock=2000).items()]
        at += 1.0
    run = Play(*gpu("GPU-a", "gpm 1"), *lines).run("sleep 4", "--st", "0.2")
    one = run("gpu.gpus")[0]
    # 0.4 x 90 = 36; one pair of samples over it all: 0.4 x 90 / (0.4 + 2 x 0.6) = 22.5
    within(one["tensor_active"]["mean"], 31, 41, "mean of the tensor cores, weighted by time", run)
    near(one["tensor_active"]["mean"], one["engine_active"]["mean"], 0.12, "which is that of the engine, counted in seconds", run)
    ok(one["tensor_active"]["max"] > 80, "and their maximum", run)


def rarely_recorded():
    play = Play(*hopper("GPU-a", "engine 100", "tensor 90", "tensor 0 1.2s"))
    run = play.run("sleep 2.4", "--st", "60")
    ok(play.calls("nvmlGpmSampleGet") >= 3, "pairs are short where records are far apart", run)
    within(run("gpu.gpus")[0]["tensor_active"]["mean"], 30, 60, "and their mean is that of the run", run)


def what_it_costs():
    play = Play(*hopper("GPU-a", "engine 90"), "used 100000000 0.2s", "process compute @main 100000000 0.2s")
    run = play.run("sleep 1.5", "--st", "0.5")
    polls, pairs = play.calls("nvmlDeviceGetMemoryInfo_v2"), play.times("nvmlGpmSampleGet")
    ok(len(pairs) <= 6 and polls > 3 * len(pairs), f"never at a poll: {polls} polls, {len(pairs)} samples of the counters", run)
    ok(all(b - a >= 0.1 for a, b in zip(pairs, pairs[1:])), "and at least 0.1 s apart", run, pairs)
    play = Play(*hopper("GPU-a", "engine 90"))
    run = play.run("sleep 0.8", "--st", "0.01")
    pairs = play.times("nvmlGpmSampleGet")
    ok(all(b - a >= 0.1 for a, b in zip(pairs, pairs[1:])), "also where records come faster", run, pairs)
    ok(run("gpu.gpus")[0]["engine_active"]["mean"] > 89.999, "with the figures", run)


def engine():
    """The one counter that is expensive: it is asked for where the others change, else every few seconds."""
    play = Play(*hopper("GPU-a", "engine 20", "engine 90 1.5s", "sm 15", "sm 80 1.5s"))
    run = play.run("sleep 3.2", "--st", "0.2")
    pairs, asked = play.calls("nvmlGpmSampleGet") - 1, play.calls("nvmlGpmMetricsGet")
    ok(pairs >= 8 and asked - pairs <= pairs / 2, f"{asked - pairs} times in {pairs} pairs of samples", run)
    one = run("gpu.gpus")[0]
    near(one["engine_active"]["mean"], one["sm_active"]["mean"] * 70 / 65 + 20 - 15 * 70 / 65, 0.02,
         "its mean is right: it moved when the SMs did", run)
    ok(89 < one["engine_active"]["max"] < 91, "and its maximum", run)


def too_short():
    run = Play(*hopper("GPU-a", "engine 90")).run("true")
    ok(run.rc == 0 and run("gpu.gpus")[0]["engine_active"]["mean"] is None, "a run that is too short for it", run)


def older():
    run = Play(*gpu("GPU-a", "util 80", "memutil 35", "memutil 55 0.5s")).run("sleep 1", "--st", "0.1")
    one = run("gpu.gpus")[0]
    ok(one["engine_active"]["mean"] is None and one["tensor_active"]["max"] is None, "before Hopper nothing is counted", run)
    within(one["memory_busy"]["mean"], 37, 53, "how busy the memory controller was", run)
    ok(one["memory_busy"]["max"] == 55, "its maximum", run)
    text = Play(*gpu("GPU-a", "util 80", "memutil 35")).text("sleep 0.5", "--full", "--st", "0.1")
    ok("Memory controller busy percent: mean 35.0, max 35.0\n" in text, "in text", text)
    ok("this GPU has no such counters: NVIDIA's begin with Hopper" in text, "and why there is no more", text)


def refused():
    for fault in "fail nvmlGpmSampleGet 4", "fail nvmlGpmMetricsGet 999", "fail nvmlGpmSampleAlloc 20", "fail nvmlGpmQueryDeviceSupport 4":
        run = Play(*hopper("GPU-a", "engine 90"), fault).run("sleep 0.5", "--st", "0.1")
        ok(run.rc == 0 and run("gpu.gpus")[0]["engine_active"]["mean"] is None, f"{fault}: nothing is counted", run)
        ok(run("gpu.gpus")[0]["mean_utilization_percent"] == 99, f"{fault}: the rest is there", run)
    run = Play(*hopper("GPU-a", "engine 90", "used 1"), "fail nvmlGpmSampleGet 15 3").run("sleep 0.8", "--st", "0.1")
    one = run("gpu.gpus")[0]
    ok("lost" in one["state"] and one["engine_active"]["mean"] > 89.999, "a GPU that is lost keeps what was counted", run)


def instances():
    lines = ["gpu GPU-a NVIDIA Test", "total 80000000000", "used 3000000000", "gpm 1"]
    for i in 0, 1:
        lines += [f"mig MIG-{i} NVIDIA Test MIG", "total 20000000000", "used 1000000000", f"engine {40 + 20 * i}", f"tensor {30 + 10 * i}"]
    run = Play(*lines).run("sleep 0.8", "--st", "0.2")
    whole, first, second = run("gpu.gpus")
    ok(whole["engine_active"]["mean"] is None, "a partitioned GPU counts nothing itself", run)
    ok((round(first["engine_active"]["mean"], 6), round(second["engine_active"]["mean"], 6)) == (40, 60), "its instances do", run)
    ok((round(first["tensor_active"]["mean"], 6), round(second["tensor_active"]["max"], 6)) == (30, 40), "each for itself", run)
    ok((round(first["mean_utilization_percent"], 6), round(second["max_utilization_percent"], 6)) == (40, 60), "which is their utilization too", run)
    run = Play(*lines).run("sleep 0.8", "--st", "0.2", "--guuids", "MIG-1")
    near(run("gpu_utilization.gpu_percentages.mean_sum_percent"), 60, 1e-6, "and that of a chosen one", run)


def slowed_down():
    """Capped for power in half of the time; what was counted before the run is none of its own."""
    lines = [f"powercap {100 * (k % 2)} {0.2 * k:.1f}s" for k in range(12)]
    run = Play(*hopper("GPU-a", "engine 90", "thermal 0", *lines)).run("sleep 2")
    one, seconds = run("gpu.gpus")[0], run("compute_time.time")
    within(one["power_capped_seconds"], 0.5 * seconds - 0.25, 0.5 * seconds + 0.25, "seconds slowed down for power", run)
    ok(one["thermal_seconds"] == 0 and one["other_capped_seconds"] is None, "for heat none; of other reasons nobody tells", run)


def wrapped():
    """Its counter of 32 bits begins anew after 0.5 s: 2000 MiB/s, and 300 MiB/s back."""
    play = Play(*gpu("GPU-a", f"pcieraw {(1 << 32) - 1000 * 1024}", "pcierx 2000", "pcietx 300"))
    run = play.run("sleep 1.5")
    one, (first, *_, last) = run("gpu.gpus")[0], play.times("nvmlDeviceGetFieldValues")
    near(one["pcie_rx_bytes"], (last - first) * 2000 * MIB, 0.02, "bytes over PCIe, though the counter wrapped", run)
    near(one["pcie_tx_bytes"], (last - first) * 300 * MIB, 0.02, "and in the other direction", run)


def errors():
    play = Play(*hopper("GPU-a", "ecc 5", "ecc 7 0.4s", "eccbad 1", "remapped 2", "remapped 3 0.4s", "engine 1"),
                *hopper("GPU-b", "xid 94 0.3s", "xid 79 0.5s", "ecc 1", "engine 1"))
    run = play.run("sleep 1.2", "--st", "0.2")
    one, other = run("gpu.gpus")
    got = [one[k] for k in ("ecc_corrected", "ecc_uncorrected", "rows_remapped", "xid_events")]
    ok(got == [2, 0, 1, 0], f"errors as differences: {got}", run)
    ok(other["xid_events"] == 2 and other["ecc_corrected"] == 0, "events", run)
    said = [line for line in run.err.splitlines() if "had errors" in line]
    ok(len(said) == 1 and "GPU 1 had errors: Xid 94" in said[0], f"one line says so: {said}", run)
    run = Play(*hopper("GPU-a", "ecc 5", "eccbad 1", "eccbad 3 0.3s")).run("sleep 0.6")
    ok("warning: GPU 0 had errors: 2 ECC errors that were not corrected\n" in run.err, "those known at the end too", run)
    run = Play(*hopper("GPU-a", "ecc 5", "eccbad 1", "remapped 3", "xid 13 9s")).run("sleep 0.6")
    ok("errors" not in run.err, "what was there before is nothing to speak of", run)


def columns():
    play = Play(*hopper("GPU-a", *lines_of("half matmul")), *hopper("GPU-b", *lines_of("elementwise")))
    path = f"{play.at}/t.csv"
    play.run("sleep 1", "--st", "0.2", "--tf", path, "--tf-columns", "all")
    _, _, names, *rows = [line.split(",") for line in read(path).splitlines()]
    last = dict(zip(names, rows[-1]))
    got = [round(float(last[name]), 6) for name in ("gpu_engine_active", "gpu_tensor_active", "gpu_dram_active")]
    ok(got == [97, 46.5, 49.5], f"columns with the means of both: {got}")
    ok(last["gpu_fp64_active"] == "", "what is not told is empty")
    path = f"{play.at}/chosen.csv"
    play.run("sleep 1", "--st", "0.2", "--tf", path, "--tf-columns", "all", "--guuids", "GPU-b")
    _, _, names, *rows = [line.split(",") for line in read(path).splitlines()]
    ok(round(float(dict(zip(names, rows[-1]))["gpu_dram_active"]), 6) == 83, "and of the chosen one")


steady()
weighted_by_time()
rarely_recorded()
what_it_costs()
too_short()
older()
refused()
instances()
slowed_down()
wrapped()
errors()
columns()
done()
