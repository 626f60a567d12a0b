#pragma once
// Directions along which two polyhedra may be separated.
//
// Two convex polyhedra are disjoint if and only if some plane between them is parallel to a face of
// one or to an edge of each (separating axes). The candidates are numbered, so that the one that
// separated a pair in the last frame is tried first in the next.

#include <optional>

#include "verify/placement.h"
#include "verify/triple.h"

namespace abut::verify {

using Direction = Triple<double>;

/// Distance between the solids along `n` (any length, from a towards b), m: negative where their
/// extents overlap; up to the pair's margin.
double gap_along(const PlacedPair& pair, const Direction& n);

/// The candidates of two polyhedra.
class Candidates {
 public:
  explicit Candidates(const PlacedPair& pair);

  long count() const { return faces_a_ + faces_b_ + edges_a_ * edges_b_; }
  /// A vector from a towards b; empty for two edges whose cross product no plane between the
  /// polyhedra can have, as far as doubles can tell.
  std::optional<Direction> direction(long candidate) const;

 private:
  std::optional<Direction> from_edges(const Solid::Edge& a, const Solid::Edge& b) const;

  const PlacedPair& pair_;
  long faces_a_, faces_b_, edges_a_, edges_b_;
};

}  // namespace abut::verify
