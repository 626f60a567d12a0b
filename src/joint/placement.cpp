#include "joint/placement.h"

#include <cmath>

namespace abut::joint {
namespace {

Vec3 unit(const Vec3& direction) {
  // stableNormalized: squares of components such as 1e-200 are zero.
  return direction.stableNormalized();
}

/// A unit vector perpendicular to the unit vector z; for a coordinate axis, another one of them.
Vec3 perpendicular_to(const Vec3& z) {
  int smallest = 0;
  z.cwiseAbs().minCoeff(&smallest);
  const Vec3 e = Vec3::Unit(smallest);
  return unit(e - e.dot(z) * z);
}

/// The orientation with the given z and, as far as it is perpendicular to that, x.
Quat orientation_with(const Vec3& z, const Vec3& x_hint) {
  const Vec3 x = unit(x_hint - x_hint.dot(z) * z);
  Mat3 axes;
  axes << x, z.cross(x), z;
  return Quat(axes).normalized();
}

/// The joint frames' orientations in the world at time 0.
std::array<Quat, 2> orientations(Type type, const Placement& placement) {
  if (!has_axis(type)) return {Quat::Identity(), Quat::Identity()};
  const Vec3 z = unit(placement.axis);
  if (type != Type::universal) {
    const Quat both = orientation_with(z, perpendicular_to(z));
    return {both, both};
  }
  const Vec3 hint = placement.axis2 ? unit(*placement.axis2) : perpendicular_to(z);
  const Vec3 z2 = unit(hint - hint.dot(z) * z);
  return {orientation_with(z, z2), orientation_with(z2, z)};
}

}  // namespace

bool nearly_perpendicular(const Vec3& u, const Vec3& w) {
  // rad. Directions are often written with three or four digits.
  constexpr double largest_lean = 1e-3;
  return std::abs(unit(u).dot(unit(w))) <= largest_lean;
}

void place(Joint& joint, const Placement& placement, const std::array<Pose, 2>& motion_frames) {
  const std::array<Quat, 2> turned = orientations(joint.type, placement);
  for (std::size_t i = 0; i < 2; ++i) {
    const Pose& body = motion_frames[i];
    const Quat to_body = body.orientation.conjugate();
    joint.frames[i] = {to_body * (placement.points[i] - body.position), to_body * turned[i]};
  }
  joint.length = 0;
  if (joint.type == Type::distance)
    joint.length = (placement.points[1] - placement.points[0]).stableNorm();
}

}  // namespace abut::joint
