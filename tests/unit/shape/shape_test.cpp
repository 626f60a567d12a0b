#include "shape/shape.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "shape/extent.h"
#include "unit/shape/shape_samples.h"

using namespace abut;
using namespace abut::shape;

namespace {

double radius_of(const Geometry& geometry, const Vec3& centre = Vec3::Zero(),
                 const Pose& pose = {}) {
  return bounding_radius({Part{geometry, pose, 1000, 0}}, centre);
}

// Never less than the farthest point, and more only by the allowance for rounding, which in a posed
// part is made twice.
void expect_tight(double radius, double farthest) {
  EXPECT_GE(radius, farthest * (1 - 1e-15));
  EXPECT_LE(radius, farthest * (1 + 4 * rounding_margin));
}

Vec3 point_in(const Vec3& half) {
  const auto coordinate = [](double h) { return *rc::gen::inRange(-1000, 1001) * h / 1000; };
  return Vec3(coordinate(half.x()), coordinate(half.y()), coordinate(half.z()));
}

bool is_inside(const Superellipsoid& s, const Vec3& p) {
  const Vec3 q = p.cwiseAbs().cwiseQuotient(s.radii);
  const double section = std::pow(q.x(), 2 / s.e2) + std::pow(q.y(), 2 / s.e2);
  return std::pow(section, s.e2 / s.e1) + std::pow(q.z(), 2 / s.e1) <= 1;
}

}  // namespace

TEST(Shape, NamesAreTheKeysOfSceneFiles) {
  EXPECT_EQ(name_of(Plane{}), "plane");
  const std::vector<std::string_view> expected = {
      "sphere", "ellipsoid", "superellipsoid", "superellipsoid", "capsule", "cylinder", "cone",
      "torus",  "box",       "convex",         "convex",         "mesh"};
  const std::vector<Geometry> shapes = samples::bounded_shapes(1);
  ASSERT_EQ(shapes.size(), expected.size());
  for (std::size_t i = 0; i < shapes.size(); ++i) EXPECT_EQ(name_of(shapes[i]), expected[i]);
}

TEST(Shape, PlanesAndInvertedShapesAreUnbounded) {
  for (const Geometry& geometry : samples::bounded_shapes(1)) EXPECT_FALSE(is_unbounded(geometry));
  EXPECT_TRUE(is_unbounded(Plane{}));
  EXPECT_TRUE(is_unbounded(Sphere{1, true}));
  EXPECT_TRUE(is_unbounded(Ellipsoid{Vec3::Ones(), true}));
  EXPECT_TRUE(is_unbounded(Superellipsoid{Vec3::Ones(), 1, 1, true}));
  EXPECT_EQ(radius_of(Plane{}), std::numeric_limits<double>::infinity());
  EXPECT_EQ(radius_of(Sphere{1, true}), std::numeric_limits<double>::infinity());
}

TEST(Shape, BoundingRadiusAboutTheCentreIsTheFarthestPoint) {
  expect_tight(radius_of(Sphere{0.7}), 0.7);
  expect_tight(radius_of(Ellipsoid{Vec3(1, 3, 2)}), 3);
  expect_tight(radius_of(Capsule{0.5, 2}), 1.5);
  expect_tight(radius_of(Cylinder{3, 8}), 5);
  expect_tight(radius_of(Cone{3, 8}), 5);
  expect_tight(radius_of(Torus{2, 0.5}), 2.5);
  expect_tight(radius_of(Box{Vec3(2, 4, 4)}), 3);
  expect_tight(radius_of(Convex{samples::shared(samples::octahedron(2))}), 2);
  expect_tight(radius_of(Mesh{samples::shared(samples::unit_cube())}), std::sqrt(3.0));
}

TEST(Shape, BoundingRadiusAboutAnotherPointIsTheFarthestPoint) {
  const Vec3 p(3, 4, -2);  // 5 from the z axis
  expect_tight(radius_of(Sphere{2}, Vec3(2, 3, 6)), 9);
  expect_tight(radius_of(Cylinder{1, 4}, p), std::hypot(6.0, 4.0));
  expect_tight(radius_of(Capsule{1, 4}, p), std::hypot(5.0, 4.0) + 1);
  expect_tight(radius_of(Cone{1, 4}, p), std::max(std::hypot(6.0, 0.0), std::hypot(5.0, 4.0)));
  expect_tight(radius_of(Torus{2, 0.5}, p), std::hypot(7.0, 2.0) + 0.5);
  expect_tight(radius_of(Box{Vec3(2, 4, 4)}, Vec3(1, -1, 0)), Vec3(2, 3, 2).norm());
}

TEST(Shape, BoundingRadiusFollowsThePoseOfThePart) {
  Pose pose;
  pose.position = Vec3(0, 0, 5);
  pose.orientation = Quat(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitX()));  // the axis becomes -y
  expect_tight(radius_of(Capsule{0.5, 6}, Vec3(0, 1, 5), pose), 4.5);
  const Part far{Sphere{1}, pose, 1000, 0};
  const Part near{Sphere{1}, Pose{}, 1000, 0};
  expect_tight(bounding_radius({near, far}, Vec3::Zero()), 6);
}

// For e1 = e2 = e < 1 and equal radii the farthest point has x = y = z: 3 (x/r)^(2/e) = 1.
TEST(Shape, SuperellipsoidReachesItsRoundedCorner) {
  for (const double e : {0.1, 0.3, 0.5, 0.9}) {
    const double expected = 2 * std::sqrt(3.0) * std::pow(1.0 / 3.0, e / 2);
    expect_tight(radius_of(Superellipsoid{Vec3::Constant(2), e, e}), expected);
  }
  expect_tight(radius_of(Superellipsoid{Vec3(1, 3, 2), 1.5, 1.2}), 3);
}

RC_GTEST_PROP(Shape, BoundingRadiusContainsSuperellipsoids, ()) {
  const double e1 = *rc::gen::inRange(5, 200) / 100.0;
  const double e2 = *rc::gen::inRange(5, 200) / 100.0;
  const Superellipsoid solid{Vec3(1, 2, 0.5), e1, e2};
  const Vec3 centre = point_in(Vec3::Constant(3));
  const double radius = radius_of(solid, centre);
  for (int i = 0; i < 200; ++i) {
    // A point on the surface in a random direction, by its spherical product.
    const auto power = [](double base, double e) {
      return std::copysign(std::pow(std::abs(base), e), base);
    };
    const double u = *rc::gen::inRange(-1570, 1571) / 1000.0;
    const double v = *rc::gen::inRange(-3141, 3142) / 1000.0;
    const Vec3 p(solid.radii.x() * power(std::cos(u), e1) * power(std::cos(v), e2),
                 solid.radii.y() * power(std::cos(u), e1) * power(std::sin(v), e2),
                 solid.radii.z() * power(std::sin(u), e1));
    RC_ASSERT(is_inside(solid, 0.999 * p));
    RC_ASSERT((p - centre).norm() <= radius);
  }
}

TEST(Shape, BoundingRadiusScalesWithTheShape) {
  for (const double unit : {1e-8, 1e-3, 1e6}) {
    const std::vector<Geometry> scaled = samples::bounded_shapes(unit);
    const std::vector<Geometry> plain = samples::bounded_shapes(1);
    const Vec3 centre(0.3, -0.1, 0.2);
    for (std::size_t i = 0; i < plain.size(); ++i) {
      const double expected = unit * radius_of(plain[i], centre);
      EXPECT_NEAR(radius_of(scaled[i], unit * centre), expected, 1e-13 * expected);
    }
  }
}

TEST(Shape, BoxesTouchTheSolidOnAllSides) {
  const auto expect_box = [](const Geometry& geometry, const Vec3& lower, const Vec3& upper) {
    const geometry::Aabb box = box_of(geometry);
    EXPECT_LT((box.lower - lower).norm(), 1e-15) << name_of(geometry);
    EXPECT_LT((box.upper - upper).norm(), 1e-15) << name_of(geometry);
  };
  const auto expect_centred = [&](const Geometry& geometry, const Vec3& half) {
    expect_box(geometry, -half, half);
  };
  expect_centred(Sphere{2}, Vec3(2, 2, 2));
  expect_centred(Ellipsoid{Vec3(1, 2, 3)}, Vec3(1, 2, 3));
  expect_centred(Superellipsoid{Vec3(1, 2, 3), 0.5, 1.5}, Vec3(1, 2, 3));
  expect_centred(Capsule{1, 4}, Vec3(1, 1, 3));
  expect_centred(Cylinder{1, 4}, Vec3(1, 1, 2));
  expect_centred(Cone{1, 4}, Vec3(1, 1, 2));
  expect_centred(Torus{3, 1}, Vec3(4, 4, 1));
  expect_centred(Box{Vec3(2, 4, 6)}, Vec3(1, 2, 3));
  geometry::PolygonMesh mesh;
  mesh.vertices = {Vec3(0, 0, 0), Vec3(1, 0, -2), Vec3(0, 3, 0), Vec3(-4, 0, 5)};
  expect_box(Convex{samples::shared(mesh)}, Vec3(-4, 0, -2), Vec3(1, 3, 5));
  expect_box(Mesh{samples::shared(mesh)}, Vec3(-4, 0, -2), Vec3(1, 3, 5));
}
