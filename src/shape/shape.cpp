#include "shape/shape.h"

#include <algorithm>
#include <limits>

#include "geometry/closed_surface.h"
#include "shape/extent.h"

namespace abut::shape {
namespace {

struct NameOf {
  std::string_view operator()(const Plane&) const { return "plane"; }
  std::string_view operator()(const Sphere&) const { return "sphere"; }
  std::string_view operator()(const Ellipsoid&) const { return "ellipsoid"; }
  std::string_view operator()(const Superellipsoid&) const { return "superellipsoid"; }
  std::string_view operator()(const Capsule&) const { return "capsule"; }
  std::string_view operator()(const Cylinder&) const { return "cylinder"; }
  std::string_view operator()(const Cone&) const { return "cone"; }
  std::string_view operator()(const Torus&) const { return "torus"; }
  std::string_view operator()(const Box&) const { return "box"; }
  std::string_view operator()(const Convex&) const { return "convex"; }
  std::string_view operator()(const Mesh&) const { return "mesh"; }
  std::string_view operator()(const UserSurface& s) const { return s.surface->kind(); }
};

struct IsUnbounded {
  bool operator()(const Plane&) const { return true; }
  bool operator()(const Sphere& sphere) const { return sphere.inverted; }
  bool operator()(const Ellipsoid& ellipsoid) const { return ellipsoid.inverted; }
  bool operator()(const Superellipsoid& solid) const { return solid.inverted; }
  template <class Bounded>
  bool operator()(const Bounded&) const {
    return false;
  }
};

}  // namespace

std::string_view name_of(const Geometry& geometry) {
  return std::visit(NameOf{}, geometry);
}

bool is_unbounded(const Geometry& geometry) {
  return std::visit(IsUnbounded{}, geometry);
}

double bounding_radius(const std::vector<Part>& parts, const Vec3& centre) {
  double radius = 0;
  for (const Part& part : parts) {
    if (is_unbounded(part.geometry)) return std::numeric_limits<double>::infinity();
    const Vec3 local = part.pose.orientation.conjugate() * (centre - part.pose.position);
    // The subtraction above rounds relative to the positions, not to their difference.
    const double rounding =
        rounding_margin * (centre.cwiseAbs() + part.pose.position.cwiseAbs()).norm();
    radius = std::max(radius, farthest_distance(part.geometry, local) + rounding);
  }
  return radius;
}

}  // namespace abut::shape
