#pragma once
// Linear equations of blocks that act on each other by way of bodies.
//
// With A = J Q forces x give bodies the velocities v = Q x, and these the rows the motions J v. Of
//     D x + W A x = r,      D and W of one block each,
// follows with K = D^-1 W
//     x = D^-1 r - K J v,      (1 + Q K J) v = Q D^-1 r.
// That has six unknowns per body, however many rows there are, and couples bodies that touch: a row
// of n bodies costs n, where elimination among the rows fills whatever they have in common. Where
// the bodies cannot give way, v is all but determined by J v = W^-1 r, and x has lost as many
// digits as D is small: what is missing is found by asking again for what is left.

#include <vector>

#include "lcp/cone_system.h"
#include "math/block_lu.h"

namespace abut::lcp {

class BodyElimination {
 public:
  /// `system` must outlive this, and know its bodies.
  explicit BodyElimination(const ConeSystem& system);

  /// Begins a system of equations, of the blocks that are added.
  void clear();
  void add(Index block, const PartMatrix& d, const PartMatrix& w);
  /// False if it is singular, or not finite.
  bool factorise() { return matrix_.factorise(); }
  /// Replaces r by x, by block.
  void solve(std::vector<Part>& r) const;

 private:
  using Motion = math::BlockLu::Part;

  // What was added.
  struct Added {
    Index block;
    PartMatrix inverse, k;  // of D; K
  };

  const ConeSystem& system_;
  math::BlockLu matrix_;
  std::vector<Added> added_;
};

}  // namespace abut::lcp
