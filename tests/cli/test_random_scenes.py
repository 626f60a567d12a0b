"""Small random scenes: what a run says of itself and what `abut verify` says of it agree.

Usage: python3 test_random_scenes.py PROGRAM [unittest arguments]
ABUT_RANDOM_SCENES sets how many of each family are run; a family and a number make the same scene every time.
Uses the standard library only.
"""

import json
import os
import random
import sys
import tempfile
import unittest
from pathlib import Path

from agreement import Agreement

SCENES = int(os.environ.get("ABUT_RANDOM_SCENES", "125"))
# Of wall time, s: a run that takes longer is interrupted, and what it recorded is judged.
LIMIT = 10


def between(rng, low, high):
    return round(rng.uniform(low, high), 4)


def vector(rng, size):
    return [between(rng, -size, size) for _ in range(3)]


# Every shape fits into a sphere of radius 0.4.
SHAPES = {
    "box": lambda rng: {"box": {"size": [between(rng, 0.1, 0.4) for _ in range(3)]}},
    "sphere": lambda rng: {"sphere": {"radius": between(rng, 0.1, 0.3)}},
    "ellipsoid": lambda rng: {"ellipsoid": {"radii": [between(rng, 0.1, 0.3) for _ in range(3)]}},
    "superellipsoid": lambda rng: {
        "superellipsoid": {"radii": [between(rng, 0.1, 0.2) for _ in range(3)],
                           "exponents": [between(rng, 0.5, 1.5) for _ in range(2)]}},
    "capsule": lambda rng: {"capsule": {"radius": between(rng, 0.05, 0.15), "height": between(rng, 0.1, 0.3)}},
    "cylinder": lambda rng: {"cylinder": {"radius": between(rng, 0.1, 0.25), "height": between(rng, 0.1, 0.4)}},
    "cone": lambda rng: {"cone": {"radius": between(rng, 0.1, 0.25), "height": between(rng, 0.15, 0.4)}},
    "torus": lambda rng: {"torus": {"radius": between(rng, 0.15, 0.25), "tube": between(rng, 0.03, 0.08)}},
    "convex": lambda rng: {"convex": {"points": [vector(rng, 0.2) for _ in range(8)]}},
}


def body(rng, name, position):
    shape = SHAPES[rng.choice(sorted(SHAPES))](rng)
    return {"name": name, "shape": shape, "position": position, "velocity": vector(rng, 1),
            "orientation": {"axis": [1, between(rng, -1, 1), between(rng, -1, 1)], "angle": between(rng, 0, 3)},
            "angular_velocity": vector(rng, 3)}


def floor(_):
    return {"name": "floor", "shape": {"plane": {}}, "motion": "fixed"}


def plate(rng):
    """Goes up and down, and turns."""
    height, turns = between(rng, 0.05, 0.2), between(rng, 1, 8)
    return {"name": "plate", "shape": {"box": {"size": [6, 6, 0.2]}},
            "motion": {"position": ["0", "0", f"-0.1 - {height} * sin({turns} * t)"],
                       "rotation": {"axis": [0, 0, 1], "angle": f"{between(rng, -2, 2)} * t"}}}


def bowl(rng):
    radii = [between(rng, 1.2, 1.6) for _ in range(3)]
    shape = {"ellipsoid": {"radii": radii, "inverted": True}} if rng.random() < 0.5 else {
        "sphere": {"radius": radii[0], "inverted": True}}
    return {"name": "bowl", "shape": shape, "motion": "fixed", "position": [0, 0, 0.9]}


def ring(rng):
    return {"name": "ring", "shape": {"torus": {"radius": between(rng, 0.3, 0.6), "tube": 0.1}}, "motion": "fixed",
            "position": [0, 0, 0.1]}


FAMILIES = {"floor": floor, "plate": plate, "bowl": bowl, "ring": ring}


def scene(family, number):
    rng = random.Random(f"{family} {number}")
    count = rng.randint(1, 3)
    bodies = [FAMILIES[family](rng)]
    bodies += [body(rng, f"body{i}", [between(rng, -0.1, 0.1), between(rng, -0.1, 0.1), round(0.7 + 0.85 * i, 4)])
               for i in range(1 if family == "bowl" else count)]
    if family == "bowl":
        bodies[1]["position"] = [0, 0, 0.9]
    for one in bodies:
        one["material"] = "stuff"
    return {"abut": 1, "duration": 0.8, "record": {"rate": 30}, "bodies": bodies,
            "materials": {"stuff": {"friction": between(rng, 0, 0.8), "restitution": between(rng, 0, 0.8)}}}


class RandomScenes(Agreement):
    def judge_one(self, family, number):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "scene.yaml"
            path.write_text(json.dumps(scene(family, number)))
            return self.judge(path, f"{family} {number}", LIMIT)

    def judge_all(self, family):
        ended = []
        for number in range(SCENES):
            with self.subTest(family=family, number=number):
                ended.append(self.judge_one(family, number))
        # That nothing is wrong of what was said is worth little where nothing was.
        self.assertGreaterEqual(2 * ended.count("complete"), SCENES, ended)

    def test_on_the_floor(self):
        self.judge_all("floor")

    def test_on_a_plate_that_moves(self):
        self.judge_all("plate")

    def test_in_a_bowl(self):
        self.judge_all("bowl")

    def test_on_a_ring(self):
        self.judge_all("ring")


if __name__ == "__main__":
    RandomScenes.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
