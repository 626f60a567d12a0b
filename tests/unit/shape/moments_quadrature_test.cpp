// Mass properties of curved shapes against two independent computations: quadrature over
// cross-sections, and fine tessellations whose error falls with the square of the mesh width.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "shape/moments.h"
#include "unit/shape/shape_samples.h"

using namespace abut;
using namespace abut::shape;
using std::numbers::pi;

namespace {

/// Double-exponential quadrature over (from, to): immune to singular derivatives at the ends. The
/// integrand gets the distances to both ends, which are exact near them.
double integral(double from, double to,
                const std::function<double(double to_start, double to_end)>& f) {
  constexpr double step = 1.0 / 64;
  double sum = 0;
  for (int k = -64 * 4; k <= 64 * 4; ++k) {
    const double t = k * step;
    const double a = pi / 2 * std::sinh(t);
    const double left = (to - from) / (1 + std::exp(-2 * a));
    const double right = (to - from) / (1 + std::exp(2 * a));
    const double weight = (to - from) / 2 * pi / 2 * std::cosh(t) / std::pow(std::cosh(a), 2);
    if (left > 0 && right > 0) sum += f(left, right) * weight;
  }
  return sum * step;
}

struct Integrals {
  double volume = 0, xx = 0, yy = 0, zz = 0;
};

void expect_matches(const Geometry& geometry, const Integrals& expected, double relative) {
  const Moments m = moments_of(geometry, 1);
  const Vec3 inertia(expected.yy + expected.zz, expected.xx + expected.zz,
                     expected.xx + expected.yy);
  EXPECT_NEAR(m.volume, expected.volume, relative * expected.volume);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(m.inertia(i, i), inertia[i], relative * inertia[i]);
}

/// Of a solid of revolution: rho(distance above the bottom, distance below the top).
Integrals of_revolution(double bottom, double top, double centre_z,
                        const std::function<double(double, double)>& rho) {
  const auto over_z = [&](const std::function<double(double z, double r)>& f) {
    return integral(bottom, top, [&](double up, double down) {
      const double z = up < down ? bottom + up : top - down;
      return f(z, rho(up, down));
    });
  };
  Integrals result;
  result.volume = over_z([](double, double r) { return pi * r * r; });
  result.xx = result.yy = over_z([](double, double r) { return pi / 4 * r * r * r * r; });
  result.zz =
      over_z([&](double z, double r) { return pi * r * r * (z - centre_z) * (z - centre_z); });
  return result;
}

/// Nested quadrature: cross-sections of the superellipsoid, then of the cross-section.
Integrals of_superellipsoid(const Superellipsoid& s) {
  const double a = s.radii.x(), b = s.radii.y(), c = s.radii.z();
  // Half-width in y at x in the unit cross-section; 1 - x^(2/e) without cancellation near x = 1.
  const auto rest = [](double to_end, double e) {
    return -std::expm1(2 / e * std::log1p(-to_end));
  };
  const auto section = [&](const std::function<double(double x, double y)>& f) {
    return integral(0, 1, [&](double x, double to_one) {
      return f(x, std::pow(rest(to_one, s.e2), s.e2 / 2));
    });
  };
  const double area = 4 * section([](double, double y) { return y; });
  const double xx = 4 * section([](double x, double y) { return x * x * y; });
  const double yy = 4 * section([](double, double y) { return y * y * y / 3; });
  const auto stack = [&](const std::function<double(double z, double scale)>& f) {
    return 2 * integral(0, 1, [&](double z, double to_one) {
             return f(z, std::pow(rest(to_one, s.e1), s.e1 / 2));
           });
  };
  Integrals result;
  result.volume = a * b * c * area * stack([](double, double k) { return k * k; });
  const double fourth = stack([](double, double k) { return k * k * k * k; });
  result.xx = a * a * a * b * c * xx * fourth;
  result.yy = a * b * b * b * c * yy * fourth;
  result.zz = a * b * c * c * c * area * stack([](double z, double k) { return z * z * k * k; });
  return result;
}

/// Richardson's check: halving the mesh width divides the error by about four.
void expect_converges(const std::function<samples::PolygonMesh(int)>& tessellated,
                      const Geometry& geometry) {
  const Moments exact = moments_of(geometry, 1);
  const auto errors = [&](int n) {
    const Moments m = moments_of(Mesh{samples::shared(tessellated(n))}, 1);
    return std::pair(std::abs(m.volume - exact.volume) / exact.volume,
                     (m.inertia - exact.inertia).norm() / exact.inertia.norm());
  };
  const auto [coarse_volume, coarse_inertia] = errors(32);
  const auto [fine_volume, fine_inertia] = errors(128);
  EXPECT_LT(fine_volume, coarse_volume / 15);
  EXPECT_LT(fine_inertia, coarse_inertia / 15);
  EXPECT_LT(fine_volume, 2e-3);
  EXPECT_LT(fine_inertia, 3e-3);
}

}  // namespace

TEST(MomentsQuadrature, Superellipsoid) {
  for (const double e1 : {0.1, 0.25, 0.5, 1.0, 1.3, 2.0, 3.0}) {
    for (const double e2 : {0.1, 0.3, 0.8, 1.0, 1.6, 2.0}) {
      SCOPED_TRACE(testing::Message() << "e1 = " << e1 << ", e2 = " << e2);
      const Superellipsoid solid{Vec3(0.7, 1.1, 1.9), e1, e2};
      expect_matches(solid, of_superellipsoid(solid), 2e-14);
    }
  }
}

TEST(MomentsQuadrature, Capsule) {
  const double r = 0.4, h = 1.3;
  const auto rho = [&](double up, double down) {
    const double end = std::min(up, down);
    return end >= r ? r : std::sqrt(end * (2 * r - end));
  };
  // In three pieces, so that the kinks are at ends of intervals.
  const Integrals caps = of_revolution(-r, r, 0, rho);
  const Integrals middle = of_revolution(-h / 2, h / 2, 0, [&](double, double) { return r; });
  Integrals whole;
  whole.volume = caps.volume + middle.volume;
  whole.xx = whole.yy = caps.xx + middle.xx;
  // The two half balls are moved out by h/2.
  const double half_ball_first =
      integral(0, r, [&](double z, double) { return pi * (r * r - z * z) * z; });
  whole.zz = middle.zz + caps.zz + 2 * half_ball_first * h + caps.volume * h * h / 4;
  expect_matches(Capsule{r, h}, whole, 2e-14);
}

TEST(MomentsQuadrature, Cone) {
  const double r = 0.8, h = 2.2;
  const auto rho = [&](double, double down) { return r * down / h; };
  expect_matches(Cone{r, h}, of_revolution(-h / 2, h / 2, -h / 4, rho), 1e-14);
}

TEST(MomentsQuadrature, TorusIsTheDifferenceOfTwoSolids) {
  const double big = 1.4, t = 0.5;
  const auto half_width = [&](double up, double down) { return std::sqrt(up * down); };
  const Integrals outer =
      of_revolution(-t, t, 0, [&](double u, double d) { return big + half_width(u, d); });
  const Integrals inner =
      of_revolution(-t, t, 0, [&](double u, double d) { return big - half_width(u, d); });
  const Integrals ring{outer.volume - inner.volume, outer.xx - inner.xx, outer.yy - inner.yy,
                       outer.zz - inner.zz};
  expect_matches(Torus{big, t}, ring, 2e-14);
}

TEST(MomentsQuadrature, TessellationsConverge) {
  expect_converges([](int n) { return samples::torus(1.2, 0.4, n, n); }, Torus{1.2, 0.4});
  expect_converges(
      [](int n) {
        std::vector<Eigen::Vector2d> arc;
        for (int i = 0; i <= n; ++i) {
          arc.emplace_back(0.8 * std::sin(pi * i / n), -0.8 * std::cos(pi * i / n));
        }
        return samples::revolved(arc, n);
      },
      Sphere{0.8});
  expect_converges(
      [](int n) {
        return samples::revolved({{0, -1}, {0.5, -1}, {0.5, 1}, {0, 1}}, n);
      },
      Cylinder{0.5, 2});
  expect_converges(
      [](int n) {
        return samples::revolved({{0, -1}, {0.5, -1}, {0, 1}}, n);
      },
      Cone{0.5, 2});
}
