// Meshes that are not convex touch like bodies of the same outline: what a face is cut into is
// never felt, at a reflex edge bodies touch its two faces, and rings that are linked stay so.

#include <cmath>

#include "support/constants.h"
#include "support/contact_runs.h"
#include "verify/pair_judge.h"

namespace abut {
namespace {

using test::head;
using test::number;
using test::run_text;

// An L of two bars, 1 m thick, 2 m long and wide, with its outer corner at the origin.
const std::string mesh_of_l =
    "mesh: {vertices: [[0,0,0],[2,0,0],[2,1,0],[1,1,0],[1,2,0],[0,2,0],[0,0,1],[2,0,1],[2,1,1],"
    "[1,1,1],[1,2,1],[0,2,1]], faces: [[5,4,3,2,1,0],[6,7,8,9,10,11],[0,1,7,6],[1,2,8,7],"
    "[2,3,9,8],[3,4,10,9],[4,5,11,10],[5,0,6,11]]}";
const std::string boxes_of_l =
    "shapes: [{box: {size: [2, 1, 1]}, position: [1, 0.5, 0.5]}, "
    "{box: {size: [1, 1, 1]}, position: [0.5, 1.5, 0.5]}]";

std::string stuff_of(double friction, double restitution) {
  return "materials: {stuff: {friction: " + number(friction) +
         ", restitution: " + number(restitution) + "}}\n";
}

// A plate with a slot from one side, its top at z = 0, its faces cut into `n` by `n` squares of two
// triangles each.
std::string slotted_plate(int n) {
  std::string vertices, faces;
  const auto is_full = [&](int i, int j) {
    return i >= 0 && j >= 0 && i < n && j < n && !(j < n / 2 && i == n / 2);
  };
  const auto vertex = [&](int i, int j, int level) { return (level * (n + 1) + i) * (n + 1) + j; };
  const auto face = [&](int a, int b, int c) {
    faces += (faces.empty() ? "[" : ", [") + std::to_string(a) + "," + std::to_string(b) + "," +
             std::to_string(c) + "]";
  };
  for (int level = 0; level < 2; ++level)
    for (int i = 0; i <= n; ++i)
      for (int j = 0; j <= n; ++j)
        vertices += (vertices.empty() ? "[" : ", [") + number(2.0 * i / n - 1) + "," +
                    number(2.0 * j / n - 1) + "," + number(level == 0 ? -0.25 : 0) + "]";
  const auto wall = [&](int i, int j, int k, int l) {  // seen from outside, from left to right
    face(vertex(i, j, 0), vertex(k, l, 0), vertex(k, l, 1));
    face(vertex(i, j, 0), vertex(k, l, 1), vertex(i, j, 1));
  };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      if (!is_full(i, j)) continue;
      face(vertex(i, j, 1), vertex(i + 1, j, 1), vertex(i + 1, j + 1, 1));
      face(vertex(i, j, 1), vertex(i + 1, j + 1, 1), vertex(i, j + 1, 1));
      face(vertex(i, j, 0), vertex(i + 1, j + 1, 0), vertex(i + 1, j, 0));
      face(vertex(i, j, 0), vertex(i, j + 1, 0), vertex(i + 1, j + 1, 0));
      if (!is_full(i, j - 1)) wall(i, j, i + 1, j);
      if (!is_full(i + 1, j)) wall(i + 1, j, i + 1, j + 1);
      if (!is_full(i, j + 1)) wall(i + 1, j + 1, i, j + 1);
      if (!is_full(i - 1, j)) wall(i, j + 1, i, j);
    }
  return "mesh: {vertices: [" + vertices + "], faces: [" + faces + "]}";
}

// A ring about z of `n` by `m` flat quadrangles, each cut in two.
std::string ring_of(double radius, double tube, int n, int m) {
  std::string vertices, faces;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      const double a = 2 * M_PI * i / n, b = 2 * M_PI * (j + 0.5) / m;
      const double r = radius + tube * std::cos(b);
      vertices += (vertices.empty() ? "[" : ", [") + number(r * std::cos(a)) + "," +
                  number(r * std::sin(a)) + "," + number(tube * std::sin(b)) + "]";
      const auto at = [&](int k, int l) { return std::to_string((k % n) * m + l % m); };
      faces += (faces.empty() ? "[" : ", [") + at(i, j) + "," + at(i + 1, j) + "," +
               at(i + 1, j + 1) + "], [" + at(i, j) + "," + at(i + 1, j + 1) + "," + at(i, j + 1) +
               "]";
    }
  return "mesh: {vertices: [" + vertices + "], faces: [" + faces + "]}";
}

TEST(Mesh, ABallRollsOverCutsOfAFaceAsOverAPlane) {
  for (const int n : {5, 21}) {
    const auto run = run_text(
        head(1.4, 20) + stuff_of(0.5, 0) + "bodies:\n  - {name: floor, motion: fixed, material: " +
        "stuff, shape: {" + slotted_plate(n) + "}}\n" +
        "  - {name: ball, shape: {sphere: {radius: 0.1}}, mass: 1, material: stuff, "
        "position: [-0.8, 0.313, 0.1], velocity: [1, 0.1, 0], angular_velocity: [-1, 10, 0]}\n");
    const BodyState& ball = run.sink.frames.back().bodies[1];
    EXPECT_LT((ball.position - Vec3(0.6, 0.453, 0.1)).norm(), 1e-8);
    EXPECT_LT((ball.velocity - Vec3(1, 0.1, 0)).norm(), 1e-9);
    EXPECT_LT((ball.angular_velocity - Vec3(-1, 10, 0)).norm(), 1e-8);
    EXPECT_TRUE(run.events(EventKind::impact).empty());
    EXPECT_GT(run.summary.min_gap, 0);
  }
}

TEST(Mesh, BouncesAndSlidesLikeBoxesOfTheSameOutline) {
  const auto last = [](const std::string& shape) {
    const auto run = run_text(
        head(0.8, 20) + stuff_of(0, 0.5) +
        "bodies:\n"
        "  - {name: floor, motion: fixed, material: stuff, shape: {plane: {normal: [0, 0, 1], "
        "offset: 0}}}\n  - {name: l, material: stuff, " +
        shape +
        ", position: [0, 0, 2], orientation: {axis: [1, 2, 3], angle: 40 deg}, "
        "angular_velocity: [1, 2, 0.5], velocity: [0.3, 0, 0]}\n");
    EXPECT_FALSE(run.events(EventKind::impact).empty());
    EXPECT_GT(run.summary.min_gap, 0);
    return run.sink.frames.back().bodies[1];
  };
  const BodyState of_mesh = last("shape: {" + mesh_of_l + "}"), of_boxes = last(boxes_of_l);
  EXPECT_LT((of_mesh.position - of_boxes.position).norm(), 1e-9);
  EXPECT_LT((of_mesh.velocity - of_boxes.velocity).norm(), 1e-9);
  EXPECT_LT((of_mesh.angular_velocity - of_boxes.angular_velocity).norm(), 1e-9);
}

TEST(Mesh, ABallInAReflexCornerTouchesItsTwoFaces) {
  for (const char* clock : {"event", "step"}) {
    const auto run =
        run_text(head(1.5, 20) + std::string("solver: {clock: ") + clock + "}\n" + stuff_of(0, 0) +
                 "bodies:\n  - {name: l, motion: fixed, material: stuff, shape: {" + mesh_of_l +
                 "}, orientation: {axis: [1, 0, 0], angle: 90 deg}}\n"
                 "  - {name: ball, shape: {sphere: {radius: 0.3}}, material: stuff, "
                 "position: [1.6, -0.5, 1.31], velocity: [-0.5, 0, 0]}\n");
    const BodyState& ball = run.sink.frames.back().bodies[1];
    EXPECT_LT((ball.position - Vec3(1.3, -0.5, 1.3)).norm(), 2e-3) << clock;
    EXPECT_LT(ball.velocity.norm(), 1e-6) << clock;
    EXPECT_EQ(run.summary.contacts_max, 2) << clock;
    EXPECT_GT(run.summary.min_gap, 0) << clock;
  }
}

// Bouma and Vanecek 1991, figures 6 and 8: new edges come under the block and leave it.
TEST(Mesh, ABlockSlidesOverFourFingersWithoutABounce) {
  const std::string path = std::string(ABUT_SCENES_DIR) + "/four_fingers.yaml";
  const auto run = test::run_model(scene::load_scene_file(path).model);
  const BodyState& block = run.sink.frames.back().bodies[1];
  EXPECT_LT((block.position - Vec3(0.3 + 0.6 * 1.2, 0, 0.05)).norm(), 1e-9);
  EXPECT_LT((block.velocity - Vec3(0.6, 0, 0)).norm(), 1e-9);
  EXPECT_TRUE(run.events(EventKind::impact).empty());
}

// Hills and hollows of 0.2 m squares cut in two, 4 m wide, with a flat bottom.
std::string hills(int n) {
  std::string vertices, faces;
  const auto at = [&](int i, int j) { return i * (n + 1) + j; };
  const auto face = [&](const std::vector<int>& corners) {
    faces += faces.empty() ? "[" : ", [";
    for (std::size_t i = 0; i < corners.size(); ++i)
      faces += (i > 0 ? "," : "") + std::to_string(corners[i]);
    faces += "]";
  };
  const auto vertex = [&](double x, double y, double z) {
    vertices +=
        (vertices.empty() ? "[" : ", [") + number(x) + "," + number(y) + "," + number(z) + "]";
  };
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) {
      const double x = 4.0 * i / n - 2, y = 4.0 * j / n - 2;
      vertex(x, y, 0.15 * (std::sin(3.1 * x) * std::cos(2.3 * y) + 0.3 * std::sin(11 * x + 5 * y)));
    }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      face({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      face({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  std::vector<int> rim;
  for (int i = 0; i < n; ++i) rim.push_back(at(i, 0));
  for (int j = 0; j < n; ++j) rim.push_back(at(n, j));
  for (int i = n; i > 0; --i) rim.push_back(at(i, n));
  for (int j = n; j > 0; --j) rim.push_back(at(0, j));
  const int below = (n + 1) * (n + 1), count = static_cast<int>(rim.size());
  std::vector<int> bottom;
  for (int k = 0; k < count; ++k) {
    vertex(4.0 * (rim[k] / (n + 1)) / n - 2, 4.0 * (rim[k] % (n + 1)) / n - 2, -2);
    const int next = (k + 1) % count;
    face({rim[k], below + k, below + next});
    face({rim[k], below + next, rim[next]});
    bottom.insert(bottom.begin(), below + k);
  }
  face(bottom);
  return "mesh: {vertices: [" + vertices + "], faces: [" + faces + "]}";
}

// What rolls and tumbles over edges and reflex edges is held by cells on both sides of them.
TEST(Mesh, NothingSinksIntoHillsAndHollows) {
  const std::string ground = hills(20);
  const std::string shapes[] = {"sphere: {radius: 0.15}", "box: {size: [0.3, 0.3, 0.3]}",
                                "capsule: {radius: 0.1, height: 0.3}",
                                "ellipsoid: {radii: [0.2, 0.15, 0.1]}"};
  const Vec3 places[] = {{0, 0, 0.7}, {0.6, 0, 0.7}, {-0.6, 0, 0.7}, {0.6, 0.6, 0.7}};
  for (std::size_t i = 0; i < std::size(shapes); ++i) {
    const auto run = run_text(
        head(1.8, 60) + "solver: {clock: event}\nbodies:\n  - {name: ground, motion: fixed, " +
        "shape: {" + ground + "}}\n  - {name: body, shape: {" + shapes[i] + "}, position: [" +
        number(places[i].x()) + ", " + number(places[i].y()) + ", " + number(places[i].z()) +
        "]}\n");
    EXPECT_EQ(run.summary.status, RunStatus::complete) << shapes[i];
    const auto mesh = verify::solids_of(run.model.bodies[0]);
    const auto body = verify::solids_of(run.model.bodies[1]);
    for (const record::Frame& frame : run.sink.frames) {
      verify::Hint hint;
      const auto verdict = verify::judge(mesh[0], frame.bodies[0], body[0], frame.bodies[1], hint);
      ASSERT_EQ(verdict.outcome, verify::Outcome::apart)
          << shapes[i] << " at " << frame.time << " by " << verdict.depth;
    }
  }
}

TEST(Mesh, LinkedRingsHang) {
  const std::string ring = ring_of(0.3, 0.06, 24, 8);
  for (const char* clock : {"event", "step", "auto"}) {
    const auto run = run_text(
        head(1, 20) + std::string("solver: {clock: ") + clock + "}\nbodies:\n" +
        "  - {name: top, motion: fixed, shape: {" + ring +
        "}, orientation: {axis: [1, 0, 0], angle: 90 deg}}\n  - {name: low, shape: {" + ring +
        "}, position: [0, 0.01, -0.42], orientation: {axis: [0, 1, 0], angle: 90 deg}}\n");
    EXPECT_GT(run.sink.frames.back().bodies[1].position.z(), -0.5) << clock;
    EXPECT_GT(run.summary.min_gap, 0) << clock;
  }
}

TEST(Mesh, RunsThroughItsHoleAndRefusesToStartInside) {
  const auto scene = [](const char* place) {
    return head(0.5, 20) + "bodies:\n  - {name: ring, motion: fixed, shape: {" +
           ring_of(0.3, 0.06, 24, 8) + "}}\n  - {name: ball, shape: {sphere: {radius: 0.01}}, " +
           "position: " + place + "}\n";
  };
  const auto run = run_text(scene("[0.1, 0, 0.5]"));
  EXPECT_TRUE(run.events(EventKind::impact).empty());
  EXPECT_THROW(run_text(scene("[0.3, 0, 0]")), SimulationError);
}

}  // namespace
}  // namespace abut
