#include "geometry/implicit_surface.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/curved_distance.h"
#include "shape/moments.h"
#include "support/random_hulls.h"
#include "support/seeds.h"
#include "support/sizes.h"
#include "support/surfaces.h"

namespace {

using namespace abut;
using geometry::ClosedSurface;
using geometry::ConvexSurface;
using test::implicit;
using test::proven;
using test::text_of;
using test::uniform;

using Surface = std::shared_ptr<const ClosedSurface>;

Surface ellipsoid() {
  static const Surface surface = proven(
      implicit("(x - 0.1)^2/0.25 + y^2/0.09 + (z/0.2)^2 - 1", {-0.5, -0.4, -0.3}, {0.7, 0.4, 0.3}));
  return surface;
}

Surface rounded_cube() {
  static const Surface surface =
      proven(implicit("x^4 + (y/0.8)^4 + (z/0.6)^4 - 1", {-1.1, -1, -1}, {1.1, 1, 1}));
  return surface;
}

// A sphere whose upper half is drawn out.
Surface egg() {
  static const Surface surface =
      proven(implicit("x^2 + y^2 + z^2*(1 - 0.2*z) - 1", {-1.2, -1.2, -1.1}, {1.2, 1.2, 1.4}));
  return surface;
}

void expect_same_moments(const ClosedSurface& surface, const shape::Geometry& solid,
                         const Vec3& centre) {
  const shape::Moments known = shape::moments_of(solid, 1);
  const geometry::VolumeIntegrals& found = surface.integrals();
  const double size = std::sqrt(known.inertia.norm() / known.mass);
  EXPECT_NEAR(found.volume / known.volume, 1, 1e-12);
  EXPECT_LT((found.centroid - centre).norm(), 1e-12 * size);
  const Mat3 inertia = found.second.trace() * Mat3::Identity() - found.second;
  EXPECT_LT((inertia - known.inertia).norm(), 1e-12 * known.inertia.norm());
}

TEST(ImplicitSurface, HasTheMomentsOfKnownSolids) {
  expect_same_moments(*ellipsoid(), shape::Ellipsoid{Vec3(0.5, 0.3, 0.2)}, {0.1, 0, 0});
  expect_same_moments(*rounded_cube(), shape::Superellipsoid{Vec3(1, 0.8, 0.6), 0.5, 0.5},
                      Vec3::Zero());
  // A needle, in bounds that fit exactly.
  const Surface needle = proven(implicit("(x/100)^2 + y^2 + z^2 - 1", {-100, -1, -1}, {100, 1, 1}));
  expect_same_moments(*needle, shape::Ellipsoid{Vec3(100, 1, 1)}, Vec3::Zero());
}

// No point sees the whole of a ring; its moments come from triangles lifted onto it.
TEST(ImplicitSurface, WeighsARing) {
  const auto ring =
      implicit("(sqrt(x^2 + y^2) - 1)^2 + z^2 - 0.09", {-1.5, -1.5, -0.5}, {1.5, 1.5, 0.5});
  ASSERT_TRUE(ring.surface) << text_of(ring);
  EXPECT_FALSE(ring.surface->is_convex());
  const shape::Moments known = shape::moments_of(shape::Torus{1, 0.3}, 1);
  const geometry::VolumeIntegrals& found = ring.surface->integrals();
  EXPECT_NEAR(found.volume / known.volume, 1, 1e-9);
  const Mat3 inertia = found.second.trace() * Mat3::Identity() - found.second;
  EXPECT_LT((inertia - known.inertia).norm(), 1e-9 * known.inertia.norm());
}

void expect_same_support(const ClosedSurface& surface, const ConvexSurface& known,
                         const Vec3& centre, test::Random& random, double point_tolerance) {
  const Vec3 m = test::random_direction(random);
  const auto patch = surface.patch(m);
  const auto wanted = known.atoms()[0].patch(m);
  EXPECT_LT((patch.point + surface.centre() - wanted.point - centre).norm(), point_tolerance);
  EXPECT_NEAR(m.dot(patch.point + surface.centre() - centre), known.height(m), 1e-15);
  EXPECT_LT((patch.radii - wanted.radii).norm(), 1e-9 * (1 + wanted.radii.norm()));
}

TEST(ImplicitSurface, SupportsAsTheClosedFormsSay) {
  test::Random random(abut::test::seed(3));
  const ConvexSurface known = ConvexSurface::ellipsoid({0.5, 0.3, 0.2});
  const ConvexSurface cube = ConvexSurface::superellipsoid({1, 0.8, 0.6}, 0.5, 0.5);
  for (int i = 0; i < test::cases(200); ++i) {
    expect_same_support(*ellipsoid(), known, {0.1, 0, 0}, random, 1e-15);
    expect_same_support(*rounded_cube(), cube, Vec3::Zero(), random, 1e-13);
  }
}

// dx = W dm, and the point has the normal m.
TEST(ImplicitSurface, RadiiSayHowTheSupportPointMoves) {
  test::Random random(abut::test::seed(4));
  for (int i = 0; i < test::cases(100); ++i) {
    const Vec3 m = test::random_direction(random);
    const Vec3 aside = m.cross(test::random_direction(random)).normalized();
    const double h = 1e-5;
    const Vec3 change = egg()->patch((m + h * aside).normalized()).point -
                        egg()->patch((m - h * aside).normalized()).point;
    const auto patch = egg()->patch(m);
    EXPECT_LT((change / (2 * h) - patch.radii * aside).norm(), 1e-8);
    EXPECT_LT((patch.radii * m).norm(), 1e-14);
    // The same bits whenever it is asked.
    EXPECT_EQ(egg()->patch(m).point, patch.point);
  }
}

TEST(ImplicitSurface, DistancesAreThoseOfBuiltInShapes) {
  test::Random random(abut::test::seed(5));
  const ConvexSurface user = ConvexSurface::of_surface(ellipsoid());
  const ConvexSurface built_in = ConvexSurface::ellipsoid({0.5, 0.3, 0.2});
  const ConvexSurface other = ConvexSurface::superellipsoid({0.4, 0.2, 0.3}, 0.8, 1.2);
  for (int i = 0; i < test::cases(50); ++i) {
    const Mat3 turn_a = test::random_rotation(random).toRotationMatrix();
    const Mat3 turn_b = test::random_rotation(random).toRotationMatrix();
    const Vec3 place = uniform(random, 1, 3) * test::random_direction(random);
    geometry::CurvedSearchStatistics statistics;
    const geometry::PlacedConvex b{&other, nullptr, turn_b, Vec3::Zero()};
    const auto found = curved_distance({&user, nullptr, turn_a, place}, b, statistics);
    const auto known = curved_distance({&built_in, nullptr, turn_a, place}, b, statistics);
    EXPECT_NEAR(found.gap, known.gap, 1e-14);
    EXPECT_TRUE(found.converged);
  }
}

TEST(ImplicitSurface, KnowsItsBoxAndItsMesh) {
  EXPECT_LT((ellipsoid()->box().upper - Vec3(0.6, 0.3, 0.2)).norm(), 1e-11);
  EXPECT_LT((ellipsoid()->box().lower - Vec3(-0.4, -0.3, -0.2)).norm(), 1e-11);
  const geometry::SurfaceMesh mesh = egg()->mesh(32);
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    const Vec3& p = mesh.points[i];
    EXPECT_NEAR(p.x() * p.x() + p.y() * p.y() + p.z() * p.z() * (1 - 0.2 * p.z()), 1, 1e-14);
    const Vec3 normal(2 * p.x(), 2 * p.y(), 2 * p.z() - 0.6 * p.z() * p.z());
    EXPECT_LT((normal.normalized() - mesh.normals[i]).norm(), 1e-14);
  }
  double volume = 0;
  for (const auto& t : mesh.triangles)
    volume += mesh.points[t[0]].dot(mesh.points[t[1]].cross(mesh.points[t[2]])) / 6;
  EXPECT_NEAR(volume / egg()->integrals().volume, 1, 0.02);
}

TEST(ImplicitSurface, TellsWhetherItIsConvex) {
  EXPECT_TRUE(egg()->is_convex());
  // A waist: seen from its middle as a whole, but not convex.
  const Surface waist =
      proven(implicit("(x^2 + y^2 + z^2)^2 - 2*(x^2 - y^2 - z^2) - 0.5", {-2, -2, -2}, {2, 2, 2}));
  EXPECT_FALSE(waist->is_convex());
  EXPECT_GT(waist->integrals().volume, 0);
}

struct Bad {
  const char* function;
  Vec3 lower, upper;
  geometry::SurfaceFinding::About about;
  const char* message;
};

TEST(ImplicitSurface, BadFunctionsAreRefused) {
  const Vec3 low(-2, -2, -2), high(2, 2, 2);
  const auto function = geometry::SurfaceFinding::About::function;
  const auto bounds = geometry::SurfaceFinding::About::bounds;
  for (const Bad& bad : {
           Bad{"1 - x^2 - y^2 - z^2", low, high, function, "positive inside and negative outside"},
           Bad{"x^2 + y^2 + z^2 + 1", low, high, function, "negative nowhere in the bounds, so"},
           Bad{"-1 - x^2", low, high, function, "negative in the whole of the bounds"},
           Bad{"x^2 + y^2 - 1", low, high, bounds, "not closed within the bounds"},
           Bad{"x^2 + y^2 + z^2 - 1/x", low, high, function, "is infinite at (0,"},
           Bad{"sqrt(x) + y^2 - 1", low, high, function, "is undefined at (-2,"},
           Bad{"x^2 + y^2 + z^2 - 1 + 1e-9/(x - 0.1234)", low, high, function, "near (0.12"},
           Bad{"(x^2 + y^2 + z^2 - 1)^3", low, high, function, "gradient of the function vanishes"},
           Bad{"(z^2 + y^2 - x^2*(1 - x))*(1+0*x)", Vec3(-0.2, -2, -2), high, bounds, "not closed"},
           Bad{"x^2 + y^2 + (z^2 - 1)*z^2", low, high, function, "gradient of the function"},
           Bad{"abs(x) + abs(y) + abs(z) - 1", low, high, function, "an edge or a corner"},
           Bad{"((x - 1)^2 + y^2 + z^2 - 0.25)*((x + 1)^2 + y^2 + z^2 - 0.25)", low, high, function,
               "negative in separate places"},
           Bad{"x^2 + y^2 + z^2 - 1", high, low, bounds, "write the lower corner first"},
           Bad{"x^2 + y^2 + z^2 - 1", Vec3(0, 0, 0), high, bounds, "not closed within"},
       }) {
    SCOPED_TRACE(bad.function);
    const auto checked = implicit(bad.function, bad.lower, bad.upper);
    EXPECT_FALSE(checked.surface);
    ASSERT_EQ(checked.findings.size(), 1u) << text_of(checked);
    EXPECT_EQ(checked.findings[0].severity, Severity::error);
    EXPECT_EQ(checked.findings[0].about, bad.about) << text_of(checked);
    EXPECT_NE(checked.findings[0].message.find(bad.message), std::string::npos) << text_of(checked);
  }
}

// A small solid in huge bounds is found, since most of them are decided at a glance.
TEST(ImplicitSurface, IsFoundInHugeBounds) {
  const Surface ball = proven(implicit("x^2 + y^2 + z^2 - 1", {-1e5, -2e5, -1e5}, {1e5, 1e5, 3e5}));
  EXPECT_NEAR(ball->integrals().volume, 4.0 / 3 * M_PI, 1e-11);
}

}  // namespace
