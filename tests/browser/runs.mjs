// runs.mjs - runs to report on: real ones, made by the command, and what is left of others.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { spawnSync } from "node:child_process";

import { repository } from "./browser.mjs";

delete process.env.LD_LIBRARY_PATH; // runs that want the stand-in for NVIDIA's library say so
const tracker = process.env.GPU_TRACKER || path.join(repository, "build/gpu-tracker");
const nvml = process.env.NVML || path.join(repository, "build/tests/nvml");
export const folder = fs.mkdtempSync(path.join(os.tmpdir(), "gput-browser-"));
process.on("exit", () => fs.rmSync(folder, { recursive: true, force: true }));

const at = (name) => path.join(folder, name);
export const readJson = (file) => JSON.parse(fs.readFileSync(file, "utf8"));

function run(words, env = {}) {
    const r = spawnSync(tracker, words, { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 1 << 26 });
    return { rc: r.status, out: String(r.stdout), err: String(r.stderr) };
}

// Writes the page and gives its name.
export function report(name, ...words) {
    const r = run(["report", ...words, "-o", at(`${name}.html`)]);
    if (r.rc !== 0) throw new Error(`report ${words}: ${r.err}`);
    return at(`${name}.html`);
}

// Runs a command; its tracking file and result are NAME.csv and NAME.json.
export function track(name, command, { env = {}, options = [] } = {}) {
    const words = ["--st=0.05", `--tf=${at(name)}.csv`, "-o", `${at(name)}.json`, "-f", "json", "--full", "--ru=megabytes", "--tu=seconds"];
    const r = run([...words, ...options, "--", ...command], env);
    return { ...r, name, csv: at(`${name}.csv`), json: at(`${name}.json`) };
}

const busy = (seconds, megabytes) => `import time
a = bytearray(${megabytes} * 1000000)
end = time.time() + ${seconds}
while time.time() < end: sum(i * i for i in range(3000))
`;

export function cpuJob() {
    const script = at("job.sh");
    fs.writeFileSync(script, `python3 -c '${busy(0.8, 40)}' &\npython3 -c '${busy(0.8, 90)}'\nwait\nsleep 0.3\npython3 -c '${busy(0.9, 20)}'\n`);
    return track("cpu", ["sh", script]);
}

// Two GPUs for a job that writes its process id to the file `main`.
export function gpusFor(main) {
    const lines = [];
    for (const [i, share] of [[0, 1], [1, 0.4]]) {
        lines.push(`gpu GPU-${i} NVIDIA H200`, "total 150754820096", "used 500000000");
        for (let k = 0; k < 40; k++) lines.push(`util ${Math.round(share * (k % 10 < 4 ? 2 : 80 + (k * 7) % 15))} ${(k / 10).toFixed(1)}s`);
        lines.push("used 42500000000 0.4s", `process compute @${main} 42000000000 0.4s`, "power 410000", "energy 1000", "temp 67", "clock 1980", "memclock 3201");
    }
    lines.push("gpm 1", "pciegen 5", "pciewidth 16", "engine 90", "sm 85", "tensor 60", "pcierx 10", "engine 0 1.5s", "sm 0 1.5s", "tensor 0 1.5s", "pcierx 50000 1.5s");
    fs.writeFileSync(at("nvml.script"), lines.join("\n") + "\n");
    return { LD_LIBRARY_PATH: nvml, GPUT_NVML_SCRIPT: at("nvml.script") };
}

export function gpuJob() {
    const main = at("main.pid"), marks = at("marks.csv"), script = at("train.sh"), env = gpusFor(main);
    const block = (name, seconds) => `${tracker} sub-track run --stf=${marks} --name='${name}' -- sleep ${seconds}\n`;
    fs.writeFileSync(script, `echo $$ > ${main}\n` + block("load data", 0.6) + block("train", 0.7) + block("validate", 0.3) + block("train", 0.7) + block("validate", 0.3));
    const r = track("gpu", ["sh", script], { options: ["--tf-columns=all"], env });
    return { ...r, marks };
}

// A result in which the kernel has killed the job for memory, as one in a container of 8 GB.
export function killedForMemory(result) {
    const of = readJson(result), file = at("oom.json");
    Object.assign(of.job, { ending: "killed by a signal", exit_code: null, signal: 9, killed_for_memory: "yes", command: "python3 train.py --batch-size 4096" });
    Object.assign(of.limits, { memory_cgroup: 8000, memory_effective: 8000 });
    for (const key of ["limits.memory_cgroup", "limits.memory_effective"]) of.sources[key] = { source: "exact" };
    of.max_ram.combined.total_rss = 7990;
    fs.writeFileSync(file, JSON.stringify(of, null, 1));
    return file;
}

// A tracking file with n records, a second apart, and two peaks of a single record each.
export function longRun(like, n) {
    const file = at("long.csv"), [head, statics, names] = fs.readFileSync(like, "utf8").split(/\r?\n/);
    const out = fs.openSync(file, "w"), columns = names.split(",");
    let text = `${head}\r\n${statics}\r\n${names}\r\n`, seed = 1;
    const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
    for (let i = 0; i < n; i++) {
        const peak = i === Math.floor(n / 3) || i === Math.floor((n * 7) / 9);
        const row = columns.map((c) => {
            if (c === "timestamp") return 1700000000 + i;
            if (c.endsWith("_ram")) return peak ? 4800.5 : Math.round(1000 + 300 * Math.sin(i / 40000) + 50 * random());
            if (c.endsWith("percent")) return Math.round(random() * 9500) / 100;
            return 1 + Math.floor(random() * 6);
        });
        text += row.join(",") + "\r\n";
        if (text.length > 1 << 22) {
            fs.writeSync(out, text);
            text = "";
        }
    }
    fs.writeSync(out, text);
    fs.closeSync(out);
    return file;
}

const pythonJob = `import subprocess, sys
from resource_tracker import ResourceTracker
child = "import sys; a = bytearray(90000000); print(1, flush=True); sys.stdin.read()"
with ResourceTracker(interval=0.05) as tracker:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    children = [subprocess.Popen([sys.executable, "-c", child], **pipes) for _ in range(2)]
    for one in children: one.stdout.readline()
    ballast = bytearray(120000000)
    tracker.wait_for_samples(tracker.n_samples + 20, 60)
    for one in children: one.communicate()
    del ballast
    tracker.wait_for_samples(tracker.n_samples + 10, 60)
tracker.report().save(sys.argv[1])
`;
const pythonSnapshot = `import sys
from resource_tracker import ResourceTracker
with open(sys.argv[2]) as file: tracker = ResourceTracker.loads(file.read())
tracker.report(status_failed=True).save(sys.argv[1])
`;

// Pages that the Python package made: of a job with children, and of a snapshot of the PyPI package.  null: it
// was not built.
export function pythonReports() {
    if (!process.env.PYTHON) return null;
    const page = (name, code, ...words) => {
        const script = at(`${name}.py`), file = at(`${name}.html`);
        fs.writeFileSync(script, code);
        const r = spawnSync(process.env.PYTHON, [script, file, ...words], { cwd: folder, env: { ...process.env, GPUT_METADATA_URL: "http://127.0.0.1:9" } });
        if (r.status !== 0) throw new Error(`${name}: ${r.stderr}`);
        return file;
    };
    return { job: page("python-job", pythonJob), snapshot: page("pypi-snapshot", pythonSnapshot, path.join(repository, "tests/python/pypi_snapshot.json")) };
}

// Other records: `change` gets a record as an object, its number, and gives another.
export function rewritten(name, like, n, change) {
    const [head, statics, names, ...rows] = fs.readFileSync(like, "utf8").split(/\r?\n/), columns = names.split(",");
    const lines = [head, statics, names], file = at(`${name}.csv`), records = rows.filter(Boolean);
    for (let i = 0; i < n; i++) {
        const values = records[i % records.length].split(","), record = Object.fromEntries(columns.map((c, k) => [c, values[k]]));
        const other = change({ ...record, timestamp: 1700000000 + i }, i);
        lines.push(columns.map((c) => other[c]).join(","));
    }
    fs.writeFileSync(file, lines.join("\n") + "\n");
    return file;
}

// Marks of many code blocks with long names.
export function manyBlocks(like, n) {
    const rows = fs.readFileSync(like, "utf8").split(/\r?\n/).filter(Boolean).slice(3), file = at("many-marks.csv");
    const [from, to] = [rows[0], rows[rows.length - 1]].map((r) => Number(r.split(",").pop()));
    const lines = ["process_id,code_block_name,position,timestamp"];
    for (let i = 0; i < n; i++)
        for (const position of [0, 1]) lines.push(`77,"block ${i} ${"very long ".repeat(100)}",${position},${from + (to - from) * (i + 0.9 * position) / n}`);
    fs.writeFileSync(file, lines.join("\n") + "\n");
    return file;
}

export const nasty = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'>\"'&\u2028\u202Etxt.exe \u05D0\u05D1\u05D2";

// Such words in the command line and as names of code blocks; bytes that are no UTF-8 too.
export function hostileJob() {
    const marks = at("nasty-marks.csv"), script = at("nasty.sh"), bytes = Buffer.concat([Buffer.from(`: '`), Buffer.from(nasty.replace(/'/g, "\u2019")), Buffer.from([0xff, 0xc3, 0x28, 0xe2, 0x80]), Buffer.from("'\n")]);
    fs.writeFileSync(script, Buffer.concat([Buffer.from(`${tracker} sub-track run --stf=${marks} --name="$1" -- sleep 0.3\nsh -c "$2"\n`)]));
    const r = track("nasty", ["sh", script, nasty, bytes.toString("latin1")]);
    return { ...r, marks };
}
