#pragma once
// What bodies are made of: the shapes of the scene format, as geometry only.
//
// A shape knows nothing of bodies, masses or contact. How two shapes meet belongs to the pairs,
// how much a shape weighs to moments.h.

#include <memory>
#include <string_view>
#include <variant>
#include <vector>

#include "abut/types.h"
#include "geometry/polygon_mesh.h"

namespace abut::geometry {
class ClosedSurface;
}

namespace abut::shape {

/// The half-space { x : normal . x <= offset }, normal of unit length.
struct Plane {
  Vec3 normal = Vec3::UnitZ();
  double offset = 0;
};

struct Sphere {
  double radius = 0;
  bool inverted = false;  ///< the solid is outside: a bowl
};

struct Ellipsoid {
  Vec3 radii = Vec3::Zero();
  bool inverted = false;
};

/// ((x/a)^(2/e2) + (y/b)^(2/e2))^(e2/e1) + (z/c)^(2/e1) <= 1 with radii (a, b, c):
/// e1 rounds the profile along z, e2 the cross-section; 1 is an ellipsoid, towards 0 a box.
struct Superellipsoid {
  Vec3 radii = Vec3::Zero();
  double e1 = 1;
  double e2 = 1;
  bool inverted = false;
};

/// All points within `radius` of the segment from (0, 0, -height/2) to (0, 0, height/2).
struct Capsule {
  double radius = 0;
  double height = 0;  ///< of the cylindrical part, without the caps
};

struct Cylinder {
  double radius = 0;
  double height = 0;  ///< along z, centred
};

/// Base disc at z = -height/2, apex at z = +height/2.
struct Cone {
  double radius = 0;
  double height = 0;
};

/// Around the z axis.
struct Torus {
  double radius = 0;  ///< from the axis to the centre of the tube
  double tube = 0;    ///< radius of the tube, less than `radius`
};

struct Box {
  Vec3 size = Vec3::Zero();  ///< whole edge lengths
};

/// All points within `rounding` of the convex hull of points, whose faces are oriented
/// counter-clockwise from outside.
struct Convex {
  std::shared_ptr<const geometry::PolygonMesh> hull;
  double rounding = 0;  ///< m
};

/// A closed surface of any genus that has passed geometry/mesh_check.
struct Mesh {
  std::shared_ptr<const geometry::PolygonMesh> surface;
};

/// A smooth surface of the user's own, given by an equation or by two parameters, that has passed
/// the checks of geometry/closed_surface.
struct UserSurface {
  std::shared_ptr<const geometry::ClosedSurface> surface;
};

using Geometry = std::variant<Plane, Sphere, Ellipsoid, Superellipsoid, Capsule, Cylinder, Cone,
                              Torus, Box, Convex, Mesh, UserSurface>;

/// The key of a shape in scene files: `plane`, `sphere`, ...
std::string_view name_of(const Geometry& geometry);

/// True for planes and inverted shapes, which have no finite volume.
bool is_unbounded(const Geometry& geometry);

/// One posed piece of a body. A body is the union of its parts.
struct Part {
  Geometry geometry;
  Pose pose;              ///< of the part in the body frame
  double density = 1000;  ///< kg/m^3
  int material = 0;       ///< index into the model's materials
};

/// A radius about `centre` (body frame) that contains every part; infinite where a part is
/// unbounded.
double bounding_radius(const std::vector<Part>& parts, const Vec3& centre);

}  // namespace abut::shape
