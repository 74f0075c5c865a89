// live.mjs - the live page in a real browser: it grows, is loaded again, loses its server, becomes the report.
import fs from "node:fs";
import { spawn, spawnSync } from "node:child_process";

import { accessibilityFaults, closeBrowser, open, picture } from "./browser.mjs";
import { at, begin, beginRun, canBeFound, chartsOf, grown, growingJob, isIn, look, serverOf, tracker } from "./live_runs.mjs";
import { gpusFor, nasty, track } from "./runs.mjs";
import { done, ok } from "./tap.mjs";

const textOf = (page) => page.evaluate(() => {
    for (const d of document.querySelectorAll("details")) d.open = true;
    return document.getElementById("main").innerText;
});

// The page grows, two look at it, one loads it again; at the end both have what --report wrote.
async function life() {
    const file = at("life.html"), run = await beginRun(growingJob, [`--report=${file}`]);
    const first = await look(run), { page } = first;
    await grown(page, 3);
    const before = await chartsOf(page);
    await grown(page, before.n + 3);
    const after = await chartsOf(page);
    ok(after.end > before.end && after.last.memory > before.last.memory, "charts grow", before, after);
    ok(/^Live$/.test(await page.textContent("#live-state")) && /memory/.test(await page.textContent("#live-now")), "it says so, and what the job holds now");
    ok(await page.textContent("#verdict") === "Running", "the job is said to run");
    const rows = await page.locator("#processes tbody tr").allTextContents();
    ok(rows.some((r) => r.includes("python3")), "its processes are in a table", rows);

    const refused = await (await first.page.context().newPage()).goto(run.url);
    ok(refused.status() === 403, "the link opens once", refused.status());
    const second = await look(run, {}, page.url());
    await grown(second.page, after.n);
    ok((await chartsOf(second.page)).begin === after.begin, "a second viewer, by the address of the first, sees all of it");
    await page.reload();
    await isIn(page, "running");
    const again = await chartsOf(page);
    ok(again.n >= after.n && again.begin === after.begin, "a page that is loaded again has what it had", after, again);

    run.end();
    const { code } = await run.ended;
    for (const { page: one } of [first, second]) await isIn(one, "finished");
    ok(code === 0, "the run ends as it would", code);
    const report = await open(file), words = await textOf(report.page);
    ok(await textOf(page) === words && await textOf(second.page) === words, "both pages read as the report does");
    const charts = (p) => p.evaluate(() => window.gpuTrackerReport.charts.map((c) => [c.spec.id, c.spec.lines.map((l) => l.max)].join()).join(" "));
    ok(await charts(page) === await charts(report.page), "and have its charts");
    const [saved] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
    ok(fs.readFileSync(await saved.path()).equals(fs.readFileSync(file)), "what is saved is the file of --report, byte for byte");
    ok(first.faults.length === 0 && second.faults.length === 0, "no request to anywhere else", first.faults, second.faults);
    for (const one of [first, second, report]) await one.close();
}

// Who looks at a section keeps it; who looks at all of it sees what is new; a table stays as it was sorted.
async function hands() {
    const writes = `import select, sys
while not select.select([sys.stdin], [], [], 0.1)[0]:
    if __import__("os").path.exists("${at("write")}"): open("${at("written")}", "ab").write(bytes(4000000))
`;
    const run = await beginRun(["python3", "-c", writes]), { page, faults, close } = await look(run);
    await grown(page, 5);
    const set = await page.evaluate(() => {
        window.gpuTrackerReport.setView(0.5, 1.5);
        return { ...window.gpuTrackerReport.view };
    });
    await page.evaluate(() => { document.getElementById("figures").open = true; });
    await page.click("#processes th:has-text(\"PID\") button");
    const { n } = await chartsOf(page);
    await grown(page, n + 2);
    const kept = await page.evaluate(() => ({ ...window.gpuTrackerReport.view }));
    ok(kept.from === set.from && kept.to === set.to, "a section stays while the run grows", set, kept);
    fs.writeFileSync(at("write"), "");
    await page.waitForSelector("#chart-disk .uplot");
    const still = await page.evaluate(() => ({ ...window.gpuTrackerReport.view }));
    ok(still.from === set.from && still.to === set.to, "also when a chart comes", set, still);
    ok(await page.evaluate(() => document.getElementById("figures").open), "what was opened stays open");
    ok(await page.getAttribute("#processes th:has-text(\"PID\")", "aria-sort") === "ascending", "the table stays sorted");
    await page.click("#reset");
    const whole = await chartsOf(page);
    await grown(page, whole.n + 2);
    ok(await page.evaluate(() => window.gpuTrackerReport.view.to) > whole.end, "all of it is shown again, as it grows");
    ok(faults.length === 0, "no error", faults);
    run.end();
    await run.ended;
    await close();
}

// The server is killed: the page says so, the job and its result are as without.
async function gone() {
    const run = await beginRun(growingJob), { page, close } = await look(run);
    await grown(page, 3);
    process.kill(serverOf(run), "SIGKILL");
    await isIn(page, "gone");
    ok(await page.textContent("#live-state") === "The server is gone", "that the server is gone is said");
    ok(/last figures/.test(await page.textContent("#live-now")) && (await chartsOf(page)).n >= 3, "and the last figures stay");
    run.end();
    const { code } = await run.ended;
    ok(code === 0 && fs.readFileSync(at("live-result"), "utf8").includes("Max RAM"), "the job and its result are as without", code);
    await close();
}

// A tracker that is stopped says nothing: that is told from a job at rest.
async function silent() {
    const run = await beginRun(growingJob), { page, close } = await look(run);
    await grown(page, 3);
    run.process.kill("SIGSTOP");
    await page.waitForFunction(() => /silent/.test(document.getElementById("live-state").textContent));
    run.process.kill("SIGCONT");
    await page.waitForFunction(() => document.getElementById("live-state").textContent === "Live");
    ok(true, "a tracker that is stopped is said to be silent, until it goes on");
    run.end();
    await run.ended;
    await close();
}

// GPUs show up after the page: it gets their charts.
async function gpus() {
    const main = at("live.pid"), run = await beginRun(["sh", "-c", `echo $$ > ${main}; cat`], [], gpusFor(main)), { page, faults, close } = await look(run);
    await page.waitForSelector("#chart-gpu-memory .uplot");
    await page.waitForFunction(() => document.querySelector("#processes tbody").textContent.includes("84.0"));
    ok(await page.locator("#card-gpu").count() === 1, "GPUs: cards, charts, the memory that each process has on them");
    ok(faults.length === 0, "no error", faults);
    await picture(page, "live-gpu");
    run.end();
    await run.ended;
    await close();
}

// The tracker is killed: what was seen becomes a report.
async function killed() {
    const run = await beginRun(growingJob), { page, close } = await look(run);
    await grown(page, 3);
    run.process.kill("SIGKILL");
    await isIn(page, "finished");
    ok(/How it ended is not known/.test(await page.textContent("#verdict")), "of a killed tracker the page has a report too", await page.textContent("#verdict"));
    ok(/killed/.test(await page.textContent("main")), "that says from what");
    run.end();
    await close();
}

// A name that would be a part of the page, were it not text; the same in the command.
async function hostile() {
    const name = "<img src=x onerror=window.hacked=3>", program = at(name);
    fs.writeFileSync(program, "#!/bin/sh\n\"$@\"\n", { mode: 0o755 });
    const run = await beginRun([program, "sh", "-c", "cat; :", nasty]), { page, faults, close } = await look(run);
    await page.waitForSelector("#processes tbody tr");
    ok(await page.locator("main img").count() === 0 && await page.evaluate(() => window.hacked) === undefined, "nothing of it is executed");
    await page.waitForFunction((word) => document.querySelector("#processes tbody").textContent.includes(word), "<img src=x");
    ok((await page.textContent("#title")).includes("<img src=x"), "names are shown as they are");
    run.end();
    await run.ended;
    await isIn(page, "finished");
    ok(await page.evaluate(() => window.hacked) === undefined && faults.length === 0, "nor at the end", faults);
    await close();
}

// `serve` of a job that runs already, of one that nobody tracks, of a file.
async function others() {
    const run = await beginRun(growingJob);
    await canBeFound(run);
    const serving = await begin(["serve"]), { page, faults, close } = await look(serving);
    await grown(page, 3);
    ok((await page.textContent("#title")).includes("python3"), "serve shows the job that runs");
    run.end();
    await isIn(page, "finished");
    ok((await serving.ended).code === 0 && /What to ask for/.test(await page.textContent("main")), "it ends with the job, which leaves a report");
    ok(faults.length === 0, "no error, no request to anywhere else", faults);
    await close();

    const alone = spawn(growingJob[0], growingJob.slice(1), { stdio: ["pipe", "ignore", "ignore"] });
    const watching = await begin(["serve", String(alone.pid)]), untracked = await look(watching);
    await grown(untracked.page, 3);
    ok(await untracked.page.locator("#processes tbody tr").count() >= 1, "a process that nobody tracks is tracked for it");
    alone.stdin.end();
    await isIn(untracked.page, "finished");
    ok((await watching.ended).code === 0, "until it ends");
    await untracked.close();

    const past = track("past", ["sh", "-c", "sleep 0.4"]), file = at("past.html");
    spawnSync(tracker, ["report", past.csv, past.json, "-o", file]);
    const still = await begin(["serve", past.csv, past.json]);
    const response = await (await fetch(still.url, { redirect: "follow" })).arrayBuffer();
    ok(Buffer.from(response).equals(fs.readFileSync(file)), "of files it shows what report writes");
    still.process.kill("SIGTERM");
    await still.ended;
}

const kinds = [
    ["live-light", { colorScheme: "light" }],
    ["live-dark", { colorScheme: "dark" }],
    ["live-phone", { colorScheme: "light", viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
    ["live-phone-dark", { colorScheme: "dark", viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
];

async function everywhere() {
    const run = await beginRun(growingJob);
    let address = run.url;
    const all = [];
    for (const [name, options] of kinds) {
        const opened = await look(run, options, address), { page } = opened;
        all.push([name, opened]);
        address = page.url();
        await grown(page, 4);
        const found = await accessibilityFaults(page);
        ok(found.length === 0, `${name}: axe finds nothing serious`, ...found);
        const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        ok(widths[0] <= widths[1], `${name}: nothing to scroll sideways: ${widths}`);
        await picture(page, name);
    }
    run.end();
    await run.ended;
    for (const [name, { page, faults, close }] of all) {
        await isIn(page, "finished");
        const found = await accessibilityFaults(page);
        ok(found.length === 0 && faults.length === 0, `${name}: nor in the report that it becomes`, ...found, ...faults);
        await picture(page, `${name}-end`);
        await close();
    }
}

for (const part of [life, hands, gpus, gone, silent, killed, hostile, others, everywhere]) await part();
await closeBrowser();
done();
