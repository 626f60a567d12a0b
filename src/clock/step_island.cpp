#include "clock/step_island.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "clock/step_attempt.h"
#include "math/rotation.h"

namespace abut::clock {
namespace {

// How often a step is solved again with rows where its proof failed, before it is shortened.
constexpr int most_rounds = 3;

// A contact closes at its own time unless that cuts off less than this part of a whole step: so the
// end of a sequence of bounces costs a few steps and no more.
constexpr double least_arrival = 1.0 / 64;

// Islands of up to so many bodies take one more step for anything that arrives later than that.
constexpr double few_bodies = 16;

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

StepIsland::StepIsland(StepScene& scene, std::vector<int> slots, std::vector<NearPair*> pairs,
                       std::vector<JointIndex> joints, const std::vector<int>& forces,
                       std::vector<BentPair*> bent_pairs)
    : scene_(scene),
      slots_(std::move(slots)),
      pairs_(std::move(pairs)),
      bent_pairs_(std::move(bent_pairs)),
      joints_(std::move(joints)),
      island_([&] {
        integrate::Island island;
        for (const int slot : slots_) island.bodies.push_back(scene.bodies[slot].index);
        for (const int force : forces)
          (is_implicit(scene.model, scene.model.forces[force]) ? implicit_forces_ : island.forces)
              .push_back(force);
        return island;
      }()),
      laws_(scene.model, scene.scripts, island_) {}

void StepIsland::advance(double from, double to,
                         const std::vector<impulse::OutsideImpulse>& outside_impulses) {
  shortest_ = shortest_part * (to - from);
  outside_impulses_ = outside_impulses;
  double t = from;
  double h = std::min(to - from, longest_step(to - from));
  while (t < to) {
    if (scene_.interrupt != nullptr && scene_.interrupt->load()) return;
    // The last two steps share what is left, so that none is too short to be told.
    const double left = to - t;
    const Taken taken = take_step(t, h >= left ? left : std::min(h, 0.5 * left));
    t = taken.time >= left ? to : t + taken.time;
    for (const int slot : slots_) scene_.bodies[slot].longest_step = 0.5 * taken.next;
    h = taken.next;
  }
}

// What was proven lately, twice as long: the next try may be wrong.
double StepIsland::longest_step(double h) const {
  double longest = h;
  for (const int slot : slots_) {
    const SteppedBody& body = scene_.bodies[slot];
    if (body.longest_step > 0) longest = std::min(longest, 2 * body.longest_step);
  }
  for (const int index : island_.forces) {
    const double rate = integrate::force_rate(scene_.model, scene_.model.forces[index]);
    if (rate > 0) longest = std::min(longest, followed_phase / rate);
  }
  return std::max(longest, shortest_);
}

// One step from t, of length h or less.
StepIsland::Taken StepIsland::take_step(double t, double h) {
  if (take_flight(t, h)) return {h, 2 * h};
  Attempt attempt;
  attempt.t = t;
  attempt.h = h;
  double uncut = 0;  // as long as nothing but an arrival has shortened it
  predict(attempt);
  collect_contacts(attempt);
  const double arrival = first_arrival(attempt);
  if (arrival < h) {
    uncut = h;
    shorten(attempt, arrival);
  }
  while (!solve_and_prove(attempt)) {
    if (attempt.h <= shortest_) {
      stop_unproven(attempt);
      break;
    }
    ++statistics_.shortened;
    uncut = 0;
    shorten(attempt, std::max(0.5 * attempt.h, shortest_));
  }
  accept(attempt);
  return {attempt.h, std::max(2 * attempt.h, uncut)};
}

// Solves, proves, adds what the proof shows to be missing, and so on.
bool StepIsland::solve_and_prove(Attempt& attempt) {
  for (int round = 0; round < most_rounds; ++round) {
    state_problem(attempt);
    if (!solve_problem(attempt)) return false;
    open_gaps(attempt);
    if (is_inside_out(attempt)) return false;
    const std::vector<Failure> failures = unproven(attempt);
    if (failures.empty()) return true;
    for (const Failure& failure : failures) add_late_contacts(attempt, failure);
  }
  return false;
}

void StepIsland::predict(Attempt& attempt) const {
  const std::size_t count = slots_.size();
  const model::Model& model = scene_.model;
  attempt.bodies.assign(count, {});
  std::vector<integrate::MovingBody> moving;
  for (const int slot : slots_) {
    const SteppedBody& body = scene_.bodies[slot];
    const body::Mass& mass = model.bodies[body.index].mass;
    moving.push_back({body.state, body::angular_velocity(mass, body.state.attitude,
                                                         body.state.angular_momentum)});
  }
  std::vector<integrate::Wrench> wrenches(count);
  attempt.rates = {};
  if (!laws_.empty()) laws_.add(attempt.t, motion::Side::after, moving, wrenches, attempt.rates);
  for (std::size_t i = 0; i < count; ++i) {
    const SteppedBody& body = scene_.bodies[slots_[i]];
    const body::Mass& mass = model.bodies[body.index].mass;
    AttemptBody& now = attempt.bodies[i];
    now.kick = std::max(0.0, 0.5 * (body.last_step + attempt.h));
    now.last_step = body.last_step;
    if (body.bent) {
      predict_bent(attempt, static_cast<int>(i));
      continue;
    }
    now.inertia = impulse::Inertia::of(mass, body.state.attitude);
    now.before = {body.state.velocity, moving[i].angular_velocity};
    now.force = mass.mass * model.gravity + wrenches[i].force;
    now.torque = wrenches[i].torque;
    const integrate::Wrench struck = outside_impulse_on(body);
    now.free_velocity =
        body.state.velocity + now.kick / mass.mass * now.force + struck.force / mass.mass;
    now.free_momentum = body.state.angular_momentum + now.kick * now.torque + struck.torque;
    if (const auto drags = drags_on(model, implicit_forces_, body.index); !drags.empty()) {
      const Vec3 velocity = body.state.velocity + struck.force / mass.mass;
      const Vec3 momentum = body.state.angular_momentum + struck.torque;
      now.drag.emplace(drags, mass, body.state.attitude, velocity,
                       now.inertia.inverse_inertia * momentum, now.kick);
      now.free_velocity = velocity + now.kick * now.drag->acceleration(now.force);
      now.free_momentum = momentum + now.kick * now.drag->slowed(now.torque);
    }
    const Vec3 spin = now.inertia.inverse_inertia * now.free_momentum;
    now.turning = middle_spin(mass, body.state.attitude, now.free_momentum, attempt.h) - spin;
    now.moved = now.drift = {now.free_velocity, spin + now.turning};
  }
}

// The impulses from outside, and their moment about the centre of mass.
integrate::Wrench StepIsland::outside_impulse_on(const SteppedBody& body) const {
  integrate::Wrench sum;
  for (const impulse::OutsideImpulse& outside : outside_impulses_) {
    if (outside.body != body.index) continue;
    sum.force += outside.impulse;
    sum.torque += (outside.at - body.state.centre).cross(outside.impulse);
  }
  return sum;
}

// Whatever could be reached within the step.
void StepIsland::collect_contacts(Attempt& attempt) const {
  attempt.contacts.assign(pair_count(), {});
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    NearPair& pair = *pairs_[p];
    const Side a = side_of(attempt, pair.a()), b = side_of(attempt, pair.b());
    const double apart = (a.pose.position - b.pose.position).norm();
    std::array<NearPair::Moving, 2> moving;
    for (const int side : {0, 1}) {
      const Side& one = side == 0 ? a : b;
      const Side& other = side == 0 ? b : a;
      const double radius = one.place >= 0 ? scene_.bodies[slots_[one.place]].radius
                                           : apart + scene_.bodies[slots_[other.place]].radius;
      moving[side] = {one.pose, one.velocity.linear, one.velocity.angular, radius};
    }
    const double kick = attempt.bodies[std::max(a.place, b.place)].kick;
    attempt.contacts[p] = pair.contacts(moving, attempt.h, closed_fraction * pair.kept_gap(), kick);
    for (const int side : {0, 1})
      if (const int place = (side == 0 ? a : b).place; place >= 0) {
        moving[side].velocity = attempt.bodies[place].before.linear;
        moving[side].spin = attempt.bodies[place].before.angular;
      }
    pair.look_past(attempt.contacts[p], moving, attempt.h, kick);
    for (StepContact& contact : attempt.contacts[p]) contact.within = attempt.h;
  }
  collect_bent_contacts(attempt);
}

// What could be reached within a longer step is all that can be in this one, at the same places.
void StepIsland::shorten(Attempt& attempt, double h) const {
  std::vector<double> kicks;
  for (const AttemptBody& body : attempt.bodies) kicks.push_back(body.kick);
  attempt.h = h;
  predict(attempt);
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    std::erase_if(attempt.contacts[p], [](const StepContact& one) { return one.found_late; });
    const int place = std::max(place_of(pairs_[p]->a()), place_of(pairs_[p]->b()));
    const double ratio = kicks[place] > 0 ? attempt.bodies[place].kick / kicks[place] : 0;
    for (StepContact& contact : attempt.contacts[p]) {
      contact.within = h;
      contact.impulse *= ratio;
    }
  }
  collect_bent_contacts(attempt);
}

// When the first contact closes for which the step ends; what it does then begins the next. A
// contact that bounces does. With steps that are to have a given error, so does one of bodies that
// the rest of the step would take through each other by more than the gap that they are kept at; if
// it pressed in the last step it does not arrive, but only hovers a little. All of the island takes
// one more step for that, though: where m pairs of n bodies arrive, as in a large heap at all
// times, the least time that is worth it grows by m^2 n, and with many there is none. What bounces
// then does so where the step begins: it is told when it would have closed.
double StepIsland::first_arrival(Attempt& attempt) const {
  const model::SolverSettings& solver = scene_.model.solver;
  const double least = least_arrival / shortest_part * shortest_;
  std::vector<double> arrivals;  // by pair
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    const NearPair& pair = *pairs_[p];
    const Side a = side_of(attempt, pair.a()), b = side_of(attempt, pair.b());
    double arrival = attempt.h;
    for (StepContact& contact : attempt.contacts[p]) {
      if (contact.gap <= closed_fraction * contact.kept) continue;
      const double approach =
          -contact.normal.dot(a.velocity_at(contact.arms[0]) - b.velocity_at(contact.arms[1]));
      const double closing = (contact.gap - contact.kept) / approach;
      if (!(approach > 0) || closing >= attempt.h) continue;
      const bool bounces = contact.law.restitution > 0 && approach > solver.rest_speed;
      if (bounces) contact.bounces_at = closing;
      const bool gets_through = solver.clock != model::Clock::step && contact.impulse.isZero(0) &&
                                approach * (attempt.h - closing) > contact.kept;
      if (closing > least && (bounces || gets_through)) arrival = std::min(arrival, closing);
    }
    if (arrival < attempt.h) arrivals.push_back(arrival);
  }
  const double size = std::max(1.0, static_cast<double>(slots_.size()) / few_bodies);
  const double worth = least * size * static_cast<double>(arrivals.size() * arrivals.size());
  double first = attempt.h;
  for (const double arrival : arrivals)
    if (arrival > worth) first = std::min(first, arrival);
  return first;
}

void StepIsland::accept(Attempt& attempt) {
  ++statistics_.steps;
  statistics_.gap_bound = std::min(statistics_.gap_bound, attempt.gap_bound);
  book_step(attempt);
  const std::vector<bool> touched = attempt.touched();
  std::vector<Push> pushes(slots_.size());
  keep_contacts(attempt, pushes);
  keep_joints(attempt, pushes);
  keep_springs(attempt, pushes);
  BookEntry& book = book_.back();
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    SteppedBody& body = scene_.bodies[slots_[i]];
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
  for (const JointIndex joint : joints_) {
    const joint::Joint& of = scene_.model.joints[joint];
    if (!joint::has_coordinate(of.type)) continue;
    const auto motion = [&](int side) -> body::RigidMotion {
      const int place = place_of(of.bodies[side]);
      if (place < 0) return {prescribed_pose(of.bodies[side], attempt.t + attempt.h)};
      const SteppedBody& body = scene_.bodies[slots_[place]];
      return {body.bent ? carrier_pose(scene_.model, of, side, body.bent->state.columns)
                        : body.pose()};
    };
    scene_.coordinates[joint] =
        joint::coordinate_row(of, motion(0), motion(1), scene_.coordinates[joint]).value;
  }
  outside_impulses_.clear();
}

StepIsland::Side StepIsland::side_of(const Attempt& attempt, BodyIndex body) const {
  Side side;
  side.place = place_of(body);
  if (side.place >= 0) {
    const AttemptBody& now = attempt.bodies[side.place];
    side.pose = scene_.bodies[slots_[side.place]].pose();
    side.velocity = now.moved;
    side.drift = now.drift;
    return side;
  }
  side.pose = prescribed_pose(body, attempt.t);
  if (body == world || !scene_.scripts[body]) return side;
  const Pose end = prescribed_pose(body, attempt.t + attempt.h);
  side.velocity = {
      (end.position - side.pose.position) / attempt.h,
      math::rotation_log(end.orientation * side.pose.orientation.conjugate()) / attempt.h};
  side.drift = side.velocity;
  return side;
}

motion::BodyPath StepIsland::path_of(const Attempt& attempt, BodyIndex body) const {
  const double from = attempt.t, to = attempt.t + attempt.h;
  const int place = place_of(body);
  if (place < 0) {
    if (scene_.scripts[body]) return motion::BodyPath::scripted(from, to, scene_.scripts[body]);
    return motion::BodyPath::resting(from, to, scene_.model.bodies[body].pose);
  }
  const AttemptBody& now = attempt.bodies[place];
  return motion::BodyPath::steady(
      {from, to, scene_.bodies[slots_[place]].pose(), now.drift.linear, now.drift.angular});
}

Pose StepIsland::prescribed_pose(BodyIndex body, double t) const {
  return integrate::prescribed_kinematics(scene_.model, scene_.scripts, body, t).pose;
}

int StepIsland::place_of(BodyIndex body) const {
  if (body == world || scene_.slot_of[body] < 0) return -1;
  const auto at = std::lower_bound(slots_.begin(), slots_.end(), scene_.slot_of[body]);
  return at != slots_.end() && *at == scene_.slot_of[body] ? static_cast<int>(at - slots_.begin())
                                                           : -1;
}

}  // namespace abut::clock
