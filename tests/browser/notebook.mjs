// notebook.mjs - what a browser shows of notebooks that were exported to HTML, without a kernel and without
// a script; for tests/real/with_notebooks.py.  usage: notebook.mjs FILE SCHEME, prints JSON.
import { accessibilityFaults, closeBrowser, open, picture } from "./browser.mjs";

const [file, colorScheme] = process.argv.slice(2);

// Each card: what it says, and whether its curves are to be seen: as wide as they are, and not a flat nothing.
const look = (page) => page.evaluate(() => [...document.querySelectorAll(".gpu-tracker")].map((card) => ({
    text: card.innerText,
    width: card.getBoundingClientRect().width,
    curves: [...card.querySelectorAll("svg")].map((svg) => {
        const path = svg.querySelector("path[fill=none]").getBoundingClientRect(), style = getComputedStyle(svg.querySelector("path[fill=none]"));
        return { part: svg.dataset.part, width: path.width, height: path.height, stroke: style.stroke };
    }),
})));

async function shown(options, name) {
    const { page, faults, close } = await open(file, { colorScheme, javaScriptEnabled: false, ...options });
    const found = {
        cards: await look(page),
        tables: await page.locator("td, th").allInnerTexts(),
        overflow: await page.evaluate(() => Math.max(0, ...[...document.querySelectorAll(".gpu-tracker")].map((c) => c.scrollWidth - c.clientWidth))),
        faults,
    };
    await picture(page, name);
    await close();
    return found;
}

// With scripts: what is around it is nbconvert's, so faults are those of the report in its frame.
async function withScripts() {
    const { page, close } = await open(file, { colorScheme, waits: false });
    const frame = page.frames().find((one) => one.parentFrame());
    const found = { frame: null, accessibility: await accessibilityFaults(page, ".gpu-tracker") };
    if (frame) {
        await page.locator("iframe").scrollIntoViewIfNeeded();
        await frame.waitForSelector("html[data-ready]", { state: "attached" });
        found.frame = await frame.evaluate(() => ({
            text: document.body.innerText,
            isDrawn: document.querySelectorAll("canvas").length > 0,
            origin: window.origin,
        }));
        await picture(page, `notebook-${colorScheme}-report`);
    }
    await close();
    return found;
}

const result = {
    wide: await shown({}, `notebook-${colorScheme}`),
    phone: await shown({ viewport: { width: 390, height: 800 } }, `notebook-${colorScheme}-phone`),
    scripts: await withScripts(),
};
await closeBrowser();
console.log(JSON.stringify(result));
