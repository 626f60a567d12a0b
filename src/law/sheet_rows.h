#pragma once
// The rows of a problem with sheets. Freedoms come in parts of three: nodes, and of each slot its
// linear and its angular velocity.

#include <vector>

#include "law/sheet_law.h"

namespace abut::law {

class SheetRows {
 public:
  /// `inverses` of the parts' own blocks, from which rows have their answer.
  SheetRows(const StepProblem& problem, const std::vector<math::NodeBlock>& inverses);

  std::vector<SheetLaw> laws;  ///< by block

  int part(const SheetLaw& law, int k) const { return parts_[law.first_part + k]; }
  /// J x, without the bias.
  SheetPart along(const SheetLaw& law, const math::NodeVector& x) const;
  /// y += J^T p.
  void push(const SheetLaw& law, const SheetPart& p, math::NodeVector& y) const;
  /// J^T D J of the law's k-th part.
  math::NodeBlock block_of(const SheetLaw& law, int k) const;
  /// y += J^T D J x without the blocks of one part. B is block_of the first part.
  void add_coupling(const SheetLaw& law, const math::NodeBlock& b, const math::NodeVector& x,
                    math::NodeVector& y) const;

 private:
  void add_law(const StepProblem& problem, const StepBlock& block,
               const std::vector<math::NodeBlock>& inverses);
  bool find_weights(const SheetLaw& law);
  SheetPart along_part(const SheetLaw& law, int k, const math::Quad& x) const;
  void push_part(const SheetLaw& law, int k, const SheetPart& p, math::Quad& y) const;
  const math::Quad& side_of(const SheetLaw& law, int part, int row) const {
    return sides_[law.first_side + part * law.rows + row];
  }

  std::size_t nodes_;
  std::vector<int> parts_;
  std::vector<double> weights_;  // by part of a block that is a point
  std::vector<math::Quad> sides_;
};

}  // namespace abut::law
