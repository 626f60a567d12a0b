#include "geometry/extremal_normal.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/limits.h"
#include "geometry/normal_search.h"
#include "geometry/normal_step.h"

namespace abut::geometry {
namespace {

// As for the search over all normals.
constexpr int most_iterations = most_uphill_steps;

// Relative radii are kept above this multiple of the reach of the coordinates (dimensionless): two
// corners that touch have none, and no direction that is better than another.
constexpr double least_radius = 1e-13;

// A surface is flat where its radii are larger than this multiple of the reach of the coordinates
// (dimensionless).
constexpr double flat_radius = 30;

// Normals on a circle that are tried before one is refined: the gap has few maxima on it.
constexpr int circle_samples = 24;

// A search that ends with a residual above this times the reach of the coordinates has stalled
// (dimensionless): far above what rounding leaves, far below what a wrong place has.
constexpr double stalled_residual = 1e-9;

// A circle's support is not smooth along its axis: the search starts this far from it (rad).
constexpr double tilt = 1e-2;

Extremum evaluate(const AtomPair& pair, const Vec3& n) {
  const SurfacePatch a = pair.a.patch(-n), b = pair.b.patch(n);
  Extremum now;
  now.normal = n;
  now.a = a.point;
  now.b = b.point;
  now.gap = n.dot(a.point - b.point);
  now.radii = a.radii + b.radii;
  now.radii_a = a.radii;
  return now;
}

Vec3 residual_of(const Extremum& e) {
  return (e.a - e.b) - e.gap * e.normal;
}

// (W + g) dn = F in the plane across n. Where solids overlap by more than their radii, W + g is not
// positive: then its eigenvalues are taken by their size, which still leads uphill.
Vec3 newton_step(const Extremum& now, const Vec3& residual, double scale) {
  const Vec3 u = now.normal.unitOrthogonal(), v = now.normal.cross(u);
  Eigen::Matrix2d h;
  h << u.dot(now.radii * u), u.dot(now.radii * v), 0, v.dot(now.radii * v);
  const double mean = 0.5 * (h(0, 0) + h(1, 1)) + now.gap;
  const double half = 0.5 * (h(0, 0) - h(1, 1)), off = h(0, 1);
  const double spread = std::hypot(half, off);
  const double floor = least_radius * scale;
  const double large = std::max(std::abs(mean + spread), floor);
  const double small = std::max(std::abs(mean - spread), floor);
  const Eigen::Vector2d f(u.dot(residual), v.dot(residual));
  // The eigenvector of the larger eigenvalue.
  Eigen::Vector2d axis(1, 0);
  if (spread > 0) {
    axis = half >= 0 ? Eigen::Vector2d(half + spread, off) : Eigen::Vector2d(off, spread - half);
    axis.normalize();
  }
  const Eigen::Vector2d other(-axis.y(), axis.x());
  const Eigen::Vector2d step = axis.dot(f) / large * axis + other.dot(f) / small * other;
  return step.x() * u + step.y() * v;
}

// Where Newton's step leads by the place on the flatter surface; nothing where neither is flat.
std::optional<Vec3> normal_beside(const AtomPair& pair, const Extremum& now, const Vec3& step,
                                  double scale) {
  const Mat3 radii_b = now.radii - now.radii_a;
  const bool on_a = now.radii_a.squaredNorm() >= radii_b.squaredNorm();
  const double outward = on_a ? -1 : 1;
  const std::optional<Vec3> m =
      normal_by_place(on_a ? pair.a : pair.b, on_a ? now.radii_a : radii_b, outward * now.normal,
                      outward * step, scale);
  return m ? std::optional<Vec3>(outward * *m) : std::nullopt;
}

// The gap along normals, for the search uphill.
class GapHill {
 public:
  using Place = Extremum;

  explicit GapHill(const AtomPair& pair) : pair_(pair), scale_(pair.scale()) {}
  Place at(const Vec3& n) const { return evaluate(pair_, n); }
  static const Vec3& normal(const Place& place) { return place.normal; }
  static double value(const Place& place) { return place.gap; }
  static Vec3 residual(const Place& place) { return residual_of(place); }
  Vec3 step(const Place& place) const { return newton_step(place, residual_of(place), scale_); }
  std::optional<Vec3> beside(const Place& place, const Vec3& step) const {
    return normal_beside(pair_, place, step, scale_);
  }
  double scale() const { return scale_; }

 private:
  const AtomPair& pair_;
  double scale_;
};

Vec3 away_from_axis(const PlacedAtom& atom, const Vec3& n, const Vec3& towards) {
  if (!atom.atom->is_circle()) return n;
  const Vec3 axis = atom.rotation.col(2);
  if (n.cross(axis).norm() >= tilt) return n;
  Vec3 aside = towards - axis * axis.dot(towards);
  if (!(aside.norm() > 0)) aside = atom.rotation.col(0);
  return (n + tilt * aside.normalized()).normalized();
}

// A circle's support has a kink along its axis, where a search may stall that came from the side.
// If the other surface's place p for that normal is over the disc, the axis is the normal indeed.
// Otherwise g grows from there towards p: with u the direction from the centre to p, at a distance
// s in the plane of the disc, and n turned from the axis to u by delta, the circle's own place
// stays, and
//     g = g_0 + (s - r) delta - (u.W u + g_0) delta^2 / 2,
// with W of the other surface. From its maximum, higher than the kink, nothing leads back.
std::optional<Vec3> off_the_axis(const AtomPair& pair, bool is_a, const Vec3& n) {
  const PlacedAtom &own = is_a ? pair.a : pair.b, &other = is_a ? pair.b : pair.a;
  if (!own.atom->is_circle()) return std::nullopt;
  const double outward = is_a ? -1 : 1;  // of own, along n
  const Vec3 axis = std::copysign(1.0, n.dot(own.rotation.col(2))) * own.rotation.col(2);
  const SurfacePatch there = other.patch(-outward * axis);
  const Vec3 apart = there.point - own.rotation * own.atom->centre() - own.position;
  const Vec3 aside = apart - axis * axis.dot(apart);
  const double beyond = aside.norm() - own.atom->outer_radius();
  if (!(beyond > 0)) return std::nullopt;
  const Vec3 u = aside.normalized();
  const double bend = u.dot(there.radii * u) + outward * axis.dot(apart);
  const double turn = beyond / std::max(bend, least_radius * pair.scale());
  return turned(axis, outward * turn * u, 1);
}

class CircleFrame {
 public:
  explicit CircleFrame(const NormalCircle& circle)
      : axis_(circle.axis),
        level_(circle.level),
        radius_(std::sqrt(std::max(0.0, 1 - circle.level * circle.level))),
        p_(circle.axis.unitOrthogonal()),
        q_(circle.axis.cross(p_)) {}

  Vec3 at(double angle) const {
    return level_ * axis_ + radius_ * (std::cos(angle) * p_ + std::sin(angle) * q_);
  }
  Vec3 tangent(double angle) const {
    return radius_ * (std::cos(angle) * q_ - std::sin(angle) * p_);
  }
  double angle_of(const Vec3& n) const { return std::atan2(q_.dot(n), p_.dot(n)); }
  const Vec3& axis() const { return axis_; }
  double level() const { return level_; }

 private:
  Vec3 axis_;
  double level_, radius_;
  Vec3 p_, q_;
};

Extremum climb(const AtomPair& pair, const Vec3& first) {
  const GapHill hill(pair);
  NormalSearch search(hill);
  Extremum found = search.uphill(hill.at(first));
  found.iterations = search.steps();
  return found;
}

}  // namespace

SurfacePatch PlacedAtom::patch(const Vec3& m) const {
  SurfacePatch patch = atom->patch(rotation.transpose() * m);
  patch.point = rotation * patch.point + position;
  if (!atom->is_point()) patch.radii = rotation * patch.radii * rotation.transpose();
  return patch;
}

std::optional<Vec3> normal_by_place(const PlacedAtom& flatter, const Mat3& radii, const Vec3& m,
                                    const Vec3& step, double scale) {
  if (radii.norm() < flat_radius * scale || flatter.atom->is_circle()) return std::nullopt;
  const Vec3 way = flatter.rotation.transpose() * (radii * step);
  if (way.norm() > flatter.atom->outer_radius()) return std::nullopt;
  return Vec3(flatter.rotation *
              flatter.atom->normal_beside(flatter.rotation.transpose() * m, way));
}

double AtomPair::scale() const {
  return (a.position - b.position).norm() + a.atom->centre().norm() + b.atom->centre().norm() +
         a.atom->outer_radius() + b.atom->outer_radius();
}

Extremum extremum_at(const AtomPair& pair, const Vec3& normal) {
  return evaluate(pair, normal);
}

Extremum extremal_normal(const AtomPair& pair, const Vec3& start) {
  const Vec3 between = pair.a.position - pair.b.position;
  Vec3 first = away_from_axis(pair.a, start, between);
  first = away_from_axis(pair.b, first, between);
  Extremum now = climb(pair, first);
  for (const bool is_a : {true, false}) {
    if (residual_of(now).norm() <= stalled_residual * pair.scale()) break;
    const std::optional<Vec3> beside = off_the_axis(pair, is_a, now.normal);
    if (!beside) continue;
    const Extremum other = climb(pair, *beside);
    if (other.gap > now.gap) now = other;
  }
  return now;
}

Extremum extremum_of_point(const Vec3& point, const PlacedAtom& other, Vec3& hint) {
  const Vec3 between = point - other.position;
  if (hint.isZero() || hint.dot(between) <= 0) hint = between.stableNormalized();
  Extremum found =
      extremal_normal({{&SupportAtom::origin(), Mat3::Identity(), point}, other}, hint);
  hint = found.normal;
  return found;
}

// With n on a circle, g' = (x - y) . n' and g'' = -n' . (W_A + W_B) n' + (x - y) . n''; n'' points
// from n to the centre of the circle.
Extremum extremal_normal_on(const AtomPair& pair, const NormalCircle& circle, const Vec3& start) {
  const double scale = pair.scale();
  const CircleFrame frame(circle);
  double angle = frame.angle_of(start);
  if (start.isZero()) {
    double best = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < circle_samples; ++i) {
      const double candidate = 2 * M_PI * i / circle_samples;
      const double gap = pair.gap_along(frame.at(candidate));
      if (gap <= best) continue;
      best = gap;
      angle = candidate;
    }
  }
  Extremum now = evaluate(pair, frame.at(angle));
  int iterations = 0;
  for (; iterations < most_iterations; ++iterations) {
    const Vec3 t = frame.tangent(angle);
    const Vec3 between = now.a - now.b;
    const double slope = between.dot(t);
    if (std::abs(slope) <= residual_rounding * scale) break;
    const double curvature =
        t.dot(now.radii * t) + between.dot(now.normal - frame.level() * frame.axis());
    const double step =
        std::clamp(slope / std::max(std::abs(curvature), least_radius * scale), -1.0, 1.0);
    if (const std::optional<Vec3> beside = normal_beside(pair, now, step * t, scale)) {
      // On the circle, as far along the direction in which the surface is flat.
      const Vec3 flat = (now.radii * t).normalized();
      const double next_angle = angle + flat.dot(*beside - now.normal) / flat.dot(t);
      const Extremum next = evaluate(pair, frame.at(next_angle));
      const double next_slope = (next.a - next.b).dot(frame.tangent(next_angle));
      if (next.gap - now.gap >= -4 * epsilon * scale &&
          std::abs(next_slope) <= least_reduction * std::abs(slope)) {
        now = next;
        angle = next_angle;
        continue;
      }
    }
    bool improved = false;
    double fraction = 1;
    for (int i = 0; i < most_halvings && !improved; ++i, fraction *= 0.5) {
      const double next_angle = angle + fraction * step;
      const Extremum next = evaluate(pair, frame.at(next_angle));
      const double gain = next.gap - now.gap;
      const double next_slope = (next.a - next.b).dot(frame.tangent(next_angle));
      const bool climbs = gain >= least_gain * fraction * step * slope && gain > epsilon * scale;
      const bool closes =
          gain >= -4 * epsilon * scale && std::abs(next_slope) <= least_reduction * std::abs(slope);
      improved = climbs || closes;
      if (!improved) continue;
      now = next;
      angle = next_angle;
    }
    if (!improved) break;
  }
  now.iterations = iterations;
  return now;
}

// n = s u + t w + r u x w with n.u and n.w given.
int crossings(const NormalCircle& one, const NormalCircle& other, std::array<Vec3, 2>& found) {
  const Vec3 cross = one.axis.cross(other.axis);
  const double squared = cross.squaredNorm();
  // Circles about the same axis meet nowhere, or everywhere.
  if (!(squared > 1e-24)) return 0;
  const double cosine = one.axis.dot(other.axis);
  const double s = (one.level - other.level * cosine) / squared;
  const double t = (other.level - one.level * cosine) / squared;
  const Vec3 middle = s * one.axis + t * other.axis;
  const double rest = 1 - middle.squaredNorm();
  if (rest < 0) return 0;
  const Vec3 aside = std::sqrt(rest / squared) * cross;
  found = {(middle + aside).normalized(), (middle - aside).normalized()};
  return 2;
}

}  // namespace abut::geometry
