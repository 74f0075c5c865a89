// report.mjs - reports in a real browser: figures, charts, hands and keys, colours, paper.
import fs from "node:fs";

import { accessibilityFaults, closeBrowser, open, picture } from "./browser.mjs";
import { cpuJob, gpuJob, hostileJob, killedForMemory, longRun, manyBlocks, nasty, pythonReports, readJson, report, rewritten, track } from "./runs.mjs";
import { done, ok } from "./tap.mjs";

const sanitized = process.env.SANITIZED === "1";
const wait = (page) => page.evaluate(() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r))));
const view = (page) => page.evaluate(() => ({ ...window.gpuTrackerReport.view }));
const whole = (page) => page.evaluate(() => { const d = JSON.parse(document.getElementById("data").textContent); return d.to - d.from; });

// What holds of each report, light and dark, on a desk and on a phone.
async function everywhere(name, file) {
    const size = fs.statSync(file).size;
    ok(size < 1.5e6, `${name}: ${Math.round(size / 1000)} kB are below 1.5 MB`);
    const kinds = [
        ["desk-light", { colorScheme: "light" }],
        ["desk-dark", { colorScheme: "dark" }],
        ["phone-light", { colorScheme: "light", viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
        ["phone-dark", { colorScheme: "dark", viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
    ];
    for (const [kind, options] of kinds) {
        const { page, faults, close } = await open(file, options);
        await page.evaluate(() => { for (const d of document.querySelectorAll("details")) d.open = true; });
        await wait(page);
        const found = await accessibilityFaults(page);
        ok(found.length === 0, `${name}, ${kind}: axe finds nothing serious`, ...found);
        const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        ok(widths[0] <= widths[1], `${name}, ${kind}: nothing to scroll sideways: ${widths}`);
        await page.evaluate(() => { for (const d of document.querySelectorAll("details")) d.open = false; });
        await picture(page, `${name}-${kind}`);
        ok(faults.length === 0, `${name}, ${kind}: no error, no request, no dialog`, ...faults);
        await close();
    }
}

const bytesIn = { bytes: 1, kilobytes: 1e3, megabytes: 1e6, gigabytes: 1e9, terabytes: 1e12 };

// Cards show the figures of the JSON, not those of the drawn series.
async function figures(name, file, json) {
    const { page, close } = await open(file), of = readJson(json);
    const cards = await page.$$eval(".card .value[data-figure]", (all) => all.map((e) => ({ path: e.dataset.figure, value: Number(e.dataset.value), text: e.textContent })));
    const known = cards.filter((c) => c.path.includes("."));
    ok(known.length >= 4, `${name}: there are cards: ${known.map((c) => c.text).join(", ")}`);
    for (const card of known) {
        const [group] = card.path.split("."), unit = of[group].unit;
        const truth = card.path.split(".").reduce((o, k) => o[k], of) * (group.endsWith("ram") ? bytesIn[unit] : 1);
        ok(Math.abs(card.value - truth) <= 1e-9 * Math.abs(truth), `${name}: ${card.path} is ${card.text}`, card, { truth });
    }
    const memory = await page.textContent("#card-memory .value");
    const truth = of.max_ram.combined.total_rss * bytesIn[of.max_ram.unit];
    const shown = parseFloat(memory) * { kB: 1e3, MB: 1e6, GB: 1e9 }[memory.replace(/[\d.\s]/g, "")];
    ok(Math.abs(shown / truth - 1) < 0.006, `${name}: in words ${memory} are ${truth} bytes`);
    await close();
}

async function mouse(file) {
    const { page, faults, close } = await open(file), all = await whole(page);
    await page.locator("#chart-cpu").scrollIntoViewIfNeeded(); // how much is said above it depends on the run
    const box = await (await page.$("#chart-cpu .u-over")).boundingBox();
    const y = box.y + box.height / 2;

    await page.mouse.move(box.x + box.width * 0.25, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, y, { steps: 5 });
    await page.mouse.up();
    await wait(page);
    let v = await view(page);
    ok(Math.abs(v.from / all - 0.25) < 0.02 && Math.abs(v.to / all - 0.5) < 0.02, "dragging zooms to what was marked", v, all);
    const scales = await page.evaluate(() => window.gpuTrackerReport.charts.map((c) => [c.u.scales.x.min, c.u.scales.x.max].join()));
    ok(new Set(scales).size === 1 && scales.length >= 3, "all charts have the same section", scales);
    await page.mouse.move(2, 2);
    await wait(page);
    ok(/ to .* of /.test(await page.textContent("#range")), "the section is told in words");

    await page.mouse.move(box.x + box.width * 0.5, y);
    await wait(page);
    const lefts = await page.$$eval(".u-cursor-x", (all) => all.map((e) => e.style.transform));
    ok(new Set(lefts).size === 1, "the line stands at the same place in all charts", lefts);
    const peak = await page.textContent("#chart-cpu .key .peak");
    ok(/core/.test(peak) && !/peak/.test(peak), `the keys read the value there: ${peak}`);
    ok(/after the start/.test(await page.textContent("#range")), "and the time");

    await page.keyboard.down("Shift");
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.3, y, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up("Shift");
    const moved = await view(page);
    ok(moved.from > v.from && Math.abs(moved.to - moved.from - (v.to - v.from)) < 1e-6, "Shift and dragging moves the section", v, moved);

    await page.click("#reset");
    v = await view(page);
    ok(v.from === 0 && Math.abs(v.to - all) < 1e-9 && await page.isDisabled("#reset"), "the button resets", v);

    await page.mouse.move(box.x + box.width / 2, y);
    await page.mouse.wheel(0, 200);
    await page.waitForFunction(() => scrollY > 0);
    ok((await view(page)).to === v.to, "the wheel alone scrolls the page");
    await page.evaluate(() => scrollTo(0, 0));
    await page.waitForFunction(() => scrollY === 0);
    const again = await (await page.$("#chart-cpu .u-over")).boundingBox();
    await page.mouse.move(again.x + again.width / 2, again.y + again.height / 2);
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -300);
    await page.keyboard.up("Control");
    await wait(page);
    v = await view(page);
    ok(v.to - v.from < 0.8 * all, "with Ctrl it zooms", v);
    await page.mouse.dblclick(again.x + again.width / 2, again.y + again.height / 2);
    await wait(page);
    ok((await view(page)).from === 0 && (await view(page)).to > 0.999 * all, "a double click resets");
    ok(faults.length === 0, "with the mouse: no error", ...faults);
    await close();
}

async function keysOfLines(file) {
    const { page, close } = await open(file);
    const state = () => page.evaluate(() => { const c = window.gpuTrackerReport.charts[0]; return { shown: [...c.shown], top: c.top, series: c.u.series.slice(1).map((s) => s.show) }; });
    const before = await state(), button = page.locator("#chart-cpu button.key").first();
    ok(await button.getAttribute("aria-pressed") === "true", "a line's key is a button that says that it is shown");
    await button.click();
    await wait(page);
    const after = await state();
    ok(before.shown[0] && !after.shown[0] && before.series.some((s, i) => s && !after.series[i]), "a click hides the line", before, after);
    ok(await button.getAttribute("aria-pressed") === "false", "and the button says so");
    const last = page.locator("#chart-memory button.key").last();
    const memory = () => page.evaluate(() => window.gpuTrackerReport.charts[1].top);
    const top = await memory();
    await last.click();
    await wait(page);
    ok(await memory() > top, "a line of larger values makes the axis higher", top);
    await close();
}

async function keyboard(file) {
    const { page, faults, close } = await open(file), all = await whole(page);
    await page.focus("#chart-memory .plot");
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.getElementById("reading").textContent !== "");
    const said = await page.textContent("#reading");
    ok(/Memory at .*: Job .*B/.test(said), `arrows read values aloud: ${said}`);
    await page.keyboard.press("+");
    const v = await view(page);
    ok(Math.abs(v.to - v.from - all / 2) < 1e-6 * all, "+ zooms", v);
    await page.keyboard.press("Shift+ArrowLeft");
    ok((await view(page)).from < v.from, "Shift and an arrow moves the section");
    await page.keyboard.press("-");
    await page.keyboard.press("-");
    ok((await view(page)).to - (await view(page)).from > 0.999 * all, "- zooms out, not further than the run");
    await page.keyboard.press("+");
    await page.keyboard.press("0");
    ok((await view(page)).from === 0, "0 resets");
    await page.keyboard.press("Tab");
    ok(await page.evaluate(() => document.activeElement !== document.querySelector("#chart-memory .plot")), "Tab goes on: nobody is caught in a chart");
    ok(faults.length === 0, "with the keyboard: no error", ...faults);
    await close();
}

async function fingers(file) {
    const { page, faults, close } = await open(file, { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });
    const all = await whole(page), client = await page.context().newCDPSession(page);
    await page.locator("#chart-cpu .u-over").scrollIntoViewIfNeeded();
    const box = await (await page.$("#chart-cpu .u-over")).boundingBox();
    const y = box.y + box.height / 2, at = (...xs) => xs.map((x, id) => ({ x: box.x + x, y, id }));
    const touch = (type, ...xs) => client.send("Input.dispatchTouchEvent", { type, touchPoints: at(...xs) });
    await touch("touchStart", 100, 140);
    for (let d = 0; d <= 60; d += 15) await touch("touchMove", 100 - d, 140 + d);
    await touch("touchEnd");
    await wait(page);
    const v = await view(page);
    ok(v.to - v.from < 0.6 * all, "two fingers zoom", v, all);
    await touch("touchStart", 150);
    for (let d = 0; d <= 60; d += 15) await touch("touchMove", 150 - d);
    await touch("touchEnd");
    await wait(page);
    ok((await view(page)).from > v.from, "one finger moves the section", v, await view(page));
    ok(faults.length === 0, "with fingers: no error", ...faults);
    await close();
}

// The highest value that a chart draws, and the one that it shows as its peak.
const drawn = (page, id) => page.evaluate((id) => {
    const c = window.gpuTrackerReport.charts.find((c) => c.spec.id === id);
    let most = 0;
    for (const ys of c.u.data.slice(1)) for (const y of ys) if (y > most) most = y;
    return { most, n: c.u.data[0].length };
}, id);

async function many(file, n) {
    const { page, faults, close } = await open(file), all = await whole(page);
    const peaks = [Math.floor(n / 3), Math.floor((n * 7) / 9)];
    ok(/1?[0-9,]+/.test(await page.textContent(".facts")) && Math.abs(all - n) < 2, `${n} records are one axis of ${all} s`);
    ok(await page.evaluate(() => window.gpuTrackerReport.levels.length) === 1, "what is needed for the first look is unpacked first");
    const first = await drawn(page, "memory");
    ok(Math.abs(first.most / 4800.5e6 - 1) < 1e-3, `peaks of one record are in the overview: ${first.most}`);
    ok(first.n <= 2100, `which has ${first.n} points`);
    await page.evaluate(() => window.gpuTrackerReport.loadDeep());
    ok(await page.evaluate(() => window.gpuTrackerReport.levels.length) > 1, "more is there for who zooms in");
    for (const share of [0.5, 0.1, 0.02, 0.005]) {
        for (const at of peaks) {
            await page.evaluate(([a, b]) => window.gpuTrackerReport.setView(a, b), [at - (share / 2) * n, at + (share / 2) * n]);
            await wait(page);
            const { most, n: points } = await drawn(page, "memory");
            ok(Math.abs(most / 4800.5e6 - 1) < 1e-3 && points < 6000, `at ${share} of the run the peak is there: ${most}, ${points} points`);
        }
    }
    const finest = await drawn(page, "memory");
    ok(finest.n > 2 * 0.005 * 2000, `zoomed in there is more to see than before: ${finest.n} points`);
    ok(faults.length === 0, "many records: no error", ...faults);
    await close();
}

async function linesToPaste(file) {
    const { page, faults, close } = await open(file), names = await page.$$eval(".snippet h3", (all) => all.map((e) => e.textContent));
    ok(["Slurm", "Kubernetes", "Docker"].every((n) => names.includes(n)), `lines to paste for ${names.join(", ")}`);
    ok(/^#SBATCH --cpus-per-task=\d+\n#SBATCH --mem=\d+M/.test(await page.textContent("#for-slurm pre")), "such as those of Slurm");
    await page.evaluate(() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; });
    await page.click("#for-slurm .copy");
    ok(await page.evaluate(() => window.copied === document.querySelector("#for-slurm pre").textContent), "a button copies them");
    ok(await page.textContent("#for-slurm .copy") === "Copied" && /Slurm/.test(await page.textContent("#said")), "and says so");
    await page.evaluate(() => { navigator.clipboard.writeText = async () => { throw new Error("not allowed"); }; });
    await page.click("#for-docker .copy");
    await page.waitForFunction(() => document.querySelector("#for-docker .copy").textContent !== "Copy");
    ok((await page.evaluate(() => String(getSelection()))).includes("--cpus="), "where that is not allowed they are marked, for Ctrl+C");
    ok(faults.length === 0, "copying: no error", ...faults);
    await close();
}

async function colours(file) {
    const { page, close } = await open(file, { colorScheme: "light" });
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    await page.click("#theme");
    ok(await paper() === light && /light/.test(await page.textContent("#theme")), "the button: light");
    await page.click("#theme");
    ok(await paper() !== light && /dark/.test(await page.textContent("#theme")), "then dark");
    let kept = false;
    for (let i = 0; i < 3 && !kept; i++) { // the browser stores it in its own time
        await page.reload();
        await page.waitForSelector("html[data-ready]", { state: "attached" });
        kept = await paper() !== light;
    }
    ok(kept, "which is kept");
    await close();
}

async function paper(file) {
    const { page, close } = await open(file, { colorScheme: "dark" });
    await page.emulateMedia({ media: "print" });
    ok(await page.isVisible("#chart-cpu .still svg") && !(await page.isVisible("#chart-cpu .uplot")), "on paper the charts are drawings");
    ok(await page.evaluate(() => getComputedStyle(document.body).backgroundColor) === "rgb(255, 255, 255)", "and the paper is white");
    ok(!(await page.isVisible("#reset")), "without buttons");
    const pdf = await page.pdf({ format: "A4" });
    ok(pdf.subarray(0, 4).toString() === "%PDF" && pdf.length > 10000, `it prints: ${pdf.length} bytes`);
    const first = await page.pdf({ format: "A4", pageRanges: "1" });
    await page.evaluate(() => document.querySelector("main").style.breakBefore = "page");
    const empty = await page.pdf({ format: "A4", pageRanges: "1" });
    ok(first.length > 2 * empty.length, `and not on from the second page: ${first.length} bytes on the first one`);
    await close();
}

async function withoutScript(file) {
    const { page, faults, close } = await open(file, { javaScriptEnabled: false });
    ok(/\d/.test(await page.textContent("#card-time .value")) && await page.isVisible("#card-memory"), "without JavaScript the figures are there");
    ok(await page.isVisible("#verdict") && await page.isVisible("#limit"), "how it ended and what limited it too");
    ok(await page.isVisible("#chart-cpu .still svg") && (await page.getAttribute("#chart-cpu .still .line", "d")).length > 20, "and the charts stand still");
    ok(!(await page.isVisible("#controls")) && !(await page.isVisible("#theme")), "no button that does nothing");
    ok(faults.length === 0, "without JavaScript: nothing is fetched", ...faults);
    await picture(page, "cpu-no-script");
    await close();
}

async function firstPaint(file) {
    const { page, close } = await open(file);
    const isReady = () => page.evaluate(() => document.documentElement.dataset.ready === "yes");
    await page.addInitScript(() => { window.held = []; window.requestAnimationFrame = (act) => window.held.push(act); });
    await page.reload();
    ok(!(await isReady()) && await page.isVisible("#chart-cpu .still svg"), "before the first frame the charts stand still, and are seen");
    await page.evaluate(() => { for (const act of window.held.splice(0)) act(performance.now()); });
    await page.waitForSelector("html[data-ready]", { state: "attached" });
    ok(await page.isVisible("#chart-cpu .uplot") && !(await page.isVisible("#chart-cpu .still svg")), "behind it they are the live ones");
    await page.addInitScript(() => Object.defineProperty(Document.prototype, "hidden", { get: () => true }));
    await page.reload();
    ok(await isReady(), "a page that nobody sees has no frames and waits for none");
    await close();
}

async function said(name, file, verdict, ...rules) {
    const { page, close } = await open(file);
    const text = await page.textContent("#verdict"), found = await page.$$eval("[data-rule]", (all) => all.map((e) => e.dataset.rule));
    ok(verdict.test(text), `${name}: it says "${text}"`);
    for (const rule of rules) ok(found.includes(rule), `${name}: it finds ${rule}`, found);
    await close();
}

async function hostile(job) {
    const file = report("nasty", job.csv, job.json, `--stf=${job.marks}`, "--title", nasty), { page, faults, close } = await open(file);
    const shown = await page.evaluate(() => document.body.innerText);
    ok(await page.evaluate(() => window.hacked === undefined), "words from outside are not executed");
    ok(await page.evaluate(() => document.querySelectorAll("img, iframe, object, main script").length) === 0, "they make no elements");
    ok(shown.includes("</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'>\"'&"), "they are shown as they are");
    ok(shown.includes("[U+202E]txt.exe") && !shown.includes("\u202E"), "what would turn the text around is named");
    ok(shown.includes("\u05D0\u05D1\u05D2"), "letters written from right to left are shown");
    ok((await page.title()).includes("<script>"), "in the title too");
    ok(/<script>/.test(await page.textContent("#block-table")) && /<script>/.test(await page.textContent("#lanes")), "and as names of code blocks");
    const ran = await page.evaluate(() => { const s = document.createElement("script"); s.textContent = "window.hacked = 3"; document.body.append(s); return window.hacked; });
    ok(ran === undefined, "the page's policy runs no script but its own");
    const other = faults.filter((f) => !/Content Security Policy/.test(f));
    ok(other.length === 0, "hostile words: no error", ...other);
    await close();
    await everywhere("nasty", file);
}

async function blocksAndGpus(job) {
    const file = report("gpu", job.csv, job.json, `--stf=${job.marks}`, "--title=Fine-tuning, run 12");
    const { page, close } = await open(file);
    ok(await page.isVisible("#chart-gpu") && await page.isVisible("#chart-gpu-memory") && await page.isVisible("#card-energy"), "charts and cards of the GPUs");
    ok((await page.$$("#block-table tbody tr")).length === 3 && (await page.$$(".lane")).length === 3, "three code blocks, as rows and as bands");
    const work = await page.evaluate(() => { const c = window.gpuTrackerReport.charts.find((c) => c.spec.id === "gpu-work"); return { labels: c.spec.lines.map((l) => l.label), filled: c.u.series.filter((s, i) => i && s.fill(c.u, i)).length, mean: c.u.data.slice(3).filter((d, i) => i % 3 === 0).map((d) => Math.max(...d)) }; });
    ok(work.labels.join() === "Tensor cores,and other kernels,and copies" && work.filled === 3, "what the GPUs did, in layers", work);
    ok(work.mean[0] > 70 && work.mean[1] > 80 && work.mean[2] > 55 && work.mean[2] < 65, "each holds those below it", work);
    ok((await page.$$("#chart-gpu-work .still .area")).length === 3, "also where it stands still");
    const before = await page.getAttribute(".band", "viewBox");
    await page.click("#zoom-in");
    ok(await page.getAttribute(".band", "viewBox") !== before, "bands are zoomed with the charts");
    const row = await page.textContent("#block-table tbody tr:has-text('train')");
    ok(/train\s*2/.test(row), `with their calls: ${row.trim()}`);
    await close();
    await everywhere("gpu", file);
    await figures("gpu", file, job.json);
    await said("gpu", file, /^Finished$/, "gpu-idle");
}

async function pythonPage(file) {
    const { page, faults, close } = await open(file);
    ok(await page.title() === "python-job.py" && await page.isVisible("#chart-cpu .u-over") && await page.isVisible("#chart-memory .u-over"), "python: the script's name, and charts");
    const peak = Number(await page.getAttribute("#card-memory .value", "data-value"));
    ok(peak > 280e6, `python: children and ballast are in the peak: ${peak}`);
    ok(await page.isVisible("#offers") && (await page.$$("#offers tbody tr")).length > 0, "python: servers to rent");
    ok(faults.length === 0, "python: no error", ...faults);
    await close();
}

// A machine that slept: nothing is drawn, and nothing is known, for that time.
async function gap(like) {
    const file = report("gap", rewritten("gap", like, 600, (r, i) => ({ ...r, timestamp: r.timestamp + (i < 300 ? 0 : 14400) })));
    const { page, faults, close } = await open(file);
    const holes = () => page.evaluate(() => { const [xs, ...ys] = window.gpuTrackerReport.charts[0].u.data; const line = ys[ys.length - 1]; return xs.filter((x, i) => line[i] === null); });
    let found = await holes();
    ok(found.length === 1 && found[0] > 3600 && found[0] < 14400, "a gap in the records is a gap in the line", found);
    await page.evaluate(() => window.gpuTrackerReport.point(7200));
    await wait(page);
    ok(/not known/.test(await page.textContent("#chart-cpu .key .peak")), "what was then is not known");
    await page.evaluate(() => window.gpuTrackerReport.point(100));
    await wait(page);
    ok(/core/.test(await page.textContent("#chart-cpu .key .peak")), "before it is");
    await page.evaluate(() => window.gpuTrackerReport.setView(0, 290));
    found = await holes();
    ok(found.length === 0, "who looks at the records before it sees no gap", found);
    ok(faults.length === 0, "a gap: no error", ...faults);
    await close();
}

// Files that somebody has damaged: there is a page, and it works.
async function oddities(like) {
    const every = (value) => (r) => Object.fromEntries(Object.keys(r).map((k) => [k, k === "timestamp" ? r[k] : value]));
    const files = {
        huge: rewritten("huge", like, 100, every("1e300")),
        negative: rewritten("negative", like, 100, every("-5")),
        zero: rewritten("zero", like, 100, every("0")),
        backwards: rewritten("backwards", like, 600, (r, i) => ({ ...r, timestamp: r.timestamp - (i < 300 ? 0 : 200) })),
        "one-record": rewritten("one-record", like, 1, (r) => r),
        "no-records": rewritten("no-records", like, 0, (r) => r),
        "far-future": rewritten("far-future", like, 50, (r) => ({ ...r, timestamp: r.timestamp * 1e6 })),
    };
    for (const [name, csv] of Object.entries(files)) {
        const { page, faults, close } = await open(report(name, csv));
        const text = await page.textContent("main");
        ok(!/-\d+(\.\d+)? [kMG]?B|NaN|Infinity|-\d.*cores/.test(text), `${name}: no figure that cannot be`);
        const rising = await page.evaluate(() => window.gpuTrackerReport.charts.every((c) => c.u.data[0].every((x, i, all) => i === 0 || x >= all[i - 1])));
        ok(rising && faults.length === 0, `${name}: the page works`, ...faults);
        if (name === "one-record") ok(/not measured/.test(await page.textContent("#card-time")), "one record does not tell how long it took");
        if (name === "backwards") ok(Math.abs(await whole(page) - 600) < 2, "a clock that is set back hides no record");
        if (name === "no-records") ok(/There are no charts/.test(text), "without records it says so");
        await close();
    }
}

async function blocksWithoutEnd(cpu) {
    const { page, close } = await open(report("many-blocks", cpu.csv, cpu.json, "--stf", manyBlocks(cpu.csv, 2000)));
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    ok(height < 9000, `thousands of blocks with long names leave the page usable: ${height} pixels`);
    ok((await accessibilityFaults(page)).length === 0, "and accessible");
    await close();
}

// What is said, hands on the charts, code blocks and GPUs, names that attack.
async function onePage(cpu, cpuReport) {
    await figures("cpu", cpuReport, cpu.json);
    await said("cpu", cpuReport, /^Finished$/);
    await mouse(cpuReport);
    await keyboard(cpuReport);
    await colours(cpuReport);
    await withoutScript(cpuReport);
    await blocksAndGpus(gpuJob());
    await hostile(hostileJob());
}

// What fingers, paper and odd records do to a page, and pages that Python made.
async function oddPages(cpu, cpuReport) {
    await keysOfLines(cpuReport);
    await fingers(cpuReport);
    await linesToPaste(cpuReport);
    await paper(cpuReport);
    await firstPaint(cpuReport);

    await gap(cpu.csv);
    await oddities(cpu.csv);
    await blocksWithoutEnd(cpu);

    const python = pythonReports();
    if (python) {
        await said("python", python.job, /^Ended$/);
        await pythonPage(python.job);
        await everywhere("python", python.job);
        await said("pypi-snapshot", python.snapshot, /^Failed$/);
        await everywhere("pypi-snapshot", python.snapshot);
    }
}

async function kindsOfRuns(cpu, cpuReport) {
    await everywhere("cpu", cpuReport);

    const failedJob = track("failed", ["sh", "-c", "sleep 0.2; exit 3"]), failedReport = report("failed", failedJob.csv, failedJob.json);
    await said("failed", failedReport, /^Failed with exit code 3$/);
    await everywhere("failed", failedReport);

    const oomReport = report("oom", killedForMemory(cpu.json));
    await said("oom", oomReport, /^Killed for memory at the limit of 8\.00 GB$/, "memory-limit");
    await everywhere("oom", oomReport);

    const short = track("short", ["sleep", "0.1"]), shortReport = report("short", short.csv, short.json);
    await said("short", shortReport, /^Finished$/);
    await everywhere("short", shortReport);

    const n = sanitized ? 100000 : 1000000, longReport = report("long", longRun(cpu.csv, n));
    await many(longReport, n);
    await everywhere("long", longReport);
}

// Side by side as tests of their own; all of them without an argument.
const parts = { page: onePage, odd: oddPages, kinds: kindsOfRuns };
const cpu = cpuJob(), cpuReport = report("cpu", cpu.csv, cpu.json);
for (const part of process.argv[2] ? [process.argv[2]] : Object.keys(parts)) await parts[part](cpu, cpuReport);
await closeBrowser();
done();
