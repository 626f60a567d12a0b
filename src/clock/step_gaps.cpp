#include "clock/step_gaps.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "clock/bent_rows.h"

namespace abut::clock {
namespace {

using law::StepBlock;
using law::StepRow;

// Of the kept gap (dimensionless). A gap that is too small grows by the first in a whole step,
// slowly enough not to be seen; a place that was found late is kept at the second. Less than the
// third, in a whole step, is not worth mending.
constexpr double regained_fraction = 0.2;
constexpr double late_fraction = 0.25;
constexpr double mended_fraction = 0.02;

// The cosine of the angle up to which normals are of one side (dimensionless).
constexpr double same_way = 0.9;

// Those that belong to the velocities as they are.
void set_node_momenta(law::StepProblem& problem) {
  problem.node_momenta.resize(problem.node_velocities.size());
  for (const law::StepSheet& sheet : problem.sheets) {
    const math::NodeMatrix& matrix = *sheet.matrix;
    math::NodeVector x(matrix.nodes()), y(matrix.nodes());
    for (int i = 0; i < matrix.nodes(); ++i) {
      x[i] = math::quad(problem.node_velocities[sheet.first + i]);
      y[i] = matrix.diagonal(i) * x[i];
    }
    matrix.add_coupling(x.data(), y.data());
    for (int i = 0; i < matrix.nodes(); ++i) problem.node_momenta[sheet.first + i] = y[i].head<3>();
  }
}

// The gap that a contact is to have where its time ends, if what is missing is mended in this time.
double target_of(const StepContact& contact, double mending) {
  const double most = (contact.found_late ? late_fraction : 1) * contact.kept;
  const double regained = contact.within / mending * regained_fraction * contact.kept;
  return std::min(most, std::max(contact.gap, 0.0) + regained);
}

// Where features do not tell it, the places where the step ends are looked for, with the bodies
// apart by as much as they can differ, lest they overlap there.
void find_bends(const Attempt& attempt, std::size_t p, std::array<Pose, 2> after, double most,
                std::vector<double>& bends) {
  NearPair& pair = *attempt.island.pairs[p];
  const std::vector<StepContact>& contacts = attempt.contacts[p];
  const Side a = attempt.side_of(pair.a()), b = attempt.side_of(pair.b());
  const Vec3& apart = contacts.front().normal;
  after[0].position += most * apart;
  const double reach = 2 * most + closed_fraction * pair.kept_gap();
  const std::vector<StepContact> ends = pair.contacts_found(after[0], after[1], reach);
  for (std::size_t c = 0; c < contacts.size(); ++c)
    for (const StepContact& there : ends)
      if (there.label == contacts[c].label)
        bends[c] = there.gap - most * apart.dot(there.normal) -
                   (contacts[c].gap +
                    attempt.h * contacts[c].normal.dot(a.velocity_at(contacts[c].arms[0]) -
                                                       b.velocity_at(contacts[c].arms[1])));
}

// Rows are linear, and bodies turn: by how much gaps end otherwise than their rows say, m, by pair
// and contact. Bodies that hold each other on several sides cannot be set apart; their rows stay as
// they are.
std::vector<double> bends_of(const Attempt& attempt, std::size_t p) {
  const NearPair& pair = *attempt.island.pairs[p];
  const std::vector<StepContact>& contacts = attempt.contacts[p];
  std::vector<double> bends(contacts.size(), 0);
  if (contacts.empty()) return bends;
  const Side a = attempt.side_of(pair.a()), b = attempt.side_of(pair.b());
  const double h = attempt.h;
  const double spin_a = a.velocity.angular.norm(), spin_b = b.velocity.angular.norm();
  const auto motion = [&](const StepContact& contact) -> Vec3 {
    return a.velocity_at(contact.arms[0]) - b.velocity_at(contact.arms[1]);
  };
  const Vec3& apart = contacts.front().normal;
  double most = 0;
  for (const StepContact& contact : contacts) {
    most = std::max(most, h * h *
                              (std::max(spin_a, spin_b) * motion(contact).norm() +
                               0.5 * spin_a * spin_a * contact.arms[0].norm() +
                               0.5 * spin_b * spin_b * contact.arms[1].norm()));
    if (contact.normal.dot(apart) < same_way) return bends;
  }
  if (most <= mended_fraction * h / attempt.mending_time() * pair.kept_gap()) return bends;
  const double end = attempt.t + h;
  const std::array<Pose, 2> before = {a.pose, b.pose};
  const std::array<Pose, 2> after = {attempt.path_of(pair.a()).pose(end),
                                     attempt.path_of(pair.b()).pose(end)};
  std::size_t told = 0;
  for (std::size_t c = 0; c < contacts.size(); ++c)
    if (const auto gap = pair.gap_after(contacts[c], before, after)) {
      bends[c] = *gap - (contacts[c].gap + h * contacts[c].normal.dot(motion(contacts[c])));
      ++told;
    }
  if (told < contacts.size()) find_bends(attempt, p, after, most, bends);
  return bends;
}

}  // namespace

void open_gaps(Attempt& attempt) {
  law::StepProblem mend;
  const double mending = attempt.mending_time();
  const double least = mended_fraction * attempt.h / mending;
  double tolerance = infinity, worst = 0;
  mend.bodies = attempt.problem.bodies;
  mend.more_slots = attempt.problem.more_slots;
  mend.more_sides = attempt.problem.more_sides;
  mend.block_nodes = attempt.problem.block_nodes;
  mend.node_sides = attempt.problem.node_sides;
  mend.sheets = attempt.problem.sheets;
  mend.node_velocities = attempt.problem.node_velocities;
  for (std::size_t i = 0; i < attempt.bodies.size(); ++i)
    mend.bodies[i].velocity = attempt.bodies[i].moved;
  std::vector<std::vector<double>> bends;
  for (std::size_t p = 0; p < attempt.island.pairs.size(); ++p)
    bends.push_back(bends_of(attempt, p));
  for (const ContactRows& mine : attempt.contact_rows) {
    const StepContact& contact = attempt.contacts[mine.pair][mine.contact];
    const double kept = contact.kept;
    const StepBlock& from = attempt.problem.blocks[mine.block];
    StepRow row = attempt.problem.rows[from.first];
    row.impulse = 0;
    row.bias = (contact.gap - target_of(contact, mending)) / contact.within + mine.given;
    if (mine.pair < attempt.island.pairs.size()) {
      if (!contact.found_late) row.bias += bends[mine.pair][mine.contact] / contact.within;
      const Side a = attempt.side_of(attempt.island.pairs[mine.pair]->a());
      const Side b = attempt.side_of(attempt.island.pairs[mine.pair]->b());
      for (const Side* side : {&a, &b})
        if (side->place < 0)
          row.bias += row.sides[side == &a ? 0 : 1](side->velocity.linear, side->velocity.angular);
    }
    StepBlock block = from;
    block.kind = StepBlock::Kind::bounded;
    block.rows = 1;
    block.lower = 0;
    block.upper = infinity;
    mend.begin_block(block);
    mend.rows.push_back(row);
    const double missing = -mend.motion(mend.blocks.back(), mend.blocks.back().first);
    worst = std::max(worst, missing * contact.within / kept);
    tolerance = std::min(tolerance, least * kept / contact.within);
  }
  if (worst <= least) return;
  set_node_momenta(mend);
  std::vector<int> equalities;
  for (const JointRows& mine : attempt.joint_rows) equalities.push_back(mine.block);
  for (const HoldRows& mine : attempt.hold_rows) equalities.push_back(mine.block);
  for (const int equality : equalities) {
    StepBlock block = attempt.problem.blocks[equality];
    const int first = block.first;
    mend.begin_block(block);
    for (int i = 0; i < block.rows; ++i) {
      StepRow row = attempt.problem.rows[first + i];
      row.impulse = row.bias = 0;
      mend.rows.push_back(row);
      mend.rows.back().bias = -mend.motion(mend.blocks.back(), mend.blocks.back().first + i);
    }
  }
  attempt.account.statistics.sweeps += law::solve(mend, tolerance, tolerance).sweeps;
  for (std::size_t i = 0; i < attempt.island.slots.size(); ++i) {
    attempt.bodies[i].drift = mend.bodies[i].velocity;
    if (attempt.bodies[i].bent) read_bent(attempt, static_cast<int>(i), mend);
  }
}

}  // namespace abut::clock
