#include "verify/placement.h"

namespace abut::verify {
namespace {

Placed placed(const Solid& solid, const Vec3& body_position, const Quat& body_orientation) {
  const Quat body = body_orientation.normalized();
  Placed result;
  result.solid = &solid;
  result.rotation =
      body.toRotationMatrix() * solid.pose.orientation.normalized().toRotationMatrix();
  result.position = body_position + body * solid.pose.position;
  result.points.reserve(solid.points.size());
  for (const Vec3& p : solid.points) {
    result.points.push_back(triple(result.position + result.rotation * p));
  }
  return result;
}

}  // namespace

PlacedPair::PlacedPair(const Solid& solid_a, const BodyState& state_a, const Solid& solid_b,
                       const BodyState& state_b) {
  const Vec3 between = state_b.position - state_a.position;
  a = placed(solid_a, Vec3::Zero(), state_a.orientation);
  b = placed(solid_b, between, state_b.orientation);
  size = solid_a.reach + solid_b.reach + between.norm();
  margin = placing_error * size;
}

geometry::Aabb world_box(const geometry::Aabb& box, const BodyState& state) {
  if (!box.is_bounded()) return geometry::Aabb::whole();
  const Mat3 rotation = state.orientation.normalized().toRotationMatrix();
  const Vec3 half = 0.5 * (box.upper - box.lower);
  const Vec3 centre = state.position + rotation * (0.5 * (box.lower + box.upper));
  const Vec3 turned = rotation.cwiseAbs() * half;
  const double size = state.position.norm() + box.lower.norm() + box.upper.norm();
  return geometry::inflated({centre - turned, centre + turned}, placing_error * size);
}

}  // namespace abut::verify
