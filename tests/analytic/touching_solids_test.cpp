// Solids of any shape that touch: the cases of Bouma and Vanecek (1991) as they ship, and solids
// with cavities, with edges that four faces share, with pieces that hold each other.

#include <cmath>

#include "contact/entity_regions.h"
#include "support/constants.h"
#include "support/contact_runs.h"
#include "unit/geometry/mesh_samples.h"
#include "verify/pair_judge.h"

namespace abut {
namespace {

using geometry::PolygonMesh;
using test::head;
using test::number;
using test::run_text;

model::Model shipped(const std::string& name, const std::vector<std::string>& set = {}) {
  return scene::load_scene_file(std::string(ABUT_SCENES_DIR) + "/" + name + ".yaml", set).model;
}

std::string text_of(const PolygonMesh& mesh) {
  std::string vertices, faces;
  for (const Vec3& v : mesh.vertices)
    vertices += (vertices.empty() ? "[" : ", [") + number(v.x()) + "," + number(v.y()) + "," +
                number(v.z()) + "]";
  for (const auto& face : mesh.faces) {
    std::string corners;
    for (const int v : face) corners += (corners.empty() ? "" : ",") + std::to_string(v);
    faces += (faces.empty() ? "[" : ", [") + corners + "]";
  }
  return "mesh: {vertices: [" + vertices + "], faces: [" + faces + "]}";
}

PolygonMesh both(PolygonMesh a, const PolygonMesh& b) {
  const int shift = static_cast<int>(a.vertices.size());
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (std::vector<int> face : b.faces) {
    for (int& v : face) v += shift;
    a.faces.push_back(face);
  }
  return a;
}

void expect_apart(const model::Model& model, const record::Frame& frame) {
  std::vector<std::vector<verify::Solid>> solids;
  for (const model::Body& body : model.bodies) solids.push_back(verify::solids_of(body));
  for (std::size_t a = 0; a < solids.size(); ++a)
    for (std::size_t b = a + 1; b < solids.size(); ++b) {
      verify::Hint hint;
      const auto verdict =
          verify::judge(solids[a][0], frame.bodies[a], solids[b][0], frame.bodies[b], hint);
      ASSERT_EQ(verdict.outcome, verify::Outcome::apart)
          << model.bodies[a].name << " and " << model.bodies[b].name << " at " << frame.time;
    }
}

void expect_apart(const test::ContactRun& run, std::size_t every = 1) {
  for (std::size_t i = 0; i < run.sink.frames.size(); i += every)
    expect_apart(run.model, run.sink.frames[i]);
}

// How often the circle in the middle of one ring passes through the disc of another, with its sign:
// it cannot change without an overlap.
int linking(const BodyState& disc, const BodyState& circle, double radius) {
  constexpr int steps = 720;
  int count = 0;
  const auto seen = [&](int step) {
    const double angle = 2 * M_PI * step / steps;
    const Vec3 on = circle.position + circle.orientation * Vec3(radius * std::cos(angle),
                                                                radius * std::sin(angle), 0);
    return Vec3(disc.orientation.conjugate() * (on - disc.position));
  };
  for (int i = 0; i < steps; ++i) {
    const Vec3 p = seen(i), q = seen(i + 1);
    if ((p.z() < 0) == (q.z() < 0)) continue;
    const Vec3 through = p + (q - p) * (p.z() / (p.z() - q.z()));
    if (through.head<2>().norm() < radius) count += q.z() > p.z() ? 1 : -1;
  }
  return count;
}

constexpr double ring_radius = 0.1;  // of scenes/meshes/ring.obj, m

// Figure 1: every ring is linked to two above it and two below it, and stays so.
TEST(TouchingSolids, ADoubleLinkedChainTumblesAndStaysLinked) {
  const auto run = test::run_model(shipped("tumbling_rings", {"duration=0.1"}));
  EXPECT_EQ(run.summary.status, RunStatus::complete);
  EXPECT_GT(run.summary.min_gap, 0);
  const auto& last = run.sink.frames.back().bodies;
  ASSERT_EQ(last.size(), 10u);
  for (std::size_t i = 0; i < last.size(); ++i)
    for (std::size_t j = i + 1; j < last.size(); ++j)
      EXPECT_EQ(std::abs(linking(last[i], last[j], ring_radius)), j - i <= 2 ? 1 : 0)
          << i << " " << j;
  EXPECT_LT(last[0].position.z(), -0.02);  // the first ring has fallen
  expect_apart(run.model, run.sink.frames.back());
}

// Figure 2: the lower ring slides in the upper one, without friction, and keeps hanging in it.
TEST(TouchingSolids, ARingSlidesInARing) {
  const auto run = test::run_model(shipped("two_rings"));
  EXPECT_EQ(run.summary.status, RunStatus::complete);
  EXPECT_GT(run.summary.min_gap, 0);
  EXPECT_LT(run.summary.energy_error, 1e-6);
  const auto& last = run.sink.frames.back().bodies;
  EXPECT_EQ(std::abs(linking(last[0], last[1], ring_radius)), 1);
  // It touches from above for most of the time: a temporary contact, not a row of collisions.
  std::size_t touching = 0;
  for (const record::Frame& frame : run.sink.frames) touching += frame.contacts.empty() ? 0 : 1;
  EXPECT_GT(touching, run.sink.frames.size() / 2);
  expect_apart(run, 8);
}

// Figure 3: an area, a line and a point, and nothing else.
TEST(TouchingSolids, TwoSolidsTouchInThreeRegions) {
  const model::Model model = shipped("three_regions");
  const model::Body &base = model.bodies[0], &table = model.bodies[1];
  narrow::PairQuery query(std::make_shared<const narrow::BodyShape>(base),
                          std::make_shared<const narrow::BodyShape>(table));
  const double touching = model.solver.contact_distance;
  const auto regions = contact::entity_regions(
      query, base, table, contact::find_regions(query, base.pose, table.pose, touching), touching);
  ASSERT_EQ(regions.size(), 3u);
  using contact::FeatureKind;
  const FeatureKind of_base[] = {FeatureKind::face, FeatureKind::edge, FeatureKind::edge};
  const FeatureKind of_table[] = {FeatureKind::face, FeatureKind::edge, FeatureKind::vertex};
  const std::size_t points[] = {4, 2, 1};
  for (int i = 0; i < 3; ++i) {
    const contact::ContactRegion& region = regions[static_cast<std::size_t>(i)];
    EXPECT_EQ(region.dimension, 2 - i);
    EXPECT_EQ(region.points.size(), points[i]);
    EXPECT_EQ(region.label.a.kind, of_base[i]) << i;
    EXPECT_EQ(region.label.b.kind, of_table[i]) << i;
    EXPECT_LT((region.normal + Vec3::UnitZ()).norm(), 1e-12);
  }
  EXPECT_LT((regions[2].points[0].position - Vec3(0.8, 0, 0)).norm(), 1e-9);

  const auto run = test::run_model(model);
  EXPECT_LT((run.sink.frames.back().bodies[1].position - table.pose.position).norm(), 1e-9);
  EXPECT_TRUE(run.events(EventKind::impact).empty());
}

// Figure 6: the front edge of a sliding block meets a ramp at 0.5 s. Without friction or rebound
// the impulses at the ramp and at the rear edge take away what the velocities there have into the
// solid.
TEST(TouchingSolids, ASlidingBlockMeetsANewFace) {
  const auto run = test::run_model(shipped("meeting_a_ramp"));
  const auto impacts = run.events(EventKind::impact);
  ASSERT_FALSE(impacts.empty());
  const double at = impacts.front().time;
  EXPECT_NEAR(at, 0.5, 1e-7);
  const double slope = std::atan2(0.2, 0.5), s = std::sin(slope), c = std::cos(slope);
  Eigen::Matrix<double, 2, 3> j;  // of (v_x, v_z, omega_y): at the ramp, and at the rear edge
  j << -s, c, 0.05 * s - 0.2 * c, 0, 1, 0.2;
  const Vec3 inverse_mass(1, 1, 12 / (0.4 * 0.4 + 0.1 * 0.1)), before(0.6, 0, 0);  // per mass
  const Eigen::Matrix2d a = j * inverse_mass.asDiagonal() * j.transpose();
  const Eigen::Vector2d impulse = a.inverse() * (-j * before);
  ASSERT_GT(impulse.minCoeff(), 0);
  const Vec3 after = before + inverse_mass.asDiagonal() * (j.transpose() * impulse);
  const BodyState& block = run.after(at).bodies[1];
  EXPECT_LT((block.velocity - Vec3(after.x(), 0, after.y())).norm(), 1e-8);
  EXPECT_LT((block.angular_velocity - Vec3(0, after.z(), 0)).norm(), 1e-8);
  expect_apart(run);
}

// A ball and a brick in the cavity of a box that falls and rolls: they never leave it.
TEST(TouchingSolids, WhatIsInACavityStaysThere) {
  const PolygonMesh hollow =
      both(samples::box(Vec3::Constant(-0.5), Vec3::Constant(0.5)),
           samples::flipped(samples::box(Vec3::Constant(-0.3), Vec3::Constant(0.3))));
  for (const char* clock : {"event", "step"}) {
    const auto run = run_text(
        head(1, 30) + std::string("solver: {clock: ") + clock +
        "}\nmaterials: {stuff: {density: 1000, friction: 0.3, restitution: 0.3}}\nbodies:\n"
        "  - {name: floor, shape: {plane: {normal: [0, 0, 1], offset: 0}}, motion: fixed, "
        "material: stuff}\n  - {name: hollow, material: stuff, shape: {" +
        text_of(hollow) +
        "}, position: [0, 0, 0.8], orientation: {axis: [1, 2, 0], angle: 20 deg}}\n"
        "  - {name: ball, material: stuff, shape: {sphere: {radius: 0.1}}, position: [0.05, 0, "
        "0.8]}\n  - {name: brick, material: stuff, shape: {box: {size: [0.1, 0.1, 0.1]}}, "
        "position: [-0.15, 0.05, 0.8]}\n");
    EXPECT_GT(run.summary.min_gap, 0) << clock;
    for (const record::Frame& frame : run.sink.frames) {
      const BodyState& box = frame.bodies[1];
      const auto reach = [&](int body) {
        return (box.orientation.conjugate() * (frame.bodies[body].position - box.position))
            .cwiseAbs()
            .maxCoeff();
      };
      ASSERT_LT(reach(2), 0.2 + 1e-9) << clock << " at " << frame.time;
      ASSERT_LT(reach(3), 0.25 + 1e-9) << clock << " at " << frame.time;
    }
  }
}

// Two cubes that have an edge in common, one up and to the right of the other. A ball comes to rest
// between the top of the one and the side of the other, just above the edge that four faces share.
TEST(TouchingSolids, ABallRestsAboveAnEdgeOfFourFaces) {
  const PolygonMesh pair = both(samples::box(Vec3(-1, -0.5, 0), Vec3(0, 0.5, 1)),
                                samples::box(Vec3(0, -0.5, 1), Vec3(1, 0.5, 2)));
  for (const char* clock : {"event", "step"}) {
    const auto run =
        run_text(head(0.6, 30) + std::string("solver: {clock: ") + clock +
                 "}\nmaterials: {stuff: {density: 1000, friction: 0, restitution: 0}}\nbodies:\n"
                 "  - {name: pair, material: stuff, motion: fixed, shape: {" +
                 text_of(pair) +
                 "}}\n  - {name: ball, material: stuff, shape: {sphere: {radius: 0.2}}, "
                 "position: [-0.4, 0, 1.201], velocity: [1, 0, 0]}\n");
    const BodyState& ball = run.sink.frames.back().bodies[1];
    EXPECT_LT((ball.position - Vec3(-0.2, 0, 1.2)).norm(), 1e-3) << clock;
    EXPECT_LT(ball.velocity.norm(), 1e-6) << clock;
    EXPECT_GT(run.summary.min_gap, 0) << clock;
    expect_apart(run);
  }
}

// Solids with an edge or a corner in common with themselves fall onto a floor like any others.
TEST(TouchingSolids, SolidsThatAreNoManifoldsFallOntoAFloor) {
  const PolygonMesh cube = samples::box(Vec3(-1, -1, 0), Vec3(0, 0, 1));
  for (const Vec3& other : {Vec3(1, 0, 1), Vec3(1, 1, 1)}) {
    const PolygonMesh pair = both(cube, samples::moved(cube, other));
    const auto run =
        run_text(head(1, 30) +
                 "materials: {stuff: {density: 1000, friction: 0.3, restitution: 0.3}}\nbodies:\n"
                 "  - {name: floor, shape: {plane: {normal: [0, 0, 1], offset: 0}}, motion: fixed, "
                 "material: stuff}\n  - {name: pair, material: stuff, shape: {" +
                 text_of(pair) +
                 "}, position: [0, 0, 0.3], orientation: {axis: [1, 2, 0], angle: 10 deg}}\n");
    EXPECT_EQ(run.summary.status, RunStatus::complete);
    EXPECT_FALSE(run.events(EventKind::impact).empty());
    EXPECT_GT(run.summary.min_gap, 0);
    expect_apart(run);
  }
}

// A piece with a head hangs in a slot that is narrower than the head: it falls by the play between
// them and no farther, however it is pulled.
TEST(TouchingSolids, PuzzlePiecesDoNotComeApart) {
  constexpr double play = 2e-4;  // m
  const PolygonMesh piece = samples::prism({{-0.05, -0.03},
                                            {0.07, -0.03},
                                            {0.07, -0.002},
                                            {0.02, -0.002},
                                            {0.02, 0.02},
                                            {0.04, 0.02},
                                            {0.04, 0.04},
                                            {-0.02, 0.04},
                                            {-0.02, 0.02},
                                            {0, 0.02},
                                            {0, -0.002},
                                            {-0.05, -0.002}},
                                           0.01);
  const PolygonMesh slot = samples::prism({{-0.05, 0},
                                           {-play, 0},
                                           {-play, 0.02 - play},
                                           {-0.02 - play, 0.02 - play},
                                           {-0.02 - play, 0.04 + play},
                                           {0.04 + play, 0.04 + play},
                                           {0.04 + play, 0.02 - play},
                                           {0.02 + play, 0.02 - play},
                                           {0.02 + play, 0},
                                           {0.07, 0},
                                           {0.07, 0.05},
                                           {-0.05, 0.05}},
                                          0.01);
  const std::string upright = "orientation: {axis: [1, 0, 0], angle: 90 deg}";
  for (const char* clock : {"event", "step"}) {
    const auto run = run_text(
        head(0.5, 30) + std::string("solver: {clock: ") + clock +
        "}\nmaterials: {stuff: {density: 1000, friction: 0.2, restitution: 0.1}}\nbodies:\n"
        "  - {name: slot, material: stuff, motion: fixed, shape: {" +
        text_of(slot) + "}, " + upright + "}\n  - {name: piece, material: stuff, shape: {" +
        text_of(piece) + "}, " + upright + "}\n");
    for (const record::Frame& frame : run.sink.frames)
      ASSERT_LT(std::abs(frame.bodies[1].position.z()), 2 * play) << clock << frame.time;
    EXPECT_GT(run.summary.min_gap, 0) << clock;
    expect_apart(run);
  }
}

// An octagonal peg slides through a hole with ten micrometres of play, in free fall.
TEST(TouchingSolids, APegFallsThroughAHoleThatFits) {
  const auto octagon = [](double radius) {
    std::vector<Eigen::Vector2d> corners;
    for (int i = 0; i < 8; ++i)
      corners.emplace_back(radius * std::cos(M_PI * (2 * i + 1) / 8),
                           radius * std::sin(M_PI * (2 * i + 1) / 8));
    return corners;
  };
  PolygonMesh plate = both(samples::prism(octagon(0.05), 0.02),
                           samples::flipped(samples::prism(octagon(0.01), 0.02)));
  plate.faces.resize(8);  // the outer walls; then those of the hole, and rings of triangles
  for (int i = 0; i < 8; ++i) {
    const int j = (i + 1) % 8, hole = 16;
    plate.faces.push_back({hole + j, hole + i, hole + 8 + i, hole + 8 + j});
    plate.faces.push_back({8 + i, 8 + j, hole + 8 + j});
    plate.faces.push_back({8 + i, hole + 8 + j, hole + 8 + i});
    plate.faces.push_back({j, i, hole + j});
    plate.faces.push_back({hole + j, i, hole + i});
  }
  const auto run = run_text(
      head(0.08, 100) +
      "materials: {stuff: {density: 7800, friction: 0, restitution: 0}}\nbodies:\n"
      "  - {name: plate, material: stuff, motion: fixed, shape: {" +
      text_of(plate) + "}}\n  - {name: peg, material: stuff, shape: {" +
      text_of(samples::prism(octagon(0.01 - 1e-5), 0.04)) + "}, position: [0, 0, 0.015]}\n");
  const BodyState& peg = run.sink.frames.back().bodies[1];
  EXPECT_NEAR(peg.position.z(), 0.015 - 0.5 * 9.81 * 0.08 * 0.08, 1e-9);
  EXPECT_TRUE(run.events(EventKind::impact).empty());
  EXPECT_GT(run.summary.min_gap, 0);
  expect_apart(run);
}

// A box of 432 triangles behaves like `box`, over a bounce with spin and a slide to rest.
TEST(TouchingSolids, ATriangulatedBoxBehavesLikeABox) {
  constexpr int n = 6;
  const Vec3 size(0.4, 0.3, 0.2);
  PolygonMesh mesh;
  for (int axis = 0; axis < 3; ++axis)
    for (const int side : {-1, 1})
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          const auto at = [&](int k, int l) {
            Vec3 p;
            p[axis] = side * size[axis] / 2;
            p[(axis + 1) % 3] = size[(axis + 1) % 3] * (static_cast<double>(k) / n - 0.5);
            p[(axis + 2) % 3] = size[(axis + 2) % 3] * (static_cast<double>(l) / n - 0.5);
            mesh.vertices.push_back(p);
            return static_cast<int>(mesh.vertices.size()) - 1;
          };
          const int a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1), d = at(i, j + 1);
          if (side > 0) {
            mesh.faces.push_back({a, b, c});
            mesh.faces.push_back({a, c, d});
          } else {
            mesh.faces.push_back({a, c, b});
            mesh.faces.push_back({a, d, c});
          }
        }
  struct Case {
    const char* start;
    double duration;
  };
  const Case cases[] = {{"position: [0, 0, 0.5], orientation: {axis: [1, 2, 3], angle: 40 deg}, "
                         "angular_velocity: [1, 2, 0.5], velocity: [0.3, 0, 0]",
                         0.4},
                        {"position: [0, 0, 0.1], velocity: [1, 0.2, 0]", 0.6}};
  for (const Case& one : cases) {
    const auto last = [&](const std::string& shape) {
      const auto run = run_text(
          head(one.duration, 20) +
          "materials: {stuff: {density: 1000, friction: 0.3, restitution: 0.4}}\nbodies:\n"
          "  - {name: floor, motion: fixed, material: stuff, shape: {plane: {normal: [0, 0, 1], "
          "offset: 0}}}\n  - {name: body, material: stuff, shape: {" +
          shape + "}, " + one.start + "}\n");
      return run.sink.frames.back().bodies[1];
    };
    const BodyState of_mesh = last(text_of(mesh));
    const BodyState of_box = last("box: {size: [0.4, 0.3, 0.2]}");
    EXPECT_LT((of_mesh.position - of_box.position).norm(), 1e-9);
    EXPECT_LT((of_mesh.velocity - of_box.velocity).norm(), 1e-8);
    EXPECT_LT((of_mesh.angular_velocity - of_box.angular_velocity).norm(), 1e-8);
  }
}

}  // namespace
}  // namespace abut
