#include "clock/step_books.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "clock/bent_books.h"
#include "clock/bent_joints.h"
#include "clock/implicit_springs.h"

namespace abut::clock {
namespace {

using law::StepBlock;

// Friction is used up to this part of its cone where a contact slides (dimensionless).
constexpr double full_friction = 1 - 1e-6;

void push_at(const Attempt& attempt, const std::array<Side, 2>& sides, const StepContact& contact,
             const Vec3& force, std::vector<Push>& pushes) {
  for (const int side : {0, 1}) {
    const Side& on = sides[side];
    const Vec3 push = side == 0 ? force : Vec3(-force);
    if (on.place < 0)
      pushes[sides[1 - side].place].power -= push.dot(on.velocity_at(contact.arms[side]));
    else if (!attempt.bodies[on.place].bent)
      pushes[on.place].add(push, on.arm(contact.arms[side]).cross(push));
  }
}

// Supports of a joint work where they move; all that a motor's force does is its work.
void push_along(const Attempt& attempt, const std::array<Side, 2>& sides, const StepBlock& block,
                int row, double force, bool drives, std::vector<Push>& pushes) {
  attempt.push(block, row, force, pushes);
  if (attempt.acts_on_bent(block)) return;
  double& power = pushes[std::max(block.slots[0], block.slots[1])].power;
  for (const int side : {0, 1}) {
    const Side& on = sides[side];
    const body::RowSide& arms = attempt.problem.rows[block.first + row].sides[side];
    const double given = force * arms(on.velocity.linear, on.velocity.angular);
    if (drives && on.place >= 0) power += given;
    if (!drives && on.place < 0) power -= given;
  }
}

// Of all that changed the momentum of a body, what neither forces nor impulses nor rows gave it. It
// acts where the steps meet, as they do.
void book_drag(const Attempt& attempt, integrate::Balance& book) {
  std::vector<Push> pushes;
  for (std::size_t i = 0; i < attempt.island.slots.size(); ++i) {
    const AttemptBody& now = attempt.bodies[i];
    if (!now.drag) continue;
    if (pushes.empty()) pushes = attempt.pushes();
    const SteppedBody& body = attempt.stepped(i);
    const double mass = attempt.model().bodies[body.index].mass.mass;
    const integrate::Wrench struck = attempt.island.outside_impulse_on(body);
    Vec3 drag = mass * (now.free_velocity - now.before.linear);
    Vec3 turn = now.free_momentum - body.state.angular_momentum;
    Vec3 velocity = 0.5 * (now.before.linear + now.free_velocity);
    Vec3 spin =
        now.inertia.inverse_inertia * (0.5 * (body.state.angular_momentum + now.free_momentum));
    if (!now.is_stopped) {
      drag = mass * (now.moved.linear - now.before.linear) - pushes[i].on.force;
      turn = now.momentum_after() - body.state.angular_momentum - pushes[i].on.torque;
      velocity = now.mean_velocity(attempt.h);
      spin = now.mean_spin(attempt.h);
    }
    drag -= now.kick * now.force + struck.force;
    turn -= now.kick * now.torque + struck.torque;
    book.impulse += drag;
    book.angular_impulse += body.state.centre.cross(drag) + turn;
    const double work = now.drag->work(drag);
    book.work += work;
    book.dissipated += work - drag.dot(velocity) - turn.dot(spin);
  }
}

// An impulse p along a row whose velocity changes from w- to w+, where the steps meet, takes
// -p (w- + w+) / 2 out of the motion; the bodies get what is left of p times the velocity of
// supports that move: these work. Motors do nothing but work.
void book_rows(const Attempt& attempt, integrate::Balance& book) {
  std::vector<std::array<BodyIndex, 2>> between(attempt.problem.blocks.size(), {world, world});
  std::vector<bool> drives(attempt.problem.blocks.size(), false), touches = drives;
  for (const ContactRows& mine : attempt.contact_rows) {
    between[mine.block] = {attempt.island.touching(mine.pair).a(),
                           attempt.island.touching(mine.pair).b()};
    touches[mine.block] = true;
  }
  for (const JointRows& mine : attempt.joint_rows) {
    const joint::Joint& joint = attempt.model().joints[mine.joint];
    between[mine.block] = joint.bodies;
    for (int k = mine.coordinate; k < mine.end; ++k) between[k] = joint.bodies;
    if (joint.motor) drives[mine.end - 1] = true;
  }
  std::vector<bool> is_booked(attempt.problem.blocks.size(), false);
  for (const SpringRows& mine : attempt.spring_rows) is_booked[mine.block] = true;
  for (std::size_t k = 0; k < attempt.problem.blocks.size(); ++k) {
    const StepBlock& block = attempt.problem.blocks[k];
    if (is_booked[k] || attempt.acts_on_bent(block)) continue;
    for (int i = 0; i < block.rows; ++i) {
      const law::StepRow& row = attempt.problem.rows[block.first + i];
      if (row.impulse == 0) continue;
      double power = 0, carried = 0;  // over the impulse: of the bodies, and of supports
      for (const int side : {0, 1}) {
        const int place = block.slots[side];
        const body::RowSide& on = row.sides[side];
        if (place == impulse::immovable) {
          const Side support = attempt.side_of(between[k][side]);
          carried += on(support.velocity.linear, support.velocity.angular);
          // Equal and opposite to what it does to the other body, at the same place.
          const int other = block.slots[1 - side];
          const body::RowSide& push = row.sides[1 - side];
          const Vec3& centre = attempt.stepped(other).state.centre;
          book.impulse += row.impulse * push.linear;
          book.angular_impulse += row.impulse * (centre.cross(push.linear) + push.angular);
          continue;
        }
        const AttemptBody& now = attempt.bodies[place];
        if (now.is_stopped) continue;
        power += on(now.mean_velocity(attempt.h), now.mean_spin(attempt.h));
      }
      // What the bodies get is work less what is lost.
      const double lost = drives[k] ? 0 : -row.impulse * (power + carried);
      book.dissipated += lost;
      book.work += row.impulse * power + lost;
      if (touches[k]) (i > 0 ? book.rubbed : attempt.account.statistics.struck) += lost;
    }
  }
}

}  // namespace

// Along the axes of the block's rows.
Vec3 impulse_of(const Attempt& attempt, const ContactRows& mine) {
  const StepBlock& block = attempt.problem.blocks[mine.block];
  const Vec3& n = attempt.contacts[mine.pair][mine.contact].normal;
  const Vec3 first = n.unitOrthogonal();
  const auto size = [&](int i) { return attempt.problem.rows[block.first + i].impulse; };
  Vec3 impulse = size(0) * n;
  if (block.rows == 3) impulse += size(1) * first + size(2) * n.cross(first);
  return impulse;
}

void keep_contacts(const Attempt& attempt, std::vector<Push>& pushes) {
  std::vector<PairStep> steps(attempt.island.pair_count());
  for (const ContactRows& mine : attempt.contact_rows) {
    StepContact contact = attempt.contacts[mine.pair][mine.contact];
    const StepBlock& block = attempt.problem.blocks[mine.block];
    const auto impulse = [&](int i) { return attempt.problem.rows[block.first + i].impulse; };
    if (!(impulse(0) > 0)) continue;
    contact.impulse = impulse_of(attempt, mine);
    if (block.rows == 3)
      contact.slides =
          std::hypot(impulse(1), impulse(2)) >= full_friction * block.friction * impulse(0);
    steps[mine.pair].contacts.push_back(contact);
  }
  for (std::size_t p = 0; p < attempt.island.pair_count(); ++p) {
    TouchingPair& pair = attempt.island.touching(p);
    const AttemptBody& body =
        attempt
            .bodies[std::max(attempt.island.place_of(pair.a()), attempt.island.place_of(pair.b()))];
    steps[p].begin = attempt.t;
    steps[p].end = attempt.t + attempt.h;
    steps[p].kick = body.told_over(attempt.h);
    const double missing = steps[p].kick - body.kick;
    if (missing > 0) {
      const Memory before(pair.last, missing);
      for (StepContact& contact : steps[p].contacts)
        contact.impulse += before.turned_impulse(contact);
    }
    const std::array<Side, 2> sides = {attempt.side_of(pair.a()), attempt.side_of(pair.b())};
    for (const StepContact& contact : steps[p].contacts)
      push_at(attempt, sides, contact, contact.impulse / steps[p].kick, pushes);
    pair.last = steps[p];
    pair.steps.push_back(std::move(steps[p]));
  }
}

void keep_joints(const Attempt& attempt, std::vector<Push>& pushes) {
  for (const JointRows& mine : attempt.joint_rows) {
    const joint::Joint& joint = attempt.model().joints[mine.joint];
    JointStep& step = attempt.island.scene.joint_steps[mine.joint];
    const JointStep last = std::exchange(step, {});
    const StepBlock& block = attempt.problem.blocks[mine.block];
    for (int i = 0; i < block.rows; ++i)
      step.impulses.push_back(attempt.problem.rows[block.first + i].impulse);
    if (mine.coordinate != mine.end) {
      double push = 0;
      for (int k = mine.coordinate; k < mine.end; ++k) {
        const double sign = joint.limits && k == mine.coordinate + 1 ? -1 : 1;
        push += sign * attempt.problem.rows[attempt.problem.blocks[k].first].impulse;
      }
      step.impulses.push_back(push);
    }
    const AttemptBody& body = attempt.bodies[std::max(block.slots[0], block.slots[1])];
    step.kick = body.told_over(attempt.h);
    const double missing = step.kick - body.kick;
    const std::array<Side, 2> sides = {attempt.side_of(joint.bodies[0]),
                                       attempt.side_of(joint.bodies[1])};
    for (int i = 0; i < static_cast<int>(step.impulses.size()); ++i) {
      if (last.kick > 0 && i < static_cast<int>(last.impulses.size()))
        step.impulses[i] += missing / last.kick * last.impulses[i];
      const bool is_equality = i < block.rows;
      const StepBlock& of = is_equality ? block : attempt.problem.blocks[mine.coordinate];
      const int row = is_equality ? i : 0;
      const bool drives = of.kind == StepBlock::Kind::bounded && joint.motor;
      push_along(attempt, sides, of, row, step.impulses[i] / step.kick, drives, pushes);
    }
  }
}

void keep_springs(const Attempt& attempt, std::vector<Push>& pushes) {
  const auto keep = [&](int k) {
    const StepBlock& block = attempt.problem.blocks[k];
    const AttemptBody& body = attempt.bodies[std::max(block.slots[0], block.slots[1])];
    for (int i = 0; i < block.rows; ++i)
      attempt.push(block, i,
                   attempt.problem.rows[block.first + i].impulse / body.told_over(attempt.h),
                   pushes);
  };
  for (const SpringRows& mine : attempt.spring_rows) keep(mine.block);
  for (const HoldRows& mine : attempt.hold_rows) keep(mine.block);
}

void book_step(const Attempt& attempt) {
  BookEntry entry, mending;
  entry.time = mending.time = attempt.t;
  entry.is_first = attempt.is_first();
  mending.over = attempt.h;
  entry.middle = attempt.t + 0.5 * attempt.h;
  entry.end = attempt.t + attempt.h;
  entry.work_rate = attempt.rates.work;
  entry.loss_rate = attempt.rates.dissipated;
  integrate::Balance& book = entry.balance;
  double kick = 0;
  for (std::size_t i = 0; i < attempt.island.slots.size(); ++i) {
    const SteppedBody& body = attempt.stepped(i);
    const AttemptBody& now = attempt.bodies[i];
    kick = std::max(kick, now.kick);
    const double mass = attempt.model().bodies[body.index].mass.mass;
    if (now.bent) {
      book_bent(attempt, static_cast<int>(i), book);
      continue;
    }
    const Vec3 weight = now.kick * mass * attempt.model().gravity;
    book.impulse += weight;
    book.angular_impulse += body.state.centre.cross(weight);
    if (now.is_stopped) {
      const Vec3 taken = -mass * now.free_velocity;
      book.impulse += taken;
      book.angular_impulse += body.state.centre.cross(taken) - now.free_momentum;
      book.dissipated +=
          0.5 * (mass * now.free_velocity.squaredNorm() +
                 now.free_momentum.dot(now.inertia.inverse_inertia * now.free_momentum));
    }
    // Gaps that are mended shift the body against its forces, all through the step.
    const Vec3 shift = attempt.h * (now.drift.linear - now.moved.linear);
    if (!now.is_stopped) {
      mending.balance.work -=
          now.force.dot(shift) + attempt.h * now.torque.dot(now.drift.angular - now.moved.angular);
      mending.balance.angular_impulse += shift.cross(mass * now.moved.linear);
    }
    for (const impulse::OutsideImpulse& outside : attempt.island.outside_impulses) {
      if (outside.body != body.index) continue;
      book.impulse += outside.impulse;
      book.angular_impulse += outside.at.cross(outside.impulse);
      // On its average together with what contacts and joints do at that instant, as these are
      // booked; a body that is stopped loses what it would have had.
      const Vec3 torque = (outside.at - body.state.centre).cross(outside.impulse);
      const Vec3 velocity = now.is_stopped ? Vec3(now.free_velocity - 0.5 * outside.impulse / mass)
                                           : now.mean_velocity(attempt.h);
      const Vec3 spin = now.is_stopped
                            ? Vec3(now.inertia.inverse_inertia * (now.free_momentum - 0.5 * torque))
                            : now.mean_spin(attempt.h);
      book.work += outside.impulse.dot(velocity) + torque.dot(spin);
    }
  }
  const auto add = [&](double part, const integrate::Balance& rates) {
    book.dissipated += part * rates.dissipated;
    book.work += part * rates.work;
    book.impulse += part * rates.impulse;
    book.angular_impulse += part * rates.angular_impulse;
  };
  add(kick, attempt.rates);
  book_bent_rows(attempt, book);
  book_bent_joints(attempt, book);
  book_springs(attempt, book);
  book_drag(attempt, book);
  book_rows(attempt, book);
  attempt.account.book.push_back(mending);
  attempt.account.book.push_back(entry);
}

}  // namespace abut::clock
