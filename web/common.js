// What pages of a run and of a fleet share: words for amounts, colours, packed numbers.
const gpuTrackerPage = (function () {
    "use strict";

    // --- words -----------------------------------------------------------------------------------

    const decimals = (v) => (Math.abs(v) >= 99.95 || v === 0 ? 0 : Math.abs(v) >= 9.995 ? 1 : 2);

    function inSteps(v, units, behind) {
        let i = 0;
        for (; i + 1 < units.length && Math.abs(v) >= 999.5; i++) v /= 1000;
        return v.toFixed(i === 0 && units[0] === "B" ? 0 : decimals(v)) + "\u00a0" + units[i] + behind;
    }

    const bytes = ["B", "kB", "MB", "GB", "TB", "PB"];
    const number = (v) => (Math.abs(v) >= 999.5 ? Math.round(v).toLocaleString("en-US")
        : Number.isInteger(v) ? String(v) : v.toFixed(decimals(v)));
    const inWords = {
        bytes: (v) => inSteps(v, bytes, ""),
        rate: (v) => inSteps(v, bytes, "/s"),
        percent: (v) => v.toFixed(v !== 0 && Math.abs(v) < 9.95 ? 1 : 0) + "\u00a0%",
        cores: (v) => number(v) + (Math.abs(v - 1) < 0.005 ? "\u00a0core" : "\u00a0cores"),
        count: number,
    };

    // "12.5 s", "2m 30s", "1h 20m", "3d 4h"; `step` tells how exact it need be.
    function elapsed(t, step) {
        const sign = t < 0 ? "\u2212" : "";
        t = Math.abs(t);
        if (t < 60 || step < 1) {
            const n = step < 1 ? Math.min(6, Math.ceil(-Math.log10(step) - 1e-9)) : 0;
            if (t < 60) return sign + t.toFixed(n) + " s";
            return sign + Math.floor(t / 60) + "m " + (t % 60).toFixed(n) + "s";
        }
        const s = Math.round(t), part = (a, x, b, y) => sign + a + x + (b ? " " + b + y : "");
        if (s < 3600) return part(Math.floor(s / 60), "m", s % 60, "s");
        if (step < 60) return part(Math.floor(s / 3600), "h", Math.floor((s % 3600) / 60), "m") + (s % 60 ? " " + (s % 60) + "s" : "");
        if (s < 86400) return part(Math.floor(s / 3600), "h", Math.round((s % 3600) / 60), "m");
        return part(Math.floor(s / 86400), "d", Math.round((s % 86400) / 3600), "h");
    }

    // --- the page --------------------------------------------------------------------------------

    function fromBase64(text) {
        const raw = atob(text), out = new Uint8Array(raw.length);
        for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
        return out;
    }

    const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

    function themes(redraw) {
        const button = document.getElementById("theme"), root = document.documentElement, names = ["automatic", "light", "dark"];
        const say = () => { button.textContent = "Colours: " + (root.dataset.theme || names[0]); };
        button.hidden = false;
        say();
        button.addEventListener("click", () => {
            const next = names[(names.indexOf(root.dataset.theme || names[0]) + 1) % 3];
            if (next === names[0]) delete root.dataset.theme;
            else root.dataset.theme = next;
            try {
                localStorage.setItem("gpu-tracker-theme", next);
            } catch (e) {
                root.dataset.storage = "none"; // it is kept until the page is closed
            }
            say();
            redraw();
        });
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
    }

    function localTimes() {
        for (const t of document.querySelectorAll("time[datetime]")) {
            const date = new Date(t.getAttribute("datetime"));
            if (isNaN(date) || t.title) continue;
            t.title = t.textContent;
            t.textContent = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" }).format(date);
        }
    }

    return { bytes, number, inWords, elapsed, fromBase64, css, themes, localTimes };
})();
