#include "toi/core.h"

#include <algorithm>

#include "base/overloaded.h"
#include "narrow/body_shape.h"

namespace abut::toi {
namespace {

// In the part's own frame.
std::optional<Core> core_of_part(const shape::Part& part) {
  Core core;
  const bool bounded = std::visit(
      base::Overloaded{[&](const shape::Sphere& sphere) {
                         core.points = {Vec3::Zero()};
                         core.radius = sphere.radius;
                         return !sphere.inverted;
                       },
                       [&](const shape::Capsule& capsule) {
                         const Vec3 end(0, 0, capsule.height / 2);
                         core.points = {-end, end};
                         core.radius = capsule.radius;
                         return true;
                       },
                       [&](const shape::Box& box) {
                         for (int corner = 0; corner < 8; ++corner)
                           core.points.push_back(
                               0.5 * Vec3((corner & 1) != 0 ? box.size.x() : -box.size.x(),
                                          (corner & 2) != 0 ? box.size.y() : -box.size.y(),
                                          (corner & 4) != 0 ? box.size.z() : -box.size.z()));
                         return true;
                       },
                       [&](const shape::Convex& convex) {
                         core.points = convex.hull->vertices;
                         core.radius = convex.rounding;
                         return true;
                       },
                       [&](const auto&) {
                         if (shape::is_unbounded(part.geometry)) return false;
                         shape::Part alone = part;
                         alone.pose = Pose{};
                         core.points = {Vec3::Zero()};
                         core.radius = shape::bounding_radius({alone}, Vec3::Zero());
                         core.exact = false;
                         return true;
                       }},
      part.geometry);
  if (!bounded) return std::nullopt;
  return core;
}

// Nothing but curved solids that the narrow phase knows too, and the disc in the hole of a ring.
CarriedSurface surface_of(const shape::Part& part, const Pose& frame) {
  if (std::holds_alternative<shape::Box>(part.geometry) ||
      std::holds_alternative<shape::Convex>(part.geometry))
    return {};  // the shape of a body is much work, and heaps make many pairs
  model::Body alone;
  alone.parts = {part};
  if (!narrow::BodyShape::supports(alone)) return {};
  const narrow::BodyShape shape(alone);
  const narrow::Solid& solid = shape.solids().front();
  if (solid.kind != narrow::SolidKind::curved && solid.kind != narrow::SolidKind::ring) return {};
  const Quat to_frame = frame.orientation.conjugate();
  std::shared_ptr<const geometry::ConvexSurface> surface = solid.surface;
  if (solid.kind == narrow::SolidKind::ring)
    surface = std::make_shared<const geometry::ConvexSurface>(
        geometry::ConvexSurface::of(geometry::SupportAtom::circle(Vec3::Zero(), solid.circle)));
  return {std::move(surface), (to_frame * solid.orientation).toRotationMatrix(),
          to_frame * (solid.position - frame.position)};
}

}  // namespace

std::optional<Core> core_of(const model::Body& body, const shape::Part& part) {
  const Pose frame = motion_frame(body);
  if (CarriedSurface surface = surface_of(part, frame)) {
    Core core;
    core.reach = surface.reach();
    core.surface = std::move(surface);
    if (const auto* torus = std::get_if<shape::Torus>(&part.geometry)) {
      core.radius = torus->tube;
      core.exact = false;
    }
    return core;
  }
  std::optional<Core> core = core_of_part(part);
  if (!core) return std::nullopt;
  for (Vec3& point : core->points) {
    const Vec3 in_body = part.pose.position + part.pose.orientation * point;
    point = frame.orientation.conjugate() * (in_body - frame.position);
    core->reach = std::max(core->reach, point.norm());
  }
  return core;
}

Pose motion_frame(const model::Body& body) {
  return body.is_dynamic() ? body.mass.central : Pose{};
}

Pose body_pose(const model::Body& body, const Pose& motion_pose) {
  return body.is_dynamic() ? body::body_from_central(body.mass, motion_pose) : motion_pose;
}

}  // namespace abut::toi
