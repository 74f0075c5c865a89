// compare.mjs - runs side by side, and the history of runs, as pages.
import path from "node:path";
import { spawnSync } from "node:child_process";

import { accessibilityFaults, closeBrowser, open, picture, repository } from "./browser.mjs";
import { folder, track } from "./runs.mjs";
import { done, ok } from "./tap.mjs";

const tracker = process.env.GPU_TRACKER || path.join(repository, "build/gpu-tracker");
const at = (name) => path.join(folder, name);
const hold = (megabytes, seconds) => ["python3", "-c", `import time\na = bytearray(b"x" * ${megabytes}000000)\ntime.sleep(${seconds})`];

function make(...words) {
    const r = spawnSync(tracker, words, { cwd: folder, maxBuffer: 1 << 26 });
    if (r.status !== 0) throw new Error(`${words}: status ${r.status}, ${r.stderr}`);
}

async function look(name, text) {
    const { page, faults, close } = await open(at(`${name}.html`));
    ok(faults.length === 0, `${text}: no error, no request`, faults.join("\n"));
    const unfit = await accessibilityFaults(page);
    ok(unfit.length === 0, "fit for all", unfit.join("\n"));
    await picture(page, name);
    return { page, close };
}

async function comparison() {
    const small = track("small", hold(20, 0.6)), large = track("large", hold(60, 1.2));
    make("compare", `base=${small.csv}+${small.json}`, `<i>new</i>=${large.csv}+${large.json}`, "-f", "html", "-o", at("compare.html"));
    const { page, close } = await look("compare", "two runs side by side");
    const row = page.locator("tr", { has: page.locator("th", { hasText: /^Peak memory$/ }) });
    ok((await row.first().textContent()).includes("worse"), "the table says what is worse", await page.locator("table").allTextContents());
    ok((await page.locator("h2").allTextContents()).some((text) => text.includes("<i>new</i>")), "names are text");
    const charts = page.locator(".uplot canvas");
    ok(await charts.count() >= 3 && await charts.first().evaluate((c) => c.width > 0), "charts are drawn");
    const lines = await page.locator("#chart-memory .key .name").allTextContents();
    ok(lines.join() === "base,<i>new</i>", "a line for each run, over one time axis", lines);
    await close();
    const still = await open(at("compare.html"), { javaScriptEnabled: false });
    ok(await still.page.locator("table tr").count() > 3, "without JavaScript: the table");
    await still.close();
}

async function history() {
    for (const megabytes of [10, 20, 30, 40, 50, 60])
        make("--quiet", "-o", "/dev/null", `--history=${at("runs.sqlite")}`, "--job-name=<b>job</b>", "--", ...hold(megabytes, 0.05));
    make("history", "trend", `--history=${at("runs.sqlite")}`, `--report=${at("history.html")}`);
    const { page, close } = await look("history", "the history of runs");
    const text = await page.locator("body").textContent();
    ok(text.includes("<b>job</b>") && text.includes("6 runs"), "the job and its runs, named as text", text.slice(0, 400));
    ok(/grows by/.test(text), "with its trend", text.slice(0, 800));
    ok(await page.locator(".uplot canvas").count() > 0, "and charts");
    await close();
}

await comparison();
await history();
await closeBrowser();
done();
