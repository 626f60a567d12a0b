#pragma once
// Where points and segments are relative to a solid with flat faces.

#include <vector>

#include "abut/types.h"

namespace abut {

enum class Locus { out, in, on_face, on_edge, on_vertex };

/// Outside, inside, or on an entity of the boundary. Faces, edges and vertices are open: the border
/// of a face is not on the face, the ends of an edge are not on the edge.
struct Where {
  Locus locus = Locus::out;
  int entity = -1;  ///< which face, edge or vertex, from 0; -1 for out and in

  bool operator==(const Where&) const = default;
};

/// A point of a segment at which it enters or leaves an entity, or one of its ends.
struct Passage {
  Where where;
  Vec3 point = Vec3::Zero();
  double parameter = 0;  ///< 0 at the segment's first end, 1 at its second
};

/// A segment from end to end: points, and the open stretches between them. Both ends are points;
/// there is one stretch less than points.
struct SegmentClassification {
  std::vector<Passage> points;
  std::vector<Where> stretches;  ///< stretches[i] is between points[i] and points[i + 1]
};

}  // namespace abut
