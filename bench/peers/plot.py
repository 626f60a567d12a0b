"""Error against CPU time as an SVG: a panel per scene, a line from D to H per library."""

import math

from table import runs_of, unique

COLUMNS = 4
PANEL = 260           # pixels, width and height of a panel's axes
GAP = 80              # between panels
LEFT, TOP = 70, 70
FLOOR = 1e-16         # errors below it are drawn at it: that is rounding
COLOURS = ["#d62728", "#1f77b4", "#2ca02c", "#9467bd", "#8c564b", "#ff7f0e"]


class Axis:
    """A logarithmic axis over whole decades, from pixel `start` to `end`."""

    def __init__(self, values, start, end):
        self.low = math.floor(math.log10(min(values)))
        self.high = max(math.ceil(math.log10(max(values))), self.low + 1)
        self.start, self.end = start, end

    def place(self, value):
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self):
        every = max(1, math.ceil((self.high - self.low) / 6))
        return range(self.low, self.high + 1, every)


def text(x, y, content, size=12, anchor="middle", extra=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" {extra}>'
            f"{content}</text>")


def power(exponent):
    return f'10<tspan dy="-5" font-size="9">{exponent}</tspan>'


def points_of(runs, scene):
    """By program: the (CPU time, error) of D and H, as far as there are any."""
    points = {}
    for (where, program, _), run in runs.items():
        if where != scene or run[0]["status"] != "done":
            continue
        error = float(run[0]["value"])
        if error == error:
            points.setdefault(program, []).append(
                (float(run[0]["cpu_per_second"]), max(error, FLOOR), run[0]["accuracy"]))
    return points


def grid(x_axis, y_axis):
    lines = []
    for exponent in x_axis.ticks():
        x = x_axis.place(10.0**exponent)
        lines.append(f'<path d="M{x:.1f} {y_axis.start}V{y_axis.end}" stroke="#ddd"/>')
        lines.append(text(x, y_axis.start + 18, power(exponent), 11))
    for exponent in y_axis.ticks():
        y = y_axis.place(10.0**exponent)
        lines.append(f'<path d="M{x_axis.start} {y:.1f}H{x_axis.end}" stroke="#ddd"/>')
        lines.append(text(x_axis.start - 6, y + 4, power(exponent), 11, "end"))
    return lines


def curve(points, colour, x_axis, y_axis):
    places = [(x_axis.place(cpu), y_axis.place(error), accuracy) for cpu, error, accuracy in points]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y, _ in places)
    lines = [f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>']
    for x, y, accuracy in places:
        fill = colour if accuracy == "H" else "white"
        lines.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{fill}" stroke="{colour}" '
                     'stroke-width="2"/>')
    return lines


def panel(points, title, label, colours, left, top):
    everything = [point for curve_points in points.values() for point in curve_points]
    x_axis = Axis([cpu for cpu, _, _ in everything], left, left + PANEL)
    y_axis = Axis([error for _, error, _ in everything], top + PANEL, top)
    lines = grid(x_axis, y_axis)
    lines.append(f'<rect x="{left}" y="{top}" width="{PANEL}" height="{PANEL}" fill="none" '
                 'stroke="#444"/>')
    for program, curve_points in points.items():
        lines += curve(curve_points, colours[program], x_axis, y_axis)
    lines.append(text(left + PANEL / 2, top - 24, title, 14, extra='font-weight="bold"'))
    lines.append(text(left + PANEL / 2, top - 8, label))
    return lines


def legend(names, colours, left, top):
    lines = []
    for i, (program, name) in enumerate(names.items()):
        y = top + 26 * i
        lines.append(f'<circle cx="{left + 6}" cy="{y}" r="5" fill="{colours[program]}"/>')
        lines.append(text(left + 20, y + 5, name, 14, "start"))
    below = top + 26 * len(names) + 8
    for i, line in enumerate(["hollow: defaults, filled: high accuracy",
                              "across: CPU seconds per simulated second",
                              "upwards: error; best is at the lower left"]):
        lines.append(text(left, below + 20 * i, line, 12, "start"))
    return lines


def svg(rows):
    runs = runs_of(rows)
    done = [row for row in rows if row["status"] == "done"]
    names = {row["program"]: row["library"] for row in done}
    colours = dict(zip(names, COLOURS))
    scenes = unique(row["scene"] for row in done)
    place = lambda i: (LEFT + i % COLUMNS * (PANEL + GAP), TOP + i // COLUMNS * (PANEL + GAP))
    lines = []
    for i, scene in enumerate(scenes):
        first = next(row for row in done if row["scene"] == scene)
        lines += panel(points_of(runs, scene), first["title"],
                       f"{first['quantity']}, {first['unit']}", colours, *place(i))
    lines += legend(names, colours, *place(len(scenes)))
    width = LEFT + COLUMNS * (PANEL + GAP)
    height = TOP + (len(scenes) // COLUMNS + 1) * (PANEL + GAP)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            'font-family="sans-serif"><rect width="100%" height="100%" fill="white"/>\n'
            + "\n".join(lines) + "\n</svg>\n")
