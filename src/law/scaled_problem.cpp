#include "law/scaled_problem.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace abut::law {

using impulse::immovable;

std::vector<std::array<int, 2>> couplings_of(const StepProblem& problem) {
  std::vector<std::array<int, 2>> pairs;
  std::vector<int> slots, last;
  for (const StepBlock& block : problem.blocks) {
    slots.assign(problem.more_slots.begin() + block.first_more,
                 problem.more_slots.begin() + block.first_more + block.more);
    for (const int slot : block.slots)
      if (slot != immovable) slots.push_back(slot);
    if (slots == last) continue;  // contacts of the same bodies follow each other
    last = slots;
    for (std::size_t i = 0; i < slots.size(); ++i)
      for (std::size_t k = i + 1; k < slots.size(); ++k)
        pairs.push_back({std::min(slots[i], slots[k]), std::max(slots[i], slots[k])});
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

bool is_narrow(const StepProblem& problem) {
  return std::all_of(problem.blocks.begin(), problem.blocks.end(),
                     [](const StepBlock& block) { return block.more + 2 <= most_sides; });
}

ScaledProblem::ScaledProblem(const StepProblem& problem) {
  laws.reserve(problem.blocks.size());
  for (const StepBody& body : problem.bodies) scale_body(body);
  for (const StepBlock& block : problem.blocks) add_law(problem, block);
}

void ScaledProblem::scale_body(const StepBody& body) {
  roots_.push_back({std::sqrt(body.inertia.inverse_mass),
                    body.inertia.inverse_inertia.llt().matrixL().toDenseMatrix()});
  Part6 scaled;
  scaled.head<3>() = body.velocity.linear / roots_.back().linear;
  scaled.tail<3>() =
      roots_.back().angular.triangularView<Eigen::Lower>().solve(body.velocity.angular);
  free.push_back(scaled);
}

void ScaledProblem::add_law(const StepProblem& problem, const StepBlock& block) {
  Law law{block.kind, block.slots, block.first, block.rows};
  Part6 answer = Part6::Zero();
  for (int i = 0; i < block.rows; ++i) {
    const StepRow& row = problem.rows[block.first + i];
    law.bias[i] = row.bias;
    for (const int side : {0, 1}) {
      if (block.slots[side] == immovable) continue;
      const Root& root = roots_[block.slots[side]];
      law.j[side].col(i) << root.linear * row.sides[side].linear,
          root.angular.transpose() * row.sides[side].angular;
      answer[i] += law.j[side].col(i).squaredNorm();
    }
  }
  law.more.reserve(block.more);
  for (int k = 0; k < block.more; ++k) add_more(problem, block, k, law, answer);
  law.unit = std::sqrt(answer.maxCoeff());
  if (!(law.unit > 0)) law.unit = 1;
  law.slope = law.is_contact() ? block.friction : 1;
  Part6 divisor = Part6::Constant(law.unit);
  divisor[0] *= law.slope;
  law.bias = law.bias.cwiseQuotient(divisor);
  for (Block6& j : law.j) j *= divisor.cwiseInverse().asDiagonal();
  for (Law::More& more : law.more) more.j *= divisor.cwiseInverse().asDiagonal();
  if (law.kind == StepBlock::Kind::bounded) {
    law.lower = block.lower * law.unit;
    law.upper = block.upper * law.unit;
    if (!law.has_lower() && !law.has_upper()) law.kind = StepBlock::Kind::equality;
  }
  laws.push_back(std::move(law));
}

void ScaledProblem::add_more(const StepProblem& problem, const StepBlock& block, int k, Law& law,
                             Part6& answer) const {
  const int slot = problem.more_slots[block.first_more + k];
  const Root& root = roots_[slot];
  Block6 j = Block6::Zero();
  for (int i = 0; i < block.rows; ++i) {
    const body::RowSide& side = problem.more_sides[problem.rows[block.first + i].first_more + k];
    j.col(i) << root.linear * side.linear, root.angular.transpose() * side.angular;
    answer[i] += j.col(i).squaredNorm();
  }
  law.more.push_back({slot, j});
}

Part6 ScaledProblem::impulse_in(const StepProblem& problem, std::size_t block) const {
  const Law& law = laws[block];
  Part6 p = Part6::Zero();
  for (int k = 0; k < law.rows; ++k)
    p[k] = problem.rows[law.first + k].impulse * law.unit * (k == 0 ? law.slope : 1);
  return p;
}

void ScaledProblem::write_back(const std::vector<Part6>& impulses, StepProblem& problem) const {
  std::vector<Part6> velocities = free;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const Law& law = laws[i];
    push(law, impulses[i], velocities);
    for (int k = 0; k < law.rows; ++k)
      problem.rows[law.first + k].impulse = impulses[i][k] / (law.unit * (k == 0 ? law.slope : 1));
  }
  for (std::size_t i = 0; i < roots_.size(); ++i)
    problem.bodies[i].velocity = {roots_[i].linear * velocities[i].head<3>(),
                                  roots_[i].angular * velocities[i].tail<3>()};
}

namespace {

// One side of a law's rows.
struct LawSide {
  int slot;
  const Block6* j;
};

// Those that yield; at most `most_sides`.
int sides_of(const Law& law, std::array<LawSide, most_sides>& sides) {
  int count = 0;
  for (const int side : {0, 1})
    if (law.slots[side] != immovable) sides[count++] = {law.slots[side], &law.j[side]};
  for (const Law::More& more : law.more) sides[count++] = {more.slot, &more.j};
  return count;
}

}  // namespace

void ScaledProblem::find_places(math::BlockLu& matrix) {
  places_.clear();
  for (Law& law : laws) {
    std::array<LawSide, most_sides> sides;
    const int count = sides_of(law, sides);
    law.first_place = static_cast<int>(places_.size());
    for (int from = 0; from < count; ++from)
      for (int to = 0; to < count; ++to)
        places_.push_back(&matrix.at(sides[to].slot, sides[from].slot));
  }
}

template <int n>
void ScaledProblem::add_rows(const Law& law, const Block6& b) const {
  std::array<LawSide, most_sides> sides;
  const int count = sides_of(law, sides);
  auto place = places_.begin() + law.first_place;
  for (int from = 0; from < count; ++from) {
    const Eigen::Matrix<double, n, 6> pushed =
        b.topLeftCorner<n, n>().lazyProduct(sides[from].j->leftCols<n>().transpose());
    for (int to = 0; to < count; ++to)
      (*place++)->noalias() += sides[to].j->leftCols<n>().lazyProduct(pushed);
  }
}

void ScaledProblem::add_to_matrix(const Law& law, const Block6& b) const {
  if (law.is_contact()) return add_rows<3>(law, b);
  law.is_equality() ? add_rows<6>(law, b) : add_rows<1>(law, b);
}

}  // namespace abut::law
