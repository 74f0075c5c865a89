// tap.mjs - facts, told in TAP.
let count = 0, failed = 0;

export function ok(condition, text, ...details) {
    count++;
    if (!condition) failed++;
    console.log(`${condition ? "ok" : "not ok"} ${count} - ${String(text).replace(/[\n#]/g, " ")}`);
    if (!condition)
        for (const detail of details)
            for (const line of String(typeof detail === "string" ? detail : JSON.stringify(detail, null, 1)).split("\n").slice(0, 40))
                console.log(`#   ${line}`);
    return Boolean(condition);
}

export function skipAll(why) {
    console.log(`1..0 # SKIP ${why}`);
    process.exit(0);
}

export function done() {
    console.log(`1..${count}`);
    process.exitCode = failed || !count ? 1 : 0;
}
