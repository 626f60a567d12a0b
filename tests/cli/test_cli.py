"""Tests of the command line: every command, exit code and kind of message.

Usage: python3 test_cli.py PROGRAM [unittest arguments]
Uses the standard library only; h5dump reads run.h5 as an independent witness.
"""

import csv
import json
import math
import os
import pty
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM = ""

FALLING = """\
abut: 1
name: Falling
duration: 0.5
record: {rate: 100}
bodies:
  - name: ball
    shape: {sphere: {radius: 0.5}}
    position: [0, 0, 10]
  - name: floor
    shape: {plane: {normal: [0, 0, 1], offset: 0}}
    motion: fixed
"""

# A tumbling body sampled so finely that the run goes on until it is stopped.
ENDLESS = """\
abut: 1
name: Endless
duration: 1e6
record: {rate: 1000}
bodies:
  - name: box
    shape: {box: {size: [1, 2, 3]}}
    angular_velocity: [0.1, 3, 0.2]
"""

BROKEN = """\
abut: 1
duration: 1
bodies:
  - name: ball
    shape: {sphere: {radius: -1}}
  - name: crate
    shape: {box: {size: [1, 2]}}
    colour_of_hat: red
"""

# Drag so strong that the forces overflow.
FAILING = """\
abut: 1
name: Failing
duration: 1
bodies:
  - {name: ball, shape: {sphere: {radius: 0.5}}, velocity: [1e99, 0, 0]}
forces:
  - {type: drag, body: ball, quadratic: 1e90}
"""

OLD_RESULTS = ["run.h5", "summary.json", "states.csv", "events.csv", "contacts.csv", "energy.csv",
               "joints.csv", "report.html", "run.glb"]


class CliTest(unittest.TestCase):
    def setUp(self):
        self.dir = Path(tempfile.mkdtemp(prefix="abut-cli-"))
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)

    def scene(self, text, name="scene.yaml"):
        path = self.dir / name
        path.write_text(text)
        return str(path)

    def abut(self, *arguments, code=0, **options):
        """Runs the program in the test's directory and checks the exit code."""
        options.setdefault("cwd", self.dir)
        done = subprocess.run([PROGRAM, *map(str, arguments)], text=True, timeout=120,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, **options)
        self.assertEqual(done.returncode, code, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def start(self, *arguments):
        process = subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=self.dir, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def wait_for(self, path, timeout=30):
        end = time.monotonic() + timeout
        while not path.exists():
            self.assertLess(time.monotonic(), end, f"{path} does not appear")
            time.sleep(0.01)

    def h5dump(self, path, *arguments):
        done = subprocess.run(["h5dump", *arguments, str(path)], text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def expect_readable(self, path):
        """Reads the largest datasets whole, as an independent program does."""
        self.h5dump(path, "-A")
        for name in ("frames/time", "frames/kind", "frames/states_end", "states/body", "states/position",
                     "states/orientation", "states/angular_acceleration"):
            self.h5dump(path, "-d", f"/{name}", "-b", "LE", "-o", os.devnull)
        for name in ("work", "kinetic"):
            self.h5dump(path, "-d", f"/energy/{name}", "-b", "LE", "-o", os.devnull)

    def rows(self, path):
        with open(path, newline="") as file:
            return list(csv.DictReader(file))


class Usage(CliTest):
    def test_help_and_version(self):
        self.assertIn("Exit codes", self.abut("--help").stdout)
        self.assertRegex(self.abut("--version").stdout, r"^abut \d+\.\d+\.\d+\n$")
        for command in ["run", "check", "export", "verify", "report", "scenes"]:
            self.assertIn("Example", self.abut(command, "--help").stdout)

    def test_wrong_usage(self):
        self.scene(FALLING)
        for arguments in [[], ["fly"], ["run"], ["run", "--no-such-option", "scene.yaml"],
                          ["run", "scene.yaml", "extra"], ["run", "scene.yaml", "--threads", "-1"],
                          ["run", "scene.yaml", "--threads", "many"], ["run", "scene.yaml", "--set"],
                          ["check"], ["export"], ["export", "out"], ["verify"], ["report"],
                          ["export", "out", "--to", "png", "--width", "0"],
                          ["verify", "out", "--allow-depth", "-1"], ["scenes", "a", "b"]]:
            with self.subTest(arguments=arguments):
                self.assertTrue(self.abut(*arguments, code=2).stderr)

    def test_unknown_commands_are_named(self):
        done = self.abut("rnu", "scene.yaml", code=2)
        self.assertIn("`rnu` is not a command; did you mean `run`?", done.stderr)
        self.assertIn("verify", done.stderr)
        self.assertEqual(done.stdout, "")
        done = self.abut("--quiet", "fly", code=2)
        self.assertIn("`fly` is not a command\n", done.stderr)

    def test_view_says_what_is_missing(self):
        self.assertIn("no such file", self.abut("view", "nowhere", code=2).stderr)
        self.assertIn("run.h5", self.abut("view", str(self.dir), code=2).stderr)

    def test_schema_and_reference(self):
        schema = json.loads(self.abut("schema").stdout)
        self.assertIn("properties", schema)
        self.assertIn("sphere", self.abut("reference").stdout)

    def test_closed_and_full_stdout_are_reported(self):
        scene = self.scene(FALLING)
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, "check", "--json", scene], stdout=full,
                                  stderr=subprocess.PIPE, text=True, cwd=self.dir)
        self.assertEqual(done.returncode, 1)
        self.assertIn("standard output", done.stderr)


class Run(CliTest):
    def test_results_of_a_fall(self):
        scene = self.scene(FALLING)
        done = self.abut("run", scene, "--csv", "-o", "results")
        self.assertIn("Falling: complete", done.stdout)
        self.assertIn("simulated (100%)", done.stderr)
        out = self.dir / "results"
        self.assertEqual(sorted(p.name for p in out.iterdir()), sorted(OLD_RESULTS))
        summary = json.loads((out / "summary.json").read_text())
        self.assertEqual(summary["status"], "complete")
        self.assertEqual(summary["duration"], 0.5)
        self.assertRegex(summary["state_hash"], "^[0-9a-f]{16}$")
        ball = [row for row in self.rows(out / "states.csv") if row["body"] == "ball"]
        self.assertEqual(len(ball), 51)
        for row in ball:
            t = float(row["time"])
            self.assertAlmostEqual(float(row["z"]), 10 - 9.81 * t * t / 2, delta=1e-12)
            self.assertAlmostEqual(float(row["vz"]), -9.81 * t, delta=1e-12)
            self.assertEqual(float(row["az"]), -9.81)
        self.assertEqual(len(self.rows(out / "energy.csv")), 51)

    def test_a_ball_that_lands_stays_on_the_floor(self):
        scene = self.scene(FALLING)
        self.abut("run", scene, "--csv", "-o", "results", "--duration", "3")
        out = self.dir / "results"
        summary = json.loads((out / "summary.json").read_text())
        self.assertEqual(summary["status"], "complete")
        self.assertGreater(summary["min_gap"], 0)
        self.assertLess(summary["energy_error"], 1e-9)
        landing = math.sqrt(2 * 9.5 / 9.81)
        events = self.rows(out / "events.csv")
        self.assertEqual([row["kind"] for row in events], ["impact"])
        self.assertAlmostEqual(float(events[0]["time"]), landing, delta=1e-9)
        ball = [row for row in self.rows(out / "states.csv") if row["body"] == "ball"]
        for row in ball:
            if float(row["time"]) > landing + 1e-6:
                self.assertAlmostEqual(float(row["z"]), 0.5, delta=1e-9)
                self.assertAlmostEqual(float(row["vz"]), 0, delta=1e-12)

    def test_friction_is_recorded(self):
        scene = self.scene(FALLING.replace("motion: fixed", "motion: fixed\n    material: {friction: 0.5}"))
        self.abut("run", scene, "--csv", "-o", "results", "--duration", "3")
        out = self.dir / "results"
        self.assertEqual(json.loads((out / "summary.json").read_text())["status"], "complete")
        contacts = self.rows(out / "contacts.csv")
        self.assertTrue(contacts)
        for row in contacts:
            self.assertEqual(row["mode"], "stick")

    def test_default_directory_and_json(self):
        scene = self.scene(FALLING, "my fall.yaml")
        done = self.abut("run", scene, "--json", "--quiet")
        summary = json.loads(done.stdout)
        self.assertEqual(summary["scene"], "Falling")
        self.assertEqual(done.stderr, "")
        written = (self.dir / "out" / "my fall" / "summary.json").read_text()
        self.assertEqual(written, done.stdout)
        self.assertFalse((self.dir / "out" / "my fall" / "states.csv").exists())

    def test_quiet_says_nothing(self):
        done = self.abut("run", self.scene(FALLING), "--quiet")
        self.assertEqual(done.stdout + done.stderr, "")

    def test_run_file_as_others_see_it(self):
        self.abut("run", self.scene(FALLING), "-o", "o")
        path = self.dir / "o" / "run.h5"
        header = self.h5dump(path, "-A")
        self.assertRegex(header, r'"abut-run"')
        self.assertIn('"complete', header)
        self.assertIn("name: Falling", self.h5dump(path, "-d", "/scene/text"))
        self.assertIn("( 102, 3 )", self.h5dump(path, "-H", "-d", "/states/position"))
        last = self.h5dump(path, "-y", "-d", "/frames/time", "-s", "50", "-c", "1")
        self.assertRegex(last, r"DATA \{\s*0\.5\s*\}")

    def test_overrides_and_duration(self):
        scene = self.scene(FALLING)
        done = self.abut("run", scene, "--json", "--quiet", "--csv", "-o", "o", "--duration", "250 ms",
                         "--set", "gravity=[0, 0, 0]", "--set", "record.rate=10")
        self.assertEqual(json.loads(done.stdout)["duration"], 0.25)
        ball = [r for r in self.rows(self.dir / "o" / "states.csv") if r["body"] == "ball"]
        self.assertEqual([float(r["time"]) for r in ball], [0, 0.1, 0.2, 0.25])
        self.assertEqual({float(r["z"]) for r in ball}, {10.0})
        for bad in ["duration", "no_such.path=1", "duration=-1", "=", ""]:
            with self.subTest(bad=bad):
                self.assertIn("error: ", self.abut("run", scene, "--set", bad, code=2).stderr)
        self.assertIn("error: ", self.abut("run", scene, "--duration", "soon", code=2).stderr)

    def test_same_bits_for_any_number_of_threads(self):
        scene = self.scene(FALLING)
        hashes = {json.loads(self.abut("run", scene, "--json", "--quiet", "--threads", n).stdout)
                  ["state_hash"] for n in (1, 2, 5)}
        self.assertEqual(len(hashes), 1)

    def test_broken_scene_names_every_problem(self):
        scene = self.scene(BROKEN)
        done = self.abut("run", scene, code=2)
        lines = done.stderr.splitlines()
        self.assertGreaterEqual(len(lines), 3)
        for line in lines:
            self.assertRegex(line, rf"^{re.escape(scene)}:\d+:\d+: error: .+")
        self.assertFalse((self.dir / "out").exists())

    def test_unreadable_scenes(self):
        empty = self.scene("", "empty.yaml")
        (self.dir / "folder.yaml").mkdir()
        os.symlink("nowhere", self.dir / "dangling.yaml")
        for name, words in [("absent.yaml", "no such file"), ("folder.yaml", "director"),
                            (empty, "empty"), ("dangling.yaml", ""), ("", "")]:
            for command in ["run", "check"]:
                with self.subTest(name=name, command=command):
                    done = self.abut(command, name, code=2)
                    self.assertIn(words, done.stderr)
                    self.assertIn("error: ", done.stderr)
        self.assertIn("empty.yaml:1:1: error: ", self.abut("run", empty, code=2).stderr)
        if os.geteuid() != 0:  # root reads everything
            secret = self.scene(FALLING, "secret.yaml")
            os.chmod(secret, 0)
            self.assertIn("ermission", self.abut("run", secret, code=2).stderr)

    def test_escapes_are_shown_not_sent(self):
        scene = self.scene('abut: 1\nname: "\\e[2J\\aX"\nduration: 0.1\nbodies:\n'
                           '  - {name: "b\\e[31m", shape: {sphere: {radius: 1}}}\n')
        for command in ["run", "check"]:
            done = self.abut(command, scene)
            self.assertNotIn("\x1b", done.stdout + done.stderr)
            self.assertIn("\\x1b[", done.stdout)

    def test_hostile_texts(self):
        for text in ["\0\0\0", "[", "{" * 10000, "abut: 1\n" * 2, "a: &a [*a]", "%", "- " * 1000,
                     "\xff\xfe", "abut: 1\nduration: .nan\n", "abut: 2\nduration: 1\n", "null", "42"]:
            with self.subTest(text=text[:20]):
                scene = self.dir / "hostile.yaml"
                scene.write_bytes(text.encode("latin-1"))
                self.assertIn("error: ", self.abut("run", scene, code=2).stderr)
                self.assertIn("error: ", self.abut("check", scene, code=1).stderr)

    def test_hostile_names(self):
        names = ['a,b', 'say "hi"', "new\nline", "=1+1", "Straße", "../../x", "%s%n", " "]
        bodies = "".join(f"  - {{name: {json.dumps(n)}, shape: {{sphere: {{radius: 1}}}}, "
                         f"position: [{3 * i}, 0, 0]}}\n" for i, n in enumerate(names))
        scene = self.scene(f"abut: 1\nduration: 0\nbodies:\n{bodies}", "evil; name.yaml")
        done = self.abut("check", "--json", scene, "--set", "duration=0.01")
        self.assertEqual([b["name"] for b in json.loads(done.stdout)["bodies"]], names)
        self.abut("run", scene, "--csv", "-o", "o", "--duration", "0.01")
        rows = self.rows(self.dir / "o" / "states.csv")
        harmless = [n.replace("=1+1", "'=1+1") for n in names]  # no formula for a spreadsheet
        self.assertEqual([r["body"] for r in rows[:len(names)]], harmless)

    def test_impulse_is_recorded_before_and_after(self):
        scene = self.scene("""\
abut: 1
duration: 1
gravity: [0, 0, 0]
record: {rate: 2}
bodies:
  - {name: ball, shape: {sphere: {radius: 0.5}}, mass: 2}
forces:
  - {type: impulse, body: ball, time: 0.25, impulse: [4, 0, 0]}
""")
        self.abut("run", scene, "--csv", "-o", "o")
        states = self.rows(self.dir / "o" / "states.csv")
        self.assertEqual([float(r["time"]) for r in states], [0, 0.25, 0.25, 0.5, 1])
        for row, expected in zip(states, [0, 0, 2, 2, 2]):
            self.assertAlmostEqual(float(row["vx"]), expected, delta=1e-14)
        self.assertAlmostEqual(float(states[-1]["x"]), 1.5, delta=1e-12)
        energy = self.rows(self.dir / "o" / "energy.csv")
        self.assertEqual([float(r["time"]) for r in energy], [0, 0.25, 0.5, 1])
        (event,) = self.rows(self.dir / "o" / "events.csv")
        self.assertEqual((event["kind"], event["body_a"], event["body_b"]),
                         ("impulse", "ball", "world"))
        self.assertEqual([float(event[k]) for k in ("jx", "jy", "jz")], [4, 0, 0])


    def test_events_tell_of_the_bodies_they_concern(self):
        """Two balls that bounce far from each other, one of them on a plate that moves."""
        scene = self.scene("""\
abut: 1
duration: 0.6
record: {rate: 5}
materials: {r: {restitution: 0.8}}
bodies:
  - {name: floor, shape: {plane: {}}, motion: fixed, material: r}
  - {name: near, shape: {sphere: {radius: 0.1}}, material: r, position: [0, 0, 0.6]}
  - {name: far, shape: {sphere: {radius: 0.1}}, material: r, position: [9, 0, 1.1]}
  - {name: plate, shape: {box: {size: [1, 1, 0.1]}}, material: r, motion: {position: ["9", "0", "0.5 + 0.01*sin(t)"]}}
""")
        self.abut("run", scene, "--csv", "-o", "o")
        at = {}
        for row in self.rows(self.dir / "o" / "states.csv"):
            at.setdefault(float(row["time"]), []).append(row["body"])
        everyone = ["floor", "near", "far", "plate"]
        samples = [0, 0.2, 0.4, 0.6]
        self.assertEqual([at[t] for t in samples], 4 * [everyone])
        events = self.rows(self.dir / "o" / "events.csv")
        self.assertGreaterEqual(len(events), 2)
        for event in events:
            is_near = "near" in (event["body_a"], event["body_b"])
            concerned = ["near"] if is_near else ["far", "plate"]
            self.assertEqual(at[float(event["time"])], 2 * concerned)
        self.assertEqual(len(at), len(samples) + len({e["time"] for e in events}))
        energy = self.rows(self.dir / "o" / "energy.csv")
        self.assertEqual([float(r["time"]) for r in energy], sorted(at))
        self.abut("verify", "o")

    def test_the_recording_grid_does_not_change_the_motion(self):
        bowl = self.scene("""\
abut: 1
duration: 1
bodies:
  - {name: bowl, shape: {sphere: {radius: 1, inverted: true}}, motion: fixed}
  - {name: m, shape: {ellipsoid: {radii: [0.6, 0.6, 0.3]}}}
""", "bowl.yaml")
        for scene, duration in ((bowl, 0.7), ("bouncing_ball", 1), ("domino_row", 0.7), ("mixed_shapes", 1),
                                ("newtons_cradle", 1), ("scripted_carousel", 0.5)):
            with self.subTest(scene=scene):
                ends = set()
                for rate in (7, 60, 977):
                    self.abut("run", scene, "--csv", "--no-report", "--quiet", "-o", "o", "--duration", str(duration),
                              "--set", f"record.rate={rate}")
                    rows = self.rows(self.dir / "o" / "states.csv")
                    self.assertEqual(float(rows[-1]["time"]), duration)
                    ends.add(tuple(tuple(row.values()) for row in rows if row["time"] == rows[-1]["time"]))
                self.assertEqual(len(ends), 1, scene)

    def test_failure_is_told_and_recorded(self):
        done = self.abut("run", self.scene(FAILING), "--json", "--csv", "-o", "o", code=1)
        self.assertIn("abut: error: at time 0 s: ", done.stderr)
        summary = json.loads(done.stdout)
        self.assertEqual(summary["status"], "failed")
        self.assertIn("ball", summary["message"])
        self.assertEqual(json.loads((self.dir / "o" / "summary.json").read_text()), summary)
        self.assertEqual(len(self.rows(self.dir / "o" / "states.csv")), 1)
        self.assertIn('"failed', self.h5dump(self.dir / "o" / "run.h5", "-A"))

    def test_progress_on_a_terminal_is_one_line(self):
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        process = subprocess.Popen([PROGRAM, "run", self.scene(ENDLESS), "-o", "o"], cwd=self.dir,
                                   stdout=subprocess.DEVNULL, stderr=slave)
        os.close(slave)
        self.addCleanup(process.kill)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(60), 1)
        shown = os.read(master, 65536).decode()
        progress, _, rest = shown.partition("abut: error")
        self.assertGreaterEqual(progress.count("\r"), 3)
        self.assertNotIn("\n", progress)
        self.assertIn("simulated (", progress)
        self.assertTrue(progress.endswith("\r\x1b[K"))
        self.assertIn("interrupted at", rest)


class Output(CliTest):
    def test_directory_that_cannot_be_made(self):
        scene = self.scene(FALLING)
        (self.dir / "file").write_text("mine")
        for target in ["file", "file/below", "/proc/none/here"]:
            with self.subTest(target=target):
                done = self.abut("run", scene, "-o", target, code=2)
                self.assertIn("output directory", done.stderr)
        self.assertEqual((self.dir / "file").read_text(), "mine")

    def test_directory_without_permission(self):
        if os.geteuid() == 0:
            # Root writes everywhere; a directory in the place of run.h5 stops it all the same.
            (self.dir / "o" / "run.h5" / "x").mkdir(parents=True)
        else:
            (self.dir / "o").mkdir(mode=0o500)
        done = self.abut("run", self.scene(FALLING), "-o", "o", code=1)
        self.assertRegex(done.stderr, r"abut: error: cannot write o/run.h5.*: .+")

    def test_full_disk(self):
        def limit_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
        scene = self.scene(ENDLESS)
        done = self.abut("run", scene, "-o", "o", "--csv", "--duration", "200", code=1,
                         preexec_fn=limit_files)
        self.assertIn("abut: error: cannot write o/run.h5: File too large", done.stderr)
        self.assertFalse((self.dir / "o" / "summary.json").exists())
        self.expect_readable(self.dir / "o" / "run.h5")
        self.abut("export", "o", "--to", "csv")
        self.assertGreaterEqual(len(self.rows(self.dir / "o" / "states.csv")), 1)

    def test_old_results_do_not_survive(self):
        out = self.dir / "o"
        out.mkdir()
        for name in OLD_RESULTS:
            (out / name).write_text("old")
        (out / "notes.txt").write_text("mine")
        self.abut("run", self.scene(FALLING), "-o", "o")
        self.assertEqual(sorted(p.name for p in out.iterdir()),
                         ["notes.txt", "report.html", "run.glb", "run.h5", "summary.json"])
        self.abut("run", self.scene(FALLING), "-o", "o", "--no-report")
        self.assertEqual(sorted(p.name for p in out.iterdir()),
                         ["notes.txt", "run.h5", "summary.json"])

    def test_a_broken_scene_leaves_old_results_alone(self):
        self.abut("run", self.scene(FALLING), "-o", "o")
        before = (self.dir / "o" / "summary.json").read_text()
        self.abut("run", self.scene(BROKEN), "-o", "o", code=2)
        self.assertEqual((self.dir / "o" / "summary.json").read_text(), before)


class Stopping(CliTest):
    def test_interrupt_keeps_what_was_recorded(self):
        for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]:
            with self.subTest(signal=number):
                process = self.start("run", self.scene(ENDLESS), "-o", "o", "--csv")
                self.wait_for(self.dir / "o" / "run.h5")
                time.sleep(0.3)
                process.send_signal(number)
                stdout, stderr = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 1, stderr)
                self.assertIn("interrupted at t = ", stderr)
                self.assertIn("Endless: interrupted", stdout)
                summary = json.loads((self.dir / "o" / "summary.json").read_text())
                self.assertEqual(summary["status"], "interrupted")
                rows = self.rows(self.dir / "o" / "states.csv")
                self.assertEqual(float(rows[-1]["time"]), summary["duration"])
                self.assertIn('"interrupted', self.h5dump(self.dir / "o" / "run.h5", "-A"))
                shutil.rmtree(self.dir / "o")

    def expect_heeded(self, scene, delays):
        """Ends within a second or so, and what was recorded by then is a record."""
        for delay in delays:
            with self.subTest(delay=delay):
                shutil.rmtree(self.dir / "o", ignore_errors=True)
                process = self.start("run", scene, "-o", "o")
                self.wait_for(self.dir / "o" / "run.h5")
                time.sleep(delay)
                asked = time.monotonic()
                process.send_signal(signal.SIGINT)
                _, stderr = process.communicate(timeout=60)
                self.assertLess(time.monotonic() - asked, 2)
                self.assertEqual(process.returncode, 1, stderr)
                self.assertIn("interrupted at t = ", stderr)
                verify = subprocess.run([PROGRAM, "verify", "o"], cwd=self.dir, capture_output=True, text=True)
                self.assertIn(verify.returncode, (0, 3), verify.stdout)

    def test_interrupt_is_heeded_within_a_search(self):
        # The ball is inside of the circle on which the box is shaken.
        scene = self.scene("abut: 1\nduration: 0.2\ngravity: [0, 0, 0]\nbodies:\n"
                           "  - {name: ball, shape: {sphere: {radius: 0.2}}}\n"
                           "  - {name: shaken, shape: {box: {size: [1, 1, 1]}},"
                           ' motion: {position: ["sin(5e6*t)", "cos(5e6*t)", "0"]}}\n')
        self.expect_heeded(scene, [0.5])

    def test_interrupt_is_heeded_within_large_problems(self):
        # Impulses and forces of a pyramid of 465 cubes are found at once, which takes long.
        scene = self.scene("abut: 1\nduration: 1\nbodies:\n  - {name: floor, shape: {plane: {}}, motion: fixed}\n" +
                           "".join(f"  - {{name: row{k}, shape: {{box: {{size: [1, 1, 1]}}}}, position: [{0.525 * k}, 0, "
                                   f"{k + 0.5}], repeat: {{count: [{30 - k}, 1, 1], spacing: [1.05, 1, 1]}}}}\n"
                                   for k in range(30)))
        self.expect_heeded(scene, [0.2, 1, 3])

    def test_signals_in_quick_succession_are_one(self):
        process = self.start("run", self.scene(ENDLESS), "-o", "o")
        self.wait_for(self.dir / "o" / "run.h5")
        for _ in range(5):
            process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertTrue((self.dir / "o" / "summary.json").exists())

    def test_kill_keeps_what_was_flushed(self):
        for delay in [0, 0.05, 0.9, 1.3, 2.1]:
            with self.subTest(delay=delay):
                process = self.start("run", self.scene(ENDLESS), "-o", f"o{delay}")
                out = self.dir / f"o{delay}"
                self.wait_for(out / "run.h5")
                time.sleep(delay)
                process.kill()
                process.communicate(timeout=60)
                self.assertEqual(process.returncode, -signal.SIGKILL)
                self.expect_readable(out / "run.h5")
                done = self.abut("export", out, "--to", "csv")
                self.assertIn("did not reach its end", done.stderr)
                rows = self.rows(out / "states.csv")
                self.assertFalse((out / "summary.json").exists())
                if delay >= 0.05:
                    self.assertGreaterEqual(len(rows), 1)
                if delay > 2:
                    self.assertGreater(len(rows), 1000)
                times = [float(row["time"]) for row in rows]
                self.assertEqual(times, [k / 1000 for k in range(len(rows))])


class Check(CliTest):
    def test_table(self):
        done = self.abut("check", self.scene(FALLING))
        self.assertIn("ball", done.stdout)
        self.assertIn("unbounded", done.stdout)
        self.assertIn("no problems found", done.stderr)
        self.assertEqual(sorted(os.listdir(self.dir)), ["scene.yaml"])

    def test_json_of_bodies(self):
        # A 1 x 2 x 3 box of density 2: mass 12, moments m (b^2 + c^2) / 12, turned about x by 90
        # degrees so that y and z change places.
        box = "shape: {box: {size: [1, 2, 3]}}, position: [1, 2, 3], material: {density: 2}"
        turned = "orientation: {axis: [1, 0, 0], angle: 90 deg}"
        scene = self.scene("abut: 1\nduration: 1\nbodies:\n"
                           f"  - {{name: moving, {box}, {turned}}}\n"
                           f"  - {{name: fixed, {box}, {turned}, motion: fixed}}\n"
                           "  - {name: floor, shape: {plane: {normal: [0, 0, 1], offset: 0}}, "
                           "motion: fixed}\n"
                           "no_collide: [[moving, fixed]]\n")
        result = json.loads(self.abut("check", "--json", scene).stdout)
        self.assertEqual(sorted(result), ["bodies", "notes", "pairs", "problems"])
        self.assertEqual((result["pairs"], result["problems"]), ([], []))
        moving, fixed, floor = result["bodies"]
        for body in (moving, fixed):
            self.assertAlmostEqual(body["volume"], 6, delta=1e-14)
            self.assertAlmostEqual(body["mass"], 12, delta=1e-13)
            for found, expected in zip(body["com"], [1, 2, 3]):
                self.assertAlmostEqual(found, expected, delta=1e-14)
            for i, row in enumerate([[13, 0, 0], [0, 5, 0], [0, 0, 10]]):
                for j, expected in enumerate(row):
                    self.assertAlmostEqual(body["inertia"][i][j], expected, delta=1e-12)
        self.assertEqual([floor[k] for k in ("volume", "mass", "com", "inertia")], [None] * 4)

    def test_joints(self):
        # Jointed bodies may overlap: here by 0.1 m, at their pivot.
        scene = self.scene("abut: 1\nduration: 1\nbodies:\n"
                           "  - {name: a, shape: {sphere: {radius: 0.5}}}\n"
                           "  - {name: b, shape: {sphere: {radius: 0.5}}, position: [0.9, 0, 0]}\n"
                           "joints:\n  - {name: pivot, type: ball, bodies: [a, b]}\n"
                           "  - {type: hinge, bodies: [world, a], at: [0, 0, 1], axis: [0, 2, 0]}\n")
        result = json.loads(self.abut("check", "--json", scene).stdout)
        self.assertEqual((result["pairs"], result["problems"]), ([], []))
        pivot, hinge = result["joints"]
        self.assertEqual([pivot[k] for k in ("name", "type", "bodies", "axis")],
                         ["pivot", "ball", ["a", "b"], None])
        self.assertEqual((hinge["name"], hinge["bodies"]), ("joints[1]", ["world", "a"]))
        for found, expected in zip(pivot["at"] + hinge["at"] + hinge["axis"],
                                   [0.9, 0, 0, 0, 0, 1, 0, 1, 0]):
            self.assertAlmostEqual(found, expected, delta=1e-14)
        self.assertRegex(self.abut("check", scene).stdout, r"pivot +ball +a, b +\[0.9, ")

    def test_joints_that_collide(self):
        scene = self.scene("abut: 1\nduration: 1\nbodies:\n"
                           "  - {name: a, shape: {sphere: {radius: 0.5}}}\n"
                           "  - {name: b, shape: {sphere: {radius: 0.5}}, position: [0.9, 0, 0]}\n"
                           "joints: [{type: ball, bodies: [a, b], collide: true}]\n")
        self.assertIn("overlap by 0.1 m", self.abut("check", scene, code=1).stderr)

    def test_json_of_problems(self):
        scene = self.scene(BROKEN)
        done = self.abut("check", "--json", scene, code=1)
        result = json.loads(done.stdout)
        self.assertGreaterEqual(len(result["problems"]), 3)
        for problem in result["problems"]:
            self.assertEqual(sorted(problem), ["column", "file", "line", "message", "severity"])
            self.assertEqual((problem["file"], problem["severity"]), (scene, "error"))
        self.assertIn(5, [p["line"] for p in result["problems"]])
        self.assertIn(f"{scene}:5:", done.stderr)

    def test_json_even_if_there_is_no_file(self):
        result = json.loads(self.abut("check", "--json", "absent.yaml", code=2).stdout)
        self.assertEqual(result["bodies"], [])
        self.assertEqual(result["problems"][0]["file"], "absent.yaml")

    def test_overrides(self):
        done = self.abut("check", "--json", self.scene(FALLING), "--set", "duration=-1", code=1)
        self.assertEqual(len(json.loads(done.stdout)["problems"]), 1)


BENDING = """\
abut: 1
duration: 1
bodies:
  - name: jelly
    shape: {box: {size: [1, 1, 1]}}
    flexible: {young: 100 kPa, poisson: 0.25}
  - name: block
    shape: {box: {size: [3, 3, 5]}}
    position: [10, 0, 0]
    flexible: {order: 2, young: 200 GPa}
    boundary: {cells: [3, 3, 5]}
  - name: cloth
    shape: {sheet: {size: [1, 1], cells: [4, 4], stretch: 100, pins: [[0, 0]]}}
    position: [0, 0, 5]
"""


class CheckBending(CliTest):
    """Bodies that bend are read and weighed, and never taken for rigid ones."""

    def test_facts(self):
        findings = json.loads(self.abut("check", self.scene(BENDING), "--json").stdout)
        jelly, block, cloth = findings["bodies"]
        self.assertAlmostEqual(jelly["mass"], 1000, delta=1e-9)
        self.assertEqual(jelly["flexible"]["columns"], 4)
        self.assertEqual(jelly["flexible"]["triangles"], 12)
        # Shear of a cube: w^2 = 24 mu / (rho a^2), mu = E / (2 (1 + nu)).
        period = 2 * math.pi / math.sqrt(24 * 40e3 / 1000)
        self.assertAlmostEqual(jelly["flexible"]["longest_period"], period, delta=1e-10 * period)
        self.assertEqual(block["flexible"]["kind"], "quadratic")
        self.assertEqual(block["flexible"]["triangles"], 156)
        self.assertEqual(cloth["flexible"]["columns"], 25)
        self.assertIsNone(cloth["flexible"]["longest_period"])
        self.assertAlmostEqual(cloth["mass"], 0.2, delta=1e-14)
        # Only the block is of steel.
        stiff = [note for note in findings["notes"] if "so stiff" in note]
        self.assertEqual(len(stiff), 1)
        self.assertIn("body block", stiff[0])

    def test_table(self):
        done = self.abut("check", self.scene(BENDING))
        self.assertIn("slowest period (s)", done.stdout)
        self.assertRegex(done.stdout, r"block +quadratic +10 +156 ")

    def test_run_writes_tables(self):
        scene = self.scene("""abut: 1
duration: 0.1
bodies:
  - {name: jelly, shape: {box: {size: [1, 1, 1]}}, flexible: {order: 1, young: 100 kPa, poisson: 0.3}}
  - name: cloth
    shape: {sheet: {size: [1, 1], cells: [2, 2], stretch: 10, shear: 1, bend: 1, thickness: 0.01, pins: [[0, 0]]}}
    position: [0, 0, 3]
""")
        self.abut("run", scene, "-o", str(self.dir / "out"), "--csv")
        flexible = (self.dir / "out" / "flexible.csv").read_text().splitlines()
        self.assertEqual(flexible[0].split(",")[:3], ["time", "body", "r00"])
        self.assertEqual(len(flexible[1].split(",")), 2 + 2 * 12)
        # A rigid fall: the last column is the place of the body frame.
        last = dict(zip(flexible[0].split(","), flexible[-1].split(",")))
        self.assertAlmostEqual(float(last["r23"]), -9.81 / 2 * 0.01, delta=1e-9)
        self.assertAlmostEqual(float(last["r00"]), 1, delta=1e-9)
        nodes = (self.dir / "out" / "nodes.csv").read_text().splitlines()
        self.assertEqual(nodes[0], "time,body,i,j,x,y,z,vx,vy,vz")
        self.assertEqual(nodes[1].split(",")[1:5], ["cloth", "0", "0", "-0.5"])
        joints = (self.dir / "out" / "joints.csv").read_text()
        self.assertIn("cloth.pin[0", joints)
        self.abut("verify", str(self.dir / "out"))

    def test_directions_of_sheets_are_refused_by_name(self):
        scene = """abut: 1
duration: 0.1
bodies:
  - {name: cloth, shape: {sheet: {size: [1, 1], cells: [2, 2], stretch: 10, shear: 1, bend: 1}}}
joints:
  - {name: pivot, type: TYPE, bodies: [world, cloth], at: [0.5, 0.5, 0]}
"""
        done = self.abut("run", self.scene(scene.replace("TYPE", "weld")), code=1)
        self.assertIn("joint pivot holds a direction of sheet cloth", done.stderr)
        self.abut("run", self.scene(scene.replace("TYPE", "ball")), "-o", "o")
        self.abut("verify", "o")

    def test_event_clock_is_an_error(self):
        done = self.abut("check", self.scene(BENDING.replace(
            "duration: 1\n", "duration: 1\nsolver: {clock: event}\n")), code=1)
        self.assertIn(":3:17: error: clock is `event`, but body jelly bends", done.stderr)


class CheckPairs(CliTest):
    FLOOR = "{name: floor, shape: {plane: {normal: [0, 0, 1], offset: 0}}, motion: fixed}"

    def check(self, *bodies, more="", code=0, arguments=()):
        text = "abut: 1\nduration: 1\nbodies:\n" + "".join(f"  - {body}\n" for body in bodies)
        scene = self.scene(text + more)
        done = self.abut("check", "--json", scene, *arguments, code=code)
        return json.loads(done.stdout), done.stderr

    def assert_points(self, found, expected):
        self.assertEqual(len(found), len(expected))
        for point, wanted in zip(sorted(found), sorted(expected)):
            for x, y in zip(point, wanted):
                self.assertAlmostEqual(x, y, delta=1e-12)

    def test_touching_bodies_are_listed_and_no_fault(self):
        result, stderr = self.check(
            self.FLOOR,
            "{name: crate, shape: {box: {size: [2, 2, 2]}}, position: [5, 0, 1]}",
            "{name: lid, shape: {box: {size: [2, 2, 1]}}, position: [6, 0.5, 2.5]}",
            "{name: ball, shape: {sphere: {radius: 0.5}}, position: [5, -0.5, 3.6]}")
        self.assertEqual((result["problems"], stderr), ([], ""))
        ground, stack = result["pairs"]
        self.assertEqual(ground["bodies"], ["floor", "crate"])
        self.assertEqual(stack["bodies"], ["crate", "lid"])
        for pair in (ground, stack):
            self.assertLess(abs(pair["gap"]), 1e-14)
            self.assertEqual(sorted(pair), ["bodies", "gap", "regions"])
            self.assertEqual(len(pair["regions"]), 1)
            region = pair["regions"][0]
            self.assertEqual(sorted(region), ["dimension", "features", "normal", "points"])
            self.assertEqual(region["dimension"], 2)
            # From the second body to the first: downwards.
            for found, expected in zip(region["normal"], [0, 0, -1]):
                self.assertAlmostEqual(found, expected, delta=1e-14)
        self.assert_points(ground["regions"][0]["points"],
                           [[4, -1, 0], [6, -1, 0], [6, 1, 0], [4, 1, 0]])
        self.assert_points(stack["regions"][0]["points"],
                           [[5, -0.5, 2], [6, -0.5, 2], [6, 1, 2], [5, 1, 2]])
        self.assertEqual(ground["regions"][0]["features"], ["face 1", "face 5"])
        self.assertEqual(stack["regions"][0]["features"], ["face 6", "face 5"])

    def test_classify(self):
        # An L of two bars, 1 m thick, 2 m long and wide: a line through it in its upper face, one
        # through its reflex edge, and a point in it.
        ell = ("{name: ell, motion: fixed, shape: {mesh: {vertices: [[0,0,0],[2,0,0],[2,1,0],[1,1,0],"
               "[1,2,0],[0,2,0],[0,0,1],[2,0,1],[2,1,1],[1,1,1],[1,2,1],[0,2,1]], faces: "
               "[[5,4,3,2,1,0],[6,7,8,9,10,11],[0,1,7,6],[1,2,8,7],[2,3,9,8],[3,4,10,9],"
               "[4,5,11,10],[5,0,6,11]]}}, position: [7, 8, 9]}")
        block = "{name: block, shape: {box: {size: [1, 1, 1]}}, position: [7.5, 9.5, 10.5]}"
        ask = ["--classify", "ell=[[-1, 0.5, 1], [3, 0.5, 1]]",
               "--classify", "ell=[[0.5, 0.5, 0.5], [1.5, 1.5, 0.5]]",
               "--classify", "ell=[0.5, 0.5, 0.5]", "--classify", "block=ell"]
        result, _ = self.check(ell, block, arguments=ask)
        along, through, point, *edges = result["classifications"]
        self.assertEqual(along["stretches"], ["out", "face 2", "out"])
        self.assertEqual([p["point"] for p in along["points"]],
                         [[-1, 0.5, 1], [0, 0.5, 1], [2, 0.5, 1], [3, 0.5, 1]])
        self.assertEqual(along["entities"]["face 2"], [[0, 0, 1]])
        self.assertEqual(through["stretches"], ["in", "out"])
        reflex = through["points"][1]
        self.assertEqual((reflex["point"], reflex["parameter"]), ([1, 1, 0.5], 0.5))
        self.assertEqual(sorted(through["entities"][reflex["on"]]), [[1, 1, 0], [1, 1, 1]])
        self.assertEqual((point["points"][0]["on"], point["stretches"]), ("in", []))
        # The block lies on the L, a square metre in its corner: four edges of the L run along it.
        self.assertTrue(edges)
        for edge in edges:
            self.assertEqual((edge["body"], edge["edge_of"]), ("block", "ell"))
            self.assertNotIn("in", edge["stretches"])
        text = self.abut("check", self.scene(f"abut: 1\nduration: 1\nbodies:\n  - {ell}\n"), *ask[:2])
        self.assertIn("(out, [-1, 0.5, 1]), out, (edge", text.stdout)
        for question, why in [("ell", "give BODY="), ("nobody=[0, 0, 0]", "no body named nobody"),
                              ("ell=[0, 0]", "a point is three numbers"),
                              ("ball=[0, 0, 0]", "whose faces are curved")]:
            ball = "{name: ball, shape: {sphere: {radius: 1}}, position: [50, 0, 0]}"
            result, _ = self.check(ell, ball, code=1, arguments=["--classify", question])
            self.assertIn(why, result["problems"][0]["message"])

    def test_points_and_lines(self):
        result, _ = self.check(
            self.FLOOR, "{name: ball, shape: {sphere: {radius: 0.5}}, position: [1, 2, 0.5]}",
            "{name: rod, shape: {capsule: {radius: 0.25, height: 2}}, position: [5, 0, 0.25], "
            "orientation: {axis: [0, 1, 0], angle: 90 deg}}")
        ball, rod = (pair["regions"][0] for pair in result["pairs"])
        self.assertEqual((ball["dimension"], rod["dimension"]), (0, 1))
        self.assert_points(ball["points"], [[1, 2, 0]])
        self.assert_points(rod["points"], [[4, 0, 0], [6, 0, 0]])
        self.assertEqual(rod["features"], ["face 1", "surface"])

    def test_parts_are_named_in_features(self):
        result, _ = self.check(
            self.FLOOR, "{name: cart, position: [0, 0, 1], shapes: [{box: {size: [3, 1, 0.2]}}, "
            "{sphere: {radius: 0.4}, position: [-1, 0, -0.6]}, "
            "{sphere: {radius: 0.4}, position: [1, 0, -0.6]}]}")
        self.assertEqual([r["features"] for r in result["pairs"][0]["regions"]],
                         [["face 1", "part 2 surface"], ["face 1", "part 3 surface"]])

    def test_flush_parts_touch_in_one_region(self):
        def regions(*parts, below=self.FLOOR):
            shapes = ", ".join(f"{{box: {{size: {size}}}, position: {at}}}" for size, at in parts)
            result, _ = self.check(
                below, f"{{name: union, position: [0, 0, 0.5], shapes: [{shapes}]}}")
            return result["pairs"][0]["regions"]

        def rectangle(x0, x1, y0, y1):
            return [[x, y, 0] for x in (x0, x1) for y in (y0, y1)]

        cube = "[1, 1, 1]"
        for shift in (1, 0.6):  # side by side, and one in the other
            found = regions((cube, "[0, 0, 0]"), (cube, f"[{shift}, 0, 0]"))
            self.assertEqual([region["dimension"] for region in found], [2])
            self.assert_points(found[0]["points"], rectangle(-0.5, shift + 0.5, -0.5, 0.5))
            self.assertEqual(found[0]["features"], ["face 1", "part 1 face 5"])
        # Round a corner: the hull of an L.
        found = regions((cube, "[1, 0, 0]"), (cube, "[0, 1, 0]"), (cube, "[0, 0, 0]"))
        self.assertEqual(len(found), 1)
        self.assert_points(found[0]["points"], [[-0.5, -0.5, 0], [1.5, -0.5, 0], [1.5, 0.5, 0],
                                                [0.5, 1.5, 0], [-0.5, 1.5, 0]])
        # Apart, corner to corner, and at two heights.
        self.assertEqual(len(regions((cube, "[0, 0, 0]"), (cube, "[1.1, 0, 0]"))), 2)
        self.assertEqual(len(regions((cube, "[0, 0, 0]"), (cube, "[1, 1, 0]"))), 2)
        self.assertEqual(len(regions((cube, "[0, 0, 0]"), (cube, "[1, 0, 0.1]"))), 1)
        # Lines: both parts across an edge.
        ridge = ("{name: ridge, motion: fixed, position: [0, 0, -0.7071067811865476], orientation: "
                 "{axis: [1, 0, 0], angle: 45 deg}, shape: {box: {size: [9, 1, 1]}}}")
        found = regions((cube, "[0, 0, 0]"), (cube, "[1, 0, 0]"), below=ridge)
        self.assertEqual([region["dimension"] for region in found], [1])
        self.assert_points(found[0]["points"], [[-0.5, 0, 0], [1.5, 0, 0]])

    def test_overlap_is_a_fault_with_a_remedy_that_works(self):
        crate = "{{name: crate, shape: {{box: {{size: [1, 1, 1]}}}}, position: {}}}"
        ball = "{name: ball, shape: {sphere: {radius: 0.5}}, position: [0.123, 0, 1.3]}"
        result, stderr = self.check(crate.format("[0.123, 0, 0.2]"), ball, self.FLOOR, code=1)
        pairs = {tuple(p["bodies"]): p["gap"] for p in result["pairs"]}
        self.assertAlmostEqual(pairs["crate", "floor"], -0.3, delta=1e-14)
        self.assertNotIn(("crate", "ball"), pairs)
        self.assertEqual(len(result["problems"]), 1)
        problem = result["problems"][0]
        self.assertEqual((problem["severity"], problem["line"]), ("error", 4))
        self.assertIn("overlap by 0.3 m", problem["message"])
        self.assertIn("along [0, 0, 1]", problem["message"])
        self.assertIn("error: bodies floor and crate overlap", stderr)
        position = re.search(r"position (\[.*?\])", problem["message"]).group(1)
        self.assertEqual(json.loads(position), [0.123, 0, 0.5])
        mended, _ = self.check(crate.format(position), self.FLOOR)
        self.assertEqual(mended["problems"], [])

    def test_remedy_of_unions_separates_all_parts(self):
        cross = ("{{name: {}, position: {}, orientation: {{euler: [10 deg, 20 deg, 30 deg]}}, "
                 "shapes: [{{box: {{size: [3, 1, 1]}}}}, {{box: {{size: [1, 1, 1]}}, "
                 "position: [0, 1, 0]}}]}}")
        first = cross.format("first", "[0, 0, 0]")
        result, _ = self.check(first, cross.format("second", "[0.7, 0.8, 0.6]"), code=1)
        message = result["problems"][0]["message"]
        self.assertIn("move second along", message)
        position = re.search(r"position (\[.*?\])", message).group(1)
        mended, _ = self.check(first, cross.format("second", position))
        self.assertEqual(mended["problems"], [])

    def test_contact_distance_decides_what_touches(self):
        bodies = [self.FLOOR, "{name: ball, shape: {sphere: {radius: 0.5}}, position: [0, 0, 0.499]}"]
        self.check(*bodies, code=1)
        result, _ = self.check(*bodies, more="solver: {contact_distance: 2 mm}\n")
        self.assertAlmostEqual(result["pairs"][0]["gap"], -0.001, delta=1e-15)
        self.assertEqual(result["problems"], [])

    def test_pairs_that_cannot_collide_are_not_compared(self):
        box = "{{name: {}, shape: {{box: {{size: [1, 1, 1]}}}}{}}}"
        fixed = [box.format(name, ", motion: fixed") for name in ("a", "b")]
        self.assertEqual(self.check(*fixed)[0]["pairs"], [])
        moving = [box.format(name, "") for name in ("a", "b")]
        self.check(*moving, code=1)
        result, _ = self.check(*moving, more="no_collide: [[b, a]]\n")
        self.assertEqual((result["pairs"], result["problems"]), ([], []))

    def test_all_pairs_with_their_distance(self):
        bodies = ["{name: one, shape: {sphere: {radius: 1}}}",
                  "{name: two, shape: {sphere: {radius: 1}}, position: [3, 4, 0]}",
                  "{name: base, shape: {plane: {normal: [0, 0, 1], offset: -2}}, motion: fixed}"]
        self.assertEqual(self.check(*bodies)[0]["pairs"], [])
        result, _ = self.check(*bodies, arguments=["--pairs", "all"])
        gaps = {tuple(p["bodies"]): (p["gap"], p["regions"]) for p in result["pairs"]}
        self.assertEqual(gaps, {("one", "two"): (3, []), ("one", "base"): (1, []),
                                ("two", "base"): (1, [])})
        self.abut("check", self.scene(FALLING), "--pairs", "some", code=2)

    def test_shapes_without_contact_are_refused_unless_the_scene_allows_it(self):
        angular = ("{{name: angular, shape: {{superellipsoid: {{radii: [1, 1, 1], "
                "exponents: [0.1, 0.1]}}}}, position: [0, 0, {}]}}")
        crate = "{name: crate, shape: {box: {size: [1, 1, 1]}}}"
        for arguments in ([], ["--pairs", "all"]):
            for height in (1, 9):
                result, stderr = self.check(crate, angular.format(height), arguments=arguments,
                                            code=1)
                self.assertEqual([p["severity"] for p in result["problems"]], ["error"])
                self.assertIn("contact between a box and a superellipsoid cannot be computed yet "
                              "(bodies crate and angular)", stderr)
        self.assertIn("a plane and a superellipsoid",
                      self.check(self.FLOOR, angular.format(3), code=1)[1])
        result, _ = self.check(crate, angular.format(9), more="no_collide: [[angular, crate]]\n")
        self.assertEqual(result["problems"], [])
        result, _ = self.check(crate, angular.format(9), more="solver: {unsupported: ignore}\n")
        self.assertEqual([p["severity"] for p in result["problems"]], ["warning"])

    def test_what_is_worth_a_remark_is_noted(self):
        ball = "{{name: ball, shape: {{sphere: {{radius: 1}}}}, position: [{}, 0, 5]{}}}"

        def notes(*bodies, **more):
            return "\n".join(self.check(*bodies, **more)[0].get("notes", []))

        self.assertIn("all contacts are frictionless", notes(self.FLOOR, ball.format(0, "")))
        self.assertEqual(notes(self.FLOOR, ball.format(0, ", material: {friction: 0.5}")), "")
        self.assertIn("positions are multiples of 0.12 m", notes(ball.format(1e15, "")))
        joint = "joints: [{name: pivot, type: ball, bodies: [world, ball], at: [0, 0, 6]}]\n"
        fitting = ball.format(0, ", velocity: [1, 0, 0], angular_velocity: [0, -1, 0]")
        self.assertEqual(notes(fitting, more=joint), "")
        torn = ball.format(0, ", velocity: [1, 0, 0]")
        self.assertIn("do not fit joint pivot, whose bodies part at 1 m/s", notes(torn, more=joint))
        turned = ball.format(0, ", orientation: {axis: [0, 0, 1], angle: 90}")
        self.assertIn("which are 14.3 turns; write `90 deg`", self.check(turned)[1])

    def test_an_exact_fit_is_noted_and_refused(self):
        def saddle(half):  # of its width, to the middle of its sides
            side = "{{box: {{size: [0.5, 1, 2]}}, position: [{}, 0, 0.5]}}"
            return ("{name: saddle, position: [0, 0, -1], shapes: ["
                    f"{side.format(half)}, {side.format(-half)}, "
                    "{box: {size: [1.6, 1, 0.5]}, position: [0, 0, 1.75]}]}")

        bar = "{name: bar, shape: {box: {size: [1, 4, 1]}}, motion: fixed}"
        self.assertIn("saddle fits bar exactly", "\n".join(self.check(bar, saddle(0.75))[0]["notes"]))
        done = self.abut("run", self.dir / "scene.yaml", "-o", "o", code=1)
        self.assertIn("no room", done.stderr)
        self.assertNotIn("exactly", "\n".join(self.check(bar, saddle(0.76))[0]["notes"]))
        self.abut("run", self.dir / "scene.yaml", "-o", "o", "--duration", "0.1")

    def test_a_bowl_that_is_too_small_has_no_place(self):
        _, stderr = self.check(
            "{name: bowl, shape: {sphere: {radius: 1, inverted: true}}, motion: fixed}",
            "{name: ball, shape: {sphere: {radius: 1.2}}}", code=1)
        self.assertIn("bodies bowl and ball overlap by 0.2 m, and no place near is free", stderr)

    def test_parts_that_overlap_count_twice(self):
        two = ("{{name: pair, shapes: [{{box: {{size: [1, 1, 1]}}}}, "
               "{{sphere: {{radius: 0.5}}, position: [{}, 0, 0]}}]{}}}")
        result, stderr = self.check(two.format(0.9, ""))
        self.assertEqual([p["severity"] for p in result["problems"]], ["warning"])
        self.assertIn("parts 1 and 2 of body pair overlap; their common volume counts twice", stderr)
        self.assertEqual(self.check(two.format(1, ""))[0]["problems"], [])
        repeated = two.format(0.9, ", repeat: {count: [3, 1, 1], spacing: [9, 1, 1]}")
        self.assertEqual(len(self.check(repeated)[0]["problems"]), 1)

    def test_text_lists_pairs(self):
        scene = self.scene("abut: 1\nduration: 1\nbodies:\n"
                           f"  - {self.FLOOR}\n"
                           "  - {name: crate, shape: {box: {size: [1, 1, 1]}}, position: [0, 0, 0.5]}\n"
                           "  - {name: ball, shape: {sphere: {radius: 1}}, position: [5, 0, 0.75]}\n")
        done = self.abut("check", scene, code=1)
        self.assertRegex(done.stdout, r"floor, crate +touching +0 +1 area\n")
        self.assertRegex(done.stdout, r"floor, ball +overlapping +-0.25 +1 point\n")
        self.assertIn("bodies floor and ball overlap by 0.25 m; move ball along [0, 0, 1], to "
                      "position [5, 0, 1]", done.stderr)

    def test_every_pair_is_found(self):
        source = random.Random(1)
        balls = [([source.uniform(0, 10) for _ in range(3)], source.choice([0.1, 0.3, 0.5, 3]))
                 for _ in range(200)]
        bodies = [f"{{name: ball{i}, shape: {{sphere: {{radius: {r}}}}}, position: {centre}"
                  f"{', motion: fixed' if i % 3 == 0 else ''}}}"
                  for i, (centre, r) in enumerate(balls)]
        expected = {}
        for i, (p, r) in enumerate(balls):
            for k, (q, s) in enumerate(balls[:i]):
                if i % 3 == 0 and k % 3 == 0:
                    continue
                gap = math.dist(p, q) - r - s
                if gap < 0:
                    expected[f"ball{k}", f"ball{i}"] = gap
        self.assertGreater(len(expected), 100)
        result, stderr = self.check(*bodies, code=1)
        found = {tuple(pair["bodies"]): pair["gap"] for pair in result["pairs"]}
        self.assertEqual(sorted(found), sorted(expected))
        for bodies, gap in expected.items():
            self.assertAlmostEqual(found[bodies], gap, delta=1e-13)
        # Not all of them are told: what is wrong with one is wrong with the others.
        self.assertEqual(stderr.count("overlap by"), 100)
        self.assertIn(f"{len(expected) - 100} further overlaps are not shown", stderr)

    def test_many_bodies_are_quick(self):
        start = time.monotonic()
        result, _ = self.check(self.FLOOR, "{name: crate, shape: {box: {size: [1, 1, 1]}}, "
                               "position: [0, 0, 0.5], "
                               "repeat: {count: [100, 100, 1], spacing: [1.5, 1.5, 1]}}")
        self.assertEqual(len(result["pairs"]), 10000)
        self.assertLess(time.monotonic() - start, 20)  # 1 s on an idle machine


class Export(CliTest):
    def test_directory_or_file(self):
        self.abut("run", self.scene(FALLING), "--csv", "-o", "o")
        for run, target in [("o", "a"), ("o/run.h5", "b/c")]:
            self.abut("export", run, "--to", "csv", "-o", target)
            for name in ("states.csv", "events.csv", "contacts.csv", "energy.csv", "joints.csv"):
                self.assertEqual((self.dir / target / name).read_bytes(),
                                 (self.dir / "o" / name).read_bytes())

    def test_what_is_no_run(self):
        (self.dir / "empty").mkdir()
        (self.dir / "text.h5").write_text("hello")
        for run in ["absent", "absent.h5", "empty", "text.h5"]:
            with self.subTest(run=run):
                self.assertIn("error: ", self.abut("export", run, "--to", "csv", code=2).stderr)

    def test_animation(self):
        self.abut("run", self.scene(FALLING), "-o", "o")
        made = (self.dir / "o" / "run.glb").read_bytes()
        self.abut("export", "o", "--to", "glb", "-o", "a")
        self.assertEqual((self.dir / "a" / "run.glb").read_bytes(), made)
        magic, version, size, json_size = struct.unpack("<4I", made[:16])
        self.assertEqual((magic, version, size), (0x46546C67, 2, len(made)))
        gltf = json.loads(made[20:20 + json_size])
        self.assertEqual([node["name"] for node in gltf["nodes"][1:3]], ["ball", "floor"])
        # A body of one part is one node, and only what is drawn elsewhere is a node of its own.
        self.assertEqual([[key in node for key in ("mesh", "scale", "children")] for node in gltf["nodes"][1:]],
                         [[True, True, False], [False, False, True], [True, True, False]])
        times = gltf["accessors"][gltf["animations"][0]["samplers"][0]["input"]]
        self.assertEqual((times["min"], times["max"], times["count"]), ([0], [0.5], 51))

    def test_formats_that_are_unknown_or_need_more(self):
        self.abut("run", self.scene(FALLING), "-o", "o", "--no-report")
        self.assertIn("format 'fbx' is not known",
                      self.abut("export", "o", "--to", "fbx", code=2).stderr)
        poor = {**os.environ, "ABUT_BROWSER": "/nowhere"}
        done = self.abut("export", "o", "--to", "png", code=2, env=poor)
        self.assertIn("apt install chromium", done.stderr)
        # All that a film needs is asked for at once.
        empty = {**poor, "PATH": str(self.dir)}
        done = self.abut("export", "o", "--to", "mp4", code=2, env=empty)
        self.assertIn("apt install chromium ffmpeg", done.stderr)

    def test_unwritable_target(self):
        self.abut("run", self.scene(FALLING), "-o", "o")
        (self.dir / "file").write_text("")
        self.abut("export", "o", "--to", "csv", "-o", "file", code=2)


class Report(CliTest):
    def header(self, path):
        page = path.read_text()
        found = re.search(r'id="abut-header">(.*?)</script>', page, re.S)
        return json.loads(found.group(1)) if found else None

    def test_anew_and_elsewhere(self):
        self.abut("run", self.scene(FALLING), "-o", "o")
        made = (self.dir / "o" / "report.html").read_bytes()
        self.abut("report", "o", "-o", "other.html")
        self.assertEqual((self.dir / "other.html").read_bytes(), made)
        self.abut("report", "o/run.h5")
        self.assertEqual((self.dir / "o" / "report.html").read_bytes(), made)
        self.assertNotIn(b"http://", made.replace(b"http://www.w3.org/", b""))
        self.assertFalse(list(self.dir.glob("**/*.partial")))

    def test_holds_the_run(self):
        self.abut("run", self.scene(FALLING), "-o", "o")
        header = self.header(self.dir / "o" / "report.html")
        if header is None:
            self.skipTest("built without the player")
        summary = json.loads((self.dir / "o" / "summary.json").read_text())
        self.assertEqual(header["summary"], summary)
        self.assertEqual(header["scene"]["text"], FALLING)
        self.assertEqual(header["recorded"]["frames"], 51)
        self.assertEqual(header["thinning"], [])

    def test_of_a_run_that_was_killed(self):
        process = self.start("run", self.scene(ENDLESS), "-o", "o")
        self.wait_for(self.dir / "o" / "run.h5")
        time.sleep(0.3)
        process.kill()
        process.communicate(timeout=60)
        self.assertFalse((self.dir / "o" / "report.html").exists())
        self.abut("report", "o")
        header = self.header(self.dir / "o" / "report.html")
        if header is not None:
            self.assertEqual((header["status"], header["summary"]), ("running", None))

    def test_what_is_no_run(self):
        (self.dir / "text.h5").write_text("hello")
        for run in ["absent", "text.h5"]:
            self.assertIn("error: ", self.abut("report", run, code=2).stderr)

    def test_a_run_keeps_the_meshes_of_its_scene(self):
        (self.dir / "sub").mkdir()
        (self.dir / "sub" / "tetra.obj").write_text(
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n")
        (self.dir / "sub" / "mesh.yaml").write_text(
            "abut: 1\nduration: 0.1\nbodies:\n  - {name: t, shape: {mesh: {file: tetra.obj}}}\n")
        self.abut("run", "sub/mesh.yaml", "-o", "o")
        (self.dir / "sub" / "tetra.obj").rename(self.dir / "tetra.obj")
        self.abut("report", "o")
        self.abut("export", "o", "--to", "glb")
        self.assertIn("tetra.obj", self.abut("report", "o", "--meshes", "sub", code=2).stderr)
        self.abut("report", "o", "--meshes", ".")


class Verify(CliTest):
    HEADERS = {
        "states.csv": "time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,cx,cy,cz,ax,ay,az,bx,by,bz",
        "events.csv": "time,kind,body_a,body_b,x,y,z,nx,ny,nz,impulse,detail,jx,jy,jz",
        "contacts.csv": "time,body_a,body_b,x,y,z,nx,ny,nz,gap,fn,ftx,fty,ftz,mode",
        "energy.csv": "time,kinetic,potential,elastic,dissipated,work",
        "joints.csv": "time,joint,fx,fy,fz,tx,ty,tz,gap,kind"}

    def test_tables_have_the_columns_of_the_contract(self):
        self.abut("run", self.scene(FALLING), "--csv", "-o", "o")
        for name, header in self.HEADERS.items():
            self.assertEqual((self.dir / "o" / name).read_text().splitlines()[0], header)

    def test_a_fall_has_no_fault(self):
        self.abut("run", self.scene(FALLING), "-o", "o", "--set", "bodies.ball.mass=3",
                  "--duration", "0.25")
        done = self.abut("verify", "o")
        self.assertIn("Falling: complete, 26 frames", done.stdout)
        self.assertTrue(done.stdout.endswith("no fault found\n"))
        report = json.loads(self.abut("verify", "o/run.h5", "--json").stdout)
        self.assertTrue(report["passed"])
        self.assertEqual([check["name"] for check in report["checks"]],
                         ["scene", "motion", "overlap", "contacts", "energy", "forces", "friction",
                          "events", "impulses", "summary"])
        self.assertEqual((report["faults"], report["not_checked"]), ([], []))

    def test_shapes_without_contact(self):
        shape = ('{implicit: {function: "(x^2 + y^2 + z^2 + 0.75)^2 - 4*(x^2 + y^2)", '
                 "bounds: [[-2, -2, -1], [2, 2, 1]]}}")
        scene = self.scene("abut: 1\nduration: 1\nbodies:\n"
                           f"  - {{name: base, motion: fixed, shape: {shape}}}\n"
                           "  - {name: ball, shape: {sphere: {radius: 0.3}}, position: [1, 0.1, 2]}\n")
        done = self.abut("run", scene, "-o", "o", code=1)
        self.assertIn("bodies base and ball", done.stderr)
        done = self.abut("run", scene, "-o", "o", "--set", "solver.unsupported=ignore", code=1)
        self.assertIn("the result is suspect", done.stderr)
        self.assertIn("base and ball", done.stderr)
        summary = json.loads((self.dir / "o" / "summary.json").read_text())
        self.assertEqual((summary["status"], summary["min_gap"]), ("suspect", None))
        done = self.abut("verify", "o", code=3)
        self.assertTrue(done.stdout.splitlines()[-1].startswith("not proven"))

    def test_gaps_without_proof_are_not_proven(self):
        scene = self.scene("abut: 1\nduration: 0.1\nbodies:\n"
                           "  - {name: floor, shape: {plane: {}}, motion: fixed}\n"
                           '  - {name: egg, shape: {implicit: {function: "x^4 + y^4 + z^2 - 1",'
                           " bounds: [[-2, -2, -2], [2, 2, 2]]}},"
                           " position: [0, 0, 1], angular_velocity: [1, 0, 0]}\n")
        self.abut("run", scene, "-o", "o")
        unproven = json.loads((self.dir / "o" / "summary.json").read_text())["pairs_unproven"]
        self.assertEqual(unproven, 1)
        done = self.abut("verify", "o", code=3)
        self.assertIn("not checked  gaps between frames of pairs in contact", done.stdout)
        self.assertTrue(done.stdout.splitlines()[-1].startswith("not proven"))
        for shape in ("{sphere: {radius: 1}}", "{superellipsoid: {radii: [1, 1, 1], exponents: [0.8, 0.8]}}"):
            self.abut("run", scene, "-o", "o", "--set", f"bodies.egg.shape={shape}")
            self.abut("verify", "o")

    def test_gaps_on_scripts_and_in_bowls_are_proven(self):
        bodies = {
            "shaken": "  - {name: table, shape: {box: {size: [2, 2, 0.2]}},"
                      ' motion: {position: ["0.02*sin(12*t)", "0", "-0.1"],'
                      ' rotation: {axis: [1, 0, 0], angle: "0.1*sin(3*t)"}}}\n'
                      "  - {name: box, shape: {box: {size: [0.2, 0.3, 0.2]}}, position: [0, 0, 0.1]}\n",
            "carried": "  - {name: table, shape: {box: {size: [2, 2, 0.2]}}, motion: {keyframes:"
                       " [{time: 0, position: [0, 0, -0.1]}, {time: 0.5, position: [0.1, 0, 0]}]}}\n"
                       "  - {name: ball, shape: {sphere: {radius: 0.2}}, position: [0, 0, 0.2]}\n",
            "ball in a bowl": "  - {name: bowl, shape: {ellipsoid: {radii: [1, 1.2, 1.1], inverted: true}},"
                              " motion: fixed}\n"
                              "  - {name: ball, shape: {sphere: {radius: 0.2}}, position: [0.3, 0.1, -0.8]}\n",
            "can in a bowl": "  - {name: bowl, shape: {sphere: {radius: 1, inverted: true}}, motion: fixed}\n"
                             "  - {name: can, shape: {cylinder: {radius: 0.2, height: 0.3}},"
                             " position: [0.2, 0, -0.7]}\n",
        }
        for name, text in bodies.items():
            with self.subTest(name):
                self.abut("run", self.scene("abut: 1\nduration: 0.6\nbodies:\n" + text), "-o", "o")
                summary = json.loads((self.dir / "o" / "summary.json").read_text())
                self.assertEqual(summary["pairs_unproven"], 0)
                self.assertGreater(summary["contacts_max"], 0)
                self.abut("verify", "o")

    def test_bodies_in_a_superellipsoid_come_to_their_end(self):
        for shape in ["sphere: {radius: 0.2}", "capsule: {radius: 0.15, height: 0.3}",
                      "ellipsoid: {radii: [0.2, 0.15, 0.25]}", "box: {size: [0.3, 0.25, 0.2]}"]:
            with self.subTest(shape):
                scene = self.scene("abut: 1\nduration: 0.6\nbodies:\n"
                                   "  - {name: bowl, motion: fixed, shape: {superellipsoid:"
                                   " {radii: [1, 1.2, 1.1], exponents: [1, 0.8], inverted: true}}}\n"
                                   f"  - {{name: body, shape: {{{shape}}}, position: [0.2, 0.1, 0.1],"
                                   " orientation: {axis: [1, 2, 0.5], angle: 40 deg}}\n")
                self.abut("run", scene, "-o", "o")
                summary = json.loads((self.dir / "o" / "summary.json").read_text())
                self.assertGreater(summary["impacts"], 0)
                done = self.abut("verify", "o", code=3 if summary["pairs_unproven"] else 0)
                self.assertNotIn("fault:", done.stdout)

    def test_what_a_scene_puts_within_a_contact_distance_touches(self):
        scene = self.scene("abut: 1\nduration: 0.2\nbodies:\n"
                           "  - {name: floor, shape: {plane: {}}, motion: fixed}\n"
                           "  - {name: a, shape: {box: {size: [1, 1, 1]}}, position: [0, 0, 0.5]}\n"
                           "  - {name: b, shape: {box: {size: [1, 1, 1]}}, position: [0, 0, 1.4999999999]}\n")
        self.abut("run", scene, "-o", "o")
        self.abut("verify", "o")
        self.abut("run", scene, "-o", "o", "--set", "bodies.b.position=[0, 0, 1.499999998]", code=1)

    def test_forces_are_found_again(self):
        for name in ["drag_and_wind", "spring_pair", "scripted_carousel", "tumbling_box"]:
            with self.subTest(name=name):
                self.abut("run", name, "--quiet", "-o", name, "--duration", "2")
                self.abut("verify", name)

    # What cancels in the force of a spring that has its length is rounding.
    def test_a_spring_at_rest_has_no_fault(self):
        scene = self.scene("abut: 1\nduration: 1\ngravity: [0, 0, 0]\nbodies:\n"
                           "  - {name: a, shape: {sphere: {radius: 0.1}}, mass: 2, position: [1.5, 0, 0]}\n"
                           "  - {name: b, shape: {sphere: {radius: 0.1}}, mass: 2, position: [0, 3, 0]}\n"
                           "forces: [{type: spring, bodies: [a, b], stiffness: 5}]\n")
        self.abut("run", scene, "-o", "o")
        self.abut("verify", "o")

    # Nothing but its limit stops a motor without a greatest force.
    def test_a_motor_stops_at_its_limit(self):
        scene = self.scene("abut: 1\nduration: 1\nbodies:\n"
                           "  - {name: rod1, shape: {capsule: {radius: 0.05, height: 0.8}}, position: [0, 0, 1.5]}\n"
                           "  - {name: rod2, shape: {capsule: {radius: 0.05, height: 0.8}}, position: [0, 0, 0.5]}\n"
                           "joints:\n"
                           "  - {name: pivot, type: ball,  bodies: [world, rod1], at: [0, 0, 2]}\n"
                           "  - {name: elbow, type: hinge, bodies: [rod1, rod2], at: [0, 0, 1], axis: [0, 1, 0],\n"
                           "     limits: [-90 deg, 90 deg], motor: {speed: 2}, break_force: 500}\n")
        # A step takes the jolt for a force that lasts as long as it does.
        for clock, bears in (("auto", 500), ("step", 1e5)):
            with self.subTest(clock=clock):
                self.abut("run", scene, "-o", "o", "--csv", "--set", f"solver.clock={clock}",
                          "--set", f"joints.elbow.break_force={bears}")
                self.abut("verify", "o")
                ends = {row["body"]: row for row in self.rows(self.dir / "o" / "states.csv")}
                angle = sum(sign * 2 * math.atan2(float(ends[rod]["qy"]), float(ends[rod]["qw"]))
                            for rod, sign in (("rod2", 1), ("rod1", -1)))
                self.assertAlmostEqual(angle, math.pi / 2, delta=1e-5)
                self.assertAlmostEqual(float(ends["rod1"]["wy"]), float(ends["rod2"]["wy"]), delta=1e-5)
                limits = [row["time"] for row in self.rows(self.dir / "o" / "events.csv") if row["kind"] == "limit"]
                if clock == "auto":
                    self.assertAlmostEqual(float(limits[0]), math.pi / 4, delta=1e-9)

    def test_a_spoilt_record_is_a_fault(self):
        self.abut("run", self.scene(FALLING), "-o", "o")
        path = self.dir / "o" / "run.h5"
        content = path.read_bytes()
        self.assertEqual(content.count(b"position: [0, 0, 10]"), 1)
        path.write_bytes(content.replace(b"position: [0, 0, 10]", b"position: [0, 0, 11]"))
        done = self.abut("verify", "o", code=1)
        self.assertIn("fingerprint", done.stdout)
        self.assertIn("ball does not start where the scene puts it", done.stdout)
        report = json.loads(self.abut("verify", "o", "--json", code=1).stdout)
        self.assertFalse(report["passed"])
        self.assertEqual(report["faults"][0]["check"], "scene")

    def test_meshes_are_those_that_the_run_keeps(self):
        shapes = self.dir / "shapes"
        shapes.mkdir()
        (shapes / "tetrahedron.obj").write_text(
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n")
        scene = shapes / "scene.yaml"
        scene.write_text("abut: 1\nduration: 0.1\nbodies:\n"
                         "  - {name: a, shape: {mesh: {file: tetrahedron.obj}}}\n")
        self.abut("run", scene, "--quiet", "-o", "o")
        (shapes / "tetrahedron.obj").rename(self.dir / "moved.obj")
        self.assertNotIn("not checked", self.abut("verify", "o").stdout)
        done = self.abut("verify", "o", "--meshes", "shapes", code=3)
        self.assertIn("not checked  overlap and forces", done.stdout)
        self.assertIn("not proven", done.stdout)

    def test_what_is_no_run(self):
        (self.dir / "empty").mkdir()
        (self.dir / "text.h5").write_text("hello")
        for run in ["absent", "absent.h5", "empty", "text.h5"]:
            with self.subTest(run=run):
                self.assertIn("error: ", self.abut("verify", run, code=2).stderr)


class Scenes(CliTest):
    def test_own_directory(self):
        shelf = self.dir / "shelf"
        shelf.mkdir()
        (shelf / "one.yaml").write_text("# The first\n" + FALLING)
        (shelf / "two.yaml").write_text(FALLING)
        (shelf / "notes.txt").write_text("no scene")
        env = dict(os.environ, ABUT_SCENES=str(shelf))
        done = self.abut("scenes", env=env)
        self.assertEqual(done.stdout, "one  The first\ntwo  Falling\n")
        done = self.abut("scenes", "two", env=env)
        self.assertEqual(done.stdout, f"{shelf}/two.yaml\n")
        self.abut("scenes", "three", env=env, code=2)
        self.abut("run", "two", "--quiet", env=env)
        self.assertTrue((self.dir / "out" / "two" / "run.h5").exists())
        self.abut("scenes", env=dict(os.environ, ABUT_SCENES=str(self.dir / "none")), code=2)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
