#pragma once
// Springs between the nodes of a sheet. A spring of length l between two nodes has the energy
// k/2 (l - l0)^2 and a damper along it, whose force is c times the rate of l.

#include <array>
#include <vector>

#include "flexible/elasticity.h"

namespace abut::flexible {

struct Spring {
  int a = 0, b = 0;      ///< columns
  double length = 0;     ///< at rest, m
  double stiffness = 0;  ///< k, N/m
  double damping = 0;    ///< c, N s/m
};

class SpringElasticity : public Elasticity {
 public:
  SpringElasticity(int columns, std::vector<Spring> springs);

  const std::vector<Spring>& springs() const { return springs_; }

  double energy(const Columns& columns) const override;
  void add_force(const Columns& columns, Columns& force) const override;
  void stiffness(const Columns& columns, Blocks& blocks, bool convex) const override;
  void add_damping(const State& state, Columns& force) const override;
  void damping(const Columns& columns, Blocks& blocks) const override;
  double dissipation(const State& state) const override;
  void add_mean_force(const Columns& from, const Columns& to, Columns& force) const override;

  /// What an implicit step needs, in one pass: the convex stiffness K, and stiff K + damp D.
  void step_blocks(const Columns& columns, double stiff, double damp, Blocks& k, Blocks& sum) const;

 private:
  /// Writes the block of each spring to where its two nodes meet.
  template <class BlockOf>
  void gather(Blocks& blocks, const BlockOf& block_of) const;
  void add_block(std::size_t spring, const Mat3& block, Blocks& blocks) const;

  std::vector<Spring> springs_;
  std::vector<std::array<int, 3>> places_;  ///< of (a, a), (b, b) and (a, b) among the pairs
};

}  // namespace abut::flexible
