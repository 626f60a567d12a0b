#include "verify/pair_judge.h"

#include <gtest/gtest.h>

#include "geometry/convex_distance.h"
#include "support/dense.h"
#include "support/random_hulls.h"
#include "support/seeds.h"
#include "support/sizes.h"
#include "unit/verify/judged_bodies.h"

namespace {

using namespace abut::verify;
using abut::BodyState;
using abut::Quat;
using abut::Vec3;
using abut::test::Random;
using abut::test::random_direction;
using abut::test::random_rotation;
using abut::test::turn_between;
using abut::test::uniform;
using judge_testing::at;
namespace shape = abut::shape;

Solid solid(const shape::Geometry& geometry, const abut::Pose& pose = {}) {
  abut::model::Body body;
  shape::Part part;
  part.geometry = geometry;
  part.pose = pose;
  body.parts = {part};
  return solids_of(body).at(0);
}

shape::Geometry hull(const abut::geometry::PolygonMesh& mesh, double rounding = 0) {
  return shape::Convex{std::make_shared<abut::geometry::PolygonMesh>(mesh), rounding};
}

/// The verdict must not depend on the order, nor on a hint left by another configuration.
Verdict judged(const Solid& a, const BodyState& state_a, const Solid& b, const BodyState& state_b) {
  Hint none, stale{7};
  const Verdict verdict = judge(a, state_a, b, state_b, none);
  const Verdict swapped = judge(b, state_b, a, state_a, stale);
  EXPECT_EQ(verdict.outcome, swapped.outcome);
  return verdict;
}

/// Two solids that touch when a has the pose `a_in_b` in b's frame, moved apart along the normal or
/// into each other by small and large distances, somewhere in space.
void expect_gap_told(const Solid& a, const Solid& b, const BodyState& a_in_b, const Vec3& normal,
                     Random& random) {
  const Quat turn = random_rotation(random);
  const Vec3 place = uniform(random, 0, 2) * random_direction(random);
  for (const double gap : {1e-12, -1e-12, 1e-9, -1e-9, 1e-3, -1e-3}) {
    const BodyState state_b = at(place, turn);
    const BodyState state_a =
        at(place + turn * Vec3(a_in_b.position + gap * normal), turn * a_in_b.orientation);
    const Verdict verdict = judged(a, state_a, b, state_b);
    EXPECT_EQ(verdict.outcome, gap > 0 ? Outcome::apart : Outcome::overlapping) << gap;
    if (gap < 0) {
      EXPECT_NEAR(verdict.depth, -gap, 1e-14);
    }
  }
}

}  // namespace

TEST(PairJudge, TellsAPicometreBetweenBoxes) {
  Random random(abut::test::seed(21));
  const Solid big = solid(shape::Box{{1, 2, 0.5}}), small = solid(shape::Box{{0.3, 0.2, 0.7}});
  for (int i = 0; i < abut::test::cases(20); ++i) {
    // Face on face, and any corner on a face.
    expect_gap_told(small, big, at({0.3, -0.7, 0.6}), Vec3::UnitZ(), random);
    const Quat turn = random_rotation(random);
    double lowest = 0;
    for (const Vec3& corner : small.points) lowest = std::min(lowest, (turn * corner).z());
    expect_gap_told(small, big, at({0, 0, 0.25 - lowest}, turn), Vec3::UnitZ(), random);
  }
}

// Two unit boxes, each standing on an edge, crossed at an angle.
TEST(PairJudge, TellsAPicometreBetweenCrossedEdges) {
  Random random(abut::test::seed(22));
  const Solid box = solid(shape::Box{{1, 1, 1}});
  const abut::Pose on_edge{Vec3::Zero(), Quat(Eigen::AngleAxisd(EIGEN_PI / 4, Vec3::UnitX()))};
  const Solid leaning = solid(shape::Box{{1, 1, 1}}, on_edge);
  const Vec3 edge = on_edge.orientation * Vec3(0, 0.5, 0.5);
  for (int i = 0; i < abut::test::cases(20); ++i) {
    const Quat cross(Eigen::AngleAxisd(uniform(random, 0.2, 1.4), Vec3::UnitZ()));
    expect_gap_told(leaning, leaning, at({0, 0, 2 * edge.z()}, cross), Vec3::UnitZ(), random);
  }
}

TEST(PairJudge, TellsAPicometreBetweenRoundSolids) {
  Random random(abut::test::seed(23, abut::test::few_rounds));
  const Solid ball = solid(shape::Sphere{0.5}), stick = solid(shape::Capsule{0.25, 1});
  const Solid box = solid(shape::Box{{1, 1, 1}});
  for (int i = 0; i < abut::test::cases(20); ++i) {
    const Vec3 n = random_direction(random);
    expect_gap_told(ball, ball, at(n), n, random);
    expect_gap_told(ball, box, at({0.2, -0.4, 1}), Vec3::UnitZ(), random);
    const Vec3 outwards = (Vec3(1, 1, 1) + 0.5 * random_direction(random)).normalized();
    expect_gap_told(ball, box, at(Vec3(0.5, 0.5, 0.5) + 0.5 * outwards), outwards, random);
    const Quat lying(
        Eigen::AngleAxisd(EIGEN_PI / 2, Vec3(uniform(random, -1, 1), 1, 0).normalized()));
    expect_gap_told(stick, stick, at({0.5, 0, 0.1}, Quat(Eigen::AngleAxisd(0.3, Vec3::UnitX()))),
                    Vec3::UnitX(), random);
    expect_gap_told(stick, box, at({0.1, 0, 0.75}, lying), Vec3::UnitZ(), random);
  }
}

// Cubes with rounded edges, corner to corner, corner on edge and edge on edge.
TEST(PairJudge, TellsAPicometreBetweenRoundedHulls) {
  Random random(abut::test::seed(26, abut::test::few_rounds));
  const abut::geometry::PolygonMesh cube{solid(shape::Box{{1, 1, 1}}).points,
                                         solid(shape::Box{{1, 1, 1}}).faces};
  const Solid small = solid(hull(cube, 0.25)), large = solid(hull(cube, 0.5));
  const Solid sharp = solid(shape::Box{{1, 1, 1}}), ellipsoid = solid(shape::Ellipsoid{{1, 1, 1}});
  const Vec3 corner(0.5, 0.5, 0.5);
  for (int i = 0; i < abut::test::cases(3); ++i) {
    const Vec3 n = (Vec3(1, 1, 1) + 0.4 * random_direction(random)).normalized();
    expect_gap_told(small, large, at(2 * corner + 0.75 * n), n, random);
    expect_gap_told(small, sharp, at(2 * corner + 0.25 * n), n, random);
    const Vec3 across = Vec3(1, uniform(random, 0.5, 1.5), 0).normalized();
    expect_gap_told(large, small, at(Vec3(1, 1, uniform(random, -0.9, 0.9)) + 0.75 * across),
                    across, random);
    const Quat turn(Eigen::AngleAxisd(uniform(random, 0.1, 1), Vec3(1, 1, 0).normalized()));
    const Vec3 diagonal = Vec3(1, 1, 0).normalized();
    const Vec3 place = Vec3(0.5, 0.5, 0.1) + 0.75 * diagonal + turn * Vec3(0.5, 0.5, 0.2);
    expect_gap_told(small, large, at(place, turn), diagonal, random);
  }
  // The ball that is an ellipsoid, within the rounding of a corner.
  const Vec3 n = corner.normalized();
  EXPECT_EQ(judged(ellipsoid, at(corner + 1.4 * n), large, at(Vec3::Zero())).outcome,
            Outcome::overlapping);
  EXPECT_EQ(judged(ellipsoid, at(corner + 1.6 * n), large, at(Vec3::Zero())).outcome,
            Outcome::apart);
}

TEST(PairJudge, TellsAPicometreAbovePlanesAndInBowls) {
  Random random(abut::test::seed(24));
  const Solid plane = solid(shape::Plane{Vec3(1, 2, 2) / 3, 0.5});
  const Solid bowl = solid(shape::Sphere{3, true});
  const Vec3 n = plane.normal;
  for (int i = 0; i < abut::test::cases(20); ++i) {
    const Quat turn = random_rotation(random);
    const Solid box = solid(shape::Box{{1, 2, 3}}), ball = solid(shape::Sphere{0.25});
    double lowest = 0, farthest = 0;
    for (const Vec3& corner : box.points) {
      lowest = std::min(lowest, n.dot(turn * corner));
      farthest = std::max(farthest, corner.norm());
    }
    expect_gap_told(box, plane, at((0.5 - lowest) * n, turn), n, random);
    expect_gap_told(ball, plane, at(0.75 * n, turn), n, random);
    const Vec3 out = random_direction(random);
    expect_gap_told(ball, bowl, at(2.75 * out, turn), -out, random);
  }
}

TEST(PairJudge, TouchingIsNoOverlap) {
  const Solid box = solid(shape::Box{{1, 1, 1}}), ball = solid(shape::Sphere{0.5});
  const Solid floor = solid(shape::Plane{Vec3::UnitZ(), 0});
  for (const Solid* a : {&box, &ball}) {
    for (const Solid* b : {&box, &ball}) {
      const Verdict verdict = judged(*a, at({0, 0, 1}), *b, at(Vec3::Zero()));
      EXPECT_EQ(verdict.outcome, Outcome::apart);
      EXPECT_TRUE(verdict.needed_exact);
    }
    EXPECT_EQ(judged(*a, at({0, 0, 0.5}), floor, at(Vec3::Zero())).outcome, Outcome::apart);
    // One unit in the last place lower.
    const double lower = std::nextafter(0.5, 0);
    const Verdict rounded = judged(*a, at({0, 0, lower}), floor, at(Vec3::Zero()));
    EXPECT_EQ(rounded.outcome, Outcome::within_rounding);
    EXPECT_DOUBLE_EQ(rounded.depth, 0.5 - lower);
  }
}

TEST(PairJudge, TellsContainment) {
  const Solid box = solid(shape::Box{{4, 4, 4}}), ball = solid(shape::Sphere{0.5});
  const Solid stick = solid(shape::Capsule{0.1, 9}), small = solid(shape::Box{{1, 1, 1}});
  const Solid bowl = solid(shape::Sphere{0.25, true});
  for (const Solid* inner : {&ball, &stick, &small}) {
    EXPECT_EQ(judged(*inner, at({0.1, 0.2, 0.3}), box, at({0, 0, 0})).outcome,
              Outcome::overlapping);
  }
  EXPECT_EQ(judged(ball, at(Vec3::Zero()), bowl, at(Vec3::Zero())).outcome, Outcome::overlapping);
}

TEST(PairJudge, DoesNotJudgeOtherShapes) {
  const Solid octahedron = solid(shape::Superellipsoid{Vec3(1, 1, 1), 2, 2});
  const Solid box = solid(shape::Box{{1, 1, 1}});
  const Solid floor = solid(shape::Plane{Vec3::UnitZ(), 0});
  EXPECT_EQ(judged(octahedron, at({0, 0, 0}), box, at({1, 0, 0})).outcome, Outcome::unknown);
  EXPECT_EQ(judged(octahedron, at({0, 0, 0.5}), floor, at({0, 0, 0})).outcome, Outcome::unknown);
  EXPECT_EQ(judged(octahedron, at({0, 0, 5}), floor, at({0, 0, 0})).outcome, Outcome::apart);
}

// Against the distances that contact detection uses: other code, other method.
TEST(PairJudge, AgreesWithSignedDistancesOfHulls) {
  using namespace abut::geometry;
  Random random(abut::test::seed(25, abut::test::few_rounds));
  const auto pool = abut::test::hull_pool(random, 24);
  int apart = 0, overlapping = 0;
  for (int i = 0; i < abut::test::cases(150); ++i) {
    const PolygonMesh &mesh_a = pool[random() % pool.size()],
                      &mesh_b = pool[random() % pool.size()];
    const auto a = ConvexPolyhedron::from_hull(mesh_a), b = ConvexPolyhedron::from_hull(mesh_b);
    const BodyState state_a = at(Vec3(5, 6, 7), random_rotation(random));
    const BodyState state_b =
        at(state_a.position + uniform(random, 0, 2.2) * random_direction(random),
           random_rotation(random));
    const Eigen::Matrix3d rotation_b = state_b.orientation.toRotationMatrix();
    RelativePose pose;
    pose.rotation = rotation_b.transpose() * state_a.orientation.toRotationMatrix();
    const Vec3 centre_a = state_a.position + state_a.orientation * a.centre();
    const Vec3 centre_b = state_b.position + state_b.orientation * b.centre();
    pose.translation = rotation_b.transpose() * (centre_a - centre_b);
    ConvexSearch search;
    const double gap = convex_distance(a, b, pose, search).gap;
    const Verdict verdict = judged(solid(hull(mesh_a)), state_a, solid(hull(mesh_b)), state_b);
    if (gap > 1e-12) {
      EXPECT_EQ(verdict.outcome, Outcome::apart) << gap;
      ++apart;
    }
    if (gap < -1e-12) {
      EXPECT_EQ(verdict.outcome, Outcome::overlapping) << gap;
      EXPECT_NEAR(verdict.depth, -gap, 1e-9 * (1 - gap));
      ++overlapping;
    }
  }
  EXPECT_GT(apart, abut::test::large(20));
  EXPECT_GT(overlapping, abut::test::large(20));
}

// Vertex against vertex, where no face helps: the corner of b lies on the way from a corner of a to
// the middle of a, or just outside.
TEST(PairJudge, TellsAPicometreBetweenCornersOfHulls) {
  Random random(abut::test::seed(26, abut::test::few_rounds));
  for (int i = 0; i < abut::test::cases(10); ++i) {
    const auto mesh = abut::test::round_hull(random, 20, Vec3::Ones());
    const Vec3 corner = mesh.vertices[random() % mesh.vertices.size()];
    const Vec3 n = corner.normalized();
    const Quat opposite = turn_between(n, -n);
    const Solid a = solid(hull(mesh));
    for (const double gap : {1e-12, -1e-12}) {
      const BodyState state_b = at(2 * corner + gap * n, opposite);
      const Verdict verdict = judged(a, at(Vec3::Zero()), a, state_b);
      EXPECT_EQ(verdict.outcome, gap > 0 ? Outcome::apart : Outcome::overlapping);
    }
  }
}
