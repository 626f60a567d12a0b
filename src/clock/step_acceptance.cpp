#include "clock/step_acceptance.h"

#include <algorithm>

#include "clock/bent_books.h"
#include "clock/bent_joints.h"
#include "clock/step_books.h"
#include "joint/rows.h"

namespace abut::clock {
namespace {

// Together with the forces on the body.
SteadyPush whole_push(const AttemptBody& now, SteadyPush push) {
  if (now.is_stopped) return {};
  integrate::Wrench& middle = push.middle;
  middle.force += now.force;
  middle.torque += now.torque;
  if (!now.drag) return push;
  // What drag is going to make of that in the next kick: nothing turns back on the way.
  const DragKick drag = now.drag->at(now.moved.linear, now.spin_of(now.moved));
  middle = {drag.acceleration(middle.force) / now.inertia.inverse_mass, drag.slowed(middle.torque)};
  push.rate = {};
  return push;
}

}  // namespace

void accept(Attempt& attempt) {
  ++attempt.account.statistics.steps;
  attempt.account.statistics.gap_bound =
      std::min(attempt.account.statistics.gap_bound, attempt.gap_bound);
  book_step(attempt);
  std::vector<bool> touched = attempt.touched();
  for (const impulse::OutsideImpulse& outside : attempt.island.outside_impulses)
    if (const int place = attempt.island.place_of(outside.body); place >= 0) touched[place] = true;
  std::vector<Push> pushes(attempt.island.slots.size());
  keep_contacts(attempt, pushes);
  keep_joints(attempt, pushes);
  keep_springs(attempt, pushes);
  BookEntry& book = attempt.account.book.back();
  for (std::size_t i = 0; i < attempt.island.slots.size(); ++i) {
    SteppedBody& body = attempt.stepped(i);
    const AttemptBody& now = attempt.bodies[i];
    const SteadyPush push = steady_push(now.inertia, {now.moved.linear, now.spin_of(now.moved)},
                                        pushes[i], body.last_push, attempt.h, body.last_step);
    body.last_push = pushes[i];
    book.work_rate += push.power;
    book.loss_rate += push.power;
    if (now.bent) {
      accept_bent(attempt, static_cast<int>(i), touched[i]);
      continue;
    }
    StepPiece piece;
    piece.motion = {attempt.t, attempt.t + attempt.h, body.pose(), now.drift.linear,
                    now.drift.angular};
    piece.middle = attempt.t + 0.5 * attempt.h;
    piece.velocity = now.moved.linear;
    piece.angular_momentum = now.momentum_after();
    if (attempt.is_first()) piece.first = {body.state.velocity, body.state.angular_momentum};
    piece.push = whole_push(now, push);
    const Pose end = piece.motion.pose(piece.motion.end);
    body.state = {end.position, end.orientation, piece.velocity, piece.angular_momentum};
    body.last_step = now.kick > 0 ? attempt.h : body.last_step + 2 * attempt.h;
    body.drive = now.yields().inverse_mass * now.force.norm();
    body.pieces.push_back(piece);
  }
  for (const JointIndex joint : attempt.island.joints) {
    const joint::Joint& of = attempt.model().joints[joint];
    if (!joint::has_coordinate(of.type)) continue;
    const auto motion = [&](int side) -> body::RigidMotion {
      const int place = attempt.island.place_of(of.bodies[side]);
      if (place < 0)
        return {attempt.island.prescribed_pose(of.bodies[side], attempt.t + attempt.h)};
      const SteppedBody& body = attempt.stepped(place);
      return {body.bent ? carrier_pose(attempt.model(), of, side, body.bent->state.columns)
                        : body.pose()};
    };
    attempt.island.scene.coordinates[joint] =
        joint::coordinate_row(of, motion(0), motion(1), attempt.island.scene.coordinates[joint])
            .value;
  }
}

}  // namespace abut::clock
