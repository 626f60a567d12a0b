#!/usr/bin/env python3
"""Draws docs/images/tumbling_box.svg from the states of the scene tumbling_box.

    build/abut run tumbling_box -o out/tumbling_box --csv
    docs/images/draw_tumbling_box.py out/tumbling_box/states.csv > docs/images/tumbling_box.svg

Above: the box through one flip. Below: its angular velocity in its own axes over the whole minute.
"""
import csv
import math
import sys

SIZE = (1.0, 2.0, 3.0)
WIDTH, HEIGHT = 960, 420
INK, PAPER, GRID = "#1f2933", "#ffffff", "#d5dbe1"
COLORS = {"x": "#0072b2", "y": "#d55e00", "z": "#009e73"}  # distinct for colour-blind readers
FACES = [((0, 1), "#f2b66d"), ((0, -1), "#f2b66d"), ((1, 1), "#e08e45"), ((1, -1), "#5b8fb9"),
         ((2, 1), "#f7d9a8"), ((2, -1), "#f7d9a8")]


def rotate(q, v):
    w, x, y, z = q
    t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])]
    return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2],
            v[2] + w * t[2] + x * t[1] - y * t[0]]


def view(v):
    """World to screen: looking down a little, y to the right."""
    tilt, turn = math.radians(20), math.radians(25)
    a = [v[1] * math.cos(turn) - v[0] * math.sin(turn), v[0] * math.cos(turn) + v[1] * math.sin(turn), v[2]]
    return [a[0], -(a[2] * math.cos(tilt) - a[1] * math.sin(tilt)), a[1] * math.cos(tilt) + a[2] * math.sin(tilt)]


def box(q, cx, cy, scale):
    out = []
    for (axis, sign), color in FACES:
        normal = [0, 0, 0]
        normal[axis] = sign
        if view(rotate(q, normal))[2] <= 0:
            continue
        b, c = (axis + 1) % 3, (axis + 2) % 3
        corners = []
        for sb, sc in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            p = [0, 0, 0]
            p[axis], p[b], p[c] = sign * SIZE[axis] / 2, sb * SIZE[b] / 2, sc * SIZE[c] / 2
            s = view(rotate(q, p))
            corners.append(f"{cx + scale * s[0]:.1f},{cy + scale * s[1]:.1f}")
        out.append(f'<polygon points="{" ".join(corners)}" fill="{color}" stroke="{INK}" '
                   'stroke-width="1" stroke-linejoin="round"/>')
    return out


def main():
    with open(sys.argv[1], newline="") as file:
        rows = [{k: v if k == "body" else float(v) for k, v in row.items()} for row in csv.DictReader(file)]
    attitude = [(r["qw"], r["qx"], r["qy"], r["qz"]) for r in rows]
    local = [rotate((q[0], -q[1], -q[2], -q[3]), (r["wx"], r["wy"], r["wz"])) for q, r in zip(attitude, rows)]
    flip = next(i for i in range(1, len(rows)) if local[i - 1][1] * local[i][1] <= 0)

    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
           f'font-size="13" fill="{INK}"><rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>']
    count = 9
    for k in range(count):
        i = max(0, flip + (k - count // 2) * 13)
        x = 60 + (WIDTH - 120) * k / (count - 1)
        svg += box(attitude[i], x, 95, 24)
        svg.append(f'<text x="{x:.0f}" y="180" text-anchor="middle">{rows[i]["time"]:.2f} s</text>')

    left, right, top, bottom, limit, end = 60, WIDTH - 20, 210, 385, 9.0, rows[-1]["time"]
    sx = lambda t: left + (right - left) * t / end
    sy = lambda w: (top + bottom) / 2 - (bottom - top) / 2 * w / limit
    for w in (-5, 0, 5):
        svg.append(f'<line x1="{left}" x2="{right}" y1="{sy(w):.1f}" y2="{sy(w):.1f}" stroke="{GRID}"/>'
                   f'<text x="{left - 8}" y="{sy(w) + 4:.1f}" text-anchor="end">{w}</text>')
    for t in range(0, int(end) + 1, 10):
        svg.append(f'<text x="{sx(t):.1f}" y="{bottom + 18}" text-anchor="middle">{t} s</text>')
    for axis, name in ((0, "x"), (2, "z"), (1, "y")):
        points = " ".join(f"{sx(r['time']):.1f},{sy(w[axis]):.1f}" for r, w in list(zip(rows, local))[::4])
        svg.append(f'<polyline points="{points}" fill="none" stroke="{COLORS[name]}" stroke-width="1.6"/>')
    for k, name in enumerate("xyz"):
        svg.append(f'<text x="{right - 150 + 55 * k}" y="{top - 2}" fill="{COLORS[name]}">ω{name}</text>')
    svg.append(f'<text x="{left}" y="{top - 2}">angular velocity in body axes, rad/s</text></svg>')
    print("\n".join(svg))


if __name__ == "__main__":
    main()
