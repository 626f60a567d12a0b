#pragma once
// Which cells of a mesh are near something: a walk down the tree of its boundary, or down two trees
// at once.

#include <functional>

#include "narrow/body_shape.h"
#include "narrow/drift.h"

namespace abut::narrow {

/// One of a pair: a whole mesh or any other solid.
struct NearPieces {
  int a = 0, b = 0;     ///< cells of a and b; -1 where one is no mesh
  double bound = 0;     ///< they come no nearer than this, m
  double farthest = 0;  ///< places of them that come within reach are no farther apart now, m
};

/// Walks over the pairs of cells of two solids, at least one of them a mesh, that can come nearer
/// to each other than `reach` (m), those of near boxes first. `visit` may lower the reach.
void for_near_cells(const Placed& a, const Placed& b, const Drift& drift, double& reach,
                    const std::function<void(const NearPieces&)>& visit);

}  // namespace abut::narrow
