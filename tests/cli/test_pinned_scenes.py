"""Scenes that went wrong once, and what each of them must do: exit code, status, and what `abut verify` says.

Usage: python3 test_pinned_scenes.py PROGRAM [unittest arguments]
The scenes are in tests/data/pinned. Uses the standard library only.
"""

import csv
import json
import math
import os
import re
import resource
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = ""
SCENES = Path(__file__).resolve().parent.parent / "data" / "pinned"

# Of wall time, s: far more than any of them takes. A run that does not end is a failure, not a wait.
LIMIT = 300

# Of address space, bytes, for scenes that once took several times as much.
ROOM = 2**30


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))


class Ran:
    """A run of a scene, and what `abut verify` says of it."""

    def __init__(self, name, folder, options=()):
        self.out = Path(folder) / "out"
        command = [PROGRAM, "run", str(SCENES / f"{name}.yaml"), "-o", str(self.out), "--no-report", "--csv", "--quiet"]
        run = subprocess.run([*command, *options], capture_output=True, text=True, timeout=LIMIT,
                             preexec_fn=limit_memory if name.startswith("input/") else None)
        self.code, self.errors = run.returncode, run.stderr
        path = self.out / "summary.json"
        self.summary = json.loads(path.read_text()) if path.exists() else {}
        verify = subprocess.run([PROGRAM, "verify", str(self.out)], capture_output=True, text=True, timeout=LIMIT)
        self.verdict, self.verified = verify.returncode, verify.stdout

    def events(self, kind):
        with open(self.out / "events.csv", newline="") as table:
            return [row for row in csv.DictReader(table) if row["kind"] == kind]

    def states(self):
        with open(self.out / "states.csv", newline="") as table:
            return list(csv.DictReader(table))

    def ends(self):
        """Where bodies are at the end, and how fast, by name."""
        columns = ("cx", "cy", "cz", "vx", "vy", "vz", "wx", "wy", "wz")
        return {row["body"]: [float(row[column]) for column in columns] for row in self.states()}

    def speeds_after_first(self, kind):
        """Along x, by body, just after the first event of that kind."""
        time = self.events(kind)[0]["time"]
        return {row["body"]: float(row["vx"]) for row in self.states() if row["time"] == time}

    def said(self):
        return f"{self.errors}\n{self.summary.get('status')}: {self.summary.get('message')}\n{self.verified}"


class PinnedScenes(unittest.TestCase):
    def ran(self, name, options=()):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return Ran(name, folder.name, options)

    def fine(self, name, options=()):
        """Comes to its end, says that all is well, and is right in that, or not proven to be wrong."""
        ran = self.ran(name, options)
        self.assertEqual(ran.code, 0, ran.said())
        self.assertEqual(ran.summary["status"], "complete", ran.said())
        # What the run has no proof of is not silent.
        self.assertEqual(ran.verdict, 3 if ran.summary["pairs_unproven"] else 0, ran.said())
        if ran.summary["min_gap"] is not None:
            self.assertGreaterEqual(ran.summary["min_gap"], 0, ran.said())
        return ran

    def refused(self, name, code, *words):
        ran = self.ran(name)
        self.assertEqual(ran.code, code, ran.said())
        for word in words:
            self.assertIn(word, ran.errors)
        return ran

    def suspect(self, name, *words):
        ran = self.refused(name, 1, *words)
        self.assertEqual(ran.summary["status"], "suspect", ran.said())
        return ran

    def first_impact(self, name):
        return float(self.fine(name).events("impact")[0]["time"])

    # Bodies that rest at one end, or side by side, overlapped by nanometres.
    def test_heaps_do_not_overlap(self):
        self.fine("certificate/heap5_overlap", ["--duration", "1.75"])
        for name in ("capsules5_overlap", "heap20_overlap"):
            with self.subTest(name):
                self.fine(f"certificate/{name}")

    # Nor is anything moved out of an overlap.
    def test_a_rim_across_an_edge_does_not_sink(self):
        self.fine("certificate/rim_across_edge")

    # The apex touches one triangle, and the side passes another by.
    def test_an_apex_beside_an_edge_is_no_overlap(self):
        self.fine("certificate/apex_beside_edge")

    # Nothing in a bowl stands on a plane, whoever moves it.
    def test_a_hull_is_stepped_in_a_bowl(self):
        self.assertGreater(self.fine("certificate/stepped_in_bowl").summary["stepped_fraction"], 0)

    # Each of them failed or stood still once.
    def test_whatever_touches_comes_to_its_end(self):
        for path in sorted((SCENES / "heaps").glob("*.yaml")):
            with self.subTest(path.stem):
                self.fine(f"heaps/{path.stem}")

    # Times of free fall to the touch along a whole circle, sqrt(2 h / g): a torus whose circle of radius 0.4 m comes to
    # lie on a sphere of radius 0.9 m, a rim of that radius 0.1 m below the centre, in an ellipsoid; an ellipsoid of half
    # axes 0.6, 0.6 and 0.3 m that is lowered from the centre of a sphere of radius 1 m.
    def test_circles_in_bowls_are_not_missed(self):
        for name, height in (("ring_bowl_coaxial", math.sqrt(0.9**2 - 0.4**2)),
                             ("cyl_in_ell_bowl_coax", 1.5 * math.sqrt(1 - 0.4**2) - 0.1),
                             ("ell_in_bowl_coaxial", math.sqrt(0.48))):
            with self.subTest(name):
                self.assertAlmostEqual(self.first_impact(f"certificate/{name}"), math.sqrt(2 * height / 9.81), delta=1e-8)

    def test_what_overlaps_is_refused_with_a_position_that_is_free(self):
        for name in ("overlap_told_apart", "overlap_box_cone"):
            with self.subTest(name):
                self.refused(f"certificate/{name}", 1, "box and cone overlap by")
                path = SCENES / f"certificate/{name}.yaml"
                check = subprocess.run([PROGRAM, "check", str(path)], capture_output=True, text=True, timeout=LIMIT)
                self.assertEqual(check.returncode, 1, check.stderr)
                position = re.search(r"to position (\[[^]]*\])", check.stderr).group(1)
                again = subprocess.run([PROGRAM, "check", str(path), "--set", f"bodies.cone.position={position}"],
                                       capture_output=True, text=True, timeout=LIMIT)
                self.assertEqual(again.returncode, 0, again.stderr)
        self.fine("certificate/overlap_boxes_1e-10")

    # The box goes 5.2 m within 0.1 ms, and meets the ball after 4 m of them.
    def test_scripts_are_followed_at_any_speed(self):
        self.assertAlmostEqual(self.first_impact("certificate/scripted_fast_teleport"), 0.5 + 1e-4 * 4 / 5.2, delta=1e-9)
        self.refused("certificate/script_pole_tan", 2, "t = 0.0785398163")

    # The other end of a can's side touched unseen, and so did the edges beside a corner that left a ridge, and the rest of a
    # rim that tipped about one of its places.
    def test_what_is_beside_a_place_of_contact_is_felt(self):
        for name in ("can_comes_down_on_mesh", "corner_slides_off_ridge", "mug_tips_on_stool"):
            with self.subTest(name):
                self.fine(f"certificate/{name}")

    def test_meshes_stand_on_the_floor(self):
        for name in ("mesh_L_floor", "ball_on_mesh_L"):
            with self.subTest(name):
                self.fine(f"certificate/{name}")

    def test_size_and_distance(self):
        self.fine("certificate/ext_1km_boxes")
        self.fine("certificate/ball_on_edge")
        self.suspect("certificate/position_1e17", "far from the origin")
        self.suspect("certificate/far_away_1e15", "far from the origin")
        self.assertLess(self.fine("certificate/contact_distance_big").summary["energy_error"], 1e-9)
        ran = self.refused("certificate/keyframes_near", 1, "not finite")
        self.assertEqual(ran.verdict, 0, ran.said())

    def test_a_contact_distance_that_rounding_cannot_carry_is_refused(self):
        ran = self.ran("certificate/ball_on_edge", ["--set", "solver.contact_distance=1e-12"])
        self.assertEqual(ran.code, 2, ran.said())
        self.assertIn("less than rounding can carry", ran.errors)

    def test_comments_are_comments(self):
        for name in ("set_comment_false_fault", "set_comment_no_checks"):
            with self.subTest(name):
                self.fine(f"certificate/{name}")

    def test_a_pair_that_is_left_to_overlap_is_told(self):
        broken = self.fine("certificate/break_inside").events("break")
        self.assertEqual(len(broken), 1)
        self.assertIn("a and b overlap, and pass through each other until they part", broken[0]["detail"])

    def test_forces_and_energy_are_told_as_they_are(self):
        for name in ("multiple-cubes", "mech_cam_superellipsoid", "curved_cup_pour", "mech_shaker"):
            with self.subTest(name):
                self.fine(f"certificate/{name}")

    # Also between the ends of steps: what slips until it turns back has a direction that is lost where it does.
    def test_motion_is_as_exact_within_steps(self):
        ran = self.fine("certificate/mech_shaker", ["--duration", "0.2", "--set", "record.rate=2000"])
        self.assertLess(ran.summary["energy_error"], 1e-9)

    # It had taken the place that is about to touch for the one that it came from.
    def test_a_contact_that_slides_round_a_ring_stays_itself(self):
        self.assertLess(self.fine("certificate/ring_slides_round").summary["energy_error"], 1e-10)

    # Of two crossings at one place the higher one stood for both, and what brought it to rest pressed the other one in.
    def test_edges_that_cross_at_one_place_do_not_sink_in(self):
        self.fine("certificate/edges_cross_at_one_place")

    # It touches in the middle of a step, where its attitude was off unit length by the error of that, and so was the normal.
    def test_a_spinning_capsule_falls_into_a_bowl(self):
        self.fine("certificate/capsule_spins_into_bowl")

    # Where the wall is flat the search for the nearest place stalled, and told a gap where bodies overlapped.
    def test_a_ball_slides_over_the_flat_bottom_of_a_bowl(self):
        ran = self.fine("certificate/ball_in_flat_bowl")
        self.assertEqual(ran.summary["pairs_unproven"], 0)
        self.assertLess(ran.summary["energy_error"], 1e-9)

    # Between the instants that are looked at it was below what can be proven.
    def test_gaps_do_not_dip_within_steps(self):
        self.assertEqual(self.fine("certificate/gap_dips").summary["pairs_unproven"], 0)

    # Two limits take turns, ever faster: both are closed in the limit, and nothing has to be stepped.
    def test_limits_that_take_turns_come_to_rest(self):
        for name in ("limit_chatter", "limit_chatter_fixed_base", "mech_excavator"):
            with self.subTest(name):
                ran = self.fine(f"mechanisms/{name}")
                self.assertEqual(ran.summary["stepped_fraction"], 0, ran.said())
                self.assertLess(len(ran.events("limit")), 200)

    # Slender links in loops whose joints ask for more than they need to: no dead centre where there is none.
    def test_redundant_joints_of_slender_links_run(self):
        for name in ("slider_crank_5mm", "slider_crank_7mm", "four_bar_3mm", "hanging_ring_5mm", "mech_cardan"):
            with self.subTest(name):
                self.assertEqual(self.fine(f"mechanisms/{name}").summary["stepped_fraction"], 0)

    def test_redundant_joints_do_not_change_the_motion(self):
        ends = [self.fine(f"mechanisms/{name}").ends() for name in ("slider_crank_5mm", "slider_crank_5mm_not_redundant")]
        self.assertEqual(ends[0].keys(), ends[1].keys())
        for body, end in ends[0].items():
            for x, y in zip(end, ends[1][body]):
                self.assertAlmostEqual(x, y, delta=1e-8, msg=body)

    # The ball that falls in is stopped, and only the last one leaves.
    def test_a_cradle_does_what_the_toy_does(self):
        after = self.fine("mechanisms/school_cradle_auto").speeds_after_first("impact")
        speeds = sorted(abs(speed) for speed in after.values())
        self.assertGreater(speeds[-1], 0.5)
        self.assertLess(speeds[-2], 1e-6 * speeds[-1])

    def test_a_crane_with_a_cable_too_many_runs(self):
        self.fine("mechanisms/mech_crane")

    def test_cars_drive(self):
        self.fine("mechanisms/mech_car_sph")
        self.fine("mechanisms/car_on_springs")

    def test_no_room_names_the_joint(self):
        self.refused("mechanisms/stack_jenga_pull", 1, "no room", "puller")

    # What drag stops at once, and springs that nobody could follow, are stepped; what has nothing to do with them is not.
    def test_stiff_forces_end_in_time(self):
        drag = self.fine("certificate/stiff_drag")
        self.assertEqual({span["body"] for span in drag.summary["stepped"]}, {"stopped", "sinking"})
        ends = drag.ends()
        self.assertAlmostEqual(ends["stopped"][5], -9.81e-12, delta=1e-15)
        self.assertAlmostEqual(ends["sinking"][4], 1, delta=1e-9)
        self.fine("certificate/stiff_spring")

    def test_what_nobody_could_follow_is_refused_where_it_stands(self):
        self.refused("input/distance_1e-12", 2, ":12:5: error:", "which is nothing beside bodies of 0.5 m")
        self.refused("input/egg_spin_1e9", 2, ":36:3: error:", "cannot be followed")
        self.refused("input/script_sin_1e9", 2, ":13:25: error:", "swings", "cannot be followed")

    # A thousandth of a second of thirty thousand spheres took 1.4 GB.
    def test_many_bodies_take_little_memory(self):
        self.fine("input/spheres_30000")

    # An event stores the bodies it concerns, not the scene.
    def test_a_thousand_bouncing_balls_make_a_small_record(self):
        ran = self.fine("input/balls1000", ["--duration", "0.5"])
        self.assertLess((ran.out / "run.h5").stat().st_size, 5e6)

    def test_a_cone_falls_into_a_ring(self):
        self.assertEqual(self.fine("input/cone_into_ring").summary["pairs_unproven"], 0)

    # A wall and a needle a micrometre thick, turning at 1e4 rad/s and more after they have met, come to their end, and what
    # was not followed exactly is said.
    def test_a_needle_meets_a_wall_as_thin(self):
        ran = self.ran("input/needle_thin")
        self.assertEqual(ran.code == 0, ran.summary["status"] == "complete", ran.said())
        self.assertEqual(ran.summary["duration"], 0.01, ran.said())
        self.assertEqual(ran.verdict, 0, ran.said())
        self.assertGreater(ran.summary["min_gap"], 0, ran.said())

    def test_a_ball_larger_than_its_bowl_has_nowhere_to_go(self):
        self.refused("input/same_ball_bowl_bigger", 1, "bowl and m overlap by 0.2 m")
        check = subprocess.run([PROGRAM, "check", str(SCENES / "input/same_ball_bowl_bigger.yaml")],
                               capture_output=True, text=True, timeout=LIMIT)
        self.assertEqual(check.returncode, 1)
        self.assertIn("no place near is free", check.stderr)

    # The walls meet the ball 0.2 s after the start.
    def test_what_scripts_squeeze_is_named(self):
        ran = self.refused("input/squeeze_script", 1, "left and ball", "a body whose motion is prescribed presses them together")
        self.assertAlmostEqual(ran.summary["duration"], 0.2, delta=1e-6)
        self.assertGreater(ran.summary["min_gap"], 0)

    # Nothing happens at the seams of parts: a ball that slides or rolls over them is never hit.
    def test_unions_are_one_body(self):
        for name in ("ball_slide_two", "ball_roll_overlap", "union_convex_edge_fast", "edge_overlap_1",
                     "ghost_normal_union"):
            with self.subTest(name):
                self.fine(f"unions/{name}")


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
