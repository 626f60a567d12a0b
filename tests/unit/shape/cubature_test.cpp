#include "shape/cubature.h"

#include <gtest/gtest.h>

#include <cmath>

#include "shape/moments.h"

namespace abut::shape {
namespace {

/// Integrals are as exact as this, relative to that of the absolute values.
constexpr double exactness = 1e-13;

double monomial_integral(const std::vector<CubaturePoint>& rule, int i, int j, int k) {
  double sum = 0;
  for (const CubaturePoint& p : rule)
    sum +=
        p.weight * std::pow(p.point.x(), i) * std::pow(p.point.y(), j) * std::pow(p.point.z(), k);
  return sum;
}

double size_of(const std::vector<CubaturePoint>& rule, int i, int j, int k) {
  double sum = 0;
  for (const CubaturePoint& p : rule)
    sum += std::abs(p.weight * std::pow(p.point.x(), i) * std::pow(p.point.y(), j) *
                    std::pow(p.point.z(), k));
  return sum;
}

/// Compares all monomials up to degree 4 with exact(i, j, k).
template <class Exact>
void expect_exact(const std::vector<CubaturePoint>& rule, const Exact& value) {
  for (int i = 0; i <= 4; ++i)
    for (int j = 0; i + j <= 4; ++j)
      for (int k = 0; i + j + k <= 4; ++k)
        EXPECT_NEAR(monomial_integral(rule, i, j, k), value(i, j, k),
                    exactness * size_of(rule, i, j, k))
            << "x^" << i << " y^" << j << " z^" << k;
}

/// Of x^n from -half to half.
double over_interval(double half, int n) {
  return n % 2 != 0 ? 0 : 2 * std::pow(half, n + 1) / (n + 1);
}

/// Of x^i y^j over the disc of radius a.
double over_disc_exactly(double a, int i, int j) {
  if (i % 2 != 0 || j % 2 != 0) return 0;
  return 2 * std::tgamma((i + 1) / 2.0) * std::tgamma((j + 1) / 2.0) /
         std::tgamma((i + j) / 2.0 + 1) * std::pow(a, i + j + 2) / (i + j + 2);
}

double over_ellipsoid(const Vec3& r, int i, int j, int k) {
  if (i % 2 != 0 || j % 2 != 0 || k % 2 != 0) return 0;
  return 2 * std::tgamma((i + 1) / 2.0) * std::tgamma((j + 1) / 2.0) * std::tgamma((k + 1) / 2.0) /
         std::tgamma((i + j + k + 3) / 2.0) / (i + j + k + 3) * std::pow(r.x(), i + 1) *
         std::pow(r.y(), j + 1) * std::pow(r.z(), k + 1);
}

double factorial(int n) {
  return std::tgamma(n + 1.0);
}

geometry::PolygonMesh unit_simplex() {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
          {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}};
}

Mesh mesh_of(geometry::PolygonMesh mesh) {
  return {std::make_shared<const geometry::PolygonMesh>(std::move(mesh))};
}

TEST(Cubature, OfBoxIsExact) {
  expect_exact(cubature_of(Box{{2, 3, 0.5}}), [](int i, int j, int k) {
    return over_interval(1, i) * over_interval(1.5, j) * over_interval(0.25, k);
  });
}

// int x^i y^j z^k = i! j! k! / (i + j + k + 3)! (Dirichlet).
TEST(Cubature, OfTetrahedronIsExact) {
  const auto value = [](int i, int j, int k) {
    return factorial(i) * factorial(j) * factorial(k) / factorial(i + j + k + 3);
  };
  expect_exact(cubature_of(mesh_of(unit_simplex())), value);
  const Convex hull{std::make_shared<const geometry::PolygonMesh>(unit_simplex()), 0};
  expect_exact(cubature_of(hull), value);
}

TEST(Cubature, OfEllipsoidsIsExact) {
  const Vec3 radii(0.5, 1.25, 2);
  expect_exact(cubature_of(Ellipsoid{radii}),
               [&](int i, int j, int k) { return over_ellipsoid(radii, i, j, k); });
  expect_exact(cubature_of(Sphere{0.7}),
               [&](int i, int j, int k) { return over_ellipsoid(Vec3::Constant(0.7), i, j, k); });
  // Exponents 1 are the ellipsoid, by an entirely different rule.
  expect_exact(cubature_of(Superellipsoid{radii, 1, 1}),
               [&](int i, int j, int k) { return over_ellipsoid(radii, i, j, k); });
}

TEST(Cubature, OfCylinderIsExact) {
  expect_exact(cubature_of(Cylinder{0.3, 2}), [](int i, int j, int k) {
    return over_disc_exactly(0.3, i, j) * over_interval(1, k);
  });
}

// With u = 1/2 - z/h the radius is r u: int u^(i+j+2) (h (1/2 - u))^k h du by the binomial theorem.
TEST(Cubature, OfConeIsExact) {
  const double r = 0.8, h = 1.5;
  expect_exact(cubature_of(Cone{r, h}), [&](int i, int j, int k) {
    double along = 0;
    for (int m = 0; m <= k; ++m)
      along += factorial(k) / factorial(m) / factorial(k - m) * std::pow(0.5, k - m) *
               std::pow(-1.0, m) / (i + j + m + 3);
    return over_disc_exactly(r, i, j) * std::pow(h, k + 1) * along;
  });
}

// The cylinder, and the two halves of a ball h/2 away from each other:
// int (|z| + h/2)^k over both halves, by the binomial theorem and the integrals over half a ball,
// 1/2 pi (r^2 - z^2)^n z^m with the beta function.
TEST(Cubature, OfCapsuleIsExact) {
  const double r = 0.4, h = 1.1;
  expect_exact(cubature_of(Capsule{r, h}), [&](int i, int j, int k) {
    double caps = 0;
    const int n = (i + j) / 2 + 1;
    for (int m = 0; m <= k && k % 2 == 0; ++m) {
      const double half = 0.5 * std::tgamma((m + 1) / 2.0) * std::tgamma(n + 1.0) /
                          std::tgamma((m + 1) / 2.0 + n + 1) * std::pow(r, m + 1);
      caps += 2 * factorial(k) / factorial(m) / factorial(k - m) * std::pow(h / 2, k - m) * half;
    }
    return over_disc_exactly(r, i, j) * (over_interval(h / 2, k) + caps);
  });
}

// int x^i y^j z^k dV = int cos^i sin^j dphi int (R + u)^(i+j+1) z^k du dz over the tube's section.
TEST(Cubature, OfTorusIsExact) {
  const double big = 1, t = 0.3;
  expect_exact(cubature_of(Torus{big, t}), [&](int i, int j, int k) {
    if (i % 2 != 0 || j % 2 != 0) return 0.0;
    const double around = 2 * std::tgamma((i + 1) / 2.0) * std::tgamma((j + 1) / 2.0) /
                          std::tgamma((i + j) / 2.0 + 1);
    double section = 0;
    const int n = i + j + 1;
    for (int m = 0; m <= n; ++m)
      section += factorial(n) / factorial(m) / factorial(n - m) * std::pow(big, n - m) *
                 over_disc_exactly(t, m, k);
    return around * section;
  });
}

/// A prism over an L: 2 x 2 without its upper right quarter, between z = 0 and 1.
geometry::PolygonMesh ell_prism(const Vec3& shift) {
  geometry::PolygonMesh mesh;
  for (const double z : {0.0, 1.0})
    for (const auto& [x, y] : {std::pair(0, 0), {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}})
      mesh.vertices.push_back(shift + Vec3(x, y, z));
  mesh.faces = {{5, 4, 3, 2, 1, 0}, {6, 7, 8, 9, 10, 11}};
  for (int i = 0; i < 6; ++i) mesh.faces.push_back({i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6});
  return mesh;
}

TEST(Cubature, OfMeshThatIsNotConvexIsExact) {
  const auto between = [](double a, double b, int n) {
    return (std::pow(b, n + 1) - std::pow(a, n + 1)) / (n + 1);
  };
  expect_exact(cubature_of(mesh_of(ell_prism(Vec3::Zero()))), [&](int i, int j, int k) {
    return (between(0, 2, i) * between(0, 1, j) + between(0, 1, i) * between(1, 2, j)) *
           between(0, 1, k);
  });
}

/// About the centroid, as Moments are.
Mat3 inertia_of(const std::vector<CubaturePoint>& rule) {
  Vec3 first = Vec3::Zero();
  double volume = 0;
  for (const CubaturePoint& p : rule) {
    volume += p.weight;
    first += p.weight * p.point;
  }
  Mat3 inertia = Mat3::Zero();
  for (const CubaturePoint& p : rule) {
    const Vec3 d = p.point - first / volume;
    inertia += p.weight * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
  }
  return inertia;
}

TEST(Cubature, AgreesWithTheMomentsOfRigidBodies) {
  const std::vector<Geometry> all = {Superellipsoid{{1, 2, 0.5}, 0.5, 0.8},
                                     Superellipsoid{{1, 1, 1}, 0.05, 0.05},
                                     Capsule{0.4, 1},
                                     Torus{1, 0.2},
                                     Cone{1, 3},
                                     mesh_of(ell_prism({3, -2, 1}))};
  for (const Geometry& geometry : all) {
    const Moments moments = moments_of(geometry, 1);
    Part part{geometry, {{0.3, -1, 2}, Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()))}};
    const Moments posed = transformed(moments, part.pose);
    const auto rule = cubature_of(part);
    EXPECT_NEAR(monomial_integral(rule, 0, 0, 0), posed.volume, 1e-13 * posed.volume)
        << name_of(geometry);
    EXPECT_NEAR((inertia_of(rule) - posed.inertia).norm(), 0, 1e-12 * posed.inertia.norm())
        << name_of(geometry);
  }
}

TEST(Cubature, IsNotForShapesWithoutClosedForm) {
  EXPECT_FALSE(has_cubature(Plane{}));
  EXPECT_FALSE(has_cubature(Sphere{1, true}));
  EXPECT_FALSE(
      has_cubature(Convex{std::make_shared<const geometry::PolygonMesh>(unit_simplex()), 0.1}));
  EXPECT_TRUE(has_cubature(Torus{1, 0.1}));
}

}  // namespace
}  // namespace abut::shape
