#pragma once
// The forces within a body that bends: an elastic energy of the columns, with its first two
// derivatives, and damping that opposes the rate of strain.
//
// Second derivatives are 3x3 blocks by pairs of columns. Which pairs have one never changes.

#include <compare>
#include <vector>

#include "flexible/columns.h"

namespace abut::flexible {

/// Two columns that act on each other, first <= second.
struct ColumnPair {
  int first = 0;
  int second = 0;

  friend auto operator<=>(const ColumnPair&, const ColumnPair&) = default;
};

/// A block for each pair: at (first, second); the one at (second, first) is its transpose.
using Blocks = std::vector<Mat3>;

class Elasticity {
 public:
  virtual ~Elasticity() = default;
  Elasticity() = default;
  Elasticity(const Elasticity&) = delete;
  Elasticity& operator=(const Elasticity&) = delete;

  /// Pairs with first <= second, each once, ordered; every column that can have a force has its
  /// own diagonal pair.
  const std::vector<ColumnPair>& pairs() const { return pairs_; }

  virtual double energy(const Columns& columns) const = 0;
  /// Adds -dW/dr.
  virtual void add_force(const Columns& columns, Columns& force) const = 0;
  /// d2W/dr2, one block for each pair. It may be indefinite where the body is compressed, which
  /// would like to buckle; with `convex` that part is left out and the matrix is semidefinite.
  virtual void stiffness(const Columns& columns, Blocks& blocks, bool convex) const = 0;

  /// Adds the force of damping, which is linear in the rates: -D(r) r'.
  virtual void add_damping(const State& state, Columns& force) const = 0;
  /// D(r), symmetric and semidefinite, one block for each pair.
  virtual void damping(const Columns& columns, Blocks& blocks) const = 0;
  /// The power that damping takes out, r' . D r' >= 0.
  virtual double dissipation(const State& state) const = 0;

  /// Adds the force that does over the straight way from one state to the other exactly the work
  /// W(from) - W(to), and is the elastic force in the limit of a short way. For steps that keep the
  /// energy (Simo and Tarnow 1992).
  virtual void add_mean_force(const Columns& from, const Columns& to, Columns& force) const = 0;

 protected:
  std::vector<ColumnPair> pairs_;
};

/// y += scale * (blocks as a symmetric matrix) x.
void add_product(const std::vector<ColumnPair>& pairs, const Blocks& blocks, double scale,
                 const Columns& x, Columns& y);

}  // namespace abut::flexible
