"""The results as Markdown: an overview, then every number with the settings it was got with."""

INTRODUCTION = """# Abut beside other simulators

Written by `bench/peers/run`; [README.md](../README.md) says how it is measured. D: the library's
defaults. H: high accuracy. L: less than the default, for Abut alone. CPU: seconds of one thread per simulated second.

![error against CPU time](plot.svg)

## Overview

The error that matters most in each scene, then the CPU time.

"""
FALLEN = 0.5         # m that the top of a stack has moved
PLATE = 0.01         # m, its thickness
TOLD = {"time from one to the next"}    # no errors, but what libraries can be told apart by
SHORT = {"not offered": "–", "failed: not finished": "too long"}    # of why there is no result


def runs_of(rows):
    """The rows of each run, keyed by scene, program, accuracy, in the order of the file."""
    runs = {}
    for row in rows:
        runs.setdefault((row["scene"], row["program"], row["accuracy"]), []).append(row)
    return runs


def unique(values):
    return list(dict.fromkeys(values))


def number(text, digits=2):
    value = float(text)
    if value != value:
        return "none"
    return "0" if value == 0 else f"{value:.{digits}g}"


def verdict(row):
    """What a number means where the number alone would mislead."""
    value = float(row["value"])
    if row["quantity"] == "drift of the top" and not value < FALLEN:
        return "falls"
    if row["scene"] == "sphere_and_plate" and value > PLATE:
        return "tunnels"
    return number(row["value"])


def cell(run):
    first = run[0]
    if first["status"] != "done":
        return next((short for start, short in SHORT.items() if first["status"].startswith(start)),
                    "fails")
    return f"{verdict(first)}; {number(first['cpu_per_second'])} s"


def overview(runs, scenes, programs, names):
    lines = ["| | | " + " | ".join(names[p] for p in programs) + " |",
             "|---|---|" + "---|" * len(programs)]
    for scene in scenes:
        first = next(run[0] for key, run in runs.items() if key[0] == scene and run[0]["quantity"])
        label = f"{first['title']}: {first['quantity']}, {first['unit']}"
        for accuracy in ("L", "D", "H"):
            if not any((scene, p, accuracy) in runs for p in programs):
                continue
            cells = [cell(runs[scene, p, accuracy]) if (scene, p, accuracy) in runs else ""
                     for p in programs]
            lines.append(f"| {label} | {accuracy} | " + " | ".join(cells) + " |")
            label = ""
    return "\n".join(lines) + "\n"


def detail(runs, scene, names):
    mine = [run for key, run in runs.items() if key[0] == scene]
    quantities = unique((row["quantity"], row["unit"]) for run in mine for row in run
                        if row["quantity"])
    lines = ["| library | settings | " + " | ".join(f"{n}, {u}" for n, u in quantities) + " | CPU |",
             "|---|---|" + "---|" * (len(quantities) + 1)]
    for run in mine:
        first = run[0]
        start = f"| {names[first['program']]} {first['accuracy']} | {first['settings']} | "
        if first["status"] == "done":
            values = [number(row["value"], 5 if row["quantity"] in TOLD else 2) for row in run]
            values.append(number(first["cpu_per_second"]))
        else:
            values = [first["status"]] + [""] * len(quantities)
        lines.append(start + " | ".join(values) + " |")
    return "\n".join(lines) + "\n"


def markdown(rows):
    runs = runs_of(rows)
    scenes = unique(row["scene"] for row in rows)
    programs = unique(row["program"] for row in rows)
    names = {row["program"]: row["library"] for row in rows if row["status"] == "done"}
    titles = {row["scene"]: row["title"] for row in rows if row["status"] == "done"}
    text = INTRODUCTION + overview(runs, scenes, programs, names)
    for scene in scenes:
        text += f"\n## {titles[scene]}\n\n" + detail(runs, scene, names)
    return text
