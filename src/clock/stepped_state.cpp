#include "clock/stepped_state.h"

#include <algorithm>

#include "integrate/prescribed.h"

namespace abut::clock {

const StepPiece* piece_at(const SteppedBody& body, double t) {
  for (const StepPiece& piece : body.pieces)
    if (t <= piece.motion.end) return &piece;
  return body.pieces.empty() ? nullptr : &body.pieces.back();
}

bool SteppedState::is_mine(JointIndex joint) const {
  const auto& ends = model.joints[joint].bodies;
  return contains(ends[0]) || contains(ends[1]);
}

std::vector<int> SteppedState::all_forces() const {
  std::vector<int> all = explicit_forces.forces;
  all.insert(all.end(), implicit_forces.begin(), implicit_forces.end());
  return all;
}

std::vector<bool> SteppedState::connected() const {
  std::vector<bool> connected(bodies.size(), false);
  const auto connect = [&](BodyIndex a, BodyIndex b) {
    if (contains(a)) connected[slot_of[a]] = true;
    if (contains(b)) connected[slot_of[b]] = true;
  };
  for (std::size_t j = 0; j < model.joints.size(); ++j)
    if (!broken[j]) connect(model.joints[j].bodies[0], model.joints[j].bodies[1]);
  for (const int force : all_forces()) {
    const std::vector<BodyIndex> ends = integrate::bodies_of(model.forces[force]);
    if (ends.size() == 2) connect(ends[0], ends[1]);
  }
  return connected;
}

std::vector<integrate::MovingBody> SteppedState::moving_now() const {
  std::vector<integrate::MovingBody> moving;
  for (const SteppedBody& body : bodies)
    moving.push_back(
        {body.state, body::angular_velocity(model.bodies[body.index].mass, body.state.attitude,
                                            body.state.angular_momentum)});
  return moving;
}

std::vector<integrate::Wrench> SteppedState::forces_now() const {
  std::vector<integrate::Wrench> wrenches(bodies.size());
  integrate::Balance unused;
  laws->add(time, motion::Side::before, moving_now(), wrenches, unused);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    wrenches[i].force += model.bodies[bodies[i].index].mass.mass * model.gravity;
  return wrenches;
}

body::RigidMotion SteppedState::motion_at(BodyIndex body, double t) const {
  if (body == world || slot_of[body] < 0) {
    const motion::Kinematics k = integrate::prescribed_kinematics(model, scripts, body, t);
    return {k.pose, k.velocity, k.angular_velocity};
  }
  const SteppedBody& stepped = bodies[slot_of[body]];
  const StepPiece* piece = t < time ? piece_at(stepped, t) : nullptr;
  return {piece != nullptr ? piece->motion.pose(t) : stepped.pose()};
}

}  // namespace abut::clock
