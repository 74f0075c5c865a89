// The page of a run that goes on: takes what is new from its server, until that is the finished report.
function gpuTrackerLive(charts) {
    "use strict";

    const $ = (id) => document.getElementById(id);
    const { inWords, elapsed } = gpuTrackerPage;
    const silence = 10; // seconds without a poll of the tracker
    let finished = null; // the report

    // --- what is said ----------------------------------------------------------------------------

    function say(tone, text) {
        const state = $("live-state");
        if (state.textContent === text) return; // it is read aloud when it changes
        state.className = "verdict " + tone;
        state.textContent = text;
    }

    const some = (n, one, many) => n + " " + (n === 1 ? one : many);

    function sayNow(now) {
        const words = [];
        if (now.elapsed !== null) words.push(elapsed(now.elapsed, 1) + (now.timeLimit ? " of " + elapsed(now.timeLimit, 1) : ""));
        if (now.nProcesses > 0) words.push(some(now.nProcesses, "process", "processes") + (now.nThreads > 0 ? ", " + some(now.nThreads, "thread", "threads") : ""));
        if (now.ram !== null) words.push(inWords.bytes(now.ram) + (now.ramLimit ? " of " + inWords.bytes(now.ramLimit) : "") + " in memory");
        if (now.toLimit !== null) words.push("grows by " + inWords.rate(now.ramGrowth) + ", limit in " + elapsed(now.toLimit, 1));
        $("live-now").textContent = words.join("; ");
    }

    // --- sections --------------------------------------------------------------------------------

    const isSelecting = (node) => {
        const selection = getSelection();
        return !selection.isCollapsed && selection.rangeCount > 0 && selection.getRangeAt(0).intersectsNode(node);
    };
    const waiting = {}; // sections in which somebody selects text

    // What was opened and how far it was moved stays.
    function replace(part, html) {
        const open = [...part.querySelectorAll("details")].map((d) => d.open);
        const moved = [...part.querySelectorAll(".scroll")].map((s) => [s.scrollLeft, s.scrollTop]);
        part.innerHTML = html; // made and escaped by the server, as all of the report
        part.querySelectorAll("details").forEach((d, i) => { d.open = open[i] || false; });
        part.querySelectorAll(".scroll").forEach((s, i) => { if (moved[i]) [s.scrollLeft, s.scrollTop] = moved[i]; });
        gpuTrackerPage.localTimes();
    }

    function showParts(parts) {
        Object.assign(waiting, parts);
        for (const [name, html] of Object.entries(waiting)) {
            const part = $("part-" + name);
            if (name === "charts" || isSelecting(part)) continue;
            replace(part, html);
            delete waiting[name];
        }
    }

    // --- charts ----------------------------------------------------------------------------------

    const keyOf = (all) => JSON.stringify((all || []).map((c) => [c.id, c.drawLimit, c.lines.map((l) => [l.label, l.colour])]));

    function showCharts(data) {
        if (data.charts && keyOf(data.charts) === keyOf(charts.lines())) {
            charts.update(data);
        } else if (waiting.charts !== undefined) {
            $("part-charts").innerHTML = waiting.charts;
            charts.restart(data);
        }
        delete waiting.charts;
    }

    // --- processes -------------------------------------------------------------------------------

    const unknown = "?";
    const amount = (write) => (v) => (v === null || v === undefined ? unknown : write(v));
    const columns = [
        { id: "name", title: "Command", value: (p) => p.name, write: String },
        { id: "pid", title: "PID", value: (p) => p.pid, write: String },
        { id: "state", title: "State", value: (p) => p.state, write: String },
        { id: "threads", title: "Threads", value: (p) => p.threads, write: String },
        { id: "use", title: "CPU", value: (p) => p.use, write: amount(inWords.percent) },
        { id: "cpu", title: "CPU time", value: (p) => p.cpu, write: amount((v) => elapsed(v, v < 60 ? 0.1 : 1)) },
        { id: "pss", title: "Share of memory", value: (p) => p.pss, write: amount(inWords.bytes) },
        { id: "rss", title: "In memory", value: (p) => p.rss, write: amount(inWords.bytes) },
        { id: "gpu", title: "GPU memory", value: (p) => p.gpu, write: amount(inWords.bytes), isRare: true },
    ];
    const sorting = { by: "use", up: false };
    let before = null, last = null; // { polled, cpu: of each pid }; the processes shown

    // CPU use is between two polls of the tracker.
    function addUse(now) {
        if (before && before.polled === now.polled && last) {
            const use = new Map(last.map((p) => [p.pid, p.use]));
            for (const p of now.processes) p.use = use.has(p.pid) ? use.get(p.pid) : null;
            return;
        }
        const seconds = before ? now.polled - before.polled : 0;
        for (const p of now.processes) {
            const gained = p.cpu - (before && before.cpu.has(p.pid) ? before.cpu.get(p.pid) : 0);
            const isKnown = seconds > 0 && gained >= 0 && (before.cpu.has(p.pid) || p.age <= seconds);
            p.use = isKnown ? 100 * gained / seconds : null;
        }
        before = { polled: now.polled, cpu: new Map(now.processes.map((p) => [p.pid, p.cpu])) };
    }

    function compare(a, b) {
        const { value } = columns.find((c) => c.id === sorting.by);
        const [x, y] = [value(a), value(b)];
        if (x === y) return a.pid - b.pid;
        if (x === null || y === null) return x === null ? 1 : -1;
        return (x < y ? -1 : 1) * (sorting.up ? 1 : -1);
    }

    function makeHead(shown) {
        const row = $("processes").querySelector("thead tr");
        if (row.children.length === shown.length) return;
        row.replaceChildren(...shown.map((c) => {
            const head = document.createElement("th"), button = document.createElement("button");
            head.scope = "col";
            button.type = "button";
            button.textContent = c.title;
            button.addEventListener("click", () => {
                Object.assign(sorting, { up: sorting.by === c.id ? !sorting.up : c.id === "name" || c.id === "pid", by: c.id });
                showProcesses();
            });
            head.append(button);
            return head;
        }));
    }

    function makeRow(shown, p) {
        const row = document.createElement("tr");
        row.append(...shown.map((c, i) => {
            const cell = document.createElement(i ? "td" : "th");
            if (!i) cell.scope = "row";
            const text = c.write(c.value(p));
            if (!i) {
                const alone = document.createElement("bdi"); // whatever direction a name has
                alone.textContent = text;
                cell.append(alone);
            } else {
                cell.textContent = text;
            }
            return cell;
        }));
        return row;
    }

    function showProcesses() {
        const section = $("processes"), body = section.querySelector("tbody");
        const shown = columns.filter((c) => !c.isRare || last.some((p) => c.value(p) !== null));
        section.hidden = last.length === 0;
        if (isSelecting(body)) return;
        makeHead(shown);
        section.querySelectorAll("th[scope=col]").forEach((head, i) => {
            if (shown[i].id === sorting.by) head.setAttribute("aria-sort", sorting.up ? "ascending" : "descending");
            else head.removeAttribute("aria-sort");
        });
        body.replaceChildren(...last.slice().sort(compare).map((p) => makeRow(shown, p)));
    }

    // --- the end ---------------------------------------------------------------------------------

    function save() {
        const link = document.createElement("a"), url = URL.createObjectURL(new Blob([finished], { type: "text/html" }));
        link.href = url;
        link.download = "report.html";
        link.click();
        setTimeout(() => URL.revokeObjectURL(url), 60000);
    }

    // The page becomes the report; what stays is the line that says so.
    function become(html) {
        const other = new DOMParser().parseFromString(html, "text/html"), main = $("main");
        finished = html;
        main.before($("live"));
        main.replaceChildren(...other.getElementById("main").childNodes);
        document.querySelector("footer").replaceWith(other.querySelector("footer"));
        document.title = other.title;
        document.documentElement.classList.remove("live-page");
        charts.become(JSON.parse(other.getElementById("data").textContent));
        say("good", "The run has ended");
        $("live-now").textContent = "This is its report. The server went with the run: a saved page stays, one that is loaded again is lost.";
        $("save").hidden = false;
        $("save").addEventListener("click", save);
        document.documentElement.dataset.live = "finished";
    }

    // --- the server ------------------------------------------------------------------------------

    let polled = null, polledAt = 0; // when the tracker was last heard of

    function sayState(now) {
        if (now.polled !== polled) [polled, polledAt] = [now.polled, performance.now()];
        const silent = (performance.now() - polledAt) / 1000;
        if (now.state === "lost") say("bad", "The tracker was killed");
        else if (now.state === "ended") say("neutral", "The run ends");
        else if (silent > silence) say("warn", "The tracker has been silent for more than " + silence + " s");
        else say("good", "Live");
    }

    function show(news) {
        sayState(news.now);
        sayNow(news.now);
        addUse(news.now);
        last = news.now.processes;
        showProcesses();
        showParts(news.parts);
        if (news.data) showCharts(news.data);
        document.documentElement.dataset.live = news.now.state;
    }

    function sayGone() {
        const when = new Intl.DateTimeFormat(undefined, { timeStyle: "medium", hourCycle: "h23" }).format(new Date());
        say("bad", "The server is gone");
        $("live-now").textContent = "Nothing came since " + when + ": these are the last figures. The tracker has ended, or cannot be reached.";
        document.documentElement.dataset.live = "gone";
    }

    document.documentElement.classList.add("live-page");
    const events = new EventSource("events");
    events.addEventListener("message", (e) => show(JSON.parse(e.data)));
    events.addEventListener("report", (e) => {
        become(JSON.parse(e.data));
        events.close(); // by that the server knows that it is here
    });
    events.addEventListener("error", () => { if (document.documentElement.dataset.live !== "gone") sayGone(); });
}
