#include "geometry/parametric_surface.h"

#include <gtest/gtest.h>

#include <cmath>

#include "shape/moments.h"
#include "support/constants.h"
#include "support/random_hulls.h"
#include "support/seeds.h"
#include "support/sizes.h"
#include "support/surfaces.h"

namespace {

using namespace abut;
using geometry::ClosedSurface;
using geometry::ConvexSurface;
using test::parametric;
using test::proven;
using test::text_of;

using abut::test::pi;
using Surface = std::shared_ptr<const ClosedSurface>;

const std::array<std::string, 3> ellipsoid_formulas = {"0.5*cos(u)*sin(v)", "0.3*sin(u)*sin(v)",
                                                       "0.2*cos(v)"};

Surface mapped_ellipsoid() {
  static const Surface surface = proven(parametric(ellipsoid_formulas, {0, 2 * pi}, {0, pi}));
  return surface;
}

void expect_same_moments(const ClosedSurface& surface, const shape::Geometry& solid) {
  const shape::Moments known = shape::moments_of(solid, 1);
  const geometry::VolumeIntegrals& found = surface.integrals();
  EXPECT_NEAR(found.volume / known.volume, 1, 1e-12);
  EXPECT_LT(found.centroid.norm(), 1e-12);
  const Mat3 inertia = found.second.trace() * Mat3::Identity() - found.second;
  EXPECT_LT((inertia - known.inertia).norm(), 1e-12 * known.inertia.norm());
}

TEST(ParametricSurface, HasTheMomentsOfKnownSolids) {
  expect_same_moments(*mapped_ellipsoid(), shape::Ellipsoid{Vec3(0.5, 0.3, 0.2)});
  const auto ring = parametric({"(1 + 0.3*cos(v))*cos(u)", "(1 + 0.3*cos(v))*sin(u)", "0.3*sin(v)"},
                               {0, 2 * pi}, {-pi, pi});
  ASSERT_TRUE(ring.surface) << text_of(ring);
  EXPECT_FALSE(ring.surface->is_convex());
  expect_same_moments(*ring.surface, shape::Torus{1, 0.3});
}

// Whichever parameter goes around, and whichever way: inside stays inside.
TEST(ParametricSurface, MayBeInsideOutAndTheOtherWayRound) {
  const Surface exchanged = proven(
      parametric({"0.5*cos(v)*sin(u)", "0.3*sin(v)*sin(u)", "0.2*cos(u)"}, {0, pi}, {0, 2 * pi}));
  const Surface turned = proven(
      parametric({"0.5*cos(u)*sin(v)", "-0.3*sin(u)*sin(v)", "0.2*cos(v)"}, {0, 2 * pi}, {0, pi}));
  for (const Surface& surface : {exchanged, turned}) {
    EXPECT_NEAR(surface->integrals().volume, 4.0 / 3 * pi * 0.03, 1e-14);
    EXPECT_TRUE(surface->is_convex());
    const geometry::SurfaceMesh mesh = surface->mesh(32);
    double volume = 0;
    for (const auto& t : mesh.triangles)
      volume += mesh.points[t[0]].dot(mesh.points[t[1]].cross(mesh.points[t[2]])) / 6;
    EXPECT_NEAR(volume, surface->integrals().volume, 0.02 * volume);
    for (std::size_t i = 0; i < mesh.points.size(); ++i)
      EXPECT_GT(mesh.normals[i].dot(mesh.points[i]), 0);
  }
}

// Also near and at the poles, where the parameters are of no use.
TEST(ParametricSurface, SupportsAsTheClosedFormSays) {
  test::Random random(abut::test::seed(3));
  const ConvexSurface known = ConvexSurface::ellipsoid({0.5, 0.3, 0.2});
  for (int i = 0; i < test::cases(400); ++i) {
    Vec3 m = test::random_direction(random);
    if (i % 2 == 0)
      m = Vec3(std::pow(10, -test::uniform(random, 1, 20)) * m.x(),
               std::pow(10, -test::uniform(random, 1, 20)) * m.y(), i % 4 == 0 ? 1 : -1)
              .normalized();
    if (i == 0) m = Vec3::UnitZ();
    const auto wanted = known.atoms()[0].patch(m);
    const auto patch = mapped_ellipsoid()->patch(m);
    EXPECT_LT((patch.point + mapped_ellipsoid()->centre() - wanted.point).norm(), 2e-15)
        << m.transpose();
    EXPECT_LT((patch.radii - wanted.radii).norm(), 1e-9 * wanted.radii.norm()) << m.transpose();
  }
}

// Poles in any direction, and a shape without closed form.
TEST(ParametricSurface, RadiiSayHowTheSupportPointMoves) {
  const auto checked = parametric(
      {"0.6*(1 + 0.15*cos(v))*cos(u)*sin(v) - 0.8*1.3*cos(v) + 3",
       "(1 + 0.15*cos(v))*sin(u)*sin(v)", "0.8*(1 + 0.15*cos(v))*cos(u)*sin(v) + 0.6*1.3*cos(v)"},
      {0, 2 * pi}, {0, pi});
  ASSERT_TRUE(checked.surface) << text_of(checked);
  ASSERT_TRUE(checked.surface->is_convex());
  test::Random random(abut::test::seed(4));
  for (int i = 0; i < test::cases(100); ++i) {
    Vec3 m = test::random_direction(random);
    if (i % 2 == 0)
      m = (Vec3(-0.8, 0, 0.6) + std::pow(10, -test::uniform(random, 1, 12)) * m).normalized();
    const Vec3 aside = m.cross(test::random_direction(random)).normalized();
    const double h = 1e-4;
    const auto at = [&](double t) {
      return checked.surface->patch((m + t * aside).normalized()).point;
    };
    const Vec3 slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    const auto patch = checked.surface->patch(m);
    EXPECT_LT((slope - patch.radii * aside).norm(), 1e-7) << m.transpose();
  }
}

struct BadMap {
  std::array<std::string, 3> xyz;
  std::array<double, 2> u, v;
  geometry::SurfaceFinding::About about;
  const char* message;
};

TEST(ParametricSurface, BadSurfacesAreRefused) {
  const auto function = geometry::SurfaceFinding::About::function;
  const auto bounds = geometry::SurfaceFinding::About::bounds;
  const std::array<std::string, 3> ball = {"cos(u)*sin(v)", "sin(u)*sin(v)", "cos(v)"};
  const std::array<double, 2> turn = {0, 2 * pi}, half = {0, pi};
  for (const BadMap& bad : {
           BadMap{ball, turn, {0, pi / 2}, bounds, "nor shrink to points"},
           BadMap{ball, half, half, bounds, "neither the sides u = 0 and u = 3.14159 meet"},
           BadMap{ball, {0, 4 * pi}, half, bounds, "goes round its pole u = 0, v = 0 2 times"},
           BadMap{ball, {1, 0}, half, bounds, "u runs from 1 to 0"},
           BadMap{{"cos(u)*sin(v)/v", "sin(u)*sin(v)", "cos(v)"},
                  turn,
                  half,
                  function,
                  "no finite point"},
           BadMap{{"v*(1 - v)*cos(u)", "v*(1 - v)*sin(u)", "v"},
                  turn,
                  {0, 1},
                  function,
                  "a corner at the pole"},
           BadMap{{"(1 + 1.3*cos(v))*cos(u)", "(1 + 1.3*cos(v))*sin(u)", "0.3*sin(v)"},
                  turn,
                  turn,
                  function,
                  "crosses itself"},
           BadMap{{"cos(u)*sin(v)", "sin(u)*sin(v)", "0*u"}, turn, half, function, "no volume"},
           BadMap{{"1 + 0*u", "2 + 0*v", "3"}, turn, half, function, "a single point"},
           BadMap{{"(2 + cos(v))*cos(u)", "(2 + cos(v))*sin(u)", "sin(v)^3"},
                  turn,
                  turn,
                  function,
                  "no normal"},
       }) {
    SCOPED_TRACE(bad.xyz[0] + ", " + bad.xyz[2]);
    const auto checked = parametric(bad.xyz, bad.u, bad.v);
    EXPECT_FALSE(checked.surface);
    ASSERT_EQ(checked.findings.size(), 1u) << text_of(checked);
    EXPECT_EQ(checked.findings[0].about, bad.about) << text_of(checked);
    EXPECT_NE(checked.findings[0].message.find(bad.message), std::string::npos) << text_of(checked);
  }
}

}  // namespace
