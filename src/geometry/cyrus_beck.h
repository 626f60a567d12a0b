#pragma once
// Points and segments against convex polyhedra given by the planes of their faces (Cyrus and Beck),
// and on top of them the interpenetration test of Moore and Wilhelms 1988, section 2.2.

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "abut/types.h"
#include "geometry/polygon_mesh.h"

namespace abut::geometry {

/// n.x = offset; n is a unit vector and points out of the solid.
struct FacePlane {
  Vec3 normal = Vec3::UnitZ();
  double offset = 0;
  double height_of(const Vec3& x) const { return normal.dot(x) - offset; }
};

/// A convex polyhedron, ready for the tests below.
struct FacedSolid {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 2>> edges;  ///< each once, lower index first
  std::vector<std::vector<int>> faces;
  std::vector<FacePlane> planes;  ///< of the faces, in their order
  Vec3 centre = Vec3::Zero();     ///< the mean of the vertices
};

/// Precondition: the mesh is a closed convex surface with planar faces that have area.
FacedSolid faced_solid(const PolygonMesh& convex);

/// How deep the point is inside: its distance from the nearest face plane, negative if it is
/// outside (then its size is a lower bound of the distance from the solid).
double depth_inside(std::span<const FacePlane> planes, const Vec3& point);

/// The part of a segment, as fractions of the way from its start to its end.
struct SegmentPart {
  double from = 0;
  double to = 1;
};

/// The part of the segment from a to b that is at least `depth` deep inside; nothing if none is.
/// The part may be a point.
std::optional<SegmentPart> clipped_segment(std::span<const FacePlane> planes, const Vec3& a,
                                           const Vec3& b, double depth = 0);

/// A point of one solid inside another, and what it is: a vertex (step 1), the middle of the part
/// of an edge within the other solid (step 2) or of a face (step 3), or the centre (step 4).
struct Interpenetration {
  enum class Step { vertex = 1, edge = 2, face = 3, centre = 4 };
  Step step = Step::vertex;
  bool of_first = false;  ///< the feature belongs to the first solid and is inside the second
  int index = 0;          ///< of the vertex, edge or face
  Vec3 point = Vec3::Zero();
  double depth = 0;  ///< of the point, more than the tolerance
};

/// The first sign of interpenetration found, in the order of the steps; nothing if there is none.
///
/// A solid counts as entered where something is more than `tolerance` (length, not negative) inside
/// all its faces. So the answer is something if and only if a point of one solid is deeper than
/// that within the other, up to rounding (about 1e-15 of the coordinates); solids that touch, or
/// overlap by no more than the tolerance, do not interpenetrate. Precondition: the tolerance is
/// small against the thickness of the solids.
std::optional<Interpenetration> find_interpenetration(const FacedSolid& first,
                                                      const FacedSolid& second, double tolerance);

}  // namespace abut::geometry
