#pragma once
// The edges of a mesh and the faces that use them.

#include <span>
#include <vector>

#include "geometry/polygon_mesh.h"

namespace abut::geometry {

/// A side of a face, which runs along the edge between two vertices in one of two directions.
struct EdgeUse {
  int low = 0;  ///< the smaller vertex index
  int high = 0;
  int face = 0;
  bool upwards = false;  ///< from low to high
};

/// All sides of all faces, those along the same edge next to each other; sides from a vertex to
/// itself are left out.
std::vector<EdgeUse> edge_uses(const std::vector<std::vector<int>>& faces);

/// Calls visit(std::span<const EdgeUse>) for each edge with its uses.
template <class Visitor>
void for_each_edge(const std::vector<EdgeUse>& uses, Visitor visit) {
  for (std::size_t first = 0; first < uses.size();) {
    std::size_t end = first + 1;
    while (end < uses.size() && uses[end].low == uses[first].low &&
           uses[end].high == uses[first].high) {
      ++end;
    }
    visit(std::span<const EdgeUse>(uses).subspan(first, end - first));
    first = end;
  }
}

/// Uses upwards minus uses downwards: 0 if each side has its counterpart.
int balance_of(std::span<const EdgeUse> edge);

}  // namespace abut::geometry
