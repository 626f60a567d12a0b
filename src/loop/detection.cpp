#include "loop/detection.h"

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "base/stopwatch.h"

namespace abut::loop {
namespace {

// Pairs searched by one task.
constexpr std::size_t pairs_per_task = 8;

// Up to this many bodies every pair is looked at, so that the smallest gap is exact to the bound;
// in larger scenes pairs farther apart than the margin are known to be at least that far apart.
constexpr std::size_t few_bodies = 4;

// Boxes of the broad phase are wider than a body's way by this part of the margin (dimensionless);
// half of it is needed, and the rest saves the broad phase from small changes.
constexpr double needed_margin = 0.5;
constexpr double box_margin = 0.75;

// A body swings if it travels this many times across the box that it stays in (dimensionless).
constexpr double many_swings = 100;

bool swings(const motion::BodyPath& path, double from, double to) {
  const geometry::Aabb place = path.place_bound(from, to);
  return place.is_bounded() && path.speed_bound(from, to).linear * (to - from) >
                                   many_swings * (place.upper - place.lower).norm();
}

// How far two bodies are apart at least by boxes, if they are. What swings to and fro many times
// comes about as near as the box does in which it swings: to look at every swing would tell no
// more.
std::optional<double> apart_by_boxes(const std::array<const motion::Outline*, 2>& outlines,
                                     const motion::BodyPath& a, const motion::BodyPath& b,
                                     double from, double to) {
  if (!swings(a, from, to) && !swings(b, from, to)) return std::nullopt;
  const geometry::Aabb box = outlines[0]->swept_box(a, from, to);
  const geometry::Aabb other = outlines[1]->swept_box(b, from, to);
  const double apart = (box.lower - other.upper).cwiseMax(other.lower - box.upper).maxCoeff();
  return apart > 0 ? std::optional(apart) : std::nullopt;
}

void count(const toi::FirstContact& search, DetectionStatistics& total) {
  const narrow::PairStatistics pairs = search.pair_statistics();
  total.cache_hits += pairs.witness_hits + search.statistics().remembered;
  total.cache_misses += pairs.witness_misses;
  total.unresolved += search.statistics().unresolved;
  total.limits_met += search.statistics().limits_met + pairs.limits_met;
}

}  // namespace

Detection::Detection(const model::Model& model, const integrate::Scripts& scripts)
    : model_(model),
      scripts_(scripts),
      geometry_(model, scripts),
      exclusions_(model),
      gap_bound_(infinity) {
  broad_ = std::make_unique<broad::BroadPhase>(
      [this](BodyIndex a, BodyIndex b) { return is_watched(a, b); });
  double smallest = infinity;
  outlines_.reserve(model.bodies.size());
  for (const model::Body& body : model.bodies) {
    outlines_.emplace_back(body.parts, toi::motion_frame(body));
    if (body.is_dynamic()) smallest = std::min(smallest, body.bounding_radius);
  }
  margin_ = model.bodies.size() <= few_bodies ? infinity : smallest;
  pieces_.resize(model.bodies.size());
  horizons_.resize(model.bodies.size());
  boxes_.resize(model.bodies.size());
  needed_.resize(model.bodies.size());
  near_.resize(model.bodies.size());
}

// Bodies that touch count as apart: that a gap is off by a contact distance is for contact events
// to mend.
void Detection::let_parted_touch(const std::function<Pose(BodyIndex)>& pose_of) {
  const std::vector<Exclusions::Pair> parting = exclusions_.parting();
  for (const auto& [a, b] : parting) {
    if (geometry_.overlap(a, b, pose_of(a), pose_of(b))) continue;
    exclusions_.let_touch({a, b});
    broad_->update(a, boxes_[a]);  // for the pairs to be found anew
    boxes_changed_ = true;
  }
}

bool Detection::must_part(const joint::Joint& joint, double t, const Paths& paths) const {
  const Exclusions::Pair pair = std::minmax(joint.bodies[0], joint.bodies[1]);
  const std::vector<Exclusions::Pair>& parting = exclusions_.parting();
  if (!std::binary_search(parting.begin(), parting.end(), pair)) return false;
  const auto [a, b] = pair;
  return geometry_.overlap(a, b, paths.motion_of(a, t).pose, paths.motion_of(b, t).pose);
}

// What is stepped is proven apart from all but bodies on paths by its own clock; bodies that bend
// always are.
bool Detection::is_watched(BodyIndex a, BodyIndex b) const {
  if (model_.bodies[a].bends() || model_.bodies[b].bends()) return false;
  const auto is_on_path = [this](BodyIndex body) {
    return model_.bodies[body].is_dynamic() && (steps_ == nullptr || !steps_->contains(body));
  };
  return (is_on_path(a) || is_on_path(b)) && exclusions_.may_touch(a, b);
}

void Detection::change_clock(const std::vector<BodyIndex>& bodies) {
  for (const BodyIndex body : bodies)
    if (broad_->contains(body)) broad_->update(body, boxes_[body]);  // for pairs to be found anew
  boxes_changed_ = true;
}

Detection::Pieces Detection::pieces_of(BodyIndex body, double from, double to,
                                       const Paths& paths) const {
  if (steps_ != nullptr && steps_->contains(body)) return steps_->paths_of(body, from);
  if (!paths.is_moving(body)) {
    if (scripts_[body]) return {motion::BodyPath::scripted(from, to, scripts_[body])};
    return {motion::BodyPath::resting(from, to, model_.bodies[body].pose)};
  }
  Pieces pieces;
  integrate::IslandPath& path = paths.of(body);
  if (from == to) {
    const body::RigidState state = path.state_of(body, from);
    return {motion::BodyPath::resting(from, to, {state.centre, state.attitude})};
  }
  for (int step = 0; step < path.step_count(); ++step) {
    motion::BodyPath piece = path.body_path(body, step);
    if (piece.end() > from && piece.begin() < to) pieces.push_back(std::move(piece));
  }
  return pieces;
}

void Detection::take_paths(BodyIndex body, double from, double to, const Paths& paths) {
  horizons_[body] = steps_ != nullptr && steps_->contains(body) ? std::min(to, steps_->time()) : to;
  pieces_[body] = pieces_of(body, from, to, paths);
  update_box(body, from);
}

// The box a body stays in up to its horizon. A body whose new path stays in the old box
// costs the broad phase nothing.
void Detection::update_box(BodyIndex body, double from) {
  geometry::Aabb box;
  for (const motion::BodyPath& piece : pieces_[body])
    box = geometry::merged(box, outlines_[body].swept_box(piece, std::max(from, piece.begin()),
                                                          std::min(horizons_[body], piece.end())));
  const bool known = broad_->contains(body);
  needed_[body] = geometry::inflated(box, needed_margin * margin_);
  if (known && from > window_begin_ && boxes_[body].contains(needed_[body])) return;
  boxes_[body] = geometry::inflated(box, box_margin * margin_);
  if (known)
    broad_->update(body, boxes_[body]);
  else
    broad_->insert(body, boxes_[body]);
  boxes_changed_ = true;
}

void Detection::renew_pairs(double from) {
  const std::vector<broad::Pair>& pairs = broad_->find_pairs();
  // Forget what was remembered of pairs that are far apart now.
  std::erase_if(watches_, [&](const auto& entry) {
    const auto& [pair, watch] = entry;
    if (std::binary_search(pairs.begin(), pairs.end(), pair)) return false;
    if (watch.search) {
      count(*watch.search, forgotten_);
      if (watch.search->statistics().unresolved > 0) unresolved_.insert(pair);
    }
    if (watch.touch) touches_.erase({*watch.touch, pair});
    return true;
  });
  for (std::vector<BodyIndex>& list : near_) list.clear();
  for (const broad::Pair& pair : pairs) {
    const auto [entry, is_new] = watches_.try_emplace(pair);
    if (is_new) make_due(pair, entry->second, from);
    near_[pair.a].push_back(pair.b);
    near_[pair.b].push_back(pair.a);
  }
  boxes_changed_ = false;
}

double Detection::known_until(const broad::Pair& pair) const {
  double until = std::min(horizons_[pair.a], horizons_[pair.b]);
  for (const BodyIndex body : {pair.a, pair.b})
    until = pieces_[body].empty() ? 0 : std::min(until, pieces_[body].back().end());
  return until;
}

toi::FirstContact& Detection::search_of(const broad::Pair& pair, Watch& watch) const {
  if (!watch.search)
    watch.search = std::make_unique<toi::FirstContact>(geometry_.search(pair.a, pair.b));
  return *watch.search;
}

void Detection::make_due(const broad::Pair& pair, Watch& watch, double from) {
  watch.begin = from;
  if (!watch.due) due_.push_back(pair);
  watch.due = true;
}

void Detection::note_touch(const broad::Pair& pair, Watch& watch,
                           const std::optional<double>& time) {
  if (watch.touch) touches_.erase({*watch.touch, pair});
  watch.touch = time;
  if (time) touches_.emplace(*time, pair);
}

// Goes through the stretches of time over which the paths of both bodies are single pieces.
Detection::Found Detection::search(const broad::Pair& pair, Watch& watch) const {
  // Up to where both are looked at, and farther apart than the margin: of most pairs that the broad
  // phase finds nothing else has to be known.
  if (!geometry::overlap(needed_[pair.a], needed_[pair.b])) {
    watch.begin = std::max(watch.begin, known_until(pair));
    return {{}, margin_};
  }
  toi::FirstContact& first_contact = search_of(pair, watch);
  const std::array outlines = {&outlines_[pair.a], &outlines_[pair.b]};
  const Pieces& a = pieces_[pair.a];
  const Pieces& b = pieces_[pair.b];
  const double until = std::min(horizons_[pair.a], horizons_[pair.b]);
  double bound = infinity;
  std::size_t i = 0, j = 0;
  for (double t = watch.begin; t < until && i < a.size() && j < b.size();) {
    const double end = std::min({until, a[i].end(), b[j].end()});
    if (end > t && a[i].begin() <= t && b[j].begin() <= t) {
      if (!watch.springs.empty()) {
        const auto change =
            watch.springs.first_change(a[i], b[j], t, end, [&](const Pose& x, const Pose& y) {
              return geometry_.contacts(pair, watch.query, x, y);
            });
        if (change) return {change, bound};
        watch.begin = t = end;
        continue;
      }
      if (const auto apart = apart_by_boxes(outlines, a[i], b[j], t, end)) {
        bound = std::min(bound, *apart);
        watch.begin = t = end;
        continue;
      }
      const toi::SearchResult found = first_contact.search(a[i], b[j], t, end);
      bound = std::min(bound, found.gap_bound);
      if (found.touch) return {found.touch->time, bound};
      watch.begin = t = end;
    }
    if (a[i].end() <= t) ++i;
    if (j < b.size() && b[j].end() <= t) ++j;
  }
  return {{}, bound};
}

// Pairs in parallel; what they found is noted in their order.
void Detection::search_due(const base::ThreadPool& pool) {
  std::sort(due_.begin(), due_.end());
  std::vector<Watch*> watches;
  std::erase_if(due_, [&](const broad::Pair& pair) {
    const auto entry = watches_.find(pair);
    if (entry == watches_.end()) return true;  // made due, and then forgotten
    watches.push_back(&entry->second);
    return false;
  });
  std::vector<Found> found(due_.size());
  {
    const base::Stopwatch watch(forgotten_.time_seconds);
    pool.for_each(due_.size(), pairs_per_task,
                  [&](std::size_t i) { found[i] = search(due_[i], *watches[i]); });
  }
  for (std::size_t i = 0; i < due_.size(); ++i) {
    watches[i]->due = false;
    note_touch(due_[i], *watches[i], found[i].touch);
    gap_bound_ = std::min(gap_bound_, found[i].bound);
  }
  due_.clear();
  if (margin_ < infinity) gap_bound_ = std::min(gap_bound_, margin_);
}

void Detection::look(double from, double to, const Paths& paths, const base::ThreadPool& pool) {
  window_begin_ = from;
  window_end_ = to;
  if (model_.bodies.size() < 2) return;
  // Where all are stepped nothing is watched.
  const bool any_paths = !paths.bodies().empty();
  for (BodyIndex body = 0; body < static_cast<int>(pieces_.size()); ++body)
    if (any_paths || steps_ == nullptr || !steps_->contains(body))
      take_paths(body, from, to, paths);
  let_parted_touch([&](BodyIndex body) { return paths.motion_of(body, from).pose; });
  renew_pairs(from);
  for (auto& [pair, watch] : watches_) make_due(pair, watch, from);
  search_due(pool);
}

template <class Action>
void Detection::for_pairs_of(const std::vector<BodyIndex>& bodies, const Action& action) {
  for (const BodyIndex body : bodies)
    for (const BodyIndex other : near_[body]) {
      const broad::Pair pair{std::min(body, other), std::max(body, other)};
      action(pair, watches_.at(pair));
    }
}

void Detection::look_again(const std::vector<BodyIndex>& bodies, double from, double to,
                           const Paths& paths, const base::ThreadPool& pool) {
  if (model_.bodies.size() < 2) return;
  for (const BodyIndex body : bodies) take_paths(body, from, to, paths);
  let_parted_touch([&](BodyIndex body) { return paths.motion_of(body, from).pose; });
  if (boxes_changed_) renew_pairs(from);
  for_pairs_of(bodies, [&](const broad::Pair& pair, Watch& watch) { make_due(pair, watch, from); });
  search_due(pool);
}

void Detection::look_farther(const std::vector<BodyIndex>& bodies, double now, double to,
                             const Paths& paths, const base::ThreadPool& pool) {
  if (model_.bodies.size() < 2) return;
  for (const BodyIndex body : bodies) take_paths(body, now, to, paths);
  if (boxes_changed_) renew_pairs(now);
  for_pairs_of(bodies, [&](const broad::Pair& pair, Watch& watch) {
    if (!watch.touch) make_due(pair, watch, watch.begin);
  });
  search_due(pool);
}

std::optional<FoundTouch> Detection::first_touch() const {
  if (touches_.empty()) return std::nullopt;
  const auto& [time, pair] = *touches_.begin();
  return FoundTouch{pair.a, pair.b, time};
}

std::set<broad::Pair> Detection::unresolved_pairs() const {
  std::set<broad::Pair> pairs = unresolved_;
  for (const auto& [pair, watch] : watches_)
    if (watch.search && watch.search->statistics().unresolved > 0) pairs.insert(pair);
  return pairs;
}

DetectionStatistics Detection::statistics() const {
  DetectionStatistics total = forgotten_;
  for (const auto& [pair, watch] : watches_)
    if (watch.search) count(*watch.search, total);
  return total;
}

}  // namespace abut::loop
