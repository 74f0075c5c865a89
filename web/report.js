// The charts of a report: one time axis for all, with zoom, a line that reads values, and keys.
(function () {
    "use strict";

    const $ = (id) => document.getElementById(id);
    const { bytes, inWords, elapsed, fromBase64, css, themes, localTimes } = gpuTrackerPage;
    let data, span, hasClock, leastSpan;

    function take(next) {
        data = next;
        span = data.to - data.from;
        hasClock = data.from > 1e8 && data.to < 1e11; // nobody tracked a run before 1973, or far ahead: those are no dates
        leastSpan = Math.max(span / 1e5, 1e-3);
    }

    take(JSON.parse($("data").textContent));
    if (data.kind === "fleet") return; // fleet.js

    // On an axis: what the step needs, and no more.
    function onAxis(unit, v, step) {
        if (unit === "bytes" || unit === "rate") {
            let i = 0, top = Math.max(Math.abs(v), step);
            for (; i + 1 < bytes.length && top >= 1000; i++) top /= 1000;
            const size = Math.pow(1000, i);
            const n = Math.max(0, -Math.floor(Math.log10(step / size) + 1e-9));
            return v === 0 ? "0" : (v / size).toFixed(Math.min(n, 3)) + " " + bytes[i] + (unit === "rate" ? "/s" : "");
        }
        const n = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
        return v.toFixed(Math.min(n, 3)) + (unit === "percent" ? " %" : "");
    }

    const clockOf = (form) => {
        const f = new Intl.DateTimeFormat(undefined, form);
        return (t) => f.format(new Date((data.from + t) * 1000));
    };
    const time = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
    const toMinute = clockOf(time);
    const toSecond = clockOf({ ...time, second: "2-digit" });
    const toDay = clockOf({ month: "short", day: "numeric", ...time });
    const toAll = clockOf({ year: "numeric", month: "short", day: "numeric", ...time, second: "2-digit" });
    const clock = (t, step) => (!hasClock ? "" : span > 86400 ? toDay(t) : step < 60 ? toSecond(t) : toMinute(t));

    // --- series ----------------------------------------------------------------------------------

    const words = (text) => new Uint16Array(fromBase64(text).buffer);

    // A level: moments, and for each line its codes: 0 is not known, else 1 + the number of steps.
    // `high` and `mean` are `low` itself where each moment is one record.
    function overview() {
        const lines = [];
        for (const chart of data.charts)
            for (const line of chart.lines) {
                const low = words(line.low);
                lines.push({ low, high: line.high ? words(line.high) : low, mean: line.mean ? words(line.mean) : low, step: line.step });
            }
        const time = Float64Array.from(new Uint32Array(fromBase64(data.time).buffer), (t) => t * data.tick);
        return { n: data.n, thin: data.thin, time, lines };
    }

    function unpackWords(raw, at, n) {
        const out = new Uint16Array(n);
        for (let i = 0; i < n; i++) out[i] = raw[at + i] | (raw[at + n + i] << 8);
        return out;
    }

    function unpack(raw) {
        const { n, thin } = data.deep;
        const time = new Float64Array(n), lines = [];
        let at = 4 * n, sum = 0;
        for (let i = 0; i < n; i++) {
            sum += raw[i] + raw[n + i] * 256 + raw[2 * n + i] * 65536 + raw[3 * n + i] * 16777216;
            time[i] = sum * data.tick;
        }
        for (const step of data.deepSteps) {
            const low = unpackWords(raw, at, n);
            at += 2 * n;
            for (let i = 0, before = 0; i < n; i++) {
                const z = low[i];
                before = (before + (z & 1 ? ~(z >> 1) : z >> 1)) & 0xffff;
                low[i] = before;
            }
            let high = low, mean = low;
            if (thin) {
                high = unpackWords(raw, at, n);
                mean = unpackWords(raw, at + 2 * n, n);
                at += 4 * n;
                for (let i = 0; i < n; i++) {
                    high[i] += low[i];
                    mean[i] += low[i];
                }
            }
            lines.push({ low, high, mean, step });
        }
        return { n, thin, time, lines };
    }

    // Two neighbours become one: lowest and highest stay.
    function halve(level) {
        const n = level.n >> 1, time = new Float64Array(n);
        for (let i = 0; i < n; i++) time[i] = level.time[2 * i];
        const lines = level.lines.map(({ low, high, mean, step }) => {
            const l = new Uint16Array(n), h = new Uint16Array(n), m = new Uint16Array(n);
            for (let i = 0; i < n; i++) {
                const a = low[2 * i], b = low[2 * i + 1], c = mean[2 * i], d = mean[2 * i + 1];
                l[i] = a && b ? Math.min(a, b) : a || b;
                h[i] = Math.max(high[2 * i], high[2 * i + 1]);
                m[i] = c && d ? (c + d) / 2 : c || d;
            }
            if (level.n & 1 && n) h[n - 1] = Math.max(h[n - 1], high[level.n - 1]);
            return { low: l, high: h, mean: m, step };
        });
        return { n, thin: true, time, lines };
    }

    let levels = []; // the coarsest first
    let deep = null; // the promise of the rest

    function loadDeep() {
        if (deep || !data.deep) return deep || Promise.resolve(false);
        if (typeof DecompressionStream === "undefined") return (deep = Promise.resolve(false));
        const stream = new Blob([fromBase64(data.deep.data)]).stream().pipeThrough(new DecompressionStream("deflate"));
        deep = new Response(stream).arrayBuffer().then((buffer) => {
            const more = [unpack(new Uint8Array(buffer))];
            while (more[0].n > 3 * levels[0].n) more.unshift(halve(more[0]));
            levels = [levels[0], ...more];
            return true;
        }, () => false);
        return deep;
    }

    // The first moment at or behind t.
    function find(time, t) {
        let a = 0, b = time.length;
        while (a < b) {
            const m = (a + b) >> 1;
            if (time[m] < t) a = m + 1;
            else b = m;
        }
        return a;
    }

    // The coarsest level that has a moment for each column of the screen, else the finest.
    function choose(from, to, width) {
        for (const level of levels) {
            const first = Math.max(0, find(level.time, from) - 1);
            const end = Math.min(level.n, find(level.time, to) + 1);
            if (end - first >= width || level === levels[levels.length - 1]) return { level, first, end };
        }
    }

    // Where for long nothing was recorded, as when a machine sleeps: a 1 for the moment before.  What
    // is close by is compared: long runs are thinner where they are older.
    function gapsOf(level) {
        if (level.gaps) return level.gaps;
        const { n, time } = level, gaps = (level.gaps = new Uint8Array(n));
        for (let i = 0; i + 1 < n; i++) {
            const length = time[i + 1] - time[i];
            const near = Math.max(i > 0 ? time[i] - time[i - 1] : 0, i + 2 < n ? time[i + 2] - time[i + 1] : 0);
            gaps[i] = near > 0 && length > 5 * near && length > span / 100 ? 1 : 0;
        }
        return gaps;
    }

    // --- the view --------------------------------------------------------------------------------

    const view = { from: 0, to: span };
    const charts = [];
    let reading = null; // seconds, where the line stands

    function setView(from, to) {
        let length = Math.min(span, Math.max(leastSpan, to - from));
        const middle = (from + to) / 2;
        from = Math.min(Math.max(0, middle - length / 2), span - length);
        view.from = from;
        view.to = from + length;
        draw();
        if (length < 0.7 * span && !deep && data.deep) loadDeep().then((came) => came && draw());
    }

    function zoom(by, at) {
        const t = at === undefined || at === null ? (view.from + view.to) / 2 : at;
        setView(t - (t - view.from) * by, t + (view.to - t) * by);
    }

    const isWhole = () => view.to - view.from >= span * 0.9999;

    function draw() {
        for (const c of charts) c.draw();
        showView();
    }

    // What tells the section, apart from the charts.
    function showView() {
        for (const band of document.querySelectorAll(".band")) {
            const x = (view.from / span) * 1e5, w = ((view.to - view.from) / span) * 1e5;
            band.setAttribute("viewBox", x + " 0 " + w + " 1");
        }
        $("reset").disabled = isWhole();
        $("zoom-out").disabled = isWhole();
        sayRange();
    }

    function sayRange() {
        const step = (view.to - view.from) / 200;
        if (reading !== null) {
            $("range").textContent = elapsed(reading, step) + " after the start" + (hasClock ? ", " + (span > 86400 ? toAll(reading) : toSecond(reading)) : "");
            return;
        }
        const text = isWhole() ? "All of " + elapsed(span, span / 200)
            : elapsed(view.from, step) + " to " + elapsed(view.to, step) + " of " + elapsed(span, span / 200);
        $("range").textContent = text + (hasClock ? ", from " + toAll(view.from) : "");
    }

    // --- one chart -------------------------------------------------------------------------------

    const secondSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400, 172800, 432000, 864000, 2592000];
    const steps = [];
    for (let e = -6; e < 0; e++) for (const m of [1, 2, 5]) steps.push(m * Math.pow(10, e));
    steps.push(...secondSteps);
    const wholeSteps = [], anySteps = [];
    for (let e = -6; e < 18; e++) for (const m of [1, 2, 5]) (e < 0 ? anySteps : wholeSteps).push(m * Math.pow(10, e));
    anySteps.push(...wholeSteps);

    function makeChart(plot, width, spec, firstLine) {
        const figure = plot.closest("figure");
        const shown = spec.lines.map((l) => !l.hidden);
        const peaks = spec.lines.map(() => 0); // of what is in view
        const keys = [];
        let slice = null, u = null;

        function size() {
            return { width: Math.max(200, width), height: innerWidth < 640 ? 176 : 206 };
        }

        // For uPlot: times, then three series for each line: lowest, highest, mean or value.
        function cut() {
            slice = choose(view.from, view.to, size().width);
            const { level, first, end } = slice, gaps = gapsOf(level);
            const xs = [], at = [], out = [xs]; // at: whose values; -1: nobody knows
            for (let i = first; i < end; i++) {
                const t = level.time[i], next = i + 1 < level.n ? level.time[i + 1] : Math.max(t, span);
                xs.push(level.thin && !gaps[i] ? (t + next) / 2 : t);
                at.push(i);
                if (!gaps[i]) continue;
                xs.push((t + next) / 2);
                at.push(-1);
            }
            const n = xs.length, none = new Array(n).fill(null);
            // The last stands on top: the job itself, which is the first of the lines.
            for (let k = spec.lines.length - 1; k >= 0; k--) {
                const { low, high, mean, step } = level.lines[firstLine + k];
                const values = (codes) => {
                    const ys = new Array(n);
                    for (let i = 0; i < n; i++) ys[i] = at[i] >= 0 && codes[at[i]] ? (codes[at[i]] - 1) * step : null;
                    return ys;
                };
                let most = 0;
                for (let i = first; i < end; i++) if (high[i] > most) most = high[i];
                peaks[k] = most ? (most - 1) * step : 0;
                out.push(level.thin ? values(low) : none, level.thin ? values(high) : none, values(mean));
            }
            return out;
        }

        function top() {
            let t = spec.unit === "percent" ? 100 : 0;
            peaks.forEach((p, k) => { if (shown[k] && p > t) t = p; });
            if (spec.limit !== null && spec.limit <= 2 * t) t = Math.max(t, spec.limit);
            return t > 0 ? t * 1.06 : 1;
        }

        function drawLimit(u) {
            if (spec.limit === null || !spec.drawLimit || spec.limit > u.scales.y.max) return;
            const y = Math.round(u.valToPos(spec.limit, "y", true)), c = u.ctx;
            c.save();
            c.strokeStyle = css("--limit");
            c.lineWidth = 1.4 * devicePixelRatio;
            c.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
            c.beginPath();
            c.moveTo(u.bbox.left, y);
            c.lineTo(u.bbox.left + u.bbox.width, y);
            c.stroke();
            c.restore();
        }

        const gutter = () => parseInt(css("--gutter"), 10) + 8;
        const axis = { stroke: () => css("--soft"), grid: { stroke: () => css("--grid"), width: 1 }, ticks: { show: false }, font: "12px system-ui, sans-serif" };
        const options = {
            ...size(),
            padding: [10, 12, 0, 0],
            legend: { show: false },
            cursor: {
                y: false,
                drag: { x: true, y: false, setScale: false, dist: 4 },
                points: { size: 7, show: (u, i) => { const p = document.createElement("i"); p.hidden = i % 3 !== 0; return p; } },
                sync: { key: "time", scales: ["x", null], filters: { pub: (t) => t === "mousemove" || t === "mouseleave", sub: (t) => t === "mousemove" || t === "mouseleave" } },
                bind: { dblclick: () => () => { setView(0, span); return null; } },
            },
            scales: {
                x: { time: false, range: () => [view.from, view.to] },
                y: { range: () => [0, top()] },
            },
            axes: [
                { ...axis, size: hasClock ? 42 : 28, gap: 6, space: innerWidth < 640 ? 74 : 100, incrs: steps,
                    values: (u, splits, i, space, step) => {
                        const width = u.bbox.width / devicePixelRatio || u.width;
                        const edge = view.to - (view.to - view.from) * 26 / width; // there it would be cut off
                        return splits.map((t) => (t > edge ? "" : elapsed(t, step) + (hasClock && step >= 1 ? "\n" + clock(t, step) : "")));
                    } },
                { ...axis, size: gutter(), gap: 8, space: 34, incrs: spec.unit === "count" ? wholeSteps : anySteps,
                    values: (u, splits, i, space, step) => splits.map((v) => onAxis(spec.unit, v, step)) },
            ],
            series: [{}, ...spec.lines.slice().reverse().flatMap((line) => [
                { show: !line.hidden, points: { show: false } },
                { show: !line.hidden, stroke: () => css("--c" + line.colour) + "60", width: 1, points: { show: false } },
                {
                    show: !line.hidden,
                    stroke: () => css("--c" + line.colour),
                    fill: spec.stacked ? () => css("--c" + line.colour) + "48"
                        : line === spec.lines[0] && !line.hidden ? () => css("--c" + line.colour) + "14" : undefined,
                    width: 1.6,
                    points: { show: (u, s, a, b) => b - a < 3, size: 5 },
                },
            ])],
            bands: spec.lines.map((line, k) => {
                const at = 3 * (spec.lines.length - 1 - k) + 1;
                return { series: [at + 1, at], fill: () => css("--c" + line.colour) + "30" };
            }),
            hooks: {
                draw: [drawLimit],
                setSelect: [(u) => {
                    if (u.select.width < 3) return;
                    const a = u.posToVal(u.select.left, "x"), b = u.posToVal(u.select.left + u.select.width, "x");
                    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
                    setView(a, b);
                }],
                setCursor: [(u) => {
                    const left = u.cursor.left;
                    read(left === undefined || left < 0 ? null : u.posToVal(left, "x"));
                }],
            },
        };

        // Well away from the records on both sides.
        function isInGap(level, i, t) {
            const a = gapsOf(level)[i] ? i : i > 0 && gapsOf(level)[i - 1] ? i - 1 : -1;
            if (a < 0) return false;
            const edge = (level.time[a + 1] - level.time[a]) / 20;
            return t > level.time[a] + edge && t < level.time[a + 1] - edge;
        }

        // What a line says at t: a value, or mean, lowest and highest where several records are one.
        function valueAt(k, t) {
            const { level } = slice, time = level.time;
            let i = Math.min(level.n - 1, Math.max(0, find(time, t)));
            if (level.thin) {
                if (time[i] > t && i > 0) i--;
            } else if (i > 0 && t - time[i - 1] < time[i] - t) {
                i--;
            }
            if (isInGap(level, i, t)) return "not known";
            const { low, high, mean, step } = level.lines[firstLine + k];
            if (!high[i]) return "not known";
            const [a, b, c] = [low, mean, high].map((codes) => inWords[spec.unit]((codes[i] - 1) * step));
            return a === c ? b : b + " (" + a + " \u2013 " + c + ")";
        }

        function toggle(k, on) {
            shown[k] = on;
            keys[k].button.setAttribute("aria-pressed", String(on));
            keys[k].button.classList.toggle("off", !on);
            const at = 3 * (spec.lines.length - 1 - k) + 1;
            u.batch(() => [at, at + 1, at + 2].forEach((i) => u.setSeries(i, { show: on })));
            self.draw();
        }

        for (const item of figure.querySelectorAll(".key[data-line]")) {
            const k = Number(item.dataset.line), button = document.createElement("button");
            button.type = "button";
            button.className = item.className;
            button.append(...item.childNodes);
            button.setAttribute("aria-pressed", String(shown[k]));
            button.title = "Show or hide";
            button.addEventListener("click", () => toggle(k, !shown[k]));
            item.classList.remove("off");
            item.append(button);
            const peak = button.querySelector(".peak");
            keys[k] = { button, peak, nodes: [...peak.childNodes] };
        }

        const resized = new ResizeObserver(() => {
            width = plot.clientWidth;
            const s = size();
            if (s.width !== u.width || s.height !== u.height) {
                u.setSize(s);
                self.draw();
            }
        });

        const self = {
            shown,
            get spec() { return spec; },
            // The same lines with more in them.
            update(next, first) {
                spec = next;
                firstLine = first;
                keys.forEach((key, k) => { key.nodes = [key.nodes[0], inWords[spec.unit](spec.lines[k].max)]; });
                self.read(typeof reading === "number" ? reading : null);
            },
            destroy() {
                resized.disconnect();
                u.destroy();
            },
            draw() {
                if (!u) return;
                u.batch(() => {
                    u.setData(cut(), false);
                    u.setScale("x", { min: view.from, max: view.to });
                    u.setScale("y", { min: 0, max: top() });
                });
            },
            read(t) {
                for (const [k, key] of keys.entries()) key.peak.replaceChildren(...(t === null ? key.nodes : [valueAt(k, t)]));
            },
            say: (t) => spec.title + " at " + elapsed(t, (view.to - view.from) / 200) + ": "
                + spec.lines.map((l, k) => (shown[k] ? l.label + " " + valueAt(k, t) : null)).filter(Boolean).join(", "),
            get u() { return u; },
            get top() { return u.scales.y.max; },
        };

        plot.classList.add("live");
        u = new uPlot(options, cut(), plot);
        plot.tabIndex = 0;
        plot.setAttribute("role", "application");
        plot.setAttribute("aria-roledescription", "chart");
        plot.setAttribute("aria-label", figure.querySelector("svg[role=img]").getAttribute("aria-label"));
        plot.setAttribute("aria-describedby", "hint");
        plot.querySelector(".uplot").setAttribute("aria-hidden", "true");
        keyboard(plot, self);
        wheel(u);
        touch(u);
        pan(u);
        resized.observe(plot);
        return self;
    }

    // --- reading and moving ----------------------------------------------------------------------

    let waiting = 0;

    function read(t) {
        if (t === reading) return;
        reading = t;
        if (waiting) return;
        waiting = requestAnimationFrame(() => {
            waiting = 0;
            for (const c of charts) c.read(reading);
            sayRange();
        });
    }

    // Moves the line of all charts; NULL takes it away.
    function point(t) {
        for (const c of charts) {
            const left = t === null ? -10 : c.u.valToPos(t, "x");
            c.u.setCursor({ left, top: t === null ? -10 : 10 }, false);
        }
        reading = undefined;
        read(t);
    }

    let saying = 0;

    function keyboard(plot, chart) {
        plot.addEventListener("keydown", (e) => {
            if (e.ctrlKey || e.metaKey || e.altKey) return;
            const length = view.to - view.from, at = typeof reading === "number" ? reading : (view.from + view.to) / 2;
            const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }[e.key];
            if (by && e.shiftKey) {
                setView(view.from + by * length / 10, view.to + by * length / 10);
            } else if (by) {
                const t = Math.min(view.to, Math.max(view.from, at + by * length / 100));
                point(t);
                clearTimeout(saying);
                saying = setTimeout(() => { $("reading").textContent = chart.say(t); }, 250);
            } else if (e.key === "+" || e.key === "=") {
                zoom(0.5, at);
            } else if (e.key === "-" || e.key === "_") {
                zoom(2, at);
            } else if (e.key === "0" || e.key === "Home") {
                setView(0, span);
            } else if (e.key === "Escape") {
                point(null);
            } else {
                return;
            }
            e.preventDefault();
        });
        plot.addEventListener("blur", () => point(null));
    }

    // With Ctrl, which touch pads send for a pinch too; without, the page scrolls as everywhere.
    function wheel(u) {
        u.over.addEventListener("wheel", (e) => {
            const length = view.to - view.from, x = e.clientX - u.over.getBoundingClientRect().left;
            if (e.ctrlKey || e.metaKey) {
                zoom(Math.exp(Math.max(-1, Math.min(1, e.deltaY * 0.004))), u.posToVal(x, "x"));
            } else if ((e.shiftKey || Math.abs(e.deltaX) > 2 * Math.abs(e.deltaY)) && !isWhole()) {
                const by = ((e.deltaX || e.deltaY) / u.over.clientWidth) * length;
                setView(view.from + by, view.to + by);
            } else {
                return;
            }
            e.preventDefault();
        }, { passive: false });
    }

    // Shift and the mouse moves the section.
    function pan(u) {
        u.over.addEventListener("mousedown", (e) => {
            if (!e.shiftKey || e.button !== 0) return;
            e.stopImmediatePropagation();
            e.preventDefault();
            const x = e.clientX, { from, to } = view, perPixel = (to - from) / u.over.clientWidth;
            const move = (m) => setView(from - (m.clientX - x) * perPixel, to - (m.clientX - x) * perPixel);
            const end = () => {
                removeEventListener("mousemove", move);
                removeEventListener("mouseup", end);
            };
            addEventListener("mousemove", move);
            addEventListener("mouseup", end);
        }, true);
    }

    // One finger reads, or moves the section where it is zoomed; two zoom.
    function touch(u) {
        const fingers = new Map();
        let begin = null;
        const xOf = (e) => e.clientX - u.over.getBoundingClientRect().left;
        const start = () => {
            const xs = [...fingers.values()];
            begin = { from: view.from, to: view.to, xs, at: xs.map((x) => u.posToVal(x, "x")) };
        };
        u.over.addEventListener("pointerdown", (e) => {
            if (e.pointerType !== "touch") return;
            fingers.set(e.pointerId, xOf(e));
            start();
            if (fingers.size === 1 && isWhole()) point(begin.at[0]);
        });
        u.over.addEventListener("pointermove", (e) => {
            if (!fingers.has(e.pointerId)) return;
            fingers.set(e.pointerId, xOf(e));
            const xs = [...fingers.values()], width = u.over.clientWidth, length = begin.to - begin.from;
            if (xs.length === 2) {
                const apart = Math.max(20, Math.abs(xs[0] - xs[1])), before = Math.max(20, Math.abs(begin.xs[0] - begin.xs[1]));
                const to = length * before / apart, middle = (begin.at[0] + begin.at[1]) / 2;
                const from = middle - ((xs[0] + xs[1]) / 2 / width) * to;
                setView(from, from + to);
            } else if (xs.length === 1 && isWhole()) {
                point(u.posToVal(xs[0], "x"));
            } else if (xs.length === 1) {
                const by = ((begin.xs[0] - xs[0]) / width) * length;
                setView(begin.from + by, begin.to + by);
            }
        });
        for (const type of ["pointerup", "pointercancel"])
            u.over.addEventListener(type, (e) => {
                if (fingers.delete(e.pointerId) && fingers.size) start();
            });
    }

    // --- the rest of the page --------------------------------------------------------------------

    function copyBySelection(pre) {
        const range = document.createRange(), selection = getSelection();
        range.selectNodeContents(pre);
        selection.removeAllRanges();
        selection.addRange(range);
        return document.execCommand("copy");
    }

    function copyButtons() {
        for (const snippet of document.querySelectorAll(".snippet")) {
            const button = document.createElement("button"), pre = snippet.querySelector("pre");
            const name = snippet.querySelector("h3").textContent;
            button.type = "button";
            button.className = "button copy";
            button.textContent = "Copy";
            button.setAttribute("aria-label", "Copy the lines for " + name);
            button.addEventListener("click", async () => {
                let copied = false;
                try {
                    await navigator.clipboard.writeText(pre.textContent);
                    copied = true;
                } catch (e) {
                    copied = copyBySelection(pre);
                }
                button.textContent = copied ? "Copied" : "Press Ctrl+C";
                $("said").textContent = copied ? "Copied the lines for " + name : "";
                setTimeout(() => { button.textContent = "Copy"; }, 2000);
            });
            snippet.querySelector("div").append(button);
        }
    }

    function startCharts() {
        levels = [overview()];
        let first = 0;
        // All widths before the first chart: each chart changes the page, which is then laid out anew.
        const plots = data.charts.map((spec, i) => document.querySelector(`[data-chart="${i}"] .plot`));
        const widths = plots.map((plot) => plot.clientWidth);
        data.charts.forEach((spec, i) => {
            charts.push(makeChart(plots[i], widths[i], spec, first));
            first += spec.lines.length;
        });
        $("zoom-in").addEventListener("click", () => zoom(0.5, null));
        $("zoom-out").addEventListener("click", () => zoom(2, null));
        $("reset").addEventListener("click", () => setView(0, span));
        showView();
    }

    const canZoom = () => data.charts && typeof uPlot !== "undefined";

    function showControls() {
        $("controls").hidden = false;
        if ($("hint")) $("hint").hidden = false;
    }

    // --- more of it ------------------------------------------------------------------------------

    // Of a run that goes on: who looks at all of it sees what is new, or moves along at its end.
    function takeMore(next) {
        const wasWhole = isWhole(), isAtEnd = view.to >= span * 0.9999, before = span;
        take(next);
        if (wasWhole) view.from = 0;
        else if (isAtEnd) view.from += span - before;
        if (isAtEnd) view.to = span;
    }

    function update(next) {
        takeMore(next);
        levels = [overview()];
        let first = 0;
        charts.forEach((c, i) => {
            c.update(data.charts[i], first);
            first += data.charts[i].lines.length;
        });
        draw();
    }

    // The section of the charts is another one.
    function restart(next) {
        for (const c of charts.splice(0)) c.destroy();
        takeMore(next);
        deep = reading = null;
        localTimes();
        copyButtons();
        if (!canZoom()) return;
        showControls();
        startCharts();
    }

    // The page is another one.
    function become(next) {
        Object.assign(view, { from: 0, to: span });
        restart(next);
    }

    // The page has charts that stand still: they are seen at once.  A hidden page has no frames.
    function afterFirstPaint(act) {
        if (document.hidden) act();
        else requestAnimationFrame(() => setTimeout(act));
    }

    themes(() => { for (const c of charts) c.u.redraw(false, true); });
    localTimes();
    copyButtons();
    if (canZoom()) showControls(); // before anybody sees the page: nothing jumps
    afterFirstPaint(() => {
        if (canZoom()) startCharts();
        // For tests, and for the console.
        window.gpuTrackerReport = { view, setView, point, loadDeep, charts, get levels() { return levels; }, get reading() { return reading; } };
        document.documentElement.dataset.ready = "yes";
        if ($("live")) gpuTrackerLive({ update, restart, become, lines: () => charts.map((c) => c.spec) });
    });
})();
