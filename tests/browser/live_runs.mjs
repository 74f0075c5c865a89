// live_runs.mjs - runs that go on until they are told, and their live pages.
import fs from "node:fs";
import path from "node:path";
import { spawn } from "node:child_process";

import { openAddress, repository } from "./browser.mjs";
import { folder } from "./runs.mjs";

export const tracker = process.env.GPU_TRACKER || path.join(repository, "build/gpu-tracker");
export const at = (name) => path.join(folder, name);

// Takes 4 MB ten times a second until its input ends.
const growing = `import select, sys
kept = []
while not select.select([sys.stdin], [], [], 0.1)[0]: kept.append(bytearray(4000000))
`;
export const growingJob = ["python3", "-c", growing];

// A command of gpu-tracker that prints a link: { process, url, origin, ended }.
export function begin(words, env = {}) {
    const child = spawn(tracker, words, { cwd: folder, stdio: ["pipe", "pipe", "pipe"], env: { ...process.env, GPUT_RUNNING_DIR: at("running"), ...env } });
    const ended = new Promise((resolve) => child.on("exit", (code, signal) => resolve({ code, signal })));
    let said = "";
    child.stdout.resume();
    child.stderr.setEncoding("utf8");
    return new Promise((resolve, reject) => {
        child.stderr.on("data", (text) => {
            said += text;
            const url = /(http:\S+)\n/.exec(said);
            if (url) resolve({ process: child, url: url[1], origin: new URL(url[1]).origin, ended, end: () => child.stdin.end(), said: () => said });
        });
        ended.then(() => reject(new Error(`gpu-tracker ${words.join(" ")}: ${said}`)));
    });
}

export const beginRun = (command, options = [], env = {}) => begin(["--serve", "--st=0.5", "--disable-logs", "-o", at("live-result"), ...options, "--", ...command], env);

// The link comes before the job.
export async function canBeFound(run) {
    while (!fs.existsSync(at(`running/${run.process.pid}`))) await new Promise((resolve) => setTimeout(resolve, 20));
}

// A page of it, once it shows something.
export async function look(run, options = {}, address = run.url) {
    const opened = await openAddress(address, (url) => url.startsWith(run.origin + "/") || url.startsWith("blob:" + run.origin), { acceptDownloads: true, ...options });
    await opened.page.waitForSelector("html[data-live]", { state: "attached" });
    return opened;
}

export const isIn = (page, state) => page.waitForSelector(`html[data-live="${state}"]`, { state: "attached" });

// What its charts hold: how long they are, since when, and the last value of a line.
export const chartsOf = (page) => page.evaluate(() => {
    const { levels, charts } = window.gpuTrackerReport, level = levels[0];
    let first = 0;
    const last = {};
    for (const { spec } of charts) {
        const { high, step } = level.lines[first];
        last[spec.id] = (high[level.n - 1] - 1) * step;
        first += spec.lines.length;
    }
    return { n: level.n, begin: level.time[0], end: level.time[level.n - 1], last };
});

export const grown = (page, n) => page.waitForFunction((least) => window.gpuTrackerReport.levels[0] && window.gpuTrackerReport.levels[0].n >= least, n);

// The process that listens there: its socket, then who has it open.
export function serverOf(run) {
    const port = Number(new URL(run.url).port).toString(16).toUpperCase().padStart(4, "0");
    const line = fs.readFileSync("/proc/net/tcp", "utf8").split("\n").map((l) => l.trim().split(/\s+/)).find((f) => f[1] && f[1].endsWith(":" + port) && f[3] === "0A");
    for (const pid of fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
        try {
            if (fs.readdirSync(`/proc/${pid}/fd`).some((fd) => fs.readlinkSync(`/proc/${pid}/fd/${fd}`) === `socket:[${line[9]}]`)) return Number(pid);
        } catch (e) {
            if (!["ENOENT", "ESRCH", "EACCES"].includes(e.code)) throw e; // it has ended, or is somebody else's
        }
    }
    throw new Error("nobody listens there");
}
