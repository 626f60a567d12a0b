// Who is stepped: bodies join the step clock and leave it.

#include <algorithm>
#include <cmath>

#include "clock/drag_kick.h"
#include "clock/step_clock.h"

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
  bodies_ = std::move(bodies);
  std::fill(slot_of_.begin(), slot_of_.end(), -1);
  island_ = {};
  implicit_forces_.clear();
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    slot_of_[bodies_[i].index] = static_cast<int>(i);
    island_.bodies.push_back(bodies_[i].index);
  }
  for (std::size_t i = 0; i < model_.forces.size(); ++i) {
    const std::vector<BodyIndex> ends = integrate::bodies_of(model_.forces[i]);
    const bool is_mine =
        std::any_of(ends.begin(), ends.end(), [this](BodyIndex body) { return contains(body); });
    if (is_mine && !std::holds_alternative<model::Impulse>(model_.forces[i]))
      (is_implicit(model_, model_.forces[i]) ? implicit_forces_ : island_.forces)
          .push_back(static_cast<int>(i));
  }
  laws_ = std::make_unique<integrate::ForceLaws>(model_, scripts_, island_);
  near_.clear();
  std::erase_if(pairs_, [this](const auto& entry) {
    const auto outside = [this](BodyIndex body) {
      return model_.bodies[body].is_dynamic() && !contains(body);
    };
    return outside(entry.first.a) || outside(entry.first.b);
  });
}

std::vector<int> StepClock::all_forces() const {
  std::vector<int> all = island_.forces;
  all.insert(all.end(), implicit_forces_.begin(), implicit_forces_.end());
  return all;
}

// By slot: whether joints, or springs to other bodies, act on it.
std::vector<bool> StepClock::connected() const {
  std::vector<bool> connected(bodies_.size(), false);
  const auto connect = [&](BodyIndex a, BodyIndex b) {
    if (contains(a)) connected[slot_of_[a]] = true;
    if (contains(b)) connected[slot_of_[b]] = true;
  };
  for (std::size_t j = 0; j < model_.joints.size(); ++j)
    if (!broken_[j]) connect(model_.joints[j].bodies[0], model_.joints[j].bodies[1]);
  for (const int force : all_forces()) {
    const std::vector<BodyIndex> ends = integrate::bodies_of(model_.forces[force]);
    if (ends.size() == 2) connect(ends[0], ends[1]);
  }
  return connected;
}

void StepClock::take(const std::vector<Passage>& joining, const std::vector<double>& coordinates) {
  std::vector<SteppedBody> bodies = bodies_;
  for (const Passage& one : joining) {
    SteppedBody body;
    body.index = one.body;
    body.state = one.state;
    body.radius = model_.bodies[one.body].bounding_radius;
    if (model_.bodies[one.body].bends()) begin_bent(body);
    widened_[one.body] = 1;
    carried_ += one.balance;
    bodies.push_back(std::move(body));
  }
  enlist(std::move(bodies));
  std::vector<bool> is_new(model_.bodies.size(), false);
  for (const Passage& one : joining) is_new[one.body] = true;
  const auto joins = [&](BodyIndex body) { return body != world && is_new[body]; };
  for (std::size_t j = 0; j < model_.joints.size(); ++j) {
    if (!joins(model_.joints[j].bodies[0]) && !joins(model_.joints[j].bodies[1])) continue;
    joint_steps_[j] = {};
    coordinates_[j] = coordinates[j];
  }
  open_start_gaps(is_new);
  if (std::any_of(bodies_.begin(), bodies_.end(), [](const SteppedBody& b) { return b.bent; }))
    open_bent_start_gaps();
  const Energy stored = bent_force_energy(time_);
  bent_start_ = stored.elastic + stored.potential;
}

void StepClock::keep(const std::vector<BodyIndex>& bodies) {
  for (const BodyIndex body : bodies) bodies_[slot_of_[body]].stays = true;
}

std::vector<Passage> StepClock::release_lone() {
  std::vector<bool> stays = connected();
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    if (!bodies_[i].lone || bodies_[i].asleep || bodies_[i].stays) stays[i] = true;
  for (const impulse::OutsideImpulse& outside : outside_impulses_)
    stays[slot_of_[outside.body]] = true;
  if (std::all_of(stays.begin(), stays.end(), [](bool one) { return one; })) return {};
  const std::vector<integrate::Wrench> wrenches = forces_now();
  std::vector<Passage> leaving;
  std::vector<SteppedBody> staying;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const SteppedBody& body = bodies_[i];
    if (stays[i]) {
      staying.push_back(body);
      continue;
    }
    Passage passage{body.index, body.state, {}};
    catch_up(0.5 * body.last_step, wrenches[i], model_.bodies[body.index].mass,
             drags_on(model_, implicit_forces_, body.index), passage.state, passage.balance);
    leaving.push_back(std::move(passage));
  }
  enlist(std::move(staying));
  return leaving;
}

std::vector<integrate::MovingBody> StepClock::moving_now() const {
  std::vector<integrate::MovingBody> moving;
  for (const SteppedBody& body : bodies_)
    moving.push_back(
        {body.state, body::angular_velocity(model_.bodies[body.index].mass, body.state.attitude,
                                            body.state.angular_momentum)});
  return moving;
}

// What acts on the bodies where the last step ends, weight included, but for contacts and joints.
std::vector<integrate::Wrench> StepClock::forces_now() const {
  std::vector<integrate::Wrench> wrenches(bodies_.size());
  integrate::Balance unused;
  laws_->add(time_, motion::Side::before, moving_now(), wrenches, unused);
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    wrenches[i].force += model_.bodies[bodies_[i].index].mass.mass * model_.gravity;
  return wrenches;
}

// Bodies keep the velocities of the middle of the step that is cut off: what they are ahead of
// their places, or behind, the next kick makes good.
void StepClock::cut(double t) {
  if (t >= time_) return;
  body_seconds_ -= (time_ - t) * static_cast<double>(bodies_.size());
  for (SteppedBody& body : bodies_) {
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
  for (const auto& [found, pair] : pairs_) {
    while (pair->steps.size() > 1 && pair->steps.back().begin >= t) pair->steps.pop_back();
    if (!pair->steps.empty()) pair->last = pair->steps.back();
  }
  std::erase_if(
      book_, [&](const BookEntry& entry) { return entry.time >= t && entry.time > step_begin_; });
  for (BookEntry& entry : book_) {
    if (!(entry.time + entry.over > t)) continue;
    entry.balance = entry.part((t - entry.time) / entry.over);
    entry.over = t - entry.time;
  }
  time_ = t;
}

std::vector<BodyIndex> StepClock::bodies() const {
  return island_.bodies;
}

std::vector<motion::BodyPath> StepClock::paths_of(BodyIndex body, double from) const {
  const SteppedBody& stepped = bodies_[slot_of_[body]];
  std::vector<motion::BodyPath> paths;
  for (const StepPiece& piece : stepped.pieces)
    if (piece.motion.end > from) paths.push_back(motion::BodyPath::steady(piece.motion));
  if (paths.empty()) paths.push_back(motion::BodyPath::resting(from, time_, stepped.pose()));
  return paths;
}

bool StepClock::is_mine(JointIndex joint) const {
  const auto& ends = model_.joints[joint].bodies;
  return contains(ends[0]) || contains(ends[1]);
}

}  // namespace abut::clock
