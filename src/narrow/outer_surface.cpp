#include "narrow/outer_surface.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "narrow/part_pair.h"

namespace abut::narrow {
namespace {

// Sine of an angle between normals that are one, where a surface has only one at a place
// (dimensionless).
constexpr double one_normal = 1e-9;

// How far beside a place its normal is looked for: as a fraction of the size of the part
// (dimensionless), and at least this many tolerances, so that what is beside is told apart.
constexpr double beside_fraction = 1e-4;
constexpr double beside_tolerances = 100;

// Directions in which it is looked for.
constexpr int directions_beside = 32;

// Roundings of the coordinates of a place, relative to its distance from the part and its size.
constexpr double place_rounding = 16 * epsilon;

const Solid& a_point() {
  static const Solid point = [] {
    Solid solid;
    solid.kind = SolidKind::sphere;
    solid.core = geometry::ConvexPolyhedron::from_point();
    return solid;
  }();
  return point;
}

Placed in_body(const Solid& solid) {
  return placed(solid, Vec3::Zero(), Quat::Identity());
}

// How far a point is outside of a solid; the normal leads to it.
Separation from_point(const Solid& solid, const Vec3& x) {
  const std::unique_ptr<PartPair> pair = make_part_pair(a_point(), solid);
  PairStatistics statistics;
  return pair->separation({&a_point(), Mat3::Identity(), x}, in_body(solid), statistics);
}

bool may_hold(const Solid& solid, const Vec3& x, double tolerance) {
  return (x - solid.position).norm() <= solid.bounding_radius() + tolerance;
}

// Whether the point is on the flat face of the part that has the normal of the place.
bool is_on_face(const Solid& solid, const Vec3& x, double size) {
  return from_point(solid, x).gap <= place_rounding * size;
}

}  // namespace

double highest_above(const Solid& solid, const SurfacePlace& place) {
  const Vec3 m = solid.orientation.conjugate() * place.outward;
  double height = solid.rounding;
  if (solid.kind == SolidKind::plane) {
    if ((m - solid.normal).norm() > one_normal) return infinity;
  } else if (solid.surface) {
    height += solid.surface->height(m);
  } else {
    height += m.dot(solid.core.vertices()[solid.core.support(m)]);
  }
  return height + place.outward.dot(solid.position - place.point);
}

double rise_above(const Solid& other, const SurfacePlace& place, double tolerance) {
  if (!may_hold(other, place.point, tolerance)) return 0;
  const Separation from = from_point(other, place.point);
  if (!(from.gap <= tolerance)) return 0;
  if (other.is_convex()) return highest_above(other, place) - tolerance;
  return from.gap < -tolerance || (from.normal - place.outward).norm() > one_normal ? infinity : 0;
}

bool is_hidden(const BodyShape& shape, const SurfacePlace& place, const std::vector<int>& others,
               double tolerance) {
  const auto hides = [&](const SurfacePlace& at) {
    return std::any_of(others.begin(), others.end(), [&](int other) {
      return rise_above(shape.solids()[other], at, tolerance) > 0;
    });
  };
  if (!hides(place)) return false;
  const Solid& own = shape.solids()[place.part];
  // Only of flat faces more than the place itself has its normal.
  if (own.surface || own.rounding > 0 || !own.is_convex()) return true;
  const double size = own.core.radius() + (place.point - own.position).norm();
  const double step = std::max(beside_fraction * size, beside_tolerances * tolerance);
  const Vec3 x = place.outward.unitOrthogonal(), y = place.outward.cross(x);
  for (int i = 0; i < directions_beside; ++i) {
    const double angle = 2 * M_PI * (i + 0.5) / directions_beside;
    SurfacePlace beside = place;
    beside.point += step * (std::cos(angle) * x + std::sin(angle) * y);
    if (is_on_face(own, beside.point, size) && !hides(beside)) return false;
  }
  return true;
}

}  // namespace abut::narrow
