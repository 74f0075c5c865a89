"""Charts as SVG files, in the colours and letters of the report (web/report.css), light and dark."""
import math
import pathlib
import re
from xml.sax.saxutils import escape

CSS = pathlib.Path(__file__).resolve().parent.parent / "web" / "report.css"
USED = ["--paper", "--edge", "--ink", "--soft", "--grid", *("--c%d" % i for i in range(8))]
WIDTH = 760
LEFT, RIGHT, TOP = 180, 90, 64
ROW = 28


def colours(block):
    return " ".join("%s: %s;" % (name, re.search(re.escape(name) + r": (#\w+)", block).group(1)) for name in USED)


def style():
    """From the report's own style sheet: its first block is the light one, the next the dark one."""
    light, dark = re.findall(r"\{([^{}]*--page[^{}]*)\}", CSS.read_text())[:2]
    return ("<style>:root { %s }\n@media (prefers-color-scheme: dark) { :root { %s } }\n"
            "text { font: 13px system-ui, -apple-system, \"Segoe UI\", Roboto, \"Helvetica Neue\", \"Noto Sans\", "
            "sans-serif; fill: var(--soft); font-variant-numeric: tabular-nums; }\n"
            ".title { font-size: 16px; font-weight: 650; fill: var(--ink); } .name, .value { fill: var(--ink); }\n"
            ".grid { stroke: var(--grid); } .line { fill: none; stroke-width: 2; stroke-linejoin: round; }\n"
            ".paper { fill: var(--paper); stroke: var(--edge); }\n%s</style>"
            % (colours(light), colours(dark),
               "\n".join(".c%d { --c: var(--c%d); }" % (i, i) for i in range(8))
               + "\n.bar, .dot { fill: var(--c); } .line { stroke: var(--c); }"))


def text(x, y, words, kind="", anchor="start"):
    return '<text x="%.1f" y="%.1f" class="%s" text-anchor="%s">%s</text>' % (x, y, kind, anchor, escape(words))


def document(height, title, under, body):
    return "\n".join([
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" '
        'aria-label="%s">' % (WIDTH, height, WIDTH, height, escape(title, {'"': "&quot;"})),
        style(),
        '<rect class="paper" x="0.5" y="0.5" width="%d" height="%d" rx="12"/>' % (WIDTH - 1, height - 1),
        text(20, 28, title, "title"), text(20, 48, under), *body, "</svg>\n"])


# --- scales -----------------------------------------------------------------------------------


class Log:
    """Where a value lies between two ends, on a scale of powers of ten.  WHOLE: from one such power to another."""

    def __init__(self, values, begin, end, whole=True):
        self.low, self.high = math.log10(min(values)), math.log10(max(values))
        if whole:
            self.low, self.high = math.floor(self.low + 1e-9), math.ceil(self.high - 1e-9)
        if self.high <= self.low:
            self.high = self.low + 1
        self.begin, self.end = begin, end

    def __call__(self, value):
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self.begin + share * (self.end - self.begin)

    def ticks(self):
        return [10.0 ** power for power in range(math.ceil(self.low), math.floor(self.high) + 1)]


def amount(value):
    """Without an exponent and without digits that say nothing."""
    text = "%.3g" % value if abs(value) < 1000 else "%.0f" % value
    return text if len(text) < 5 or "." in text else "{:,}".format(int(float(text)))


# --- charts -----------------------------------------------------------------------------------


def bars(title, under, items, linear=False):
    """ITEMS: name, value, colour.  A value of None: the name, and the words instead."""
    height = TOP + ROW * len(items) + (14 if linear else 34)
    values = [value for _, value, _ in items if value]
    if linear:
        scale, ticks = (lambda value: LEFT + value / max(values) * (WIDTH - LEFT - RIGHT)), []
    else:
        scale = Log([min(values) / 2, *values], LEFT, WIDTH - RIGHT)
        ticks = scale.ticks()
    body = []
    for tick in ticks:
        body.append('<path class="grid" d="M%.1f %d V%d"/>' % (scale(tick), TOP, height - 28))
        body.append(text(scale(tick), height - 12, amount(tick), anchor="middle"))
    for place, (name, value, colour) in enumerate(items):
        y = TOP + ROW * place
        body.append(text(LEFT - 10, y + 18, name, "name", "end"))
        if value is None:
            body.append(text(LEFT + 6, y + 18, "does not tell"))
            continue
        end = scale(value) if value else LEFT
        body.append('<rect class="bar c%d" x="%d" y="%d" width="%.1f" height="18" rx="3"/>'
                    % (colour, LEFT, y + 4, max(1, end - LEFT)))
        body.append(text(end + 6, y + 18, amount(value), "value"))
    return document(height, title, under, body)


def names_apart(ends, least):
    """The y of each name beside the end of its line, moved so that none covers another."""
    placed, last = {}, -1e9
    for name, y in sorted(ends.items(), key=lambda end: end[1]):
        last = placed[name] = max(y, last + least)
    return placed


def lines(title, under, series, unit_x):
    """SERIES: name -> (colour, [(x, y), ...]), on scales of powers of ten."""
    height, left, right, bottom = 380, 64, 190, 44
    xs = [x for _, points in series.values() for x, _ in points]
    ys = [y for _, points in series.values() for _, y in points]
    x_of, y_of = Log(xs, left + 10, WIDTH - right, whole=False), Log(ys, height - bottom, TOP)
    body = []
    for tick in y_of.ticks():
        body.append('<path class="grid" d="M%d %.1f H%d"/>' % (left, y_of(tick), WIDTH - right))
        body.append(text(left - 8, y_of(tick) + 4, amount(tick), anchor="end"))
    for x in sorted(set(xs)):
        body.append(text(x_of(x), height - bottom + 18, amount(x), anchor="middle"))
    body.append(text((left + WIDTH - right) / 2, height - 8, unit_x, anchor="middle"))
    placed = names_apart({name: y_of(points[-1][1]) for name, (_, points) in series.items()}, 17)
    for name, (colour, points) in series.items():
        path = "L".join("%.1f %.1f" % (x_of(x), y_of(y)) for x, y in points)
        body.append('<path class="line c%d" d="M%s"/>' % (colour, path))
        body += ['<circle class="dot c%d" cx="%.1f" cy="%.1f" r="3.5"/>' % (colour, x_of(x), y_of(y))
                 for x, y in points]
        body.append('<circle class="dot c%d" cx="%d" cy="%.1f" r="4"/>' % (colour, WIDTH - right + 14, placed[name]))
        body.append(text(WIDTH - right + 24, placed[name] + 4, name, "name"))
    return document(height, title, under, body)
