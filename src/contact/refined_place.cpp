#include "contact/refined_place.h"

#include <Eigen/LU>
#include <cmath>

#include "math/double_double.h"

namespace abut::contact {
namespace {

using body::RigidMotion;
using math::DoubleDouble;
using math::LongRotation;
using math::LongVec3;

// A normal that would turn by more than this is not one that only lacks its last digits, rad.
constexpr double largest_refinement = 1e-7;

// Relative radii are kept above this multiple of the reach of the coordinates (dimensionless), as
// in the search.
constexpr double least_refined_radius = 1e-13;

// Of a ring or rim, the cosine between the normal and the direction out of its circle below which
// the place on the circle is not taken from the normal (dimensionless).
constexpr double least_ring_cosine = 1e-4;

// One side, placed with all digits.
class LongSide {
 public:
  // `at` is its place as it was found, where the outward normal is m.
  LongSide(const SmoothSide& side, const RigidMotion& body, const Vec3& at, const Vec3& m)
      : side_(side),
        body_(body.pose.orientation),
        surface_(is_placed(side) ? body_.after(side.surface.rotation) : body_),
        position_(LongVec3(body.pose.position) +
                  body_ * LongVec3(is_placed(side) ? side.surface.position : side.feature.point)) {
    if (side.kind != SmoothSideKind::ring && !is_rim(side)) return;
    const Vec3 outward = surface_.inverse(LongVec3(at) - position_).rounded();
    const Vec3 local = surface_.inverse(LongVec3(m)).rounded();
    cosine_ = outward.head<2>().normalized().dot(local.head<2>());
  }

  // On top of a ring or of a flat end its circle has no place of its own. Over the flat end a rim
  // has no normals.
  bool is_determined() const {
    return (side_.kind == SmoothSideKind::ring ? std::abs(cosine_) : cosine_) > least_ring_cosine;
  }

  // The point with the outward normal m; the radii of curvature there.
  LongVec3 support(const LongVec3& m, Mat3& radii) const {
    radii.setZero();
    if (side_.kind == SmoothSideKind::ring) return ring_support(m, radii);
    if (!side_.surface) return position_;
    const geometry::SupportAtom& atom = side_.surface.surface->atoms()[side_.atom];
    const LongVec3 local = surface_.inverse(m);
    const geometry::SurfacePatch patch = atom.patch(local.rounded());
    Mat3 turn;
    for (int i = 0; i < 3; ++i) turn.col(i) = (surface_ * LongVec3(Vec3::Unit(i))).rounded();
    radii = turn * patch.radii * turn.transpose();
    return position_ + surface_ * local_support(atom, local, patch);
  }
  LongVec3 direction() const { return (body_ * LongVec3(side_.feature.direction)).normalized(); }

 private:
  static bool is_placed(const SmoothSide& side) {
    return side.surface || side.kind == SmoothSideKind::ring;
  }

  // On the circle, on the outer or the inner side: W = R / (m.e) t t^T.
  LongVec3 ring_support(const LongVec3& m, Mat3& radii) const {
    const LongVec3 local = surface_.inverse(m);
    const DoubleDouble rho = sqrt(local.x[0] * local.x[0] + local.x[1] * local.x[1]);
    const DoubleDouble scale = DoubleDouble(cosine_ > 0 ? side_.circle : -side_.circle) / rho;
    const LongVec3 at(scale * local.x[0], scale * local.x[1], 0);
    const Vec3 along = (surface_ * LongVec3(-local.x[1] / rho, local.x[0] / rho, 0)).rounded();
    radii = double(scale) * along * along.transpose();
    return position_ + surface_ * at;
  }

  static LongVec3 local_support(const geometry::SupportAtom& atom, const LongVec3& m,
                                const geometry::SurfacePatch& patch) {
    if (atom.is_circle()) {
      const DoubleDouble rho = sqrt(m.x[0] * m.x[0] + m.x[1] * m.x[1]);
      if (!(rho.high > 0)) return LongVec3(patch.point);
      const DoubleDouble scale = DoubleDouble(atom.outer_radius()) / rho;
      return LongVec3(atom.centre()) + LongVec3(scale * m.x[0], scale * m.x[1], 0);
    }
    if (atom.is_ellipsoid()) {
      const Vec3& r = atom.half_axes();
      const LongVec3 scaled(m.x[0] * r.x(), m.x[1] * r.y(), m.x[2] * r.z());
      const DoubleDouble inverse = DoubleDouble(1) / sqrt(scaled.dot(scaled));
      return {inverse * scaled.x[0] * r.x(), inverse * scaled.x[1] * r.y(),
              inverse * scaled.x[2] * r.z()};
    }
    // In doubles, and onward along the surface by what was cut off of m.
    const Vec3 rest(m.x[0].low, m.x[1].low, m.x[2].low);
    return LongVec3(patch.point) + LongVec3(patch.radii * rest);
  }

  const SmoothSide& side_;
  LongRotation body_, surface_;
  LongVec3 position_;
  double cosine_ = 1;  // of a ring or rim: m.e
};

class Refinement {
 public:
  Refinement(const SmoothPair& pair, const geometry::Extremum& found, const RigidMotion& a,
             const RigidMotion& b)
      : sides_{LongSide(pair.sides[0], a, found.a, -found.normal),
               LongSide(pair.sides[1], b, found.b, found.normal)} {
    for (int side = 0; side < 2; ++side) {
      if (!is_line(pair.sides[side])) continue;
      // The outward normal of a is -n.
      lines_[count_] = sides_[side].direction();
      levels_[count_++] = (side == 0 ? -1 : 1) * pair.sides[side].level;
    }
  }

  bool is_determined() const { return sides_[0].is_determined() && sides_[1].is_determined(); }
  LongVec3 direction(int side) const { return sides_[side].direction(); }

  // The place at n, with the residual that says how n should turn.
  struct State {
    RefinedPlace place;
    LongVec3 n, between;
    Vec3 residual = Vec3::Zero();
  };
  State at(const LongVec3& n) const {
    State now;
    now.n = n;
    const LongVec3 x = sides_[0].support(DoubleDouble(-1) * n, now.place.radii_a);
    const LongVec3 y = sides_[1].support(n, now.place.radii_b);
    now.between = x - y;
    const DoubleDouble gap = n.dot(now.between);
    now.residual = (now.between - gap * n).rounded();
    geometry::Extremum& e = now.place.extremum;
    e.normal = n.rounded();
    e.gap = double(gap);
    e.a = x.rounded();
    e.b = y.rounded();
    e.radii = now.place.radii_a + now.place.radii_b;
    return now;
  }

  // dn: across all lines n is given, along none it is free.
  Vec3 step(const State& now, double floor) const {
    const Vec3& n = now.place.extremum.normal;
    if (count_ == 0) {
      const Vec3 u = n.unitOrthogonal(), v = n.cross(u);
      const Mat3 radii = now.place.extremum.radii + now.place.extremum.gap * Mat3::Identity();
      Eigen::Matrix2d w;
      w << u.dot(radii * u), u.dot(radii * v), v.dot(radii * u), v.dot(radii * v);
      if (!(std::abs(w.determinant()) > floor * floor)) return Vec3::Zero();
      const Eigen::Vector2d turn =
          w.inverse() * Eigen::Vector2d(u.dot(now.residual), v.dot(now.residual));
      return turn.x() * u + turn.y() * v;
    }
    const Vec3 e = lines_[0].rounded();
    const Vec3 g = (e - n * n.dot(e)).normalized();
    const double off = double(DoubleDouble(levels_[0]) - now.n.dot(lines_[0]));
    if (count_ == 1) {
      const Vec3 t = n.cross(g);
      const double level = levels_[0];
      const double bend = t.dot(now.place.extremum.radii * t) +
                          now.between.rounded().dot(n - level * e) / (1 - level * level);
      if (!(std::abs(bend) > floor)) return Vec3::Zero();
      // Turning back across the line moves the places too.
      const Vec3 back = off / g.dot(e) * g;
      return back + t.dot(now.residual - now.place.extremum.radii * back) / bend * t;
    }
    const Vec3 other = lines_[1].rounded();
    const double other_off = double(DoubleDouble(levels_[1]) - now.n.dot(lines_[1]));
    const double volume = e.cross(other).dot(n);
    if (volume == 0) return Vec3::Zero();
    return (off * other.cross(n) + other_off * n.cross(e)) / volume;
  }

 private:
  LongSide sides_[2];
  LongVec3 lines_[2];
  double levels_[2] = {0, 0};
  int count_ = 0;
};

}  // namespace

std::optional<RefinedPlace> refined_place(const SmoothPair& pair, const geometry::Extremum& found,
                                          const RigidMotion& a, const RigidMotion& b) {
  for (const SmoothSide& side : pair.sides)
    if (side.kind == SmoothSideKind::bowl) return std::nullopt;
  const Refinement refinement(pair, found, a, b);
  if (!refinement.is_determined()) return std::nullopt;
  for (int side = 0; side < 2; ++side)
    if (pair.sides[side].kind == SmoothSideKind::plane)
      return refinement.at(DoubleDouble(side == 0 ? -1 : 1) * refinement.direction(side)).place;
  const Refinement::State first = refinement.at(LongVec3(found.normal).normalized());
  const double scale = found.a.norm() + found.b.norm();
  const Vec3 turn = refinement.step(first, least_refined_radius * scale);
  if (!(turn.norm() < largest_refinement)) return std::nullopt;
  return refinement.at((first.n + LongVec3(turn)).normalized()).place;
}

}  // namespace abut::contact
