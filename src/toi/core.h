#pragma once
// A convex part as points and a radius: the part lies within the convex hull of the points,
// thickened by the radius. For spheres, capsules, boxes and convex polyhedra it is exactly that.
// Curved solids keep their surface, of which only the support function is asked for. A torus is
// enclosed by the disc of its circle, thickened by its tube, every other bounded shape by its
// bounding sphere, which is safe but not sharp.

#include <memory>
#include <optional>
#include <vector>

#include "abut/types.h"
#include "geometry/convex_surface.h"
#include "model/model.h"

namespace abut::toi {

/// A curved solid as a body carries it.
struct CarriedSurface {
  std::shared_ptr<const geometry::ConvexSurface> surface;
  Mat3 rotation = Mat3::Identity();  ///< of the surface's frame in the motion frame
  Vec3 position = Vec3::Zero();

  explicit operator bool() const { return surface != nullptr; }
  /// The smallest m . x over the solid, m in the motion frame and of any length.
  double lowest(const Vec3& m) const {
    return m.dot(position) - surface->height(-(rotation.transpose() * m));
  }
  double reach() const { return position.norm() + surface->outer_radius(); }
};

struct Core {
  std::vector<Vec3> points;  ///< in the body's motion frame
  double radius = 0;         ///< m
  double reach = 0;          ///< largest distance of a point, or of a curved solid, from the
                             ///< frame's origin, m
  bool exact = true;         ///< false: the part is only enclosed
  CarriedSurface surface;    ///< of a curved solid, which has no points
};

/// Nothing for parts without bounds.
std::optional<Core> core_of(const model::Body& body, const shape::Part& part);

/// The body's motion frame in its body frame: central for dynamic bodies, the body frame itself
/// otherwise.
Pose motion_frame(const model::Body& body);

/// The pose of the body frame, given that of the motion frame.
Pose body_pose(const model::Body& body, const Pose& motion_pose);

}  // namespace abut::toi
