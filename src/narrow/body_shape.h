#pragma once
// Bodies as the pairs see them: each part is a core with a rounding around it. A sphere is a
// rounded point, a capsule a rounded segment; boxes and hulls are polyhedra with no rounding. A
// half-space is a kind of its own, and so are curved solids, which have a surface instead of a
// core.

#include <cstdint>
#include <memory>
#include <vector>

#include "abut/types.h"
#include "geometry/convex_polyhedron.h"
#include "geometry/convex_surface.h"
#include "model/model.h"

namespace abut::narrow {

enum class SolidKind : std::uint8_t { plane, sphere, capsule, polyhedron, curved };

/// One part of a body, ready for distance queries.
struct Solid {
  SolidKind kind = SolidKind::sphere;
  int part = 0;                     ///< index into the body's parts
  geometry::ConvexPolyhedron core;  ///< a plane has a point, in it, a curved solid its centre
  double rounding = 0;              ///< radius, m
  Vec3 position = Vec3::Zero();     ///< of the core's centre in the body frame
  Quat orientation = Quat::Identity();
  Vec3 normal = Vec3::UnitZ();                             ///< of a plane, in the frame of the part
  std::shared_ptr<const geometry::ConvexSurface> surface;  ///< of a curved solid

  /// Of a ball about `position` that contains the solid; infinite for a plane.
  double bounding_radius() const;
};

/// Made once per body and shared by all its pairs.
class BodyShape {
 public:
  /// Whether every part is a plane, sphere, capsule, box, convex polyhedron, ellipsoid, strictly
  /// convex superellipsoid or convex surface of the user's, none inverted.
  static bool supports(const model::Body& body);

  /// Precondition: supports(body). Throws std::invalid_argument otherwise.
  explicit BodyShape(const model::Body& body);

  const std::vector<Solid>& solids() const { return solids_; }  ///< one per part, in their order

 private:
  std::vector<Solid> solids_;
};

/// A solid at an instant, in a frame with the axes of the world and its origin near both bodies.
struct Placed {
  const Solid* solid = nullptr;
  Mat3 rotation = Mat3::Identity();
  Vec3 position = Vec3::Zero();

  Vec3 operator*(const Vec3& x) const { return rotation * x + position; }
};

/// `offset` is the position of the body frame relative to the origin of the common frame.
Placed placed(const Solid& solid, const Vec3& offset, const Quat& body_orientation);

}  // namespace abut::narrow
