#pragma once
// Bodies as the verifier sees them: convex pieces, made from the scene's shapes by code of its own.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "abut/types.h"
#include "geometry/aabb.h"
#include "geometry/box_tree.h"
#include "model/model.h"

namespace abut::verify {

enum class SolidKind : std::uint8_t {
  hull,        ///< all points within `radius` of the convex hull of `points`
  half_space,  ///< { s : normal . s <= offset }
  bowl,        ///< all points farther than `radius` from the one point
  curved,      ///< one of CurvedKind
  cavity,      ///< all points outside of one of CurvedKind
  ring,        ///< all points within `radius` of the circle of radius radii.x about z
  mesh,        ///< what the closed surface of `triangles` encloses, convex or not
  unknown,     ///< judged by its box alone
};

/// Curved solids about the origin of their part.
enum class CurvedKind : std::uint8_t {
  ellipsoid,       ///< half axes `radii`
  superellipsoid,  ///< the same, with the exponents `e1`, `e2` of the scene format
  cylinder,        ///< radius radii.x, half height radii.z, along z
  cone,            ///< the same; apex at the top
  user             ///< a convex surface of the user's
};

/// One piece of a body. Coordinates are those of the part, which has `pose` in the body frame.
struct Solid {
  SolidKind kind = SolidKind::unknown;
  std::string shape;           ///< for messages, as in `box`
  Pose pose;                   ///< of the part in the body frame
  std::vector<Vec3> points;    ///< corners; the ends of a capsule's axis; the centre of a sphere
  double radius = 0;           ///< m
  Vec3 normal = Vec3::Zero();  ///< of a half-space, as the model gives it
  double offset = 0;

  CurvedKind curved = CurvedKind::ellipsoid;
  Vec3 radii = Vec3::Zero();  ///< of a curved solid, m
  double e1 = 1, e2 = 1;      ///< of a superellipsoid

  /// Of a user's surface: places all over it, with the outward normals.
  struct Sample {
    Vec3 point, normal;
    double u = 0, v = 0;
  };
  std::shared_ptr<const geometry::ClosedSurface> user;
  std::vector<Sample> samples;

  // Of a hull with a volume: sides of faces in pairs, faces cut into triangles, counter-clockwise
  // from outside.
  struct Edge {
    int from = 0, to = 0;
    int left = 0, right = 0;  ///< faces beside it
  };
  std::vector<std::vector<int>> faces;
  std::vector<Vec3>
      normals;  ///< of the faces, unit length up to rounding: for finding, not proving
  std::vector<Edge> edges;
  std::vector<std::array<int, 3>> triangles;
  std::shared_ptr<const geometry::BoxTree> tree;  ///< of the triangles of a mesh

  /// How far corners of a face may be out of its plane, m: the shape is the hull of its corners,
  /// and a face is a plane only up to this.
  double flatness = 0;

  double reach = 0;    ///< distance from the origin of the body frame to its farthest point, m
  geometry::Aabb box;  ///< in the body frame, with a margin for rounding; whole where unbounded
};

/// The pieces whose union the body is. A mesh whose shells are all convex gives one piece per
/// shell; a user's surface that is not convex is `unknown`.
std::vector<Solid> solids_of(const model::Body& body);

}  // namespace abut::verify
