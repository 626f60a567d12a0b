#include "clock/step_clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "abut/diagnostics.h"
#include "clock/step_islands.h"

namespace abut::clock {
namespace {

// A step is longer than it should be by this part of it at most (dimensionless), rather than to
// leave so little to the next.
constexpr double shortest_rest = 1e-3;

// An island sleeps once its bodies have been slower, for the time below (s), than this part of the
// speed that the forces on them alone give within a step (dimensionless): sweeps leave a fiftieth
// of it.
constexpr double calm_fraction = 0.05;
constexpr double calm_time = 0.25;

// One of so many whole steps is taken in halves too: a sixteenth of the work.
constexpr long steps_per_estimate = 32;

}  // namespace

StepClock::StepClock(const model::Model& model, const integrate::Scripts& scripts,
                     const base::ThreadPool& pool, Filter may_touch,
                     const std::vector<bool>& broken, const std::atomic<bool>* interrupt)
    : pool_(pool),
      interrupt_(interrupt),
      state_(model, scripts, broken),
      neighbours_(state_, std::move(may_touch)),
      scene_{
          model,    scripts, state_.slot_of, state_.bodies, state_.coordinates, state_.joint_steps,
          interrupt} {}

StepClock::~StepClock() = default;

void StepClock::begin(double t) {
  state_.time = state_.step_begin = t;
  neighbours_.begin();
  enlist({});
}

// What is left after a step must not be next to nothing.
double StepClock::next_length(double limit) const {
  const double usual = model::step_length(state_.model.solver);
  const bool is_last = limit - state_.time <= (1 + shortest_rest) * usual;
  return is_last ? limit - state_.time : usual;
}

StepClock::StepStart StepClock::start_of_step() const {
  StepStart start{state_.bodies, state_.joint_steps, state_.coordinates, {}};
  for (NearPair* pair : neighbours_.near()) start.pairs.emplace_back(pair, pair->last);
  for (BentPair* pair : neighbours_.near_bent()) start.pairs.emplace_back(pair, pair->last);
  return start;
}

void StepClock::take_back(const StepStart& start) {
  state_.bodies = start.bodies;
  state_.joint_steps = start.joint_steps;
  state_.coordinates = start.coordinates;
  for (const auto& [pair, step] : start.pairs) {
    pair->last = step;
    pair->steps.clear();
  }
}

std::vector<StepIsland> StepClock::move_islands(const std::vector<double>& times) {
  for (SteppedBody& body : state_.bodies) {
    body.pieces.clear();
    if (body.bent) body.bent->pieces.clear();
  }
  std::vector<StepIsland> islands = make_islands(scene_, state_, neighbours_);
  pool_.for_each(islands.size(), 1, [&](std::size_t i) {
    for (std::size_t k = 0; k + 1 < times.size(); ++k)
      islands[i].advance(times[k], times[k + 1],
                         k == 0 ? state_.outside_impulses : std::vector<impulse::OutsideImpulse>());
  });
  return islands;
}

std::vector<Pose> StepClock::places() const {
  std::vector<Pose> all;
  for (const SteppedBody& body : state_.bodies) all.push_back(body.pose());
  return all;
}

// How far whole steps are off is seen by taking one in halves, now and then: what these leave is
// less by a factor of two to four.
std::vector<Pose> StepClock::places_by_halves(double end, const StepStart& start) {
  move_islands({state_.time, 0.5 * (state_.time + end), end});
  std::vector<Pose> found = places();
  take_back(start);
  return found;
}

void StepClock::note_error(const std::vector<Pose>& halves) {
  const std::vector<Pose> whole = places();
  for (std::size_t i = 0; i < halves.size(); ++i) {
    const double turned = whole[i].orientation.angularDistance(halves[i].orientation);
    const double shifted = (whole[i].position - halves[i].position).norm();
    error_ = std::max(error_, shifted / state_.bodies[i].radius + turned);
  }
}

bool StepClock::is_interrupted() const {
  return interrupt_ != nullptr && interrupt_->load();
}

// Everything goes on by one step. Which bodies could meet was judged by how far they could get;
// where one got farther, after all, and could have met others, the step is taken again with wider
// boxes.
std::vector<BodyIndex> StepClock::advance(double limit, const std::vector<Outsider>& outsiders) {
  const double h = next_length(limit);
  const double end = state_.time + h >= limit ? limit : state_.time + h;
  const bool is_estimated = whole_steps_++ % steps_per_estimate == 0;
  std::vector<StepIsland> islands;
  std::vector<Pose> halves;
  while (true) {
    do {
      neighbours_.place_boxes(h, outsiders);
    } while (neighbours_.wake_met(h));
    std::vector<BodyIndex> could_meet = neighbours_.met(outsiders);
    if (!could_meet.empty()) return could_meet;
    neighbours_.find_near_pairs();
    const StepStart start = start_of_step();
    if (is_estimated) halves = places_by_halves(end, start);
    islands = move_islands({state_.time, end});
    if (is_interrupted()) {
      take_back(start);
      return {};
    }
    if (!neighbours_.could_have_met_others(start.bodies)) break;
    take_back(start);
  }
  note_error(halves);
  for (SteppedBody& body : state_.bodies) body.lone = true;
  for (const NearPair* pair : neighbours_.near())
    for (const BodyIndex body : pair->bodies())
      if (state_.contains(body)) state_.bodies[state_.slot_of[body]].lone = false;
  neighbours_.narrow();
  keep_account(islands);
  body_seconds_ += (end - state_.time) * static_cast<double>(state_.bodies.size());
  refuse_infinite_motion();
  state_.outside_impulses.clear();
  state_.step_begin = state_.time;
  state_.time = end;
  settle_to_sleep(islands, h);
  return {};
}

void StepClock::keep_account(const std::vector<StepIsland>& islands) {
  for (const BookEntry& entry : state_.book) state_.carried += entry.balance;
  state_.book.clear();
  for (const StepIsland& island : islands) {
    state_.book.insert(state_.book.end(), island.book().begin(), island.book().end());
    const IslandStatistics& one = island.statistics();
    statistics_.steps += one.steps;
    statistics_.sweeps += one.sweeps;
    statistics_.exact += one.exact;
    statistics_.unsolved += one.unsolved;
    statistics_.added += one.added;
    statistics_.shortened += one.shortened;
    statistics_.forced_stops += one.forced_stops;
    statistics_.struck += one.struck;
    statistics_.gap_bound = std::min(statistics_.gap_bound, one.gap_bound);
  }
}

void StepClock::refuse_infinite_motion() const {
  for (const SteppedBody& body : state_.bodies)
    if (!body.state.centre.allFinite() || !body.state.velocity.allFinite() ||
        !body.state.angular_momentum.allFinite())
      throw SimulationError(state_.time,
                            fmt::format("the motion of body {} is not finite any more; look "
                                        "for overflowing stiffness, drag or formulas",
                                        state_.model.bodies[body.index].name));
}

void StepClock::settle_to_sleep(const std::vector<StepIsland>& islands, double h) {
  for (const StepIsland& island : islands) {
    bool all_calm = true;
    for (const int slot : island.slots()) {
      SteppedBody& body = state_.bodies[slot];
      const body::Mass& mass = state_.model.bodies[body.index].mass;
      const Vec3 spin =
          body::angular_velocity(mass, body.state.attitude, body.state.angular_momentum);
      const double speed =
          body.bent ? fastest_point(body) : body.state.velocity.norm() + body.radius * spin.norm();
      const bool calm = speed <= calm_fraction * h * body.drive;
      body.calm_steps = calm ? body.calm_steps + 1 : 0;
      all_calm = all_calm && body.calm_steps * h >= calm_time;
    }
    if (!all_calm) continue;
    for (const int slot : island.slots()) {
      SteppedBody& body = state_.bodies[slot];
      body.asleep = true;
      body.nap = state_.naps;
      body.state.velocity = body.state.angular_momentum = Vec3::Zero();
      if (!body.bent) continue;
      body.bent->state.rates.setZero();
      body.bent->owed.resize(3, 0);
    }
    ++state_.naps;
  }
}

}  // namespace abut::clock
