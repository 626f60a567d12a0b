#include "shape/extent.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/closed_surface.h"

namespace abut::shape {
namespace {

double distance_from_axis(const Vec3& p) {
  return std::hypot(p.x(), p.y());
}

// Maximum of a^2 t^e + b^2 (1 - t)^e over t in [0, 1], as a length (its root).
//
// For e >= 1 the sum is convex in t, so the maximum is at an end: max(a, b).
// For e < 1, Hoelder's inequality with the exponents 1/e and 1/(1 - e) gives
//   a^2 t^e + b^2 (1 - t)^e <= (t + (1 - t))^e (a^(2 p) + b^(2 p))^(1 / p),  p = 1 / (1 - e),
// and equality is reached.
double largest_combination(double a, double b, double e) {
  const double longer = std::max(a, b);
  const double shorter = std::min(a, b);
  if (e >= 1 || shorter == 0) return longer;
  const double ratio = shorter / longer;
  const double half_inverse_p = (1 - e) / 2;
  return longer * std::pow(1 + std::pow(ratio, 1 / half_inverse_p), half_inverse_p);
}

// The farthest point of a box-like solid with half-sizes `half` from p is the corner on the other
// side of every axis.
double farthest_corner(const Vec3& half, const Vec3& p) {
  return (half + p.cwiseAbs()).norm();
}

double farthest_vertex(const geometry::PolygonMesh& mesh, const Vec3& p) {
  double squared = 0;
  for (const Vec3& vertex : mesh.vertices) squared = std::max(squared, (vertex - p).squaredNorm());
  return std::sqrt(squared);
}

/// Rigorous but for rounding.
struct Farthest {
  Vec3 p;

  double operator()(const Plane&) const { return std::numeric_limits<double>::infinity(); }
  double operator()(const Sphere& s) const { return p.norm() + s.radius; }
  double operator()(const Ellipsoid& s) const {
    return std::min(p.norm() + s.radii.maxCoeff(), farthest_corner(s.radii, p));
  }
  // With s the share of the cross-section, x^2 + y^2 is at most m^2 s^e1 and z^2 at most
  // c^2 (1 - s)^e1, where m is the largest radius of the whole cross-section.
  double operator()(const Superellipsoid& s) const {
    const double across = largest_combination(s.radii.x(), s.radii.y(), s.e2);
    const double reach = largest_combination(across, s.radii.z(), s.e1);
    return std::min(p.norm() + reach, farthest_corner(s.radii, p));
  }
  double operator()(const Capsule& s) const {
    return std::hypot(distance_from_axis(p), std::abs(p.z()) + s.height / 2) + s.radius;
  }
  double operator()(const Cylinder& s) const {
    return std::hypot(distance_from_axis(p) + s.radius, std::abs(p.z()) + s.height / 2);
  }
  double operator()(const Cone& s) const {
    const double rho = distance_from_axis(p);
    return std::max(std::hypot(rho + s.radius, p.z() + s.height / 2),
                    std::hypot(rho, p.z() - s.height / 2));
  }
  double operator()(const Torus& s) const {
    return std::hypot(distance_from_axis(p) + s.radius, p.z()) + s.tube;
  }
  double operator()(const Box& s) const { return farthest_corner(s.size / 2, p); }
  double operator()(const Convex& s) const { return farthest_vertex(*s.hull, p) + s.rounding; }
  double operator()(const Mesh& s) const { return farthest_vertex(*s.surface, p); }
  double operator()(const UserSurface& s) const {
    const geometry::Aabb& box = s.surface->box();
    return (box.upper - p).cwiseAbs().cwiseMax((p - box.lower).cwiseAbs()).norm();
  }
};

geometry::Aabb centred(double x, double y, double z) {
  const Vec3 half(x, y, z);
  return {-half, half};
}

geometry::Aabb box_of_vertices(const geometry::PolygonMesh& mesh) {
  geometry::Aabb box;
  for (const Vec3& vertex : mesh.vertices) box = geometry::merged(box, {vertex, vertex});
  return box;
}

struct BoxOf {
  geometry::Aabb operator()(const Plane&) const { return geometry::Aabb::whole(); }
  geometry::Aabb operator()(const Sphere& s) const { return centred(s.radius, s.radius, s.radius); }
  geometry::Aabb operator()(const Ellipsoid& s) const { return {-s.radii, s.radii}; }
  geometry::Aabb operator()(const Superellipsoid& s) const { return {-s.radii, s.radii}; }
  geometry::Aabb operator()(const Capsule& s) const {
    return centred(s.radius, s.radius, s.height / 2 + s.radius);
  }
  geometry::Aabb operator()(const Cylinder& s) const {
    return centred(s.radius, s.radius, s.height / 2);
  }
  geometry::Aabb operator()(const Cone& s) const {
    return centred(s.radius, s.radius, s.height / 2);
  }
  geometry::Aabb operator()(const Torus& s) const {
    return centred(s.radius + s.tube, s.radius + s.tube, s.tube);
  }
  geometry::Aabb operator()(const Box& s) const { return {-s.size / 2, s.size / 2}; }
  geometry::Aabb operator()(const Convex& s) const {
    const geometry::Aabb hull = box_of_vertices(*s.hull);
    return s.rounding > 0 ? geometry::inflated(hull, s.rounding) : hull;
  }
  geometry::Aabb operator()(const Mesh& s) const { return box_of_vertices(*s.surface); }
  geometry::Aabb operator()(const UserSurface& s) const { return s.surface->box(); }
};

}  // namespace

geometry::Aabb box_of(const Geometry& geometry) {
  return std::visit(BoxOf{}, geometry);
}

double farthest_distance(const Geometry& geometry, const Vec3& point) {
  return std::visit(Farthest{point}, geometry) * (1 + rounding_margin);
}

}  // namespace abut::shape
