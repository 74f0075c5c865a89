// fleet.mjs - the page of a job on many nodes: 1,000 nodes of 8 ranks, with known faults.
import fs from "node:fs";
import path from "node:path";
import { spawnSync } from "node:child_process";

import { accessibilityFaults, closeBrowser, open, picture, repository } from "./browser.mjs";
import { folder } from "./runs.mjs";
import { done, ok } from "./tap.mjs";

const tracker = process.env.GPU_TRACKER || path.join(repository, "build/gpu-tracker");
const sim = process.env.FLEET_SIM || path.join(repository, "build/tests/fleet_sim/fleet-sim");

function make(name, ...options) {
    const files = path.join(folder, name), file = `${files}.html`;
    const truth = JSON.parse(String(spawnSync(sim, [...options, files], { maxBuffer: 1 << 26 }).stdout));
    const r = spawnSync(tracker, ["merge", `--report=${file}`, files]);
    if (r.status !== 1) throw new Error(`merge: status ${r.status}, ${r.stderr}`);
    return { truth, file };
}

const planted = ["--gpus", "8", "--slow", "2", "--stall", "1", "--big", "2", "--killed", "2", "--missing", "3", "--skewed", "1"];

async function large() {
    const { truth, file } = make("large", "--nodes", "1000", "--ranks", "8", ...planted);
    const size = fs.statSync(file).size, before = performance.now();
    const { page, faults, close } = await open(file);
    const took = performance.now() - before;
    ok(size < 5e6, `1,000 nodes of 8 ranks: below 5 MB (${(size / 1e6).toFixed(1)} MB)`);
    console.log(`# opened and drawn after ${Math.round(took)} ms`); // a figure of this machine: no test
    const data = await page.evaluate(() => {
        const { ranks, slots, nodes } = window.gpuTrackerFleet.data;
        const numbers = (marks) => ranks.number.filter((n, i) => marks[i]).sort((a, b) => a - b);
        return { n: ranks.n, slots, nodes: nodes.length, failed: numbers(ranks.failed), apart: numbers(ranks.apart) };
    });
    ok(data.n === truth.n_ranks && data.slots === 8000 && data.nodes === 997, "all ranks that there are have a place", JSON.stringify(data));
    ok(data.failed.join() === [...truth.killed].sort((a, b) => a - b).join(), "failed ones are marked", JSON.stringify(data.failed));
    const apart = [...truth.slow, ...truth.stall, ...truth.big].sort((a, b) => a - b);
    ok(data.apart.join() === apart.join(), "so are those that stand apart, and no others", JSON.stringify([data.apart, apart]));
    for (const rank of apart) ok(await page.locator("#apart button", { hasText: `rank ${rank} on ` }).count() >= 1, `rank ${rank} is named`);
    ok(faults.length === 0, "no error, no request", faults.join("\n"));
    await picture(page, "fleet-1000");
    await close();
}

// What the canvas shows where ranks stand.
const coloursOf = (page, slots) => page.evaluate((all) => {
    const { cell, columns } = window.gpuTrackerFleet, canvas = document.getElementById("grid"), ratio = canvas.width / canvas.clientWidth;
    const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return all.map((at) => {
        const x = Math.floor(((at % columns) + 0.3) * cell * ratio), y = Math.floor((Math.floor(at / columns) + 0.8) * cell * ratio);
        return [...pixels.data.slice(4 * (y * pixels.width + x), 4 * (y * pixels.width + x) + 3)].join();
    });
}, slots);

async function small() {
    const { truth, file } = make("small", "--nodes", "8", "--ranks", "8", "--gpus", "8", "--slow", "1", "--big", "1", "--missing", "1", "--killed", "1");
    const { page, faults, close } = await open(file);
    const usual = [...Array(64).keys()].filter((r) => ![...truth.slow, ...truth.big, ...truth.killed].includes(r) && Math.floor(r / 8) !== truth.missing[0]);
    await page.click('[data-figure-of="memory"]');
    const [big, other] = await coloursOf(page, [truth.big[0], usual[0]]);
    ok(big !== other, "a rank with much memory has another colour", big, other);
    ok(await page.getAttribute('[data-figure-of="memory"]', "aria-pressed") === "true", "the button says what is shown");
    const [x, y] = await page.evaluate((at) => {
        const { cell, columns } = window.gpuTrackerFleet;
        return [(at % columns + 0.5) * cell, (Math.floor(at / columns) + 0.5) * cell];
    }, truth.big[0]);
    await page.locator("#grid").click({ position: { x, y } });
    const said = await page.textContent("#chosen");
    ok(said.startsWith(`rank ${truth.big[0]} on node`) && said.includes("stands apart"), "a click tells of the rank", said);
    const captions = await page.locator(".rank-chart figcaption").allTextContents();
    ok(captions.length === 3 && captions[0].startsWith(`Memory, up to ${(truth.max_ram / 1e9).toPrecision(3)}`), "and draws its charts", captions.join("; "));
    await page.locator("#grid").focus();
    await page.keyboard.press("Home");
    ok((await page.textContent("#chosen")).startsWith("rank 0 "), "keys choose too");
    await page.evaluate((at) => window.gpuTrackerFleet.select(at), truth.missing[0] * 8);
    ok((await page.textContent("#chosen")).includes("missing"), "a missing one says so");
    ok(await page.locator("#failed li").count() === 3, "what is missing or failed is listed");
    await page.locator("#lanes").hover({ position: { x: 50, y: 10 } });
    ok(/^node\d+ after .*: .*B$/.test(await page.textContent("#lane")), "a node is read off at a time", await page.textContent("#lane"));
    ok(faults.length === 0, "no error, no request", faults.join("\n"));
    const unfit = await accessibilityFaults(page);
    ok(unfit.length === 0, "fit for all", unfit.join("\n"));
    await picture(page, "fleet-64");
    await close();
    const still = await open(file, { javaScriptEnabled: false });
    ok(await still.page.locator("#failed li").count() === 3 && await still.page.locator("#tables table").count() === 2, "without JavaScript: lists and tables");
    await still.close();
}

await large();
await small();
await closeBrowser();
done();
