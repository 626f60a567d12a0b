#include "clock/step_clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "abut/diagnostics.h"
#include "base/limits.h"
#include "base/union_find.h"

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

// Of the contact distance (dimensionless): bodies that begin nearer are moved apart to twice that.
constexpr double start_gap = 0.2;
constexpr int start_rounds = 50;

}  // namespace

StepClock::StepClock(const model::Model& model, const integrate::Scripts& scripts,
                     const base::ThreadPool& pool, Filter may_touch,
                     const std::vector<bool>& broken, const std::atomic<bool>* interrupt)
    : model_(model),
      scripts_(scripts),
      pool_(pool),
      may_touch_(std::move(may_touch)),
      broken_(broken),
      interrupt_(interrupt),
      slot_of_(model.bodies.size(), -1),
      reaches_(model.bodies.size(), 0),
      widened_(model.bodies.size(), 1),
      coordinates_(model.joints.size(), 0),
      joint_steps_(model.joints.size()),
      scene_{model, scripts, slot_of_, bodies_, coordinates_, joint_steps_, interrupt},
      shapes_(model.bodies.size()),
      broad_([this](BodyIndex a, BodyIndex b) {
        return (slot_of_[a] >= 0 || slot_of_[b] >= 0) && may_touch_(a, b);
      }) {}

StepClock::~StepClock() = default;

void StepClock::begin(double t) {
  time_ = step_begin_ = t;
  outlines_.reserve(model_.bodies.size());
  for (const model::Body& body : model_.bodies)
    outlines_.emplace_back(body.parts, toi::motion_frame(body));
  for (std::size_t i = 0; i < model_.bodies.size(); ++i)
    broad_.insert(static_cast<BodyIndex>(i), {});
  enlist({});
}

// Nothing can be proven of bodies without a gap: they are shifted apart, by the least shift in the
// mass metric, as far as rounding needs. Only those that join can be too near to anything; where
// they are, all that are near take part, lest the shift of one bring it too near to the next.
void StepClock::open_start_gaps(const std::vector<bool>& joins) {
  const double least = start_gap * model_.solver.contact_distance;
  for (int round = 0; round < start_rounds; ++round) {
    place_boxes(0, {});
    law::StepProblem mend;
    for (const SteppedBody& body : bodies_)
      mend.bodies.push_back(
          {impulse::Inertia::of(model_.bodies[body.index].mass, body.state.attitude), {}});
    bool is_any_short = false;
    const auto gap_of = [&](const broad::Pair& found) {
      return pair_of(found).gap(motion_at(found.a, time_).pose, motion_at(found.b, time_).pose,
                                2 * least);
    };
    std::vector<broad::Pair> pairs = broad_.find_pairs();
    std::erase_if(pairs, [this](const broad::Pair& found) { return bends(found); });
    if (round == 0 && std::none_of(pairs.begin(), pairs.end(), [&](const broad::Pair& found) {
          return (joins[found.a] || joins[found.b]) && gap_of(found) < least;
        }))
      return;
    for (const broad::Pair& found : pairs) {
      NearPair& pair = pair_of(found);
      const Pose a = motion_at(found.a, time_).pose, b = motion_at(found.b, time_).pose;
      const double gap = gap_of(found);
      if (gap >= 2 * least) continue;
      is_any_short = is_any_short || gap < least;
      for (const StepContact& contact : pair.contacts_found(a, b, 2 * least))
        add_start_row(found, contact, 2 * least, mend);
    }
    if (!is_any_short) return;
    law::solve(mend, 0.1 * least, 0.1 * least);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const motion::SteadyMotion shift{0, 1, bodies_[i].pose(), mend.bodies[i].velocity.linear,
                                       mend.bodies[i].velocity.angular};
      const Pose end = shift.pose(1);
      bodies_[i].state.centre = end.position;
      bodies_[i].state.attitude = end.orientation;
    }
  }
}

void StepClock::add_start_row(const broad::Pair& found, const StepContact& contact, double wanted,
                              law::StepProblem& mend) const {
  law::StepBlock block;
  block.slots = {slot_of_[found.a], slot_of_[found.b]};
  block.upper = infinity;
  mend.begin_block(block);
  law::StepRow row;
  const auto arm = [&](BodyIndex body, int side) -> Vec3 {
    return motion_at(body, time_).pose.orientation * contact.arms[side];
  };
  row.sides = {body::RowSide{contact.normal, arm(found.a, 0).cross(contact.normal)},
               body::RowSide{-contact.normal, -arm(found.b, 1).cross(contact.normal)}};
  row.bias = contact.gap - wanted;
  mend.rows.push_back(row);
}

std::vector<StepIsland> StepClock::make_islands() {
  base::UnionFind groups(bodies_.size());
  const auto join = [&](BodyIndex a, BodyIndex b) {
    if (a == world || b == world || slot_of_[a] < 0 || slot_of_[b] < 0) return;
    groups.join(slot_of_[a], slot_of_[b]);
  };
  for (const NearPair* pair : near_) join(pair->a(), pair->b());
  for (const BentPair* pair : near_bent_) join(pair->a(), pair->b());
  for (const SteppedBody& body : bodies_)
    if (body.bent)
      for (const model::Hold& hold : body.bent->bending->holds) join(body.index, hold.body);
  for (std::size_t j = 0; j < model_.joints.size(); ++j)
    if (!broken_[j]) join(model_.joints[j].bodies[0], model_.joints[j].bodies[1]);
  for (const int force : all_forces()) {
    const std::vector<BodyIndex> ends = integrate::bodies_of(model_.forces[force]);
    if (ends.size() == 2) join(ends[0], ends[1]);
  }
  struct Parts {
    std::vector<int> slots;
    std::vector<NearPair*> pairs;
    std::vector<JointIndex> joints;
    std::vector<int> forces;
    std::vector<BentPair*> bent_pairs;
  };
  std::map<int, Parts> parts;  // by the first body
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    if (!bodies_[i].asleep)
      parts[groups.first_of(static_cast<int>(i))].slots.push_back(static_cast<int>(i));
  const auto part_of = [&](BodyIndex a, BodyIndex b) -> Parts* {
    const BodyIndex yields = a != world && slot_of_[a] >= 0 ? a : b;
    if (yields == world || slot_of_[yields] < 0 || bodies_[slot_of_[yields]].asleep) return nullptr;
    return &parts[groups.first_of(slot_of_[yields])];
  };
  for (NearPair* pair : near_)
    if (Parts* part = part_of(pair->a(), pair->b())) part->pairs.push_back(pair);
  for (BentPair* pair : near_bent_)
    if (Parts* part = part_of(pair->a(), pair->b())) part->bent_pairs.push_back(pair);
  for (std::size_t j = 0; j < model_.joints.size(); ++j)
    if (!broken_[j])
      if (Parts* part = part_of(model_.joints[j].bodies[0], model_.joints[j].bodies[1]))
        part->joints.push_back(static_cast<JointIndex>(j));
  for (const int force : all_forces()) {
    const std::vector<BodyIndex> ends = integrate::bodies_of(model_.forces[force]);
    if (ends.empty()) continue;
    if (Parts* part = part_of(ends.front(), ends.back())) part->forces.push_back(force);
  }
  std::vector<StepIsland> islands;
  islands.reserve(parts.size());
  for (auto& [first, part] : parts)
    islands.emplace_back(scene_, std::move(part.slots), std::move(part.pairs),
                         std::move(part.joints), part.forces, std::move(part.bent_pairs));
  return islands;
}

// What is left after a step must not be next to nothing.
double StepClock::next_length(double limit) const {
  const double usual = model::step_length(model_.solver);
  const bool is_last = limit - time_ <= (1 + shortest_rest) * usual;
  return is_last ? limit - time_ : usual;
}

StepClock::StepStart StepClock::start_of_step() const {
  StepStart start{bodies_, joint_steps_, coordinates_, {}};
  for (NearPair* pair : near_) start.pairs.emplace_back(pair, pair->last);
  for (BentPair* pair : near_bent_) start.pairs.emplace_back(pair, pair->last);
  return start;
}

void StepClock::take_back(const StepStart& start) {
  bodies_ = start.bodies;
  joint_steps_ = start.joint_steps;
  coordinates_ = start.coordinates;
  for (const auto& [pair, step] : start.pairs) {
    pair->last = step;
    pair->steps.clear();
  }
}

std::vector<StepIsland> StepClock::move_islands(const std::vector<double>& times) {
  for (SteppedBody& body : bodies_) {
    body.pieces.clear();
    if (body.bent) body.bent->pieces.clear();
  }
  std::vector<StepIsland> islands = make_islands();
  pool_.for_each(islands.size(), 1, [&](std::size_t i) {
    for (std::size_t k = 0; k + 1 < times.size(); ++k)
      islands[i].advance(times[k], times[k + 1],
                         k == 0 ? outside_impulses_ : std::vector<impulse::OutsideImpulse>());
  });
  return islands;
}

std::vector<Pose> StepClock::places() const {
  std::vector<Pose> all;
  for (const SteppedBody& body : bodies_) all.push_back(body.pose());
  return all;
}

// How far whole steps are off is seen by taking one in halves, now and then: what these leave is
// less by a factor of two to four.
std::vector<Pose> StepClock::places_by_halves(double end, const StepStart& start) {
  move_islands({time_, 0.5 * (time_ + end), end});
  std::vector<Pose> found = places();
  take_back(start);
  return found;
}

void StepClock::note_error(const std::vector<Pose>& halves) {
  const std::vector<Pose> whole = places();
  for (std::size_t i = 0; i < halves.size(); ++i) {
    const double turned = whole[i].orientation.angularDistance(halves[i].orientation);
    const double shifted = (whole[i].position - halves[i].position).norm();
    error_ = std::max(error_, shifted / bodies_[i].radius + turned);
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
  const double end = time_ + h >= limit ? limit : time_ + h;
  const bool is_estimated = whole_steps_++ % steps_per_estimate == 0;
  std::vector<StepIsland> islands;
  std::vector<Pose> halves;
  while (true) {
    do {
      place_boxes(h, outsiders);
    } while (wake_met(h));
    std::vector<BodyIndex> could_meet = met(outsiders);
    if (!could_meet.empty()) return could_meet;
    find_near_pairs();
    const StepStart start = start_of_step();
    if (is_estimated) halves = places_by_halves(end, start);
    islands = move_islands({time_, end});
    if (is_interrupted()) {
      take_back(start);
      return {};
    }
    if (!could_have_met_others(start)) break;
    take_back(start);
  }
  note_error(halves);
  for (SteppedBody& body : bodies_) body.lone = true;
  for (const NearPair* pair : near_)
    for (const BodyIndex body : pair->bodies())
      if (contains(body)) bodies_[slot_of_[body]].lone = false;
  for (double& factor : widened_) factor = std::max(1.0, factor / 2);
  keep_account(islands);
  body_seconds_ += (end - time_) * static_cast<double>(bodies_.size());
  refuse_infinite_motion();
  outside_impulses_.clear();
  step_begin_ = time_;
  time_ = end;
  settle_to_sleep(islands, h);
  return {};
}

void StepClock::keep_account(const std::vector<StepIsland>& islands) {
  for (const BookEntry& entry : book_) carried_ += entry.balance;
  book_.clear();
  for (const StepIsland& island : islands) {
    book_.insert(book_.end(), island.book().begin(), island.book().end());
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
  for (const SteppedBody& body : bodies_)
    if (!body.state.centre.allFinite() || !body.state.velocity.allFinite() ||
        !body.state.angular_momentum.allFinite())
      throw SimulationError(time_, fmt::format("the motion of body {} is not finite any more; look "
                                               "for overflowing stiffness, drag or formulas",
                                               model_.bodies[body.index].name));
}

void StepClock::settle_to_sleep(const std::vector<StepIsland>& islands, double h) {
  for (const StepIsland& island : islands) {
    bool all_calm = true;
    for (const int slot : island.slots()) {
      SteppedBody& body = bodies_[slot];
      const body::Mass& mass = model_.bodies[body.index].mass;
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
      SteppedBody& body = bodies_[slot];
      body.asleep = true;
      body.nap = naps_;
      body.state.velocity = body.state.angular_momentum = Vec3::Zero();
      if (!body.bent) continue;
      body.bent->state.rates.setZero();
      body.bent->owed.resize(3, 0);
    }
    ++naps_;
  }
}

}  // namespace abut::clock
