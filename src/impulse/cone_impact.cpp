#include "impulse/cone_impact.h"

#include <algorithm>

#include "base/union_find.h"
#include "impulse/connected_impact.h"
#include "impulse/routh.h"

namespace abut::impulse {
namespace {

using Eigen::Index;

// The block of each row.
std::vector<int> blocks_of_rows(const ConeImpact& impact) {
  std::vector<int> block_of;
  for (std::size_t i = 0; i < impact.blocks.size(); ++i)
    block_of.insert(block_of.end(), impact.blocks[i].law.rows, static_cast<int>(i));
  return block_of;
}

// Blocks that W couples, directly or through others.
std::vector<std::vector<int>> connected_blocks(const ConeImpact& impact) {
  const std::vector<int> block_of = blocks_of_rows(impact);
  base::UnionFind groups(impact.blocks.size());
  for (Index row = 0; row < impact.matrix.outerSize(); ++row)
    for (lcp::SparseMatrix::InnerIterator entry(impact.matrix, row); entry; ++entry)
      if (entry.value() != 0) groups.join(block_of[row], block_of[entry.col()]);
  std::vector<std::vector<int>> all(impact.blocks.size());
  for (int i = 0; i < static_cast<int>(impact.blocks.size()); ++i)
    all[groups.first_of(i)].push_back(i);
  std::erase_if(all, [](const std::vector<int>& group) { return group.empty(); });
  return all;
}

std::vector<int> rows_of(const std::vector<Index>& first, const std::vector<int>& blocks) {
  std::vector<int> rows;
  for (const int block : blocks)
    for (Index row = first[block]; row < first[block + 1]; ++row)
      rows.push_back(static_cast<int>(row));
  return rows;
}

ConeImpact part_of(const ConeImpact& impact, const std::vector<int>& blocks,
                   const std::vector<int>& rows) {
  std::vector<int> place(impact.before.size(), -1);
  for (std::size_t i = 0; i < rows.size(); ++i) place[rows[i]] = static_cast<int>(i);
  std::vector<Eigen::Triplet<double>> entries;
  for (const int row : rows)
    for (lcp::SparseMatrix::InnerIterator entry(impact.matrix, row); entry; ++entry)
      if (place[entry.col()] >= 0)
        entries.emplace_back(place[row], place[entry.col()], entry.value());
  ConeImpact part;
  const auto size = static_cast<Index>(rows.size());
  part.matrix.resize(size, size);
  part.matrix.setFromTriplets(entries.begin(), entries.end());
  part.before = impact.before(rows);
  for (const int block : blocks) part.blocks.push_back(impact.blocks[block]);
  part.law = impact.law;
  part.follows_slip = impact.follows_slip;
  return part;
}

bool is_followed(const ConeImpact& impact) {
  return impact.follows_slip && impact.blocks.size() == 1 && impact.blocks.front().law.is_contact();
}

// A contact that collides alone.
ConeImpactResult followed_impact(const ConeImpact& impact) {
  const ConeImpactBlock& block = impact.blocks.front();
  PointImpact point;
  point.matrix = Eigen::MatrixXd(impact.matrix);
  point.before = impact.before;
  point.static_friction = std::max(block.static_friction, block.law.friction);
  point.dynamic_friction = block.law.friction;
  point.restitution = block.restitution;
  point.law = impact.law;
  const PointImpactResult hit = routh(point);
  ConeImpactResult result;
  result.status = hit.status;
  result.impulse = hit.impulse;
  result.after = hit.after;
  const bool sticks = hit.phases.empty() || hit.phases.back().slip == Slip::sticks;
  result.modes = {hit.impulse[0] <= 0 ? lcp::Mode::open
                  : sticks            ? lcp::Mode::stick
                                      : lcp::Mode::slip};
  result.restitution = {hit.restitution};
  result.energy_gained = -hit.energy_lost;
  result.solves = 1;
  return result;
}

void add(const ConeImpactResult& part, const std::vector<int>& blocks, const std::vector<int>& rows,
         ConeImpactResult& whole) {
  if (part.status != lcp::Status::solved) whole.status = part.status;
  whole.impulse(rows) = part.impulse;
  whole.after(rows) = part.after;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    whole.modes[blocks[i]] = part.modes[i];
    whole.restitution[blocks[i]] = part.restitution[i];
  }
  whole.energy_gained += part.energy_gained;
  whole.residual = std::max(whole.residual, part.residual);
  whole.solves += part.solves;
  whole.iterations += part.iterations;
}

}  // namespace

ConeImpactResult cone_impact(const ConeImpact& impact) {
  ConeImpactResult result;
  result.impulse = result.after = lcp::Vector::Zero(impact.before.size());
  result.modes.resize(impact.blocks.size());
  result.restitution.resize(impact.blocks.size());
  const std::vector<Index> first = first_rows(impact.blocks);
  for (const std::vector<int>& blocks : connected_blocks(impact)) {
    const std::vector<int> rows = rows_of(first, blocks);
    const ConeImpact part = part_of(impact, blocks, rows);
    add(is_followed(part) ? followed_impact(part) : connected_impact(part), blocks, rows, result);
  }
  return result;
}

}  // namespace abut::impulse
