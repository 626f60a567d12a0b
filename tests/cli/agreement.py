"""That what a run says of itself and what `abut verify` says of it agree. Uses the standard library only."""

import csv
import json
import math
import subprocess
import tempfile
import unittest
from pathlib import Path

# A body that changes place at an instant by more, m and rad, was moved; contacts that close are moved by a few
# contact distances (1e-9 m) at most.
MOVED = 1e-8


def angle_between(p, q):
    return 2 * math.acos(min(1.0, abs(sum(x * y for x, y in zip(p, q)))))


class Agreement(unittest.TestCase):
    """A test of scenes; `program` is to be set."""

    program = ""

    def judge(self, path, name, limit):
        """The status of a run of the scene. One that takes longer than `limit` (s of wall time) is interrupted, and what it
        recorded is judged."""
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "out"
            run = subprocess.run(
                ["timeout", "--preserve-status", "-s", "INT", str(limit), self.program, "run", str(path), "-o", str(out),
                 "--no-report", "--quiet"], capture_output=True, text=True)
            self.assertIn(run.returncode, (0, 1), run.stderr)
            summary = json.loads((out / "summary.json").read_text())
            # By itself, so that all of it is there also where the run was interrupted.
            subprocess.run([self.program, "export", str(out), "--to", "csv"], check=True, capture_output=True)
            verify = subprocess.run([self.program, "verify", str(out), "--meshes", str(Path(path).parent)],
                                    capture_output=True, text=True)
            said = f"{name}: {summary['status']} {summary['message']}\n{verify.stdout}"
            if summary["status"] in ("complete", "interrupted"):
                # No pair is unproven in silence.
                without_fault = 3 if summary["pairs_unproven"] or "not checked" in verify.stdout else 0
                self.assertEqual(verify.returncode, without_fault, said)
                if summary["min_gap"] is not None and "contact: penalty" not in Path(path).read_text():
                    self.assertGreaterEqual(summary["min_gap"], 0, said)
            self.assertTrue(summary["status"] != "complete" or run.returncode == 0, said)
            self.expect_no_jumps(out, said)
            return summary["status"]

    def expect_no_jumps(self, out, said):
        last = {}
        with open(out / "states.csv", newline="") as table:
            for row in csv.DictReader(table):
                place = [float(row[key]) for key in ("cx", "cy", "cz")]
                turn = [float(row[key]) for key in ("qw", "qx", "qy", "qz")]
                time, place_before, turn_before = last.get(row["body"], (None, None, None))
                if time == row["time"]:
                    self.assertLess(math.dist(place, place_before), MOVED, said)
                    self.assertLess(angle_between(turn, turn_before), 10 * MOVED, said)
                last[row["body"]] = (row["time"], place, turn)
