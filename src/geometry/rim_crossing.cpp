#include "geometry/rim_crossing.h"

#include <cmath>

#include "geometry/normal_step.h"

namespace abut::geometry {
namespace {

// Sine of the angle between the normal and an axis (dimensionless) below which the place on the
// circle is not known well by the normal, which tells it to eps / sine radii.
constexpr double near_axis = 1e-3;

// Sine of the angle between the circles (dimensionless) below which their crossing is not known
// well by their directions.
constexpr double least_rim_crossing = 1e-2;

// Newton's method takes about four steps from a place that is near; a longer one than this (rad)
// leads elsewhere.
constexpr int most_crossing_steps = 12;
constexpr double longest_crossing_step = 0.5;

bool is_along(const Vec3& n, const PlacedCircle& circle) {
  return n.cross(circle.axes.col(2)).norm() < near_axis;
}

}  // namespace

PlacedCircle circle_of_rim(const PlacedAtom& rim) {
  return {rim.rotation * rim.atom->centre() + rim.position, rim.rotation, rim.atom->outer_radius()};
}

std::optional<Extremum> rims_crossing(const AtomPair& pair, const Extremum& found) {
  const PlacedCircle a = circle_of_rim(pair.a), b = circle_of_rim(pair.b);
  const bool along_a = is_along(found.normal, a), along_b = is_along(found.normal, b);
  if (along_a == along_b) return std::nullopt;  // of two parallel discs no place is near
  double angle_a = a.angle_of(along_a ? found.b : found.a);
  double angle_b = b.angle_of(along_b ? found.a : found.b);
  const double scale = pair.scale();
  for (int i = 0; i < most_crossing_steps; ++i) {
    const Vec3 t_a = a.tangent(angle_a), t_b = b.tangent(angle_b);
    const Vec3 cross = t_a.cross(t_b);
    if (!(cross.norm() > least_rim_crossing)) return std::nullopt;
    Extremum now;
    now.a = a.at(angle_a);
    now.b = b.at(angle_b);
    const Vec3 between = now.a - now.b;
    // F changes by J (d angle_a, d angle_b).
    const double f_a = between.dot(t_a), f_b = between.dot(t_b), cosine = t_a.dot(t_b);
    const double j_aa = a.radius - between.dot(a.outward(angle_a)), j_ab = -b.radius * cosine;
    const double j_ba = a.radius * cosine, j_bb = -b.radius - between.dot(b.outward(angle_b));
    const double determinant = j_aa * j_bb - j_ab * j_ba;
    if (determinant == 0) return std::nullopt;
    const double step_a = (j_ab * f_b - j_bb * f_a) / determinant;
    const double step_b = (j_ba * f_a - j_aa * f_b) / determinant;
    if (std::hypot(f_a, f_b) <= residual_rounding * scale || i + 1 == most_crossing_steps) {
      now.normal = cross.normalized() * (cross.dot(found.normal) < 0 ? -1 : 1);
      now.gap = now.normal.dot(between);
      now.iterations = found.iterations + i;
      return now;
    }
    if (!(std::hypot(step_a, step_b) < longest_crossing_step)) return std::nullopt;
    angle_a += step_a;
    angle_b += step_b;
  }
  return std::nullopt;
}

}  // namespace abut::geometry
