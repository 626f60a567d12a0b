#include "shape/moments.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numbers>

#include "unit/shape/shape_samples.h"

using namespace abut;
using namespace abut::shape;
using std::numbers::pi;

namespace {

void expect_equal(const Moments& a, const Moments& b, double relative) {
  const double length = std::cbrt(std::abs(b.volume));
  EXPECT_NEAR(a.volume, b.volume, relative * std::abs(b.volume));
  EXPECT_NEAR(a.mass, b.mass, relative * std::abs(b.mass));
  EXPECT_LE((a.centre - b.centre).norm(), relative * (length + b.centre.norm()));
  EXPECT_LE((a.inertia - b.inertia).norm(), relative * b.inertia.norm());
}

void expect_diagonal(const Mat3& inertia, const Vec3& expected) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(inertia(i, j), i == j ? expected[i] : 0, 1e-14 * expected.norm());
    }
  }
}

Quat random_rotation() {
  const auto component = [] { return *rc::gen::inRange(-1000, 1001) / 1000.0; };
  const Quat q(1.5 + component(), component(), component(), component());
  return q.normalized();
}

Vec3 random_vector(double size) {
  const auto component = [] { return *rc::gen::inRange(-1000, 1001) / 1000.0; };
  return size * Vec3(component(), component(), component());
}

}  // namespace

TEST(Moments, SphereOfTwoMetres) {
  const Moments m = moments_of(Sphere{2}, 3);
  EXPECT_DOUBLE_EQ(m.volume, 32 * pi / 3);
  EXPECT_DOUBLE_EQ(m.mass, 32 * pi);
  EXPECT_EQ(m.centre, Vec3::Zero());
  expect_diagonal(m.inertia, Vec3::Constant(0.4 * m.mass * 4));
}

TEST(Moments, Ellipsoid) {
  const Moments m = moments_of(Ellipsoid{Vec3(1, 2, 3)}, 1);
  EXPECT_DOUBLE_EQ(m.volume, 8 * pi);
  expect_diagonal(m.inertia, m.mass / 5 * Vec3(4 + 9, 1 + 9, 1 + 4));
}

TEST(Moments, Box) {
  const Moments m = moments_of(Box{Vec3(1, 2, 3)}, 500);
  EXPECT_DOUBLE_EQ(m.mass, 3000);
  expect_diagonal(m.inertia, 250 * Vec3(13, 10, 5));
}

TEST(Moments, Cylinder) {
  const Moments m = moments_of(Cylinder{2, 3}, 1);
  EXPECT_DOUBLE_EQ(m.volume, 12 * pi);
  const double across = m.mass * (3 * 4 + 9) / 12;
  expect_diagonal(m.inertia, Vec3(across, across, m.mass * 2));
}

// About its apex a cone has 3/5 m h^2 + 3/20 m r^2; the centre lies 3/4 h from the apex.
TEST(Moments, ConeStandsOnItsBaseBelowTheOrigin) {
  const double r = 2, h = 3;
  const Moments m = moments_of(Cone{r, h}, 1);
  EXPECT_DOUBLE_EQ(m.volume, 4 * pi);
  EXPECT_EQ(m.centre, Vec3(0, 0, -0.75));
  const double about_apex = m.mass * (0.6 * h * h + 0.15 * r * r);
  const double across = about_apex - m.mass * 9.0 / 16 * h * h;
  expect_diagonal(m.inertia, Vec3(across, across, 0.3 * m.mass * r * r));
}

TEST(Moments, Torus) {
  const double big = 3, t = 1;
  const Moments m = moments_of(Torus{big, t}, 1);
  EXPECT_DOUBLE_EQ(m.volume, 6 * pi * pi);
  const double across = m.mass / 8 * (4 * big * big + 5 * t * t);
  expect_diagonal(m.inertia, Vec3(across, across, m.mass / 4 * (4 * big * big + 3 * t * t)));
}

TEST(Moments, CapsuleWithoutHeightIsASphereAndWithoutRoundnessACylinder) {
  expect_equal(moments_of(Capsule{0.7, 0}, 2), moments_of(Sphere{0.7}, 2), 1e-15);
  // A cylinder and two half balls, put together by the parallel-axis theorem.
  const double r = 0.5, h = 2;
  const Moments m = moments_of(Capsule{r, h}, 1);
  const double half_ball = 2.0 / 3 * pi * r * r * r;
  const double half_ball_across = half_ball * r * r * 83.0 / 320;
  const double cylinder = pi * r * r * h;
  const double offset = h / 2 + 3.0 / 8 * r;
  const double across =
      cylinder * (3 * r * r + h * h) / 12 + 2 * (half_ball_across + half_ball * offset * offset);
  const double along = cylinder * r * r / 2 + 2 * half_ball * 0.4 * r * r;
  EXPECT_NEAR(m.volume, cylinder + 2 * half_ball, 1e-15 * m.volume);
  expect_diagonal(m.inertia, Vec3(across, across, along));
}

TEST(Moments, SuperellipsoidWithExponentsOneIsAnEllipsoid) {
  const Vec3 radii(0.3, 1.7, 0.9);
  expect_equal(moments_of(Superellipsoid{radii, 1, 1}, 7), moments_of(Ellipsoid{radii}, 7), 4e-15);
}

// e1 = e2 = 2 is the octahedron |x| + |y| + |z| <= r: V = 4/3 r^3, I = m r^2 / 5.
TEST(Moments, SuperellipsoidWithExponentsTwoIsAnOctahedron) {
  const Moments m = moments_of(Superellipsoid{Vec3::Constant(1.5), 2, 2}, 1);
  EXPECT_NEAR(m.volume, 4.5, 1e-14);
  expect_diagonal(m.inertia, Vec3::Constant(4.5 * 2.25 / 5));
  expect_equal(moments_of(Mesh{samples::shared(samples::octahedron(1.5))}, 1), m, 1e-14);
}

// e1 -> 0 with e2 = 1 tends to a cylinder, both -> 0 to a box, with an error of order e^2.
TEST(Moments, SuperellipsoidTendsToCylinderAndBox) {
  const double e = 1e-6;
  expect_equal(moments_of(Superellipsoid{Vec3(2, 2, 1.5), e, 1}, 1), moments_of(Cylinder{2, 3}, 1),
               1e-11);
  expect_equal(moments_of(Superellipsoid{Vec3(1, 2, 1.5), e, e}, 1),
               moments_of(Box{Vec3(2, 4, 3)}, 1), 1e-11);
}

TEST(Moments, TetrahedronAtTheAxes) {
  const Moments m = moments_of(Mesh{samples::shared(samples::tetrahedron())}, 6);
  EXPECT_NEAR(m.mass, 1, 1e-15);
  EXPECT_LE((m.centre - Vec3::Constant(0.25)).norm(), 1e-15);
  // int x^2 = V/10 and int xy = V/20 about the corner; shifted to the centre by 1/16.
  const double diagonal = 2 * (1.0 / 10 - 1.0 / 16);
  const double product = -(1.0 / 20 - 1.0 / 16);
  Mat3 expected = Mat3::Constant(product);
  expected.diagonal().setConstant(diagonal);
  EXPECT_LE((m.inertia - expected).norm(), 1e-15);
}

TEST(Moments, HollowBoxIsTheDifferenceOfTwo) {
  const samples::PolygonMesh outer = samples::box(Vec3(-2, -2, -2), Vec3(2, 2, 2));
  const samples::PolygonMesh inner = samples::flipped(samples::box(Vec3(-1, -1, 0), Vec3(1, 1, 1)));
  const Moments m = moments_of(Mesh{samples::shared(samples::together(outer, inner))}, 1);
  EXPECT_NEAR(m.volume, 64 - 4, 1e-13);
  EXPECT_NEAR(m.centre.z(), -4 * 0.5 / 60, 1e-15);
  const double zz = 64.0 * 32 / 12 - 4.0 * 8 / 12;
  EXPECT_NEAR(m.inertia(2, 2), zz, 1e-12);
}

TEST(Moments, MeshFarAwayLosesNothing) {
  const Vec3 offset(1e6, -2e6, 3e6);
  const Moments near = moments_of(Box{Vec3(1, 1, 1)}, 1);
  const Moments far =
      moments_of(Mesh{samples::shared(samples::moved(samples::unit_cube(), offset))}, 1);
  EXPECT_NEAR(far.volume, 1, 1e-15);
  EXPECT_LE((far.centre - offset - Vec3::Constant(0.5)).norm(), 1e-9);
  EXPECT_LE((far.inertia - near.inertia).norm(), 1e-15);
}

TEST(Moments, NonConvexPrism) {
  // An L of three unit squares.
  const samples::PolygonMesh mesh =
      samples::prism({{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}, 1);
  const Moments squares = combined(
      {transformed(moments_of(Box{Vec3::Ones()}, 1), {Vec3(.5, .5, .5), Quat::Identity()}),
       transformed(moments_of(Box{Vec3::Ones()}, 1), {Vec3(1.5, .5, .5), Quat::Identity()}),
       transformed(moments_of(Box{Vec3::Ones()}, 1), {Vec3(.5, 1.5, .5), Quat::Identity()})});
  expect_equal(moments_of(Mesh{samples::shared(mesh)}, 1), squares, 1e-15);
}

TEST(Moments, ScaleWithTheFifthPower) {
  const std::vector<Geometry> plain = samples::bounded_shapes(1);
  for (const double unit : {1e-8, 1e-3, 1e6}) {
    const std::vector<Geometry> scaled = samples::bounded_shapes(unit);
    for (std::size_t i = 0; i < plain.size(); ++i) {
      Moments expected = moments_of(plain[i], 1000);
      expected.volume *= std::pow(unit, 3);
      expected.mass *= std::pow(unit, 3);
      expected.centre *= unit;
      expected.inertia *= std::pow(unit, 5);
      const Moments actual = moments_of(scaled[i], 1000);
      EXPECT_NEAR(actual.mass / expected.mass, 1, 1e-14) << name_of(plain[i]);
      EXPECT_LE(
          (actual.inertia / expected.inertia(0, 0) - expected.inertia / expected.inertia(0, 0))
              .norm(),
          1e-13);
      EXPECT_LE((actual.centre / unit - expected.centre / unit).norm(), 1e-14);
    }
  }
}

TEST(Moments, UnrotatedPartsKeepTheirInertia) {
  const Moments box = moments_of(Box{Vec3(0.1, 0.2, 0.3)}, 1000);
  const Moments moved = transformed(box, Pose{Vec3(5, 6, 7), Quat::Identity()});
  EXPECT_EQ(moved.inertia, box.inertia);
  EXPECT_EQ(moved.centre, Vec3(5, 6, 7));
}

TEST(Moments, PartsOfABodyAddUp) {
  // Two halves of a box with different densities.
  const Part heavy{Box{Vec3::Ones()}, {Vec3(-0.5, 0, 0), Quat::Identity()}, 3000, 0};
  const Part light{Box{Vec3::Ones()}, {Vec3(0.5, 0, 0), Quat::Identity()}, 1000, 0};
  const Moments m = moments_of({heavy, light});
  EXPECT_DOUBLE_EQ(m.volume, 2);
  EXPECT_DOUBLE_EQ(m.mass, 4000);
  EXPECT_LE((m.centre - Vec3(-0.25, 0, 0)).norm(), 1e-16);
  // About the centre: 4000/6 each way, plus 3000 * 0.25^2 + 1000 * 0.75^2 across x.
  EXPECT_NEAR(m.inertia(0, 0), 4000.0 / 6, 1e-12);
  EXPECT_NEAR(m.inertia(1, 1), 4000.0 / 6 + 750, 1e-12);
}

RC_GTEST_PROP(Moments, TwoHalvesOfABoxAreTheWhole, ()) {
  const Vec3 size = Vec3::Ones() + 0.9 * random_vector(1);
  const double cut = *rc::gen::inRange(-400, 401) / 1000.0;  // of the x size
  const Pose pose{random_vector(10), random_rotation()};
  const auto piece = [&](double from, double to) {
    const Vec3 piece_size(size.x() * (to - from), size.y(), size.z());
    const Vec3 centre(size.x() * (from + to) / 2, 0, 0);
    return Part{
        Box{piece_size}, {pose.position + pose.orientation * centre, pose.orientation}, 7, 0};
  };
  const Moments halves = moments_of({piece(-0.5, cut), piece(cut, 0.5)});
  expect_equal(halves, moments_of({Part{Box{size}, pose, 7, 0}}), 1e-13);
}

RC_GTEST_PROP(Moments, MovingAMeshIsMovingItsMoments, ()) {
  const Pose pose{random_vector(10), random_rotation()};
  const samples::PolygonMesh mesh = samples::tetrahedron();
  const Moments moved =
      moments_of(Mesh{samples::shared(samples::moved(mesh, pose.position, pose.orientation))}, 2);
  expect_equal(moved, transformed(moments_of(Mesh{samples::shared(mesh)}, 2), pose), 1e-13);
}

RC_GTEST_PROP(Moments, ParallelAxisTheorem, ()) {
  // The whole about any point is the sum of the parts about that point.
  const std::vector<Geometry> shapes = samples::bounded_shapes(1);
  std::vector<Moments> parts;
  for (const Geometry& geometry : shapes) {
    parts.push_back(transformed(moments_of(geometry, 3), {random_vector(2), random_rotation()}));
  }
  const Moments whole = combined(parts);
  const Vec3 point = random_vector(4);
  const auto about = [&](const Moments& m) -> Mat3 {
    const Vec3 d = m.centre - point;
    return m.inertia + m.mass * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
  };
  Mat3 sum = Mat3::Zero();
  for (const Moments& part : parts) sum += about(part);
  RC_ASSERT((sum - about(whole)).norm() <= 1e-13 * sum.norm());
}
