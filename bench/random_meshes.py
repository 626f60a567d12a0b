"""Meshes that are not convex, of random sizes: (vertices, faces), and as shapes of scenes. Each fits into a sphere of radius 1."""

import math


def between(rng, low, high):
    return round(rng.uniform(low, high), 4)


def cells(filled, lines):
    """The surface of a set of cells (i, j, k) of a grid whose planes are at `lines[axis]`. Cells that share an edge or a
    corner share a face with a common neighbour."""
    vertices, index, faces = [], {}, []

    def at(corner):
        if corner not in index:
            index[corner] = len(vertices)
            vertices.append([lines[axis][corner[axis]] for axis in range(3)])
        return index[corner]

    for cell in sorted(filled):
        for axis in range(3):
            for side in (0, 1):
                beside = tuple(cell[a] + (2 * side - 1) * (a == axis) for a in range(3))
                if beside in filled:
                    continue
                u, v = (axis + 1) % 3, (axis + 2) % 3
                corners = []
                for du, dv in [(0, 0), (1, 0), (1, 1), (0, 1)]:
                    corner = list(cell)
                    corner[axis] += side
                    corner[u] += du
                    corner[v] += dv
                    corners.append(at(tuple(corner)))
                faces.append(corners if side else corners[::-1])
    return vertices, faces


def drawn(rng, rows, layers=1):
    """Cells where `rows` has an X, `layers` deep; widths of rows and columns differ."""
    columns = len(rows[0])

    def planes(count):
        found = [0.0]
        for _ in range(count):
            found.append(found[-1] + between(rng, 0.12, 0.25))
        return [x - 0.5 * found[-1] for x in found]

    filled = {(i, j, k) for j, row in enumerate(rows) for i, mark in enumerate(row) if mark == "X" for k in range(layers)}
    return cells(filled, [planes(columns), planes(len(rows)), planes(layers)])


def hollow(rng):
    """A box with a cavity."""
    filled = {(i, j, k) for i in range(3) for j in range(3) for k in range(3)} - {(1, 1, 1)}
    lines = []
    for _ in range(3):
        half, inner = between(rng, 0.25, 0.45), between(rng, 0.05, 0.2)
        lines.append([-half, -inner, inner, half])
    return cells(filled, lines)


def fine(rng):
    """An L whose faces are cut into many squares."""
    count = rng.choice([4, 6, 8])
    size = between(rng, 0.5, 0.8) / count
    planes = [size * (i - 0.5 * count) for i in range(count + 1)]
    filled = {(i, j, k) for i in range(count) for j in range(count) for k in range(count // 2) if i < 2 or j < 2}
    return cells(filled, [planes] * 3)


def prism(outline, height):
    n = len(outline)
    vertices = [[x, y, z] for z in (-0.5 * height, 0.5 * height) for x, y in outline]
    faces = [list(range(n - 1, -1, -1)), list(range(n, 2 * n))]
    faces += [[i, (i + 1) % n, n + (i + 1) % n, n + i] for i in range(n)]
    return vertices, faces


def star(rng):
    points, outer, inner = rng.randint(4, 7), between(rng, 0.4, 0.6), between(rng, 0.15, 0.3)
    return prism([[r * math.cos(a), r * math.sin(a)] for i in range(2 * points)
                  for r, a in [((outer, inner)[i % 2], math.pi * i / points)]], between(rng, 0.1, 0.3))


def gear(rng):
    teeth, outer = rng.randint(8, 14), between(rng, 0.35, 0.5)
    inner = outer - between(rng, 0.06, 0.1)
    shares = [(inner, 0.0), (outer, 0.3), (outer, 0.6), (inner, 0.9)]
    return prism([[r * math.cos(a), r * math.sin(a)] for i in range(teeth)
                  for r, share in shares for a in [2 * math.pi * (i + 0.9 * share) / teeth]], between(rng, 0.1, 0.3))


def turned_profile(profile, sides):
    """About z, of an outline (r, z) that runs counter-clockwise with r to the right; r = 0 is a corner on the axis."""
    vertices, rings = [], []
    for r, z in profile:
        count = sides if r > 0 else 1
        rings.append([len(vertices) + i % count for i in range(sides)])
        vertices += [[r * math.cos(2 * math.pi * i / sides), r * math.sin(2 * math.pi * i / sides), z] for i in range(count)]
    faces = []
    for a, b in zip(rings, rings[1:] + rings[:1]):
        for i in range(sides):
            j = (i + 1) % sides
            face = list(dict.fromkeys([a[i], a[j], b[j], b[i]]))
            if len(face) > 2:
                faces.append(face)
    return vertices, faces


def bowl_of(radius, wall, sides, steps):
    """Half a sphere with a wall, open above, its rim at z = 0."""
    angles = [-0.5 * math.pi * (1 - i / steps) for i in range(steps + 1)]
    outer = [(0 if i == 0 else radius * math.cos(a), radius * math.sin(a)) for i, a in enumerate(angles)]
    inner = [(0 if i == 0 else (radius - wall) * math.cos(a), (radius - wall) * math.sin(a)) for i, a in enumerate(angles)]
    return turned_profile(outer + inner[::-1], sides)


def bowl(rng):
    return bowl_of(between(rng, 0.35, 0.55), between(rng, 0.05, 0.12), rng.randint(8, 14), 4)


def torus(rng):
    radius, tube, across = between(rng, 0.35, 0.5), between(rng, 0.1, 0.18), rng.randint(5, 8)
    angles = [2 * math.pi * (j + 0.5) / across for j in range(across)]
    return turned_profile([(radius + tube * math.cos(a), tube * math.sin(a)) for a in angles], rng.randint(10, 16))


def terrain(rng, count=10):
    """Hills over a square of 6 m, a solid down to a flat bottom; the border is level and surrounds a hollow."""
    lines = [6 * (i / count - 0.5) for i in range(count + 1)]
    heights = [[0.8 if i in (0, count) or j in (0, count) else between(rng, 0.0, 0.5) for i in range(count + 1)]
               for j in range(count + 1)]
    vertices = [[x, y, heights[j][i]] for j, y in enumerate(lines) for i, x in enumerate(lines)]
    row = count + 1
    faces = []
    for j in range(count):
        for i in range(count):
            a, b, c, d = j * row + i, j * row + i + 1, (j + 1) * row + i + 1, (j + 1) * row + i
            faces += [[a, b, c], [a, c, d]]
    corners = [0, count, row * row - 1, row * count]
    base = len(vertices)
    vertices += [[vertices[k][0], vertices[k][1], -0.5] for k in corners]
    borders = [range(row), range(count, row * row, row), range(row * row - 1, row * count - 1, -1), range(row * count, -1, -row)]
    for k, border in enumerate(borders):
        faces.append([base + k, base + (k + 1) % 4, *reversed(border)])
    faces.append([base + 3, base + 2, base + 1, base])
    return vertices, faces


def shape(mesh):
    vertices, faces = mesh
    return {"mesh": {"vertices": [list(v) for v in vertices], "faces": [list(f) for f in faces]}}


MESHES = {
    "ell": lambda rng: drawn(rng, ["X  ", "X  ", "XXX"]),
    "channel": lambda rng: drawn(rng, ["X X", "X X", "XXX"], 3),
    "frame": lambda rng: drawn(rng, ["XXX", "X X", "XXX"]),
    "eight": lambda rng: drawn(rng, ["XXXXX", "X X X", "XXXXX"]),
    "hollow": hollow,
    "fine": fine,
    "star": star,
    "gear": gear,
    "bowl": bowl,
    "donut": torus,
}
