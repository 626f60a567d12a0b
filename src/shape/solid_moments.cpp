// All these solids are symmetric about two planes at least, so their second moments are diagonal:
// the three integrals xx = int x^2, yy, zz about the centroid are all there is.

#include "shape/solid_moments.h"

#include <cmath>
#include <numbers>

namespace abut::shape {
namespace {

using std::numbers::pi;

SecondMoments diagonal(double volume, double xx, double yy, double zz) {
  SecondMoments moments;
  moments.volume = volume;
  moments.second.diagonal() = Vec3(xx, yy, zz);
  return moments;
}

/// Euler's beta function for positive arguments, to a few units in the last place where the gamma
/// function does not overflow; beyond that through its logarithm.
double beta(double a, double b) {
  constexpr double largest_gamma_argument = 170;
  if (a + b < largest_gamma_argument) return std::tgamma(a) / std::tgamma(a + b) * std::tgamma(b);
  return std::exp(std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b));
}

}  // namespace

SecondMoments second_moments_of(const Sphere& sphere) {
  return second_moments_of(Ellipsoid{Vec3::Constant(sphere.radius)});
}

// V = 4/3 pi a b c and int x^2 = V a^2 / 5.
SecondMoments second_moments_of(const Ellipsoid& ellipsoid) {
  const Vec3& r = ellipsoid.radii;
  const double volume = 4.0 / 3.0 * pi * r.x() * r.y() * r.z();
  return diagonal(volume, volume * r.x() * r.x() / 5, volume * r.y() * r.y() / 5,
                  volume * r.z() * r.z() / 5);
}

// Let A(z) be the cross-section at height z. It is the section at z = 0 scaled by
// s = (1 - (z/c)^(2/e1))^(e1/2), so with the integrals over that section
//   A0  = int 1   = 2 a b e2 B(e2/2, e2/2 + 1) = a b e2 B(e2/2, e2/2)
//   X0  = int x^2 = a^3 b e2 B(3 e2/2, e2/2) / 2
// (substitute x = a u^(e2/2), y = b w^(e2/2), which turns the section into the simplex u + w <= 1,
// where Dirichlet's integral applies), the solid has
//   V       = A0 int s^2 dz,   int x^2 = X0 int s^4 dz,   int z^2 = A0 int z^2 s^2 dz.
// The substitution t = (z/c)^(2/e1) turns the remaining integrals into beta functions:
//   int s^2 dz     = c e1 B(e1/2, e1 + 1)       (over both halves)
//   int s^4 dz     = c e1 B(e1/2, 2 e1 + 1)
//   int z^2 s^2 dz = c^3 e1 B(3 e1/2, e1 + 1).
SecondMoments second_moments_of(const Superellipsoid& superellipsoid) {
  const double a = superellipsoid.radii.x();
  const double b = superellipsoid.radii.y();
  const double c = superellipsoid.radii.z();
  const double e1 = superellipsoid.e1;
  const double e2 = superellipsoid.e2;
  const double section = a * b * e2 * beta(e2 / 2, e2 / 2);
  const double section_xx = a * b * e2 * beta(3 * e2 / 2, e2 / 2) / 2;  // times a^2 or b^2
  const double s2 = c * e1 * beta(e1 / 2, e1 + 1);
  const double s4 = c * e1 * beta(e1 / 2, 2 * e1 + 1);
  const double z2_s2 = c * c * c * e1 * beta(3 * e1 / 2, e1 + 1);
  return diagonal(section * s2, a * a * section_xx * s4, b * b * section_xx * s4, section * z2_s2);
}

// A cylinder of height h and two half balls whose flat sides are h/2 from the centre. A half ball
// has volume 2/3 pi r^3, its centroid 3/8 r from the flat side, and int z^2 = V r^2/5 about it:
//   int (h/2 + z)^2 = V (h^2/4 + 2 (h/2) (3/8) r + r^2/5).
SecondMoments second_moments_of(const Capsule& capsule) {
  const double r = capsule.radius;
  const double h = capsule.height;
  const double middle = pi * r * r * h;
  const double caps = 4.0 / 3.0 * pi * r * r * r;
  const double xx = middle * r * r / 4 + caps * r * r / 5;
  const double zz = middle * h * h / 12 + caps * (h * h / 4 + 3.0 / 8.0 * h * r + r * r / 5);
  return diagonal(middle + caps, xx, xx, zz);
}

SecondMoments second_moments_of(const Cylinder& cylinder) {
  const double r = cylinder.radius;
  const double h = cylinder.height;
  const double volume = pi * r * r * h;
  return diagonal(volume, volume * r * r / 4, volume * r * r / 4, volume * h * h / 12);
}

// The section at the distance u h below the apex has the radius u r, so V = pi r^2 h / 3; the
// centroid lies h/4 above the base, that is at z = -h/4 in the centred frame;
// int x^2 = int pi (u r)^4 / 4 h du = V 3/20 r^2 and int (z - centroid)^2 = V 3/80 h^2.
SecondMoments second_moments_of(const Cone& cone) {
  const double r = cone.radius;
  const double h = cone.height;
  const double volume = pi / 3 * r * r * h;
  SecondMoments moments =
      diagonal(volume, volume * 3 / 20 * r * r, volume * 3 / 20 * r * r, volume * 3 / 80 * h * h);
  moments.centroid = Vec3(0, 0, -h / 4);
  return moments;
}

// V = 2 pi^2 R t^2 (Pappus). Over the tube's section, rho = R + u with weight rho:
//   int rho^2 dV = 2 pi int (R + u)^3 dA = 2 pi (pi t^2) (R^3 + 3 R t^2/4) = V (R^2 + 3/4 t^2),
// half of which is int x^2; int z^2 dV = 2 pi R (pi t^2) t^2/4 = V t^2/4.
SecondMoments second_moments_of(const Torus& torus) {
  const double big = torus.radius;
  const double t = torus.tube;
  const double volume = 2 * pi * pi * big * t * t;
  const double xx = volume * (big * big / 2 + 3.0 / 8.0 * t * t);
  return diagonal(volume, xx, xx, volume * t * t / 4);
}

SecondMoments second_moments_of(const Box& box) {
  const Vec3& s = box.size;
  const double volume = s.x() * s.y() * s.z();
  return diagonal(volume, volume * s.x() * s.x() / 12, volume * s.y() * s.y() / 12,
                  volume * s.z() * s.z() / 12);
}

}  // namespace abut::shape
