#include "law/sheet_rows.h"

namespace abut::law {
namespace {

using impulse::immovable;
using math::NodeBlock;
using math::NodeVector;
using math::Quad;

// Of themselves (dimensionless): by how much sides differ that are the same.
constexpr double same_side = 1e-12;

double product(const Quad& a, const Quad& b) {
  return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

}  // namespace

SheetRows::SheetRows(const StepProblem& problem, const std::vector<NodeBlock>& inverses)
    : nodes_(problem.node_velocities.size()) {
  laws.reserve(problem.blocks.size());
  for (const StepBlock& block : problem.blocks) add_law(problem, block, inverses);
}

void SheetRows::add_law(const StepProblem& problem, const StepBlock& block,
                        const std::vector<NodeBlock>& inverses) {
  SheetLaw law;
  law.kind = block.kind;
  law.rows = block.rows;
  law.first = block.first;
  law.first_part = static_cast<int>(parts_.size());
  law.first_side = static_cast<int>(sides_.size());
  law.friction = block.friction;
  law.lower = block.lower;
  law.upper = block.upper;
  const StepRow* rows = &problem.rows[block.first];
  const auto add = [&](int part, const auto& side_of) {
    bool any = false;
    for (int i = 0; i < block.rows; ++i) any = any || !side_of(i).isZero(0);
    if (!any) return;
    parts_.push_back(part);
    for (int i = 0; i < block.rows; ++i) sides_.push_back(math::quad(side_of(i)));
  };
  const auto add_slot = [&](int slot, const auto& side_of) {
    const int part = static_cast<int>(nodes_) + 2 * slot;
    add(part, [&](int i) -> Vec3 { return side_of(i).linear; });
    add(part + 1, [&](int i) -> Vec3 { return side_of(i).angular; });
  };
  for (const int side : {0, 1})
    if (block.slots[side] != immovable)
      add_slot(block.slots[side], [&](int i) { return rows[i].sides[side]; });
  for (int k = 0; k < block.more; ++k)
    add_slot(problem.more_slots[block.first_more + k],
             [&](int i) { return problem.more_sides[rows[i].first_more + k]; });
  for (int k = 0; k < block.nodes; ++k)
    add(problem.block_nodes[block.first_node + k],
        [&](int i) -> Vec3 { return problem.node_sides[rows[i].first_node + k]; });
  law.parts = static_cast<int>(parts_.size()) - law.first_part;
  law.is_point = find_weights(law);
  for (int i = 0; i < block.rows; ++i) {
    law.bias[i] = rows[i].bias;
    law.impulse[i] = rows[i].impulse;
    law.bound = law.friction * law.impulse[0];
    double answer = 0;
    for (int k = 0; k < law.parts; ++k) {
      const Quad& side = side_of(law, k, i);
      answer += product(side, inverses[parts_[law.first_part + k]] * side);
    }
    law.answer = std::max(law.answer, answer);
  }
  laws.push_back(law);
}

// The weights of nodes in the point of a block, relative to that of the first.
bool SheetRows::find_weights(const SheetLaw& law) {
  for (int k = 0; k < law.parts; ++k) {
    const Quad& first = side_of(law, 0, 0);
    weights_.push_back(product(first, side_of(law, k, 0)) / product(first, first));
  }
  for (int k = 0; k < law.parts; ++k) {
    if (parts_[law.first_part + k] >= static_cast<int>(nodes_)) return false;
    const double weight = weights_[law.first_part + k];
    for (int i = 0; i < law.rows; ++i)
      if (!side_of(law, k, i).isApprox(weight * side_of(law, 0, i), same_side)) return false;
  }
  return true;
}

SheetPart SheetRows::along_part(const SheetLaw& law, int k, const Quad& x) const {
  SheetPart w = SheetPart::Zero();
  for (int i = 0; i < law.rows; ++i) w[i] = product(side_of(law, k, i), x);
  return w;
}

void SheetRows::push_part(const SheetLaw& law, int k, const SheetPart& p, Quad& y) const {
  for (int i = 0; i < law.rows; ++i) y += side_of(law, k, i) * p[i];
}

SheetPart SheetRows::along(const SheetLaw& law, const NodeVector& x) const {
  SheetPart w = SheetPart::Zero();
  for (int k = 0; k < law.parts; ++k) w += along_part(law, k, x[part(law, k)]);
  return w;
}

void SheetRows::push(const SheetLaw& law, const SheetPart& p, NodeVector& y) const {
  for (int k = 0; k < law.parts; ++k) push_part(law, k, p, y[part(law, k)]);
}

NodeBlock SheetRows::block_of(const SheetLaw& law, int k) const {
  Mat3 sum = Mat3::Zero();
  if (law.kind != StepBlock::Kind::contact) {
    for (int i = 0; i < law.rows; ++i) {
      const Vec3 side = side_of(law, k, i).head<3>();
      sum += law.stiffness * side * side.transpose();
    }
    return NodeBlock(sum);
  }
  for (int i = 0; i < 3; ++i) sum.row(i) = side_of(law, k, i).head<3>();
  return NodeBlock(Mat3(sum.transpose() * law.d * sum));
}

// The rows of a point are the velocity of a weighted mean of nodes along axes: with u the sum of
// weight * velocity it pushes by weight * B u, where the first weight is taken as 1.
void SheetRows::add_coupling(const SheetLaw& law, const NodeBlock& b, const NodeVector& x,
                             NodeVector& y) const {
  if (law.is_point) {
    const int end = law.first_part + law.parts;
    Quad u = Quad::Zero();
    for (int k = law.first_part; k < end; ++k) u += x[parts_[k]] * weights_[k];
    for (int k = law.first_part; k < end; ++k)
      y[parts_[k]] += b * (u - x[parts_[k]] * weights_[k]) * weights_[k];
    return;
  }
  const SheetPart all = along(law, x);
  for (int k = 0; k < law.parts; ++k) {
    const SheetPart others = all - along_part(law, k, x[part(law, k)]);
    push_part(law, k, stiffness_times(law, others), y[part(law, k)]);
  }
}

}  // namespace abut::law
