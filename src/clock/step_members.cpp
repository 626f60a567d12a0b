// Who is stepped: bodies join the step clock and leave it.

#include <algorithm>
#include <cmath>

#include "clock/drag_kick.h"
#include "clock/step_clock.h"
#include "clock/step_start.h"

namespace abut::clock {
namespace {

// The state of a body that forces have carried on for a time, s, that places are ahead of it.
void catch_up(double lag, const integrate::Wrench& wrench, const body::Mass& mass,
              const std::vector<const model::Drag*>& drags, body::RigidState& state,
              integrate::Balance& balance) {
  Vec3 push = lag * wrench.force, turn = lag * wrench.torque;
  if (!drags.empty()) {
    const Vec3 spin = body::angular_velocity(mass, state.attitude, state.angular_momentum);
    const DragKick drag(drags, mass, state.attitude, state.velocity, spin, lag);
    push = lag * mass.mass * drag.acceleration(wrench.force);
    turn = lag * drag.slowed(wrench.torque);
  }
  state.velocity += push / mass.mass;
  state.angular_momentum += turn;
  balance.impulse += push;
  balance.angular_impulse += state.centre.cross(push) + turn;
}

}  // namespace

// The bodies from now on, and what acts on them.
void StepClock::enlist(std::vector<SteppedBody> bodies) {
  std::sort(bodies.begin(), bodies.end(),
            [](const SteppedBody& x, const SteppedBody& y) { return x.index < y.index; });
  state_.bodies = std::move(bodies);
  std::fill(state_.slot_of.begin(), state_.slot_of.end(), -1);
  state_.explicit_forces = {};
  state_.implicit_forces.clear();
  for (std::size_t i = 0; i < state_.bodies.size(); ++i) {
    state_.slot_of[state_.bodies[i].index] = static_cast<int>(i);
    state_.explicit_forces.bodies.push_back(state_.bodies[i].index);
  }
  for (std::size_t i = 0; i < state_.model.forces.size(); ++i) {
    const std::vector<BodyIndex> ends = integrate::bodies_of(state_.model.forces[i]);
    const bool is_mine = std::any_of(ends.begin(), ends.end(),
                                     [this](BodyIndex body) { return state_.contains(body); });
    if (is_mine && !std::holds_alternative<model::Impulse>(state_.model.forces[i]))
      (is_implicit(state_.model, state_.model.forces[i]) ? state_.implicit_forces
                                                         : state_.explicit_forces.forces)
          .push_back(static_cast<int>(i));
  }
  state_.laws =
      std::make_unique<integrate::ForceLaws>(state_.model, state_.scripts, state_.explicit_forces);
  neighbours_.forget_pairs();
}

void StepClock::take(const std::vector<Passage>& joining, const std::vector<double>& coordinates) {
  std::vector<SteppedBody> bodies = state_.bodies;
  for (const Passage& one : joining) {
    SteppedBody body;
    body.index = one.body;
    body.state = one.state;
    body.radius = state_.model.bodies[one.body].bounding_radius;
    if (state_.model.bodies[one.body].bends()) begin_bent(state_.model, body);
    neighbours_.forget_width(one.body);
    state_.carried += one.balance;
    bodies.push_back(std::move(body));
  }
  enlist(std::move(bodies));
  std::vector<bool> is_new(state_.model.bodies.size(), false);
  for (const Passage& one : joining) is_new[one.body] = true;
  const auto joins = [&](BodyIndex body) { return body != world && is_new[body]; };
  for (std::size_t j = 0; j < state_.model.joints.size(); ++j) {
    if (!joins(state_.model.joints[j].bodies[0]) && !joins(state_.model.joints[j].bodies[1]))
      continue;
    state_.joint_steps[j] = {};
    state_.coordinates[j] = coordinates[j];
  }
  open_start_gaps(state_, neighbours_, is_new);
  if (std::any_of(state_.bodies.begin(), state_.bodies.end(),
                  [](const SteppedBody& b) { return b.bent; }))
    open_bent_start_gaps(state_, neighbours_);
  const Energy stored = StepReport(state_).bent_force_energy(state_.time);
  state_.bent_start = stored.elastic + stored.potential;
}

void StepClock::keep(const std::vector<BodyIndex>& bodies) {
  for (const BodyIndex body : bodies) state_.bodies[state_.slot_of[body]].stays = true;
}

std::vector<Passage> StepClock::release_lone() {
  std::vector<bool> stays = state_.connected();
  for (std::size_t i = 0; i < state_.bodies.size(); ++i)
    if (!state_.bodies[i].lone || state_.bodies[i].asleep || state_.bodies[i].stays)
      stays[i] = true;
  for (const impulse::OutsideImpulse& outside : state_.outside_impulses)
    stays[state_.slot_of[outside.body]] = true;
  if (std::all_of(stays.begin(), stays.end(), [](bool one) { return one; })) return {};
  const std::vector<integrate::Wrench> wrenches = state_.forces_now();
  std::vector<Passage> leaving;
  std::vector<SteppedBody> staying;
  for (std::size_t i = 0; i < state_.bodies.size(); ++i) {
    const SteppedBody& body = state_.bodies[i];
    if (stays[i]) {
      staying.push_back(body);
      continue;
    }
    Passage passage{body.index, body.state, {}};
    catch_up(0.5 * body.last_step, wrenches[i], state_.model.bodies[body.index].mass,
             drags_on(state_.model, state_.implicit_forces, body.index), passage.state,
             passage.balance);
    leaving.push_back(std::move(passage));
  }
  enlist(std::move(staying));
  return leaving;
}

// Bodies keep the velocities of the middle of the step that is cut off: what they are ahead of
// their places, or behind, the next kick makes good.
void StepClock::cut(double t) {
  if (t >= state_.time) return;
  body_seconds_ -= (state_.time - t) * static_cast<double>(state_.bodies.size());
  for (SteppedBody& body : state_.bodies) {
    if (body.pieces.empty()) continue;
    while (body.pieces.size() > 1 && body.pieces.back().motion.begin >= t) body.pieces.pop_back();
    StepPiece& piece = body.pieces.back();
    const Pose pose = piece.motion.pose(t);
    body.state.centre = pose.position;
    body.state.attitude = pose.orientation;
    if (!body.asleep) {
      body.state.velocity = piece.velocity;
      body.state.angular_momentum = piece.angular_momentum;
      body.last_step = 2 * (t - piece.middle);
    }
    piece.motion.end = t;
  }
  for (const auto& [found, pair] : state_.pairs) {
    while (pair->steps.size() > 1 && pair->steps.back().begin >= t) pair->steps.pop_back();
    if (!pair->steps.empty()) pair->last = pair->steps.back();
  }
  std::erase_if(state_.book, [&](const BookEntry& entry) {
    return entry.time >= t && entry.time > state_.step_begin;
  });
  for (BookEntry& entry : state_.book) {
    if (!(entry.time + entry.over > t)) continue;
    entry.balance = entry.part((t - entry.time) / entry.over);
    entry.over = t - entry.time;
  }
  state_.time = t;
}

std::vector<BodyIndex> StepClock::bodies() const {
  return state_.explicit_forces.bodies;
}

std::vector<motion::BodyPath> StepClock::paths_of(BodyIndex body, double from) const {
  const SteppedBody& stepped = state_.bodies[state_.slot_of[body]];
  std::vector<motion::BodyPath> paths;
  for (const StepPiece& piece : stepped.pieces)
    if (piece.motion.end > from) paths.push_back(motion::BodyPath::steady(piece.motion));
  if (paths.empty()) paths.push_back(motion::BodyPath::resting(from, state_.time, stepped.pose()));
  return paths;
}

narrow::PairStatistics StepClock::pair_statistics() const {
  narrow::PairStatistics total;
  for (const auto& [found, pair] : state_.pairs) total += pair->statistics();
  return total;
}

}  // namespace abut::clock
