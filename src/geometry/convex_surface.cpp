#include "geometry/convex_surface.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "geometry/closed_surface.h"

namespace abut::geometry {
namespace {

/// f(s, t) = (s^q + t^q)^(1/q) for s, t >= 0, with its derivatives. With u = s/f and w = t/f,
/// u^q + w^q = 1 and, for ds and dt,
///     df = u^(q-1) ds + w^(q-1) dt,   d^2 f = bend (t ds - s dt)^2,
///     bend = (q-1) (u w)^(q-2) / f^3,   infinite for q < 2 where one of them is zero.
struct PNorm {
  double f = 0, f_s = 0, f_t = 0, bend = 0;

  PNorm(double s, double t, double q) {
    // The larger one is taken out first, so that nothing overflows or vanishes.
    const double large = std::max(s, t);
    if (large == 0) return;
    const double ratio = std::min(s, t) / large;
    f = large * std::pow(1 + std::pow(ratio, q), 1 / q);
    const double u = s / f, w = t / f;
    f_s = std::pow(u, q - 1);
    f_t = std::pow(w, q - 1);
    bend = (q - 1) * std::pow(u * w, q - 2) / f / f / f;
  }
};

double sign_of(double x) {
  return x < 0 ? -1 : 1;
}

}  // namespace

const SupportAtom& SupportAtom::origin() {
  static const SupportAtom point = at_point(Vec3::Zero());
  return point;
}

SupportAtom SupportAtom::at_point(const Vec3& at) {
  SupportAtom atom;
  atom.centre_ = at;
  return atom;
}

SupportAtom SupportAtom::circle(const Vec3& at, double radius) {
  SupportAtom atom;
  atom.kind_ = Kind::circle;
  atom.centre_ = at;
  atom.radii_ = Vec3(radius, radius, 0);
  atom.outer_ = radius;
  return atom;
}

SupportAtom SupportAtom::ellipsoid(const Vec3& radii) {
  SupportAtom atom;
  atom.kind_ = Kind::ellipsoid;
  atom.radii_ = radii;
  atom.outer_ = radii.maxCoeff();
  return atom;
}

// The solid is the unit ball of a p-norm of (a p-norm of x and y) and z with the exponents
// p = 2 / e; its support function is the dual norm, with the exponents p / (p - 1) = 2 / (2 - e).
SupportAtom SupportAtom::superellipsoid(const Vec3& radii, double e1, double e2) {
  if (e1 == 1 && e2 == 1) return ellipsoid(radii);
  SupportAtom atom;
  atom.kind_ = Kind::superellipsoid;
  atom.radii_ = radii;
  atom.q1_ = 2 / (2 - e1);
  atom.q2_ = 2 / (2 - e2);
  atom.outer_ = radii.norm();
  return atom;
}

// The principal radii of an ellipsoid with half axes a >= b >= c are between c^2 / a and a^2 / c.
//
// A superellipsoid has corners for exponents above 1, and for others no radius is smaller than a
// part of that of the ellipsoid with its half axes. With n = A m = (s, t, z), g = F_2(s, t) and
// h = F_1(g, z), where F is the norm of exponent q in [1, 2], F has the second derivative
//     (q - 1) (u w)^(q - 2) (t ds - s dt)^2 / F^3,   u = s / F,  w = t / F,
// in which u w is at most 2^(-2/q), and (dh/dg) = (g / h)^(q_1 - 1) >= g / h. So that of h is at
// least k = min over both of (q - 1) 2^(2 (2 - q) / q) times
//     (z dg - g dz)^2 / h^3 + (t ds - s dt)^2 / (g^2 h).
// Let |n| = 1 and dn be across it, x along the meridian and y along the parallel of n, and let
// G = g / |(s, t)|, which is between 1 and c_2 = 2^(1/q_2 - 1/2), and G' its derivative by the
// longitude. Then this is (G x + z G' y)^2 / h^3 + y^2 / (G^2 h), a form in x and y with
//     determinant 1 / h^4,   trace <= (G^2 + G'^2) / h^3 + 1 / h <= (c_2^2 / h + h) / h^2,
// as the gradient of F_2 has a length of at most c_2. Of |dn|^2 / |n|, the same for the ellipsoid,
// it is at least the smaller eigenvalue, with h between 1 and c_1 c_2.
double SupportAtom::least_radius() const {
  if (kind_ != Kind::ellipsoid && kind_ != Kind::superellipsoid) return 0;
  const double of_ellipsoid = radii_.minCoeff() * (radii_.minCoeff() / radii_.maxCoeff());
  if (kind_ == Kind::ellipsoid) return of_ellipsoid;
  if (q1_ > 2 || q2_ > 2) return 0;
  const auto bend = [](double q) { return (q - 1) * std::exp2(2 * (2 - q) / q); };
  const double c2 = std::exp2(1 / q2_ - 0.5), most = std::exp2(1 / q1_ - 0.5) * c2;
  const double trace = std::max(c2 * c2 + 1, c2 * c2 / most + most);
  const double eigenvalue = 2 / (trace + std::sqrt(std::max(0.0, trace * trace - 4)));
  return std::min(bend(q1_), bend(q2_)) * eigenvalue / (most * most) * of_ellipsoid;
}

double SupportAtom::largest_radius() const {
  if (kind_ == Kind::point) return 0;
  if (kind_ != Kind::ellipsoid) return std::numeric_limits<double>::infinity();
  return radii_.maxCoeff() * (radii_.maxCoeff() / radii_.minCoeff());
}

SupportAtom SupportAtom::of_surface(std::shared_ptr<const ClosedSurface> surface) {
  SupportAtom atom;
  atom.kind_ = Kind::surface;
  atom.outer_ = surface->outer_radius();
  atom.surface_ = std::move(surface);
  return atom;
}

double SupportAtom::height(const Vec3& m) const {
  const double at = m.dot(centre_);
  switch (kind_) {
    case Kind::point:
      return at;
    case Kind::circle:
      return at + radii_.x() * std::hypot(m.x(), m.y());
    case Kind::ellipsoid:
      return at + radii_.cwiseProduct(m).norm();
    case Kind::surface:
      return m.isZero(0) ? 0 : at + m.dot(patch_of(m, nullptr));
    case Kind::superellipsoid:
      break;
  }
  const Vec3 s = radii_.cwiseProduct(m).cwiseAbs();
  return at + PNorm(PNorm(s.x(), s.y(), q2_).f, s.z(), q1_).f;
}

SurfacePatch SupportAtom::patch(const Vec3& m) const {
  SurfacePatch patch;
  patch.point = patch_of(m, &patch.radii);
  return patch;
}

Vec3 SupportAtom::patch_of(const Vec3& m, Mat3* radii) const {
  switch (kind_) {
    case Kind::point:
      if (radii != nullptr) radii->setZero();
      return centre_;
    case Kind::circle: {
      // h = r rho with rho = |(m_x, m_y)|: x = r (m_x, m_y, 0) / rho, W = r t t^T / rho with t
      // along the circle.
      const double rho = std::hypot(m.x(), m.y());
      const Vec3 outward = rho > 0 ? Vec3(m.x() / rho, m.y() / rho, 0) : Vec3::UnitX();
      const Vec3 along(-outward.y(), outward.x(), 0);
      if (radii != nullptr)
        *radii = radii_.x() / std::max(rho, least_rim_sine) * along * along.transpose();
      return centre_ + radii_.x() * outward;
    }
    case Kind::ellipsoid: {
      // h = |A m|, A = diag(radii): x = A^2 m / h, W = (A^2 - x x^T) / h.
      const Vec3 squares = radii_.cwiseProduct(radii_);
      const double h = radii_.cwiseProduct(m).norm();
      Vec3 x = squares.cwiseProduct(m) / h;
      if (radii != nullptr) {
        *radii = -x * x.transpose();
        radii->diagonal() += squares;
        *radii /= h;
      }
      return x;
    }
    case Kind::surface: {
      const SurfacePatch patch = surface_->patch(m.normalized());
      if (radii != nullptr) *radii = patch.radii;
      return patch.point;
    }
    case Kind::superellipsoid:
      break;
  }
  return superellipsoid_patch(m, radii);
}

Vec3 SupportAtom::normal_beside(const Vec3& m, const Vec3& step) const {
  if (kind_ == Kind::surface) return surface_->normal_beside(m, step);
  return normal_through(patch_of(m, nullptr) + step);
}

Vec3 SupportAtom::normal_through(const Vec3& point) const {
  const Vec3 s = point.cwiseQuotient(radii_).cwiseAbs();
  // The solid is a ball of the norm whose dual norm has the exponents q: its gradient is the
  // normal.
  const PNorm inner(s.x(), s.y(), q2_ / (q2_ - 1));
  const PNorm outer(inner.f, s.z(), q1_ / (q1_ - 1));
  const Vec3 gradient(outer.f_s * inner.f_s, outer.f_s * inner.f_t, outer.f_t);
  return Vec3(sign_of(point.x()) * gradient.x() / radii_.x(),
              sign_of(point.y()) * gradient.y() / radii_.y(),
              sign_of(point.z()) * gradient.z() / radii_.z())
      .normalized();
}

// h = f1(g, t1) with g = f2(s2, t2), of s2 = a |m_x|, t2 = b |m_y| and t1 = c |m_z|, by the chain
// rule: with g' the gradient of g, the second derivative of h is
//     f1_s bend2 v v^T + bend1 w w^T,   v = (a t2, -b s2, 0),   w = t1 g' - g (0, 0, c).
// Neither v nor w is near the direction of the other one, so that both radii of curvature are
// positive also where one term or both are cut off.
Vec3 SupportAtom::superellipsoid_patch(const Vec3& m, Mat3* radii) const {
  const Vec3 scale(sign_of(m.x()) * radii_.x(), sign_of(m.y()) * radii_.y(),
                   sign_of(m.z()) * radii_.z());
  const Vec3 s = radii_.cwiseProduct(m).cwiseAbs();
  const PNorm inner(s.x(), s.y(), q2_);
  const PNorm outer(inner.f, s.z(), q1_);
  const Vec3 gradient(scale.x() * inner.f_s, scale.y() * inner.f_t, 0);
  Vec3 x = outer.f_s * gradient + Vec3(0, 0, scale.z() * outer.f_t);
  if (radii == nullptr) return x;
  const double largest = largest_radius_factor * outer_;
  Mat3& w = *radii;
  w.setZero();
  if (inner.f == 0) {
    // At the pole the profile decides: flat for q1 < 2, a corner for q1 > 2.
    const Vec3 squares = radii_.cwiseProduct(radii_) / radii_.z();
    if (q1_ < 2) w.diagonal().head<2>().setConstant(largest);
    if (q1_ == 2) w.diagonal().head<2>() = squares.head<2>();
    return x;
  }
  const auto add = [&](double bend, const Vec3& v) {
    const double square = v.squaredNorm();
    if (square > 0) w += std::min(bend, largest / square) * v * v.transpose();
  };
  add(outer.f_s * inner.bend, {scale.x() * s.y(), -scale.y() * s.x(), 0});
  add(outer.bend, s.z() * gradient - inner.f * Vec3(0, 0, scale.z()));
  return x;
}

ConvexSurface ConvexSurface::ellipsoid(const Vec3& radii) {
  ConvexSurface surface;
  surface.atoms_ = {SupportAtom::ellipsoid(radii)};
  surface.outer_ = surface.atoms_.front().outer_radius();
  surface.inner_ = radii.minCoeff();
  return surface;
}

ConvexSurface ConvexSurface::superellipsoid(const Vec3& radii, double e1, double e2) {
  ConvexSurface surface;
  surface.atoms_ = {SupportAtom::superellipsoid(radii, e1, e2)};
  surface.outer_ = surface.atoms_.front().outer_radius();
  // The octahedron between the half axes is within any of them.
  surface.inner_ = 1 / radii.cwiseInverse().norm();
  return surface;
}

ConvexSurface ConvexSurface::of(const SupportAtom& atom) {
  ConvexSurface surface;
  surface.atoms_ = {atom};
  surface.outer_ = atom.centre().norm() + atom.outer_radius();
  return surface;
}

int ConvexSurface::disc_of(int atom) const {
  for (std::size_t i = 0; i < discs_.size(); ++i)
    if (discs_[i].atom == atom) return static_cast<int>(i);
  return -1;
}

ConvexSurface ConvexSurface::of_surface(std::shared_ptr<const ClosedSurface> closed) {
  ConvexSurface surface;
  surface.outer_ = closed->outer_radius();
  surface.inner_ = closed->inner_radius();
  surface.atoms_ = {SupportAtom::of_surface(std::move(closed))};
  return surface;
}

ConvexSurface ConvexSurface::cylinder(double radius, double height) {
  ConvexSurface surface;
  const Vec3 end(0, 0, 0.5 * height);
  surface.atoms_ = {SupportAtom::circle(end, radius), SupportAtom::circle(-end, radius)};
  surface.lines_ = {{{Vec3::UnitZ(), 0}, 0, 1}};
  surface.discs_ = {{Vec3::UnitZ(), 0}, {-Vec3::UnitZ(), 1}};
  surface.outer_ = std::hypot(radius, 0.5 * height);
  surface.inner_ = std::min(radius, 0.5 * height);
  return surface;
}

ConvexSurface ConvexSurface::cone(double radius, double height) {
  ConvexSurface surface;
  const Vec3 end(0, 0, 0.5 * height);
  surface.atoms_ = {SupportAtom::circle(-end, radius), SupportAtom::at_point(end)};
  // Rim and apex are equally high along m where m_z height = radius |(m_x, m_y)|.
  const double slant = std::hypot(radius, height);
  surface.lines_ = {{{Vec3::UnitZ(), radius / slant}, 0, 1}};
  surface.discs_ = {{-Vec3::UnitZ(), 0}};
  surface.outer_ = std::hypot(radius, 0.5 * height);
  surface.inner_ = 0.5 * height * radius / slant;
  return surface;
}

double ConvexSurface::height(const Vec3& m) const {
  double highest = -std::numeric_limits<double>::infinity();
  for (const SupportAtom& atom : atoms_) highest = std::max(highest, atom.height(m));
  return highest;
}

int ConvexSurface::farthest_atom(const Vec3& m) const {
  int farthest = 0;
  double highest = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < static_cast<int>(atoms_.size()); ++i) {
    const double height = atoms_[i].height(m);
    if (height <= highest) continue;
    highest = height;
    farthest = i;
  }
  return farthest;
}

Vec3 ConvexSurface::support(const Vec3& m) const {
  return atoms_[farthest_atom(m)].support(m);
}

}  // namespace abut::geometry
