#pragma once
// Classifies points, segments and edges against a solid with flat faces, without rounding errors.

#include <array>
#include <memory>
#include <vector>

#include "abut/classification.h"
#include "abut/export.h"
#include "abut/model.h"
#include "abut/types.h"

namespace abut {

namespace geometry {
class BrepIndex;
}

/// The vertices, edges and faces of a solid with a tree over them (Bouma and Vanecek 1991). Cheap
/// to copy. Points are in the frame of the shape. Answers are exact for the doubles as they are: a
/// point beside a face by less than its coordinates can tell is not on it. Any thread may ask.
class ABUT_API BrepIndex {
 public:
  /// Of a box, a convex shape without rounding or a mesh; throws InputError for others.
  explicit BrepIndex(const Shape& shape);

  /// Facets side by side in one plane are one face, whatever they were cut into; sides of facets
  /// end to end between the same faces are one edge.
  int face_count() const;
  int edge_count() const;
  int vertex_count() const;
  const Vec3& face_normal(int face) const;  ///< unit, outward
  std::array<Vec3, 2> edge_ends(int edge) const;
  const std::vector<int>& edge_faces(int edge) const;  ///< two, or more where it is no manifold
  const Vec3& vertex(int vertex) const;

  Where classify(const Vec3& point) const;
  SegmentClassification classify(const Vec3& from, const Vec3& to) const;
  /// An edge of another solid, whose frame stands at `pose` in this one's.
  SegmentClassification classify_edge(const BrepIndex& other, int edge,
                                      const Pose& pose = {}) const;

 private:
  std::shared_ptr<const geometry::BrepIndex> index_;
};

}  // namespace abut
