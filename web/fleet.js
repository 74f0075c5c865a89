// The page of a job on many nodes: a grid of ranks, the charts of one rank, the nodes over one axis.
(function () {
    "use strict";

    const $ = (id) => document.getElementById(id);
    const data = JSON.parse($("data").textContent);
    if (data.kind !== "fleet") return;
    const { inWords, elapsed, fromBase64, css, themes, localTimes } = gpuTrackerPage;
    const ranks = data.ranks, figures = data.figures; // [{id, title, unit, value: [...], high}]
    const seconds = (v) => elapsed(v, v / 200);
    const say = (figure, v) => (v === null ? "not known" : figure.unit === "seconds" ? seconds(v) : inWords[figure.unit](v));
    const nameOf = (i) => (ranks.number[i] >= 0 ? "rank " + ranks.number[i] : "process " + (i + 1)) + " on " + data.nodes[ranks.node[i]];

    // --- colours ---------------------------------------------------------------------------------

    // From the colour of paper to a strong one: more is stronger, and looks so without colour too.
    function rgb(name) {
        const c = document.createElement("canvas").getContext("2d");
        c.fillStyle = css(name);
        const n = parseInt(c.fillStyle.slice(1), 16);
        return [n >> 16, (n >> 8) & 255, n & 255];
    }

    let palette = [];
    function makePalette() {
        const low = rgb("--sunk"), high = rgb("--c0");
        palette = [];
        for (let i = 0; i < 256; i++) {
            const share = 0.08 + 0.92 * (i / 255);
            palette.push("rgb(" + low.map((a, k) => Math.round(a + (high[k] - a) * share)).join(",") + ")");
        }
    }

    // --- the grid --------------------------------------------------------------------------------

    const grid = $("grid"), slots = data.slots;
    let figure = figures[0], cell = 0, columns = 0, chosen = -1;

    // Which rank stands in a place; -1: it is missing.
    const rankAt = new Int32Array(slots).fill(-1);
    ranks.slot.forEach((slot, i) => { rankAt[slot] = i; });

    function measure() {
        const width = grid.parentElement.clientWidth, group = data.perNode > 1 && data.perNode < 64 ? data.perNode : 1;
        for (cell = 30; cell > 4; cell--) {
            columns = Math.max(1, Math.floor(width / cell));
            if (columns > group) columns -= columns % group;
            if (Math.ceil(slots / columns) * cell <= 560) break;
        }
        columns = Math.max(1, Math.min(columns, slots));
        return { width: columns * cell, height: Math.ceil(slots / columns) * cell };
    }

    function sized(canvas, width, height) {
        canvas.width = Math.max(1, width * devicePixelRatio);
        canvas.height = Math.max(1, height * devicePixelRatio);
        canvas.style.width = width + "px";
        canvas.style.height = height + "px";
        const c = canvas.getContext("2d");
        c.scale(devicePixelRatio, devicePixelRatio);
        return c;
    }

    function share(f, v) {
        const span = f.high - f.low;
        return span > 0 ? Math.max(0, Math.min(255, Math.round(((v - f.low) / span) * 255))) : 128;
    }

    function drawGrid() {
        const { width, height } = measure(), c = sized(grid, width, height);
        const gap = cell > 8 ? 1 : 0.5, bad = css("--bad"), edge = css("--edge"), apart = css("--c1"), ink = css("--ink");
        for (let slot = 0; slot < slots; slot++) {
            const x = (slot % columns) * cell, y = Math.floor(slot / columns) * cell, i = rankAt[slot], size = cell - gap;
            const v = i < 0 ? null : figure.value[i];
            if (v !== null) {
                c.fillStyle = palette[share(figure, v)];
                c.fillRect(x, y, size, size);
            } else {
                c.strokeStyle = i < 0 ? bad : edge;
                c.strokeRect(x + 0.5, y + 0.5, size - 1, size - 1);
            }
            if (i >= 0 && (ranks.failed[i] || ranks.apart[i])) { // a corner: red failed, else stands apart
                c.fillStyle = ranks.failed[i] ? bad : apart;
                c.beginPath();
                c.moveTo(x + size * 0.25, y);
                c.lineTo(x + size, y);
                c.lineTo(x + size, y + size * 0.75);
                c.fill();
            }
            if (slot === chosen) {
                c.strokeStyle = ink;
                c.lineWidth = 2;
                c.strokeRect(x, y, size, size);
                c.lineWidth = 1;
            }
        }
    }

    const describe = (slot) => {
        const i = rankAt[slot];
        if (i < 0) return "rank " + slot + ": missing, no file tells of it";
        return nameOf(i) + ": " + figures.filter((f) => f.value[i] !== null).map((f) => (f.title.length > 3 ? f.title.toLowerCase() : f.title) + " " + say(f, f.value[i])).join(", ")
            + (ranks.failed[i] ? "; " + data.failures[ranks.failed[i] - 1] : "") + (ranks.apart[i] ? "; stands apart" : "");
    };

    function slotAt(e) {
        const box = grid.getBoundingClientRect(), x = Math.floor((e.clientX - box.left) / cell), y = Math.floor((e.clientY - box.top) / cell);
        const slot = y * columns + x;
        return x >= 0 && x < columns && slot >= 0 && slot < slots ? slot : -1;
    }

    function select(slot) {
        chosen = slot;
        $("chosen").textContent = describe(slot);
        drawGrid();
        drawRank(rankAt[slot]);
    }

    function showScale() {
        const same = figure.high <= figure.low;
        $("scale-low").textContent = say(figure, figure.low);
        $("scale-high").textContent = same ? "" : say(figure, figure.high);
        for (const b of document.querySelectorAll("[data-figure-of]"))
            b.setAttribute("aria-pressed", String(b.dataset.figureOf === figure.id));
    }

    function choose(f) {
        figure = f;
        showScale();
        drawGrid();
        drawNodes();
    }

    // --- series ----------------------------------------------------------------------------------

    // Planes of one byte a value: 0 is not known, else 1 + the share of the highest in 254 steps.
    let bytes = null;

    function load() {
        if (!data.packed || typeof DecompressionStream === "undefined") return Promise.resolve(false);
        const stream = new Blob([fromBase64(data.packed)]).stream().pipeThrough(new DecompressionStream("deflate"));
        return new Response(stream).arrayBuffer().then((b) => { bytes = new Uint8Array(b); return true; }, () => false);
    }

    const rankCode = (column, i, k) => bytes[(column * ranks.n + i) * data.points + k];
    const nodeBase = () => data.columns.length * ranks.n * data.points;
    const nodeCode = (column, i, k) => bytes[nodeBase() + (column * data.nodes.length + i) * data.nodePoints + k];

    // --- one rank --------------------------------------------------------------------------------

    const svg = (name, attributes) => {
        const e = document.createElementNS("http://www.w3.org/2000/svg", name);
        for (const key of Object.keys(attributes)) e.setAttribute(key, attributes[key]);
        return e;
    };

    function chartOf(column, k, i) {
        const high = column.high[i], figure = document.createElement("figure"), caption = document.createElement("figcaption");
        const s = svg("svg", { viewBox: "0 0 1000 100", preserveAspectRatio: "none", role: "img" });
        let path = "", up = false, most = 0;
        for (let p = 0; p < data.points; p++) {
            const code = rankCode(k, i, p);
            if (code) {
                const t = ranks.start[i] + ((p + 0.5) / data.points) * (ranks.end[i] - ranks.start[i]);
                path += (up ? "L" : "M") + ((t / data.span) * 1000).toFixed(1) + " " + (100 - ((code - 1) / 254) * 96).toFixed(1);
                most = Math.max(most, code);
            }
            up = code > 0;
        }
        caption.textContent = column.title + ", up to " + (high === null ? "not known" : inWords[column.unit](high));
        s.setAttribute("aria-label", caption.textContent);
        s.append(svg("path", { d: path, class: "line c" + k }));
        figure.className = "chart rank-chart";
        figure.append(caption, s);
        return most ? figure : null;
    }

    function drawRank(i) {
        const box = $("rank-charts");
        box.textContent = "";
        if (i < 0 || !bytes) return;
        data.columns.forEach((column, k) => {
            const chart = chartOf(column, k, i);
            if (chart) box.append(chart);
        });
    }

    // --- nodes over one axis ---------------------------------------------------------------------

    const lanes = $("lanes");
    const nodeColumn = () => Math.max(0, data.nodeColumns.findIndex((c) => c.of === figure.id));

    function drawNodes() {
        if (!bytes || !lanes) return;
        const column = nodeColumn(), n = data.nodes.length, width = lanes.parentElement.clientWidth;
        const height = Math.max(3, Math.min(18, Math.floor(480 / n))), c = sized(lanes, width, Math.max(height * n, 24));
        const step = width / data.nodePoints, tall = n > 160 ? 480 / n : height;
        if (n > 160) sized(lanes, width, 480).clearRect(0, 0, width, 480);
        for (let i = 0; i < n; i++)
            for (let k = 0; k < data.nodePoints; k++) {
                const code = nodeCode(column, i, k);
                if (!code) continue;
                c.fillStyle = palette[code];
                c.fillRect(k * step, i * tall, step + 0.5, tall - (tall > 6 ? 1 : 0) + (tall > 6 ? 0 : 0.5));
            }
        $("lanes-what").textContent = data.nodeColumns[column].title + ", the strongest colour is " + inWords[data.nodeColumns[column].unit](data.nodeColumns[column].high);
    }

    function readLane(e) {
        const box = lanes.getBoundingClientRect(), n = data.nodes.length;
        const i = Math.min(n - 1, Math.max(0, Math.floor(((e.clientY - box.top) / box.height) * n)));
        const k = Math.min(data.nodePoints - 1, Math.max(0, Math.floor(((e.clientX - box.left) / box.width) * data.nodePoints)));
        const column = data.nodeColumns[nodeColumn()], code = nodeCode(nodeColumn(), i, k);
        $("lane").textContent = data.nodes[i] + " after " + seconds(((k + 0.5) / data.nodePoints) * data.span) + ": "
            + (code ? inWords[column.unit](((code - 1) / 254) * column.high) : "nothing known");
    }

    // --- the start -------------------------------------------------------------------------------

    function redraw() {
        makePalette();
        drawGrid();
        drawNodes();
    }

    function keys(e) {
        const move = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns, Home: -1e9, End: 1e9 }[e.key];
        if (move === undefined) return;
        e.preventDefault();
        select(Math.max(0, Math.min(slots - 1, (chosen < 0 ? 0 : chosen) + (chosen < 0 ? 0 : move))));
    }

    makePalette();
    themes(redraw);
    localTimes();
    for (const b of document.querySelectorAll("[data-figure-of]"))
        b.addEventListener("click", () => choose(figures.find((f) => f.id === b.dataset.figureOf)));
    for (const b of document.querySelectorAll("button[data-rank]"))
        b.addEventListener("click", () => { select(ranks.slot[Number(b.dataset.rank)]); grid.scrollIntoView({ block: "center" }); });
    grid.addEventListener("mousemove", (e) => { const slot = slotAt(e); if (slot >= 0) $("pointed").textContent = describe(slot); });
    grid.addEventListener("mouseleave", () => { $("pointed").textContent = ""; });
    grid.addEventListener("click", (e) => { const slot = slotAt(e); if (slot >= 0) select(slot); });
    grid.addEventListener("keydown", keys);
    addEventListener("resize", redraw);
    $("controls").hidden = false;
    choose(figure);
    load().then((came) => {
        if (came && lanes) {
            lanes.addEventListener("mousemove", readLane);
            drawNodes();
        }
        if (chosen >= 0) drawRank(rankAt[chosen]);
        window.gpuTrackerFleet = { data, select, choose, get bytes() { return bytes; }, get cell() { return cell; }, get columns() { return columns; } };
        document.documentElement.dataset.ready = "yes";
    });
})();
