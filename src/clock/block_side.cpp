#include "clock/block_side.h"

namespace abut::clock {

int append_block(law::StepProblem& problem, law::StepBlock block,
                 const std::array<BlockSide, 2>& sides) {
  block.slots = {sides[0].place, sides[1].place};
  block.first_more = static_cast<int>(problem.more_slots.size());
  for (const BlockSide& side : sides)
    for (const BlockSide::Part& part : side.parts)
      if (part.slot != side.place) problem.more_slots.push_back(part.slot);
  block.more = static_cast<int>(problem.more_slots.size()) - block.first_more;
  block.first_node = static_cast<int>(problem.block_nodes.size());
  for (const BlockSide& side : sides)
    for (const BlockSide::Node& node : side.nodes) problem.block_nodes.push_back(node.node);
  block.nodes = static_cast<int>(problem.block_nodes.size()) - block.first_node;
  const int index = static_cast<int>(problem.blocks.size());
  problem.begin_block(block);
  for (int i = 0; i < block.rows; ++i) {
    law::StepRow row;
    row.first_more = static_cast<int>(problem.more_sides.size());
    row.first_node = static_cast<int>(problem.node_sides.size());
    for (const int k : {0, 1}) {
      row.bias += sides[k].given[i];
      for (const BlockSide::Part& part : sides[k].parts) {
        if (part.slot == sides[k].place)
          row.sides[k] = part.rows[i];
        else
          problem.more_sides.push_back(part.rows[i]);
      }
      for (const BlockSide::Node& node : sides[k].nodes) problem.node_sides.push_back(node.rows[i]);
    }
    problem.rows.push_back(row);
  }
  return index;
}

PointSide point_side(const Attempt& attempt, BodyIndex body, const Vec3& arm,
                     const std::vector<flexible::ColumnWeight>& weights, double sign) {
  PointSide side;
  side.place = attempt.island.place_of(body);
  side.sign = sign;
  if (side.place >= 0 && attempt.bodies[side.place].bent) {
    side.bent = attempt.bodies[side.place].bent.get();
    side.weights = weights;
    return side;
  }
  const Side rigid = attempt.side_of(body);
  side.arm = rigid.arm(arm);
  side.velocity = rigid.velocity;
  return side;
}

BlockSide PointSide::along(std::span<const Vec3> axes) const {
  BlockSide side;
  side.place = place;
  if (bent == nullptr) {
    BlockSide::Part part;
    part.slot = place;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      part.rows[i] = {sign * axes[i], arm.cross(sign * axes[i])};
      if (place < 0) side.given[i] = part.rows[i](velocity.linear, velocity.angular);
    }
    side.parts.push_back(part);
    return side;
  }
  const Vec3 held = sign * flexible::combined(weights, bent->held);
  for (std::size_t i = 0; i < axes.size(); ++i) side.given[i] = axes[i].dot(held);
  if (bent->is_sheet()) {
    for (const flexible::ColumnWeight& w : weights) {
      if (bent->matrix->is_held(w.column)) continue;
      BlockSide::Node& node = side.nodes.emplace_back();
      node.node = bent->first_node + w.column;
      for (std::size_t i = 0; i < axes.size(); ++i) node.rows[i] = sign * w.weight * axes[i];
    }
    return side;
  }
  for (const BentMatrix::SlotRows& rows : bent->matrix->rows_of(weights)) {
    BlockSide::Part& part = side.parts.emplace_back();
    part.slot = bent->slot(place, rows.slot);
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const Eigen::Matrix<double, 6, 1> j = rows.j * (sign * axes[i]);
      part.rows[i] = {j.head<3>(), j.tail<3>()};
    }
  }
  return side;
}

int append_point_block(Attempt& attempt, const law::StepBlock& block,
                       const std::array<Vec3, 3>& axes, const std::array<PointSide, 2>& sides) {
  const std::span<const Vec3> used(axes.data(), static_cast<std::size_t>(block.rows));
  return append_block(attempt.problem, block, {sides[0].along(used), sides[1].along(used)});
}

}  // namespace abut::clock
