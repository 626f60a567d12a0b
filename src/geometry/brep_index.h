#pragma once
// Classifies points and segments against a solid with flat faces, without rounding errors (the
// brep-index of Bouma and Vanecek 1991, section 10): a tree finds the triangles that a segment may
// meet, and exact predicates tell what it meets.
//
// The answers hold for the triangulated surface and the doubles as they are. Simplices of the
// triangulation (points, open sides, open triangles) have no point in common, so a segment passes
// through different ones at different places: these are put in order as exact fractions. What is
// between two places is on the boundary if a simplex holds both of them and what lies between, and
// inside or outside otherwise. That is told
//   at an open triangle by the side on which the segment goes on;
//   at an open side by the triangle around it that comes next;
//   at a free end of the segment by a line from there out of the solid, and how often it passes
//   through the surface;
//   between two points of the triangulation by such a line from the middle between them.

#include <memory>

#include "geometry/box_tree.h"
#include "geometry/brep_entities.h"

namespace abut::geometry {

class BrepIndex {
 public:
  /// Precondition: the mesh has passed geometry/mesh_check.
  explicit BrepIndex(const PolygonMesh& mesh);

  const BrepEntities& entities() const { return entities_; }

  Where classify(const Vec3& point) const;
  /// Ends at the same place are one point.
  SegmentClassification classify(const Vec3& from, const Vec3& to) const;

 private:
  BrepEntities entities_;
  std::unique_ptr<const BoxTree> tree_;  ///< of the triangles
};

}  // namespace abut::geometry
