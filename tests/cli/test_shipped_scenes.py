"""Scenes that ship: what a run says of itself and what `abut verify` says of it agree.

Usage: python3 test_shipped_scenes.py PROGRAM [unittest arguments]
Uses the standard library only.
"""

import os
import sys
import unittest
from pathlib import Path

from agreement import Agreement

SCENES = Path(__file__).resolve().parent.parent.parent / "scenes"
# Of wall time, s: most scenes end sooner.
LIMIT = 3


class ShippedScenes(Agreement):
    def test_say_what_verify_says(self):
        paths = sorted(SCENES.glob("*.yaml"))
        self.assertGreater(len(paths), 50)
        for path in paths:
            with self.subTest(path.stem):
                # They may take long, but none may go wrong.
                self.assertIn(self.judge(path, path.stem, LIMIT), ("complete", "interrupted"))


if __name__ == "__main__":
    ShippedScenes.program = os.path.abspath(sys.argv.pop(1))
    unittest.main()
