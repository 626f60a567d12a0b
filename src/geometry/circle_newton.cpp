#include "geometry/circle_newton.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <vector>

#include "geometry/normal_step.h"

namespace abut::geometry {
namespace {

// Looks at the other set until Newton's method is taken not to get there, and the longest step, rad
// of the angle or of the normal.
constexpr int most_looks = 12;
constexpr double longest_newton_turn = 0.5;

// The cosine between the normal and the plane of the circle below which its place is not taken from
// the normal (dimensionless).
constexpr double least_facing = 1e-3;

// A slope f'/R below this is rounding (dimensionless): it is a product of two unit vectors. So is a
// step of this angle (rad).
constexpr double level_slope = 2 * epsilon;
constexpr double smallest_step = 4 * epsilon;

// Arcs to begin with, and more looks than are worthwhile: then the circle is scanned.
constexpr int arcs_at_first = 8;
constexpr int most_arc_looks = 300;

// No two places of least distance are nearer to each other than this part of what is told apart by
// a scan (dimensionless), which is least / R.
constexpr double told_apart = 1.0 / 64;

struct FacingCircle {
  Vec3 outward, along, place;
  Mat3 radii;

  // For a normal n from the other surface to the circle; nothing on top of the ring.
  static std::optional<FacingCircle> at(const PlacedCircle& circle, const Vec3& n, double side) {
    const Vec3 axis = circle.axes.col(2);
    const Vec3 aside = -(n - axis * axis.dot(n));
    const double cosine = aside.norm();
    if (!(cosine > least_facing)) return std::nullopt;
    FacingCircle made;
    made.outward = side / cosine * aside;
    made.along = axis.cross(made.outward);
    made.place = circle.centre + circle.radius * made.outward;
    made.radii = side * circle.radius / cosine * made.along * made.along.transpose();
    return made;
  }
};

// W^-1 v across n.
std::optional<Vec3> solved_across(const Vec3& n, const Mat3& w, const Vec3& v) {
  const Vec3 first = n.unitOrthogonal(), second = n.cross(first);
  Eigen::Matrix2d m;
  m << first.dot(w * first), first.dot(w * second), second.dot(w * first), second.dot(w * second);
  const double determinant = m.determinant();
  if (!(std::abs(determinant) > 0)) return std::nullopt;
  const Eigen::Vector2d solution = m.inverse() * Eigen::Vector2d(first.dot(v), second.dot(v));
  return Vec3(solution.x() * first + solution.y() * second);
}

}  // namespace

std::optional<CirclePlace> minimum_near(const PlacedCircle& circle,
                                        const DistanceFromPoint& distance,
                                        const BendingOfSet& bending, double from) {
  const double r = circle.radius;
  CirclePlace place;
  place.angle = from;
  for (int i = 0; i < most_looks; ++i) {
    place.on_circle = circle.at(place.angle);
    place.other = distance(place.on_circle);
    const Vec3 t = circle.tangent(place.angle);
    const double slope = place.other.normal.dot(t);
    place.stiffness = r * r * t.dot(bending(place.other) * t) -
                      r * place.other.normal.dot(circle.outward(place.angle));
    if (!(place.stiffness > 0)) return std::nullopt;
    const double step = -r * slope / place.stiffness;
    if (std::abs(slope) <= level_slope || std::abs(step) <= smallest_step) return place;
    if (!(std::abs(step) < longest_newton_turn)) return std::nullopt;
    place.angle += step;
  }
  return std::nullopt;
}

std::optional<CirclePlace> stationary_near(const PlacedCircle& circle, const PlacedAtom& other,
                                           Vec3 n, double side) {
  const double scale = (circle.centre - other.position).norm() + circle.radius +
                       other.atom->outer_radius() + other.atom->centre().norm();
  for (int i = 0; i < most_looks; ++i) {
    const std::optional<FacingCircle> at = FacingCircle::at(circle, n, side);
    if (!at) return std::nullopt;
    const SurfacePatch patch = other.patch(n);
    const Vec3 between = at->place - patch.point;
    const double distance = n.dot(between);
    const Vec3 residual = between - distance * n;
    const Mat3 of_other = patch.radii + distance * Mat3::Identity();
    if (residual.norm() <= residual_rounding * scale) {
      const std::optional<Vec3> turning = solved_across(n, of_other, at->along);
      if (!turning) return std::nullopt;
      const double r = circle.radius;
      return CirclePlace{circle.angle_of(at->place),
                         at->place,
                         {distance, n, patch.point},
                         r * r * at->along.dot(*turning) - r * n.dot(at->outward)};
    }
    const std::optional<Vec3> step = solved_across(n, of_other + at->radii, residual);
    if (!step || !(step->norm() < longest_newton_turn)) return std::nullopt;
    n = (n + *step).normalized();
  }
  return std::nullopt;
}

BendingOfSet bending_of(const PlacedAtom& surface) {
  return [surface](const DistanceOfSet& found) -> Mat3 {
    const Vec3 u = found.normal.unitOrthogonal(), v = found.normal.cross(u);
    const Mat3 w = surface.patch(found.normal).radii + found.distance * Mat3::Identity();
    Eigen::Matrix2d m;
    m << u.dot(w * u), u.dot(w * v), v.dot(w * u), v.dot(w * v);
    Eigen::Matrix<double, 3, 2> across;
    across << u, v;
    return across * m.inverse() * across.transpose();
  };
}

CirclePlace nearest_to_convex(const PlacedCircle& circle, const DistanceFromPoint& distance,
                              const BendingOfSet& bending, double least, double near) {
  const auto minimum_from = [&](double angle) {
    const std::optional<CirclePlace> found = minimum_near(circle, distance, bending, angle);
    return found ? *found : minimum_downhill(circle, distance, angle);
  };
  CirclePlace best = minimum_from(near);
  if (is_nearest_to_convex(circle, best)) return best;
  struct Arc {
    double angle, half;
  };
  // Around a place of least distance there is no other.
  const double window = told_apart * least / circle.radius;
  std::vector<Arc> todo;
  const auto begin_anew = [&] {
    todo.clear();
    const double half = (M_PI - window) / arcs_at_first;
    for (int i = 0; i < arcs_at_first; ++i)
      todo.push_back({best.angle + window + (2 * i + 1) * half, half});
  };
  begin_anew();
  for (int looks = 0; !todo.empty(); ++looks) {
    if (looks == most_arc_looks) return nearest_on_circle(circle, distance, least, best.angle);
    const Arc arc = todo.back();
    todo.pop_back();
    const DistanceOfSet found = distance(circle.at(arc.angle));
    if (found.distance < best.distance()) {
      best = minimum_from(arc.angle);
      if (is_nearest_to_convex(circle, best)) return best;
      begin_anew();
      continue;
    }
    const double width =
        circle.radius *
        (std::abs(found.normal.dot(circle.tangent(arc.angle))) * arc.half +
         0.5 * std::max(found.normal.dot(circle.outward(arc.angle)), 0.0) * arc.half * arc.half);
    if (found.distance - width >= best.distance()) continue;
    for (const double side : {-0.5, 0.5})
      todo.push_back({arc.angle + side * arc.half, 0.5 * arc.half});
  }
  return best;
}

CirclePlace lowest_over_plane(const PlacedCircle& circle, const Vec3& on_plane,
                              const Vec3& normal) {
  const double x = normal.dot(circle.axes.col(0)), y = normal.dot(circle.axes.col(1));
  CirclePlace place;
  place.angle = std::atan2(-y, -x);
  place.on_circle = circle.at(place.angle);
  place.other = from_plane(place.on_circle, on_plane, normal);
  place.stiffness = circle.radius * std::hypot(x, y);
  return place;
}

// n.(c - c_0) = R (n.t sin d - n.e (1 - cos d)) for the point at an angle d from c_0, and n.t = 0.
bool is_nearest_to_convex(const PlacedCircle& circle, const CirclePlace& place) {
  return place.distance() > 0 && place.other.normal.dot(circle.outward(place.angle)) <= 0;
}

}  // namespace abut::geometry
