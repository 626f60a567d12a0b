#pragma once
// Bodies as the pairs see them: each part is a core with a rounding around it. A sphere is a
// rounded point, a capsule a rounded segment; boxes are polyhedra with no rounding, hulls may have
// one. A half-space is a kind of its own, and so are curved solids, cylinders and cones among them,
// which have a surface instead of a core. Three kinds are not convex: a ring is a rounded circle, a
// bowl is all that lies outside of a curved surface, and a mesh has a boundary of flat cells, which
// are solids of their own: polygons without thickness.

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "abut/types.h"
#include "geometry/convex_polyhedron.h"
#include "geometry/convex_surface.h"
#include "model/model.h"

namespace abut::narrow {

enum class SolidKind : std::uint8_t {
  plane,
  sphere,
  capsule,
  polyhedron,
  curved,
  ring,
  bowl,
  mesh
};

class MeshCells;

/// One part of a body, or one cell of a mesh, ready for distance queries.
struct Solid {
  SolidKind kind = SolidKind::sphere;
  int part = 0;                     ///< index into the body's parts, or a cell (narrow/solid_id.h)
  geometry::ConvexPolyhedron core;  ///< a plane has a point, in it; curved, ring, bowl: the centre
  double rounding = 0;              ///< radius, m
  double circle = 0;                ///< of a ring: radius of the circle about z that is rounded, m
  Vec3 position = Vec3::Zero();     ///< of the core's centre in the body frame
  Quat orientation = Quat::Identity();
  Vec3 normal = Vec3::UnitZ();  ///< of a plane, in the frame of the part
  /// Of a curved solid, or of the cavity in a bowl.
  std::shared_ptr<const geometry::ConvexSurface> surface;
  std::shared_ptr<const MeshCells> cells;  ///< of a mesh

  /// Whether it is a cylinder or cone, with rims and flat ends.
  bool has_rims() const { return surface && !surface->is_smooth(); }
  bool is_convex() const {
    return kind != SolidKind::ring && kind != SolidKind::bowl && kind != SolidKind::mesh;
  }
  bool is_bounded() const { return kind != SolidKind::plane && kind != SolidKind::bowl; }
  /// Of a ball about `position` that contains the solid; infinite for a plane or bowl.
  double bounding_radius() const;
  /// The point of a ring's circle at this angle, in the frame of the part.
  Vec3 on_circle(double angle) const;
};

/// Made once per body and shared by all its pairs.
class BodyShape {
 public:
  /// Whether every part is a plane, sphere, capsule, box, convex polyhedron, cylinder, cone, torus,
  /// ellipsoid, strictly convex superellipsoid, convex surface of the user's or mesh; the round
  /// ones may be inverted.
  static bool supports(const model::Body& body);

  /// Precondition: supports(body). Throws std::invalid_argument otherwise.
  explicit BodyShape(const model::Body& body);
  /// Of one solid alone.
  explicit BodyShape(Solid solid) : solids_{std::move(solid)} {}

  const std::vector<Solid>& solids() const { return solids_; }  ///< one per part, in their order
  /// A part, or a cell of one (narrow/solid_id.h).
  const Solid& solid(int id) const;
  bool has_cells() const;

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
