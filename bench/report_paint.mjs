// report_paint.mjs - how soon a page is there in Chromium.  Prints one line of JSON for each page: the
// milliseconds from the start of the navigation to the first paint and to the frame that has all
// charts, one of each for each round, and what the page tried to fetch.
//
// usage: node report_paint.mjs ROUNDS SECONDS PAGE...
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const web = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../web/");
const { chromium } = createRequire(web + "/")("playwright-core");
const executablePath = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
    .find((file) => file && fs.existsSync(file));
const [rounds, seconds, ...pages] = process.argv.slice(2);
const timeout = 1000 * seconds;

// In the page: ours says when it is ready, the other package's draws while it is loaded.  What was
// drawn before a frame is in that frame.
function watch() {
    const isDrawn = () => document.documentElement.dataset.ready || (document.readyState === "complete"
        && document.querySelector("[id^=plot_] canvas"));
    const frame = () => (isDrawn() ? requestAnimationFrame(() => { window.drawnAt = performance.now(); }) : requestAnimationFrame(frame));
    requestAnimationFrame(frame);
}

async function look(browser, file, requests) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    page.on("request", (r) => { if (!/^(file|data):/.test(r.url())) requests.add(r.url()); });
    await page.addInitScript(watch);
    await page.goto(`file://${path.resolve(file)}`, { timeout });
    await page.waitForFunction(() => window.drawnAt, null, { timeout });
    const found = await page.evaluate(() => [performance.getEntriesByName("first-contentful-paint")[0].startTime, window.drawnAt])
        .then(([paint, drawn]) => [paint, Math.max(paint, drawn)]); // what was drawn before the first paint is seen with it
    await context.close();
    return found;
}

// Nothing may leave this machine, whatever the page wants.
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND"] });
for (const page of pages) {
    const requests = new Set(), found = [];
    try {
        if (rounds > 1) await look(browser, page, requests); // with cold caches
        for (let i = 0; i < rounds; i++) found.push(await look(browser, page, requests));
        console.log(JSON.stringify({ paint: found.map((f) => f[0]), drawn: found.map((f) => f[1]), requests: [...requests] }));
    } catch (e) {
        console.log(JSON.stringify({ failed: e.message.split("\n")[0], requests: [...requests] }));
    }
}
await browser.close();
