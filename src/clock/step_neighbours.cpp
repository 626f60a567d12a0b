#include "clock/step_neighbours.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/limits.h"
#include "toi/core.h"

namespace abut::clock {
namespace {

// How far a body may get in a step, as a multiple of what its velocity and the forces on it say
// (dimensionless): collisions with others come on top.
constexpr double reach_factor = 2;

// Where a body gets so far that it could have met what it was not compared with, the step is taken
// again with its box widened by this factor more (dimensionless).
constexpr double widening = 8;

geometry::Aabb bent_box(const SteppedBody& body) {
  std::vector<Vec3> places;
  body.bent->body().boundary.places(body.bent->state.columns, places);
  geometry::Aabb box;
  for (const Vec3& place : places) box = geometry::merged(box, {place, place});
  return geometry::inflated(box, body.bent->body().half_thickness);
}

// Of all points of a body that bends, with these rates of its columns, m/s.
double fastest_of(const flexible::BendingBody& body, const flexible::Columns& rates) {
  std::vector<Vec3> velocities;
  body.boundary.places(rates, velocities);
  double fastest = 0;
  for (const Vec3& velocity : velocities) fastest = std::max(fastest, velocity.norm());
  return fastest;
}

double bent_way(const SteppedBody& body) {
  double way = 0;
  for (const BentPiece& piece : body.bent->pieces)
    way += (piece.end - piece.begin) * fastest_of(body.bent->body(), piece.drift);
  return way;
}

// How far a point of the body got in the step, m.
double way_of(const SteppedBody& body) {
  if (body.bent) return bent_way(body);
  double way = 0;
  for (const StepPiece& piece : body.pieces)
    way += (piece.motion.end - piece.motion.begin) *
           (piece.motion.velocity.norm() + body.radius * piece.motion.spin.norm());
  return way;
}

}  // namespace

double fastest_point(const SteppedBody& body) {
  return fastest_of(body.bent->body(), body.bent->state.rates);
}

StepNeighbours::StepNeighbours(SteppedState& state, Filter may_touch)
    : state_(state),
      reaches_(state.model.bodies.size(), 0),
      widened_(state.model.bodies.size(), 1),
      shapes_(state.model.bodies.size()),
      broad_([&state, filter = std::move(may_touch)](BodyIndex a, BodyIndex b) {
        return (state.contains(a) || state.contains(b)) && filter(a, b);
      }) {}

void StepNeighbours::begin() {
  outlines_.reserve(state_.model.bodies.size());
  for (const model::Body& body : state_.model.bodies)
    outlines_.emplace_back(body.parts, toi::motion_frame(body));
  for (std::size_t i = 0; i < state_.model.bodies.size(); ++i)
    broad_.insert(static_cast<BodyIndex>(i), {});
}

void StepNeighbours::forget_pairs() {
  near_.clear();
  std::erase_if(state_.pairs, [this](const auto& entry) {
    const auto outside = [this](BodyIndex body) {
      return state_.model.bodies[body].is_dynamic() && !state_.contains(body);
    };
    return outside(entry.first.a) || outside(entry.first.b);
  });
}

void StepNeighbours::narrow() {
  for (double& factor : widened_) factor = std::max(1.0, factor / 2);
}

double StepNeighbours::reach_of(const SteppedBody& body, double h) const {
  if (body.bent) return h * (fastest_point(body) + h * state_.model.gravity.norm());
  const body::Mass& mass = state_.model.bodies[body.index].mass;
  const Vec3 spin = body::angular_velocity(mass, body.state.attitude, body.state.angular_momentum);
  const double speed = body.state.velocity.norm() + body.radius * spin.norm();
  return h * (speed + h * state_.model.gravity.norm());
}

geometry::Aabb StepNeighbours::box_at(BodyIndex body, const Pose& pose) const {
  return outlines_[body].swept_box(motion::BodyPath::resting(state_.time, state_.time, pose),
                                   state_.time, state_.time);
}

void StepNeighbours::place_boxes(double h, const std::vector<Outsider>& outsiders) {
  for (const Outsider& one : outsiders)
    broad_.update(one.body, geometry::inflated(box_at(one.body, one.pose), one.reach));
  for (std::size_t i = 0; i < state_.model.bodies.size(); ++i) {
    const auto body = static_cast<BodyIndex>(i);
    const int slot = state_.slot_of[i];
    if (slot < 0 && state_.model.bodies[i].is_dynamic()) {
      if (outsiders.empty()) broad_.update(body, {});
      continue;
    }
    if (slot < 0 && state_.scripts[i]) {
      broad_.update(body,
                    outlines_[i].swept_box(
                        motion::BodyPath::scripted(state_.time, state_.time + h, state_.scripts[i]),
                        state_.time, state_.time + h));
      continue;
    }
    const Pose pose = slot < 0 ? state_.model.bodies[i].pose : state_.bodies[slot].pose();
    double margin = 0;
    if (slot >= 0) {
      // Never nothing: what is at rest without weight can be struck too, and what sleeps is told to
      // rest on what is across the gap that it keeps.
      const double least = kept_gap(state_.model, body, body);
      reaches_[i] = reach_factor * widened_[i] * (reach_of(state_.bodies[slot], h) + least);
      margin = (state_.bodies[slot].asleep ? least : reaches_[i]) + least;
    }
    const bool is_bent = slot >= 0 && state_.bodies[slot].bent;
    broad_.update(body, geometry::inflated(
                            is_bent ? bent_box(state_.bodies[slot]) : box_at(body, pose), margin));
  }
}

bool StepNeighbours::wake_met(double h) {
  if (std::none_of(state_.bodies.begin(), state_.bodies.end(),
                   [](const SteppedBody& b) { return b.asleep; }))
    return false;
  std::vector<bool> woken(static_cast<std::size_t>(state_.naps), false);
  bool any = false;
  for (const broad::Pair& found : broad_.find_pairs()) {
    const auto asleep = [&](BodyIndex body) {
      return state_.slot_of[body] >= 0 && state_.bodies[state_.slot_of[body]].asleep;
    };
    const auto moves = [&](BodyIndex body) {
      if (state_.slot_of[body] >= 0) return !state_.bodies[state_.slot_of[body]].asleep;
      if (!state_.scripts[body]) return false;
      const motion::SpeedBound speed =
          state_.scripts[body]->speed_bound(state_.time, state_.time + h);
      return speed.linear > 0 || speed.angular > 0;
    };
    for (const auto& [sleeper, other] :
         {std::pair(found.a, found.b), std::pair(found.b, found.a)}) {
      if (!asleep(sleeper) || !moves(other)) continue;
      if (state_.bends(found)) {
        woken[state_.bodies[state_.slot_of[sleeper]].nap] = any = true;
        continue;
      }
      NearPair& pair = pair_of(found);
      const double reach =
          (state_.slot_of[other] >= 0 ? reaches_[other] : infinity) + 2 * pair.kept_gap();
      if (reach < infinity && pair.gap(state_.motion_at(found.a, state_.time).pose,
                                       state_.motion_at(found.b, state_.time).pose, reach) > reach)
        continue;
      woken[state_.bodies[state_.slot_of[sleeper]].nap] = any = true;
    }
  }
  for (const impulse::OutsideImpulse& outside : state_.outside_impulses) {
    const SteppedBody& body = state_.bodies[state_.slot_of[outside.body]];
    if (body.asleep) woken[body.nap] = any = true;
  }
  for (SteppedBody& body : state_.bodies) {
    if (!body.asleep || !woken[body.nap]) continue;
    body.asleep = false;
    body.calm_steps = 0;
  }
  return any;
}

std::vector<BodyIndex> StepNeighbours::met(const std::vector<Outsider>& outsiders) {
  std::vector<BodyIndex> found;
  if (outsiders.empty()) return found;
  std::vector<const Outsider*> by_body(state_.model.bodies.size(), nullptr);
  for (const Outsider& one : outsiders) by_body[one.body] = &one;
  for (const broad::Pair& near : broad_.find_pairs()) {
    const Outsider* outside = by_body[near.a] != nullptr ? by_body[near.a] : by_body[near.b];
    if (outside == nullptr) continue;
    NearPair& pair = pair_of(near);
    const SteppedBody& body =
        state_.bodies[state_.slot_of[outside->body == near.a ? near.b : near.a]];
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

void StepNeighbours::find_near_pairs() {
  near_.clear();
  const std::vector<broad::Pair> all = broad_.find_pairs();
  find_near_bent_pairs(all);
  auto known =
      state_.pairs.begin();  // those before it are found, those from it on are compared yet
  for (const broad::Pair& found : all) {
    if (state_.bends(found)) continue;
    while (known != state_.pairs.end() && known->first < found) known = state_.pairs.erase(known);
    if (known == state_.pairs.end() || known->first != found)
      known = state_.pairs.emplace_hint(known, found, make_pair(found));
    NearPair& pair = *known++->second;
    double reach = 2 * pair.kept_gap();
    bool awake = false, outside = false;
    for (const BodyIndex body : {found.a, found.b}) {
      const int slot = state_.slot_of[body];
      outside = outside || (slot < 0 && state_.model.bodies[body].is_dynamic());
      if (slot < 0 && state_.scripts[body]) reach = infinity;
      if (slot < 0 || state_.bodies[slot].asleep) continue;
      awake = true;
      reach += reaches_[body];
    }
    if (!awake || outside) continue;
    pair.steps.clear();
    // Where they pressed on each other in the last step they are near.
    if (reach < infinity && pair.last.contacts.empty()) {
      const double gap = pair.gap(state_.motion_at(found.a, state_.time).pose,
                                  state_.motion_at(found.b, state_.time).pose, reach);
      if (gap > reach) {
        pair.last = {};
        continue;
      }
    }
    near_.push_back(&pair);
  }
  state_.pairs.erase(known, state_.pairs.end());
}

// Those whose boxes meet, and every body that can be folded upon itself.
void StepNeighbours::find_near_bent_pairs(const std::vector<broad::Pair>& all) {
  near_bent_.clear();
  std::map<broad::Pair, std::unique_ptr<BentPair>> kept;
  const auto keep = [&](const broad::Pair& found) {
    BentPair& pair = bent_pair_of(found);
    kept[found] = std::move(state_.bent_pairs[found]);
    const auto awake = [&](BodyIndex body) {
      return state_.slot_of[body] >= 0 && !state_.bodies[state_.slot_of[body]].asleep;
    };
    if (!awake(found.a) && !awake(found.b)) return;
    pair.steps.clear();
    near_bent_.push_back(&pair);
  };
  for (const broad::Pair& found : all)
    if (state_.bends(found)) keep(found);
  for (const SteppedBody& body : state_.bodies)
    if (body.bent && body.bent->body().kind != flexible::Kind::affine)
      keep({body.index, body.index});
  state_.bent_pairs = std::move(kept);
}

bool StepNeighbours::could_have_met_others(const std::vector<SteppedBody>& before) {
  std::vector<bool> is_far(state_.model.bodies.size(), false);
  bool any_far = false;
  for (std::size_t i = 0; i < state_.bodies.size(); ++i) {
    const SteppedBody& body = state_.bodies[i];
    const double way = body.asleep ? 0 : way_of(body);
    if (way <= reaches_[body.index]) continue;
    reaches_[body.index] = way;
    is_far[body.index] = any_far = true;
    const double margin = way + kept_gap(state_.model, body.index, body.index);
    broad_.update(body.index,
                  body.bent ? geometry::Aabb::whole()
                            : geometry::inflated(box_at(body.index, before[i].pose()), margin));
  }
  if (!any_far) return false;
  bool any = false;
  for (const broad::Pair& found : broad_.find_pairs()) {
    if (!(is_far[found.a] || is_far[found.b]) || stays_apart(found, before)) continue;
    any = true;
    for (const BodyIndex body : {found.a, found.b})
      if (is_far[body]) widened_[body] *= widening;
  }
  return any;
}

// Whether the bodies were compared with each other all through the step, or were too far apart
// where it began to meet.
bool StepNeighbours::stays_apart(const broad::Pair& found, const std::vector<SteppedBody>& before) {
  if (state_.bends(found)) return false;
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
    const int slot = state_.slot_of[body];
    if (slot < 0 && (state_.model.bodies[body].is_dynamic() || state_.scripts[body])) return false;
    if (slot >= 0 && !state_.bodies[slot].asleep) reach += reaches_[body];
    poses[side] = slot >= 0 ? before[slot].pose() : state_.model.bodies[body].pose;
  }
  return pair.gap(poses[0], poses[1], reach) > reach;
}

NearPair& StepNeighbours::pair_of(const broad::Pair& found) {
  std::unique_ptr<NearPair>& pair = state_.pairs[found];
  if (!pair) pair = make_pair(found);
  return *pair;
}

BentPair& StepNeighbours::bent_pair_of(const broad::Pair& found) {
  std::unique_ptr<BentPair>& pair = state_.bent_pairs[found];
  if (pair) return *pair;
  const bool first = state_.model.bodies[found.a].bends();
  const BodyIndex a = first ? found.a : found.b, b = first ? found.b : found.a;
  std::shared_ptr<const narrow::BodyShape> shape;
  if (!state_.model.bodies[b].bends()) shape = shape_of(b);
  pair = std::make_unique<BentPair>(state_.model, a, b, std::move(shape));
  return *pair;
}

std::unique_ptr<NearPair> StepNeighbours::make_pair(const broad::Pair& found) {
  return std::make_unique<NearPair>(state_.model, found.a, found.b, shape_of(found.a),
                                    shape_of(found.b));
}

std::shared_ptr<const narrow::BodyShape> StepNeighbours::shape_of(BodyIndex body) {
  if (!shapes_[body] && narrow::BodyShape::supports(state_.model.bodies[body]))
    shapes_[body] = std::make_shared<const narrow::BodyShape>(state_.model.bodies[body]);
  return shapes_[body];
}

}  // namespace abut::clock
