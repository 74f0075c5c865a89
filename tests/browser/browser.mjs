// browser.mjs - pages in a real browser, each watched for what a report must never do.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

import { skipAll } from "./tap.mjs";

export const repository = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const pictures = process.env.PICTURES; // a folder for screenshots

const chromiums = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = chromiums.find((file) => file && fs.existsSync(file));
const require = createRequire(path.join(repository, "web/"));

function load(name) {
    try {
        return require(name);
    } catch (e) {
        return skipAll(`${name} is not in web/node_modules: run npm ci there`);
    }
}

const { chromium } = load("playwright-core");
const axe = load("axe-core");
if (!executablePath) skipAll("there is no chromium");

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
export const closeBrowser = () => browser.close();

// `faults` gathers errors, requests and dialogs.  Options are those of a playwright context; `waits`: for a
// page of ours, until it is ready.
export const open = (file, options) => openAddress(`file://${file}`, (url) => url === `file://${file}`, options);

// `isOwn` tells which requests are the page's own.
export async function openAddress(address, isOwn, { waits = true, ...options } = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-GB", timezoneId: "Europe/Berlin", ...options });
    const page = await context.newPage(), faults = [];
    page.on("console", (m) => ["error", "warning"].includes(m.type()) && faults.push(`console: ${m.text()}`));
    page.on("pageerror", (e) => faults.push(`error: ${e.stack}`));
    page.on("dialog", (d) => { faults.push(`dialog: ${d.message()}`); d.dismiss(); });
    page.on("request", (r) => {
        const url = r.url();
        if (!url.startsWith("data:") && !isOwn(url)) faults.push(`request: ${url}`);
    });
    await page.goto(address);
    if (waits && options.javaScriptEnabled !== false) await page.waitForSelector("html[data-ready]", { state: "attached" });
    return { page, faults, close: () => context.close() };
}

// Of the page, or of the elements that a selector names.
export async function accessibilityFaults(page, part = "html") {
    await page.evaluate(axe.source);
    const found = await page.evaluate((only) => window.axe.run({ include: [[only]] }, { resultTypes: ["violations"] }), part);
    return found.violations.filter((v) => ["serious", "critical"].includes(v.impact))
        .map((v) => `${v.id}: ${v.help}: ${v.nodes.map((n) => `${n.target} ${n.failureSummary}`).slice(0, 4).join(" | ")}`);
}

export async function picture(page, name) {
    if (!pictures) return;
    fs.mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: path.join(pictures, `${name}.png`), fullPage: true });
}
