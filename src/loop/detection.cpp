#include "loop/detection.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace abut::loop {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Pairs searched by one task.
constexpr std::size_t grain = 8;

// The touch is reported at a gap in this band, as fractions of the contact distance: a small
// positive gap, at which the bodies are disjoint, well within what counts as touching.
constexpr double touch_lower = 0.05;
constexpr double touch_upper = 0.1;

// Up to this many bodies every pair is looked at, so that the smallest gap is exact to the bound;
// in larger scenes pairs farther apart than the margin are known to be at least that far apart.
constexpr std::size_t few_bodies = 4;

Pose motion_pose(const model::Body& body) {
  const Pose frame = toi::motion_frame(body);
  return {body.pose.position + body.pose.orientation * frame.position,
          body.pose.orientation * frame.orientation};
}

}  // namespace

Detection::Detection(const model::Model& model, const integrate::Scripts& scripts)
    : model_(model), scripts_(scripts), gap_bound_(infinity) {
  broad_ = std::make_unique<broad::BroadPhase>(
      [this](BodyIndex a, BodyIndex b) { return may_touch(a, b); });
  for (const auto& [a, b] : model.no_collide)
    excluded_.emplace_back(std::min(a, b), std::max(a, b));
  std::sort(excluded_.begin(), excluded_.end());
  double smallest = infinity;
  for (const model::Body& body : model.bodies) {
    outlines_.emplace_back(body.parts, toi::motion_frame(body));
    if (body.is_dynamic()) smallest = std::min(smallest, body.bounding_radius);
  }
  margin_ = model.bodies.size() <= few_bodies ? infinity : smallest;
  pieces_.resize(model.bodies.size());
}

bool Detection::may_touch(BodyIndex a, BodyIndex b) const {
  if (!model_.bodies[a].is_dynamic() && !model_.bodies[b].is_dynamic()) return false;
  return !std::binary_search(excluded_.begin(), excluded_.end(), std::pair(a, b));
}

Detection::Pieces Detection::pieces_of(
    BodyIndex body, double from, double to,
    const std::vector<std::unique_ptr<integrate::ClusterPath>>& paths,
    const std::vector<int>& path_of) const {
  if (path_of[body] < 0) {
    if (scripts_[body]) return {motion::BodyPath::scripted(from, to, scripts_[body])};
    return {motion::BodyPath::resting(from, to, motion_pose(model_.bodies[body]))};
  }
  Pieces pieces;
  const integrate::ClusterPath& path = *paths[path_of[body]];
  for (int step = 0; step < path.step_count(); ++step) {
    motion::BodyPath piece = path.body_path(body, step);
    if (piece.end() > from && piece.begin() < to) pieces.push_back(std::move(piece));
  }
  return pieces;
}

void Detection::update_boxes(double from, double to) {
  for (BodyIndex body = 0; body < static_cast<int>(pieces_.size()); ++body) {
    geometry::Aabb box;
    for (const motion::BodyPath& piece : pieces_[body])
      box = geometry::merged(box, outlines_[body].swept_box(piece, std::max(from, piece.begin()),
                                                            std::min(to, piece.end())));
    box = geometry::inflated(box, 0.5 * margin_);
    if (broad_->contains(body))
      broad_->update(body, box);
    else
      broad_->insert(body, box);
  }
}

std::vector<broad::Pair> Detection::near_pairs() {
  std::vector<broad::Pair> pairs = broad_->find_pairs();
  // Forget what was remembered of pairs that are far apart now.
  std::erase_if(searches_, [&](const auto& entry) {
    const bool far = !std::binary_search(pairs.begin(), pairs.end(), entry.first);
    if (far) count(*entry.second, forgotten_);
    return far;
  });
  for (const broad::Pair& pair : pairs) search_of(pair);
  return pairs;
}

toi::FirstContact& Detection::search_of(const broad::Pair& pair) {
  auto& search = searches_[pair];
  if (!search) {
    toi::SearchSettings settings;
    settings.touch = {touch_lower * model_.solver.contact_distance,
                      touch_upper * model_.solver.contact_distance};
    search =
        std::make_unique<toi::FirstContact>(model_.bodies[pair.a], model_.bodies[pair.b], settings);
  }
  return *search;
}

// Goes through the stretches of time over which the paths of both bodies are single pieces.
std::optional<toi::Touch> Detection::search(const broad::Pair& pair, double from, double to,
                                            double& bound) {
  toi::FirstContact& search = *searches_.at(pair);
  const Pieces& a = pieces_[pair.a];
  const Pieces& b = pieces_[pair.b];
  std::size_t i = 0, j = 0;
  for (double t = from; t < to && i < a.size() && j < b.size();) {
    const double end = std::min({to, a[i].end(), b[j].end()});
    if (end > t) {
      const toi::SearchResult found = search.search(a[i], b[j], t, end);
      bound = std::min(bound, found.gap_bound);
      if (found.touch) return found.touch;
      t = end;
    }
    if (a[i].end() <= t) ++i;
    if (b[j].end() <= t) ++j;
  }
  return std::nullopt;
}

std::optional<FoundTouch> Detection::first_touch(
    double from, double to, const std::vector<std::unique_ptr<integrate::ClusterPath>>& paths,
    const std::vector<int>& path_of, const base::ThreadPool& pool) {
  if (model_.bodies.size() < 2 || !(to > from)) return std::nullopt;
  for (BodyIndex body = 0; body < static_cast<int>(pieces_.size()); ++body)
    pieces_[body] = pieces_of(body, from, to, paths, path_of);
  update_boxes(from, to);
  const std::vector<broad::Pair> pairs = near_pairs();

  std::vector<std::optional<toi::Touch>> touches(pairs.size());
  std::vector<double> bounds(pairs.size(), infinity);
  pool.for_each(pairs.size(), grain,
                [&](std::size_t i) { touches[i] = search(pairs[i], from, to, bounds[i]); });

  std::optional<FoundTouch> first;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    gap_bound_ = std::min(gap_bound_, bounds[i]);
    if (touches[i] && (!first || touches[i]->time < first->touch.time))
      first = FoundTouch{pairs[i].a, pairs[i].b, *touches[i]};
  }
  if (margin_ < infinity) gap_bound_ = std::min(gap_bound_, margin_);
  return first;
}

void Detection::count(const toi::FirstContact& search, DetectionStatistics& total) {
  const narrow::PairStatistics pairs = search.pair_statistics();
  total.cache_hits += pairs.witness_hits;
  total.cache_misses += pairs.witness_misses;
  total.unresolved += search.statistics().unresolved;
}

DetectionStatistics Detection::statistics() const {
  DetectionStatistics total = forgotten_;
  for (const auto& [pair, search] : searches_) count(*search, total);
  return total;
}

}  // namespace abut::loop
