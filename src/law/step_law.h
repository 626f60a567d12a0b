#pragma once
// A block of a step's problem as the exact methods have it: scaled, with its impulse and its motion
// on their way through the cone.

#include <vector>

#include "base/limits.h"
#include "law/step_problem.h"
#include "lcp/second_order_cone.h"
#include "math/block_lu.h"

namespace abut::law {

using lcp::Cone;
using Part6 = math::BlockLu::Part;
using Block6 = math::BlockLu::Block;

/// The law of one block, with its rows scaled such that their own answer is 1.
struct Law {
  StepBlock::Kind kind;
  std::array<int, 2> slots;
  int first, rows;
  double unit = 1;                                             ///< m/s per scaled velocity
  std::array<Block6, 2> j = {Block6::Zero(), Block6::Zero()};  ///< a row in each column
  Part6 bias = Part6::Zero();
  struct More {
    int slot;
    Block6 j;
  };
  std::vector<More> more = {};         ///< further slots
  int first_place = 0;                 ///< of its blocks, in ScaledProblem
  double slope = 1;                    ///< mu of a contact
  double lower = 0, upper = infinity;  ///< of a bounded row, scaled
  // Where it stands.
  Part6 impulse = Part6::Zero();            ///< of an equality
  Cone x = Cone::Zero(), y = Cone::Zero();  ///< of a contact, or above the lower bound
  double above = 0, over = 0;               ///< the same, below the upper bound
  Part6 motion = Part6::Zero(), error = Part6::Zero();

  bool is_contact() const { return kind == StepBlock::Kind::contact; }
  bool is_equality() const { return kind == StepBlock::Kind::equality; }
  bool has_lower() const { return !is_equality() && lower > -infinity; }
  bool has_upper() const { return kind == StepBlock::Kind::bounded && upper < infinity; }

  Part6 scaled_impulse() const {
    if (is_equality()) return impulse;
    Part6 p = Part6::Zero();
    p.head<3>() = x;
    if (!is_contact()) p[0] = has_lower() ? x[0] + lower : upper - above;
    return p;
  }
};

/// One step of a law: of its impulse, and of its motions.
struct LawStep {
  Part6 dx = Part6::Zero();
  Cone dy = Cone::Zero();
  double over = 0;  ///< dy at the upper bound
};

/// What velocities of the bodies, scaled, are along the rows.
inline Part6 change(const Law& law, const std::vector<Part6>& dv) {
  Part6 moved = Part6::Zero();
  for (const int side : {0, 1}) {
    if (law.slots[side] == impulse::immovable) continue;
    if (law.is_equality())
      moved.noalias() += law.j[side].transpose() * dv[law.slots[side]];
    else
      moved.head<3>().noalias() += law.j[side].leftCols<3>().transpose() * dv[law.slots[side]];
  }
  for (const Law::More& more : law.more) {
    if (law.is_equality())
      moved.noalias() += more.j.transpose() * dv[more.slot];
    else
      moved.head<3>() += more.j.leftCols<3>().transpose().lazyProduct(dv[more.slot]);
  }
  return moved;
}

/// The same with the bias.
inline Part6 motion(const Law& law, const std::vector<Part6>& v) {
  return law.bias + change(law, v);
}

/// Adds what an impulse does to the bodies.
inline void push(const Law& law, const Part6& impulse, std::vector<Part6>& v) {
  for (const int side : {0, 1}) {
    if (law.slots[side] == impulse::immovable) continue;
    if (law.is_equality())
      v[law.slots[side]].noalias() += law.j[side] * impulse;
    else
      v[law.slots[side]].noalias() += law.j[side].leftCols<3>() * impulse.head<3>();
  }
  for (const Law::More& more : law.more) {
    if (law.is_equality())
      v[more.slot].noalias() += more.j * impulse;
    else
      v[more.slot] += more.j.leftCols<3>().lazyProduct(impulse.head<3>());
  }
}

inline void take(Law& law, const LawStep& step, double length) {
  if (law.is_equality()) law.impulse += length * step.dx;
  if (law.has_lower()) {
    law.x += length * step.dx.head<3>();
    law.y += length * step.dy;
  }
  if (law.has_upper()) {
    law.above -= length * step.dx[0];
    law.over += length * step.over;
  }
}

}  // namespace abut::law
