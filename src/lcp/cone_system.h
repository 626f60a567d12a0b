#pragma once
// The problem as the solver works on it: balanced, in blocks, one connected component at a time.
//
// With z = S x the problem for x has the matrix S A S, the vector S b and the bounds S^-1 lower and
// S^-1 upper. S is a power of 2 per block, next to the inverse square root of the mean of its
// diagonal: no rounding errors, heavy and light bodies on a par, and cones keep their angles.

#include <span>
#include <vector>

#include "lcp/cone_laws.h"
#include "lcp/cone_problem.h"

namespace abut::lcp {

using Index = Eigen::Index;

/// A block of A that is not zero.
struct Coupling {
  Index column;  // block
  PartMatrix a;  // its leading rows and columns; the others are 0
};

class ConeSystem {
 public:
  explicit ConeSystem(const ConeProblem& problem);
  explicit ConeSystem(const SparseConeProblem& problem);

  /// Blocks that depend on each other, directly or through others: problems of their own.
  std::vector<std::vector<Index>> components() const;

  /// The problem of these blocks alone.
  ConeSystem only(std::span<const Index> blocks) const;

  /// The same problem without rows that are bounded from both sides: of each such row the lower
  /// bound stays, and a row is added at the end whose force, beyond the upper bound, pushes back.
  ConeSystem with_single_bounds() const;

  Index block_count() const { return static_cast<Index>(blocks_.size()); }
  Index size() const { return b_.size(); }
  const ConeBlock& block(Index i) const { return blocks_[static_cast<std::size_t>(i)]; }
  Index first_row(Index i) const { return first_rows_[static_cast<std::size_t>(i)]; }
  const Units& units(Index i) const { return units_[static_cast<std::size_t>(i)]; }
  double scale(Index i) const { return scales_[static_cast<std::size_t>(i)]; }
  std::span<const Coupling> couplings(Index i) const {
    const auto at = static_cast<std::size_t>(i);
    return {couplings_.data() + starts_[at], couplings_.data() + starts_[at + 1]};
  }
  Index coupling_count() const { return static_cast<Index>(couplings_.size()); }
  const PartMatrix& diagonal(Index i) const { return diagonals_[static_cast<std::size_t>(i)]; }
  const Vector& b() const { return b_; }
  bool knows_bodies() const { return bodies_.is_known(); }
  int body_count() const { return bodies_.bodies; }
  const BodyRow& body_row(Index row) const { return bodies_.rows[static_cast<std::size_t>(row)]; }
  double largest_b() const { return b_.size() > 0 ? b_.cwiseAbs().maxCoeff() : 0; }

  Part part(const Vector& v, Index i) const { return part_at(v, first_row(i), block(i).rows); }
  void set_part(Vector& v, Index i, const Part& part) const {
    put_part(v, first_row(i), block(i).rows, part);
  }

  /// Block i of A z + b.
  Part motion(Index i, const Vector& z) const;
  void motion(const Vector& z, Vector& w) const;

 private:
  ConeSystem() = default;
  void lay_out(const Vector& diagonal, const Vector& b);
  void find_units();
  void scale_body_rows();
  BodyRows body_rows_of(std::span<const Index> blocks) const;

  std::vector<ConeBlock> blocks_;
  std::vector<Index> first_rows_;
  std::vector<double> scales_;
  std::vector<Units> units_;
  std::vector<PartMatrix> diagonals_;
  std::vector<std::size_t> starts_;
  std::vector<Coupling> couplings_;
  Vector b_;
  BodyRows bodies_;
};

}  // namespace abut::lcp
