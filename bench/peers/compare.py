#!/usr/bin/env python3
"""Runs every scene in every library and writes the results.

usage: compare.py PROGRAMS [LIBRARY or SCENE]...

PROGRAMS is the folder of the programs peer_<library>. With libraries or scenes named, the results of
the others are kept. With `none`, nothing is run: table and plot are made anew.
"""

import csv
import json
import pathlib
import subprocess
import sys

import plot
import table

HERE = pathlib.Path(__file__).parent
RESULTS = HERE / "results"
LIBRARIES = ["abut", "bullet", "ode", "mujoco", "simbody", "dart"]
SCENES = ["bouncing_ball", "block_slides", "block_sticks", "sliding_sphere", "stack",
          "heavy_on_light", "spheres_in_line", "tumbling_box", "double_pendulum",
          "sphere_and_plate", "dominoes"]
ACCURACIES = {"abut": ("low", "standard", "high")}
COLUMNS = ["scene", "title", "program", "library", "accuracy", "settings", "cpu_per_second",
           "status", "quantity", "unit", "value"]
LONGEST_RUN = 900  # wall seconds; a run that takes longer counts as failed


def run_one(programs, library, scene, accuracy):
    """The line of JSON that the program prints last, or a stand-in that says why there is none."""
    command = [programs / f"peer_{library}", HERE / "scenes" / f"{scene}.yaml", accuracy]
    stand_in = {"scene": scene, "title": scene, "library": library, "settings": "",
                "accuracy": {"low": "L", "standard": "D", "high": "H"}[accuracy]}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_RUN)
    except subprocess.TimeoutExpired:
        return stand_in | {"failure": f"not finished after {LONGEST_RUN} s"}
    if done.returncode != 0:
        return stand_in | {"failure": f"ended with code {done.returncode}"}
    return json.loads(done.stdout.splitlines()[-1])


def rows_of(library, line):
    """One row per quantity; a run without results still gets a row, which says why."""
    common = {key: line.get(key, "") for key in COLUMNS} | {"program": library}
    if "not_offered" in line or "failure" in line:
        why = "not offered: " + line["not_offered"] if "not_offered" in line \
            else "failed: " + line["failure"]
        return [common | {"status": why}]
    return [common | {"status": "done", "quantity": quantity["name"], "unit": quantity["unit"],
                      "value": "nan" if quantity["value"] is None else quantity["value"]}
            for quantity in line["quantities"]]


def run_all(programs, scenes, libraries):
    rows = []
    for scene in scenes:
        for library in libraries:
            for accuracy in ACCURACIES.get(library, ("standard", "high")):
                print(f"{scene}: {library}, {accuracy}", file=sys.stderr, flush=True)
                rows += rows_of(library, run_one(programs, library, scene, accuracy))
    return rows


def read_rows(path):
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def write_rows(path, rows):
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def in_order(rows):
    return sorted(rows, key=lambda row: (SCENES.index(row["scene"]),
                                         LIBRARIES.index(row["program"]),
                                         "LDH".index(row["accuracy"])))


def main(programs, *named):
    unknown = set(named) - {"none", *LIBRARIES, *SCENES}
    if unknown:
        sys.exit(f"neither a library nor a scene: {', '.join(sorted(unknown))}")
    libraries = [library for library in LIBRARIES if library in named] or LIBRARIES
    scenes = [scene for scene in SCENES if scene in named] or SCENES
    if "none" in named:
        scenes = []
    results = RESULTS / "results.csv"
    RESULTS.mkdir(exist_ok=True)
    kept = [row for row in read_rows(results)
            if row["scene"] not in scenes or row["program"] not in libraries]
    write_rows(results,
               in_order(kept + run_all(pathlib.Path(programs).resolve(), scenes, libraries)))
    rows = read_rows(results)
    (RESULTS / "table.md").write_text(table.markdown(rows))
    (RESULTS / "plot.svg").write_text(plot.svg(rows))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
