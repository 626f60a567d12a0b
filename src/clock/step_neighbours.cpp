// Which bodies could meet within a step: boxes as far as they can get, and the pairs that are near.

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "clock/step_clock.h"

namespace abut::clock {
namespace {

// How far a body may get in a step, as a multiple of what its velocity and the forces on it say
// (dimensionless): collisions with others come on top.
constexpr double reach_factor = 2;

// Where a body gets so far that it could have met what it was not compared with, the step is taken
// again with its box widened by this factor more (dimensionless).
constexpr double widening = 8;

}  // namespace

double StepClock::reach_of(const SteppedBody& body, double h) const {
  if (body.bent) return h * (fastest_point(body) + h * model_.gravity.norm());
  const body::Mass& mass = model_.bodies[body.index].mass;
  const Vec3 spin = body::angular_velocity(mass, body.state.attitude, body.state.angular_momentum);
  const double speed = body.state.velocity.norm() + body.radius * spin.norm();
  return h * (speed + h * model_.gravity.norm());
}

geometry::Aabb StepClock::box_at(BodyIndex body, const Pose& pose) const {
  return outlines_[body].swept_box(motion::BodyPath::resting(time_, time_, pose), time_, time_);
}

void StepClock::place_boxes(double h, const std::vector<Outsider>& outsiders) {
  for (const Outsider& one : outsiders)
    broad_.update(one.body, geometry::inflated(box_at(one.body, one.pose), one.reach));
  for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
    const auto body = static_cast<BodyIndex>(i);
    const int slot = slot_of_[i];
    if (slot < 0 && model_.bodies[i].is_dynamic()) {
      if (outsiders.empty()) broad_.update(body, {});
      continue;
    }
    if (slot < 0 && scripts_[i]) {
      broad_.update(
          body, outlines_[i].swept_box(motion::BodyPath::scripted(time_, time_ + h, scripts_[i]),
                                       time_, time_ + h));
      continue;
    }
    const Pose pose = slot < 0 ? model_.bodies[i].pose : bodies_[slot].pose();
    double margin = 0;
    if (slot >= 0) {
      // Never nothing: what is at rest without weight can be struck too, and what sleeps is told to
      // rest on what is across the gap that it keeps.
      const double least = kept_gap(model_, body, body);
      reaches_[i] = reach_factor * widened_[i] * (reach_of(bodies_[slot], h) + least);
      margin = (bodies_[slot].asleep ? least : reaches_[i]) + least;
    }
    const bool is_bent = slot >= 0 && bodies_[slot].bent;
    broad_.update(
        body, geometry::inflated(is_bent ? bent_box(bodies_[slot]) : box_at(body, pose), margin));
  }
}

// Islands that sleep wake up where something that moves could reach them.
bool StepClock::wake_met(double h) {
  if (std::none_of(bodies_.begin(), bodies_.end(), [](const SteppedBody& b) { return b.asleep; }))
    return false;
  std::vector<bool> woken(static_cast<std::size_t>(naps_), false);
  bool any = false;
  for (const broad::Pair& found : broad_.find_pairs()) {
    const auto asleep = [&](BodyIndex body) {
      return slot_of_[body] >= 0 && bodies_[slot_of_[body]].asleep;
    };
    const auto moves = [&](BodyIndex body) {
      if (slot_of_[body] >= 0) return !bodies_[slot_of_[body]].asleep;
      if (!scripts_[body]) return false;
      const motion::SpeedBound speed = scripts_[body]->speed_bound(time_, time_ + h);
      return speed.linear > 0 || speed.angular > 0;
    };
    for (const auto& [sleeper, other] :
         {std::pair(found.a, found.b), std::pair(found.b, found.a)}) {
      if (!asleep(sleeper) || !moves(other)) continue;
      if (bends(found)) {
        woken[bodies_[slot_of_[sleeper]].nap] = any = true;
        continue;
      }
      NearPair& pair = pair_of(found);
      const double reach =
          (slot_of_[other] >= 0 ? reaches_[other] : infinity) + 2 * pair.kept_gap();
      if (reach < infinity &&
          pair.gap(motion_at(found.a, time_).pose, motion_at(found.b, time_).pose, reach) > reach)
        continue;
      woken[bodies_[slot_of_[sleeper]].nap] = any = true;
    }
  }
  for (const impulse::OutsideImpulse& outside : outside_impulses_) {
    const SteppedBody& body = bodies_[slot_of_[outside.body]];
    if (body.asleep) woken[body.nap] = any = true;
  }
  for (SteppedBody& body : bodies_) {
    if (!body.asleep || !woken[body.nap]) continue;
    body.asleep = false;
    body.calm_steps = 0;
  }
  return any;
}

// The outsiders that could come as near to a body as the kept gap within the step.
std::vector<BodyIndex> StepClock::met(const std::vector<Outsider>& outsiders) {
  std::vector<BodyIndex> found;
  if (outsiders.empty()) return found;
  std::vector<const Outsider*> by_body(model_.bodies.size(), nullptr);
  for (const Outsider& one : outsiders) by_body[one.body] = &one;
  for (const broad::Pair& near : broad_.find_pairs()) {
    const Outsider* outside = by_body[near.a] != nullptr ? by_body[near.a] : by_body[near.b];
    if (outside == nullptr) continue;
    NearPair& pair = pair_of(near);
    const SteppedBody& body = bodies_[slot_of_[outside->body == near.a ? near.b : near.a]];
    const double reach =
        outside->reach + (body.asleep ? 0 : reaches_[body.index]) + 2 * pair.kept_gap();
    const bool first = outside->body == near.a;
    if (pair.gap(first ? outside->pose : body.pose(), first ? body.pose() : outside->pose, reach) <=
        reach)
      found.push_back(outside->body);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// Of the pairs whose boxes meet, those that could come as near as the kept gap.
void StepClock::find_near_pairs() {
  near_.clear();
  const std::vector<broad::Pair> all = broad_.find_pairs();
  find_near_bent_pairs(all);
  auto known = pairs_.begin();  // those before it are found, those from it on are compared yet
  for (const broad::Pair& found : all) {
    if (bends(found)) continue;
    while (known != pairs_.end() && known->first < found) known = pairs_.erase(known);
    if (known == pairs_.end() || known->first != found)
      known = pairs_.emplace_hint(known, found, make_pair(found));
    NearPair& pair = *known++->second;
    double reach = 2 * pair.kept_gap();
    bool awake = false, outside = false;
    for (const BodyIndex body : {found.a, found.b}) {
      const int slot = slot_of_[body];
      outside = outside || (slot < 0 && model_.bodies[body].is_dynamic());
      if (slot < 0 && scripts_[body]) reach = infinity;
      if (slot < 0 || bodies_[slot].asleep) continue;
      awake = true;
      reach += reaches_[body];
    }
    if (!awake || outside) continue;
    pair.steps.clear();
    // Where they pressed on each other in the last step they are near.
    if (reach < infinity && pair.last.contacts.empty()) {
      const double gap =
          pair.gap(motion_at(found.a, time_).pose, motion_at(found.b, time_).pose, reach);
      if (gap > reach) {
        pair.last = {};
        continue;
      }
    }
    near_.push_back(&pair);
  }
  pairs_.erase(known, pairs_.end());
}

// How far a point of the body got in the step, m.
double StepClock::way_of(const SteppedBody& body) const {
  if (body.bent) return bent_way(body);
  double way = 0;
  for (const StepPiece& piece : body.pieces)
    way += (piece.motion.end - piece.motion.begin) *
           (piece.motion.velocity.norm() + body.radius * piece.motion.spin.norm());
  return way;
}

// Whether bodies that got farther than their boxes were widened by could have met what they were
// not compared with: their boxes are as wide now as they got. In a heap somebody is always struck
// by something faster, and mostly among those that were near anyway.
bool StepClock::could_have_met_others(const StepStart& start) {
  std::vector<bool> is_far(model_.bodies.size(), false);
  bool any_far = false;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const SteppedBody& body = bodies_[i];
    const double way = body.asleep ? 0 : way_of(body);
    if (way <= reaches_[body.index]) continue;
    reaches_[body.index] = way;
    is_far[body.index] = any_far = true;
    const double margin = way + kept_gap(model_, body.index, body.index);
    broad_.update(body.index, body.bent ? geometry::Aabb::whole()
                                        : geometry::inflated(
                                              box_at(body.index, start.bodies[i].pose()), margin));
  }
  if (!any_far) return false;
  bool any = false;
  for (const broad::Pair& found : broad_.find_pairs()) {
    if (!(is_far[found.a] || is_far[found.b]) || stays_apart(found, start)) continue;
    any = true;
    for (const BodyIndex body : {found.a, found.b})
      if (is_far[body]) widened_[body] *= widening;
  }
  return any;
}

// Whether the bodies were compared with each other all through the step, or were too far apart
// where it began to meet.
bool StepClock::stays_apart(const broad::Pair& found, const StepStart& start) {
  if (bends(found)) return false;
  const auto at = std::lower_bound(near_.begin(), near_.end(), found,
                                   [](const NearPair* pair, const broad::Pair& other) {
                                     return broad::Pair{pair->a(), pair->b()} < other;
                                   });
  if (at != near_.end() && (*at)->a() == found.a && (*at)->b() == found.b) return true;
  NearPair& pair = pair_of(found);
  double reach = 2 * pair.kept_gap();
  std::array<Pose, 2> poses;
  for (const int side : {0, 1}) {
    const BodyIndex body = side == 0 ? found.a : found.b;
    const int slot = slot_of_[body];
    if (slot < 0 && (model_.bodies[body].is_dynamic() || scripts_[body])) return false;
    if (slot >= 0 && !bodies_[slot].asleep) reach += reaches_[body];
    poses[side] = slot >= 0 ? start.bodies[slot].pose() : model_.bodies[body].pose;
  }
  return pair.gap(poses[0], poses[1], reach) > reach;
}

NearPair& StepClock::pair_of(const broad::Pair& found) {
  std::unique_ptr<NearPair>& pair = pairs_[found];
  if (!pair) pair = make_pair(found);
  return *pair;
}

std::unique_ptr<NearPair> StepClock::make_pair(const broad::Pair& found) {
  return std::make_unique<NearPair>(model_, found.a, found.b, shape_of(found.a), shape_of(found.b));
}

std::shared_ptr<const narrow::BodyShape> StepClock::shape_of(BodyIndex body) {
  if (!shapes_[body] && narrow::BodyShape::supports(model_.bodies[body]))
    shapes_[body] = std::make_shared<const narrow::BodyShape>(model_.bodies[body]);
  return shapes_[body];
}

narrow::PairStatistics StepClock::pair_statistics() const {
  narrow::PairStatistics total;
  for (const auto& [found, pair] : pairs_) total += pair->statistics();
  return total;
}

}  // namespace abut::clock
