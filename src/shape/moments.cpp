#include "shape/moments.h"

#include <stdexcept>

#include "geometry/closed_surface.h"
#include "shape/polyhedron_moments.h"
#include "shape/rounded_moments.h"
#include "shape/solid_moments.h"

namespace abut::shape {
namespace {

struct SecondMomentsOf {
  SecondMoments operator()(const Plane&) const {
    throw std::logic_error("a half-space has no mass");
  }
  SecondMoments operator()(const Convex& convex) const {
    return convex.rounding > 0 ? rounded_moments_of(*convex.hull, convex.rounding)
                               : second_moments_of(*convex.hull);
  }
  SecondMoments operator()(const Mesh& mesh) const { return second_moments_of(*mesh.surface); }
  SecondMoments operator()(const UserSurface& user) const {
    const geometry::VolumeIntegrals& integrals = user.surface->integrals();
    return {integrals.volume, integrals.centroid, integrals.second};
  }
  template <class Solid>
  SecondMoments operator()(const Solid& solid) const {
    return second_moments_of(solid);
  }
};

/// The inertia of a point mass at the offset d: m (d.d 1 - d d^T).
Mat3 point_inertia(double mass, const Vec3& d) {
  return mass * inertia_from_second_moments(d * d.transpose());
}

/// A symmetric matrix in rotated axes, R A R^T, exactly symmetric.
Mat3 rotated(const Mat3& matrix, const Quat& rotation) {
  const Mat3 r = rotation.toRotationMatrix();
  const Mat3 product = r * matrix * r.transpose();
  return (product + product.transpose()) / 2;
}

}  // namespace

Moments moments_of(const Geometry& geometry, double density) {
  const SecondMoments solid = std::visit(SecondMomentsOf{}, geometry);
  Moments moments;
  moments.volume = solid.volume;
  moments.mass = density * solid.volume;
  moments.centre = solid.centroid;
  moments.inertia = density * inertia_from_second_moments(solid.second);
  return moments;
}

Moments transformed(const Moments& moments, const Pose& pose) {
  Moments result = moments;
  result.centre = pose.position + pose.orientation * moments.centre;
  // An unrotated solid keeps its inertia to the last bit, and with it its own axes.
  const bool unrotated = pose.orientation.vec().isZero(0);
  if (!unrotated) result.inertia = rotated(moments.inertia, pose.orientation);
  return result;
}

Moments combined(const std::vector<Moments>& moments) {
  if (moments.size() == 1) return moments.front();
  Moments whole;
  for (const Moments& part : moments) {
    whole.volume += part.volume;
    whole.mass += part.mass;
  }
  if (whole.mass == 0) return whole;
  // Centres are averaged relative to the first, so that a body far from its origin loses nothing.
  const Vec3 origin = moments.front().centre;
  for (const Moments& part : moments) {
    whole.centre += part.mass / whole.mass * (part.centre - origin);
  }
  whole.centre += origin;
  for (const Moments& part : moments) {
    whole.inertia += part.inertia + point_inertia(part.mass, part.centre - whole.centre);
  }
  return whole;
}

Moments moments_of(const std::vector<Part>& parts) {
  std::vector<Moments> moments;
  moments.reserve(parts.size());
  for (const Part& part : parts) {
    moments.push_back(transformed(moments_of(part.geometry, part.density), part.pose));
  }
  return combined(moments);
}

}  // namespace abut::shape
