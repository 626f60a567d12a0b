// Where triangles of a body that bends are near something: the contacts of a step.

#include <algorithm>
#include <set>

#include "base/limits.h"
#include "clock/bent_pair.h"
#include "narrow/solid_id.h"

namespace abut::clock {
namespace {

using geometry::Feature;
using geometry::FeatureKind;

// Of the kept gap (dimensionless): places that free motion brings as near as this are rows.
constexpr double near_part = 2;

// Of the kept gap (dimensionless): within an edge or a triangle, what is nearer than its corners by
// no more than the first is the same place, and so is what corners that keep their gap, or what
// they have of it, leave at least the second: enough for the proof, and rows that say nearly the
// same are the hardest to solve. Where that was not so, and a row was pressed, it stays one.
constexpr double nearer_within = 0.1, left_within = 0.5;

// Of the distance of corners (dimensionless): a weight that is nothing.
constexpr double no_weight = 1e-9;

// Which corner, edge or whole of a triangle a point with these weights is on.
Feature feature_of(const flexible::Boundary& boundary, int triangle,
                   const std::array<double, 3>& weights) {
  int count = 0, in = 0, out = 0;
  for (int i = 0; i < 3; ++i)
    if (weights[i] > no_weight) {
      ++count;
      in = i;
    } else {
      out = i;
    }
  if (count == 1) return {FeatureKind::vertex, boundary.triangles()[triangle][in]};
  if (count == 2) return {FeatureKind::edge, 3 * triangle + out};
  return {FeatureKind::face, triangle};
}

// The same for an edge whichever of its triangles tells it.
std::array<int, 3> name_of(const flexible::Boundary& boundary, const Feature& feature) {
  if (feature.kind == FeatureKind::vertex) return {feature.index, -1, -1};
  if (feature.kind == FeatureKind::face) return {feature.index, -2, -2};
  const auto& corners = boundary.triangles()[feature.index / 3];
  const int out = feature.index % 3;
  const auto [a, b] = std::minmax(corners[(out + 1) % 3], corners[(out + 2) % 3]);
  return {a, b, -1};
}

Vec3 combined(const Corners& corners, const std::array<double, 3>& weights) {
  return weights[0] * corners[0] + weights[1] * corners[1] + weights[2] * corners[2];
}

}  // namespace

std::vector<StepContact> BentPair::contacts_within(const MovingSurface& a, const OtherSide& b,
                                                   double t, double reach) const {
  std::vector<Place> places;
  for_near(a, b, t, 0, reach, [&](int triangle, int other, const MovingObstacle& obstacle) {
    Corners memory;
    const CornerGap nearest = gap_between(a.corners(triangle, 0), obstacle.at(0, memory));
    if (nearest.gap - thickness_ <= reach)
      add_places(a, b, 0, reach, triangle, other, obstacle, nearest, nullptr, places);
  });
  return contacts_of(a, b, t, 0, places);
}

// What could be closed within the step is no farther off than its parts move relative to each
// other, and only places that do approach so much become rows: others do where the proof misses
// them. Most triangles that are near enough do not approach along the direction between them.
std::vector<StepContact> BentPair::contacts(const MovingSurface& a, const OtherSide& b, double t,
                                            double h, double kick) const {
  const double near = near_part * kept_gap();
  const Memory pressed(last, kick);
  std::vector<Place> places;
  for_near(a, b, t, h, near, [&](int triangle, int other, const MovingObstacle& obstacle) {
    const Corners start = a.corners(triangle, 0), rates = a.rates(triangle);
    const double reach = near + obstacle.closing(start, rates, h);
    Corners memory;
    const CornerGap nearest = gap_between(start, obstacle.at(0, memory));
    if (nearest.gap - thickness_ > reach) return;
    if (nearest.gap > thickness_ + near &&
        obstacle.bound(start, rates, nearest.normal, 0, h) > thickness_ + near)
      return;
    add_places(a, b, 0, reach, triangle, other, obstacle, nearest, &pressed, places);
  });
  std::erase_if(places, [&](const Place& place) {
    if (!pressed.impulse(place.label).isZero(0)) return false;
    const Vec3 rate =
        combined(a.rates(place.triangle), place.gap.weights) - rate_of(a, b, t, h, place);
    return place.gap.gap - thickness_ + h * place.gap.normal.dot(rate) > near;
  });
  std::vector<StepContact> found = contacts_of(a, b, t, 0, places);
  for (StepContact& contact : found) {
    contact.within = h;
    pressed.recall(contact);
  }
  return found;
}

// How the obstacle's side of a place moves over a step.
Vec3 BentPair::rate_of(const MovingSurface& a, const OtherSide& b, double t, double h,
                       const Place& place) const {
  if (b.surface != nullptr) return combined(b.surface->rates(place.other), place.gap.on_obstacle);
  const Vec3 at = combined(a.corners(place.triangle, 0), place.gap.weights);
  const Pose from = b.path->pose(t), to = b.path->pose(t + h);
  const Vec3 carried = from.orientation.conjugate() * (at - from.position);
  return (to.position + to.orientation * carried - at) / h;
}

// Neighbours tell the same corners and edges. In the order of triangles, whatever the order is in
// which they were found.
std::vector<StepContact> BentPair::contacts_of(const MovingSurface& a, const OtherSide& b, double t,
                                               double s, std::vector<Place>& places) const {
  std::stable_sort(places.begin(), places.end(), [](const Place& x, const Place& y) {
    return std::array{x.triangle, x.other} < std::array{y.triangle, y.other};
  });
  std::set<std::array<int, 7>> known;
  std::vector<StepContact> found;
  for (const Place& place : places) {
    const std::array<int, 3> of_a = name_of(body_a_->boundary, place.label.a);
    const std::array<int, 3> of_b =
        body_b_ != nullptr ? name_of(body_b_->boundary, place.label.b) : std::array{0, 0, 0};
    if (known.insert({of_a[0], of_a[1], of_a[2], place.label.part_b, of_b[0], of_b[1], of_b[2]})
            .second)
      found.push_back(contact_of(a, b, t, s, place));
  }
  return found;
}

// The nearest place of a triangle, and its corners, at a time s after the step's beginning.
void BentPair::add_places(const MovingSurface& a, const OtherSide& b, double s, double reach,
                          int triangle, int other, const MovingObstacle& obstacle,
                          const CornerGap& nearest, const Memory* pressed,
                          std::vector<Place>& found) const {
  Corners memory;
  const Corners corners = a.corners(triangle, s);
  const Obstacle here = obstacle.at(s, memory);
  const auto add = [&](const CornerGap& gap) {
    found.push_back({triangle, other, gap, label_of(triangle, other, gap)});
  };
  double least = infinity;
  for (int i = 0; i < 3; ++i) {
    CornerGap gap = gap_between(std::span(corners).subspan(i, 1), here);
    gap.weights = {};
    gap.weights[i] = 1;
    least = std::min(least, gap.gap);
    if (gap.gap - thickness_ <= reach) add(gap);
  }
  if (b.surface != nullptr) {
    Obstacle own;
    own.corners = corners;
    for (int i = 0; i < 3; ++i) {
      const CornerGap gap = gap_between(std::span(memory).subspan(i, 1), own);
      least = std::min(least, gap.gap);
      if (gap.gap - thickness_ > reach) continue;
      CornerGap swapped;
      swapped.gap = gap.gap;
      swapped.normal = -gap.normal;
      swapped.weights = gap.on_obstacle;
      swapped.on_obstacle[i] = 1;
      add(swapped);
    }
  }
  const double nearer = least - nearest.gap;
  if (!(nearer > nearer_within * kept_gap())) return;
  const double left = std::min(least - thickness_, kept_gap()) - nearer;
  const auto was_pressed = [&] {
    return pressed != nullptr && !pressed->impulse(label_of(triangle, other, nearest)).isZero(0);
  };
  if (left < left_within * kept_gap() || was_pressed()) add(nearest);
}

contact::ContactLabel BentPair::label_of(int triangle, int other, const CornerGap& gap) const {
  contact::ContactLabel label;
  label.part_a = body_a_->boundary.part(triangle);
  label.a = feature_of(body_a_->boundary, triangle, gap.weights);
  label.part_b = body_b_ != nullptr ? body_b_->boundary.part(other) : other;
  label.b = body_b_ != nullptr ? feature_of(body_b_->boundary, other, gap.on_obstacle)
                               : Feature{FeatureKind::face, 0};
  return label;
}

StepContact BentPair::contact_of(const MovingSurface& a, const OtherSide& b, double t, double s,
                                 const Place& place) const {
  const CornerGap& gap = place.gap;
  StepContact contact;
  contact.normal = gap.normal;
  contact.gap = gap.gap - thickness_;
  contact.label = place.label;
  const Vec3 weights(gap.weights[0], gap.weights[1], gap.weights[2]);
  contact.weights[0] = body_a_->boundary.weights_within(place.triangle, weights);
  if (b.surface != nullptr) {
    const Vec3 others(gap.on_obstacle[0], gap.on_obstacle[1], gap.on_obstacle[2]);
    contact.weights[1] = body_b_->boundary.weights_within(place.other, others);
  } else {
    // Both sides act at one place, so that angular momentum is kept.
    const Vec3 at = combined(a.corners(place.triangle, s), gap.weights);
    const Pose pose = b.path->pose(t + s);
    contact.arms[1] = pose.orientation.conjugate() * (at - pose.position);
  }
  contact.kept = kept_gap();
  contact.law = model::contact_law(model_, this->a(), contact.label.part_a, this->b(),
                                   narrow::part_of(contact.label.part_b));
  return contact;
}

std::vector<StepContact> BentPair::contacts_at(const MovingSurface& a, const OtherSide& b, double t,
                                               const Approach& approach) const {
  const MovingObstacle obstacle =
      b.surface != nullptr
          ? MovingObstacle(*b.surface, approach.other)
          : MovingObstacle(shape_b_->solid(approach.other), model_.bodies[this->b()], *b.path, t);
  Corners memory;
  const CornerGap nearest =
      gap_between(a.corners(approach.triangle, approach.time), obstacle.at(approach.time, memory));
  std::vector<Place> places;
  const double reach = std::max(2 * kept_gap(), 2 * (nearest.gap - thickness_));
  add_places(a, b, approach.time, reach, approach.triangle, approach.other, obstacle, nearest,
             nullptr, places);
  std::vector<StepContact> found;
  found.reserve(places.size());
  for (const Place& place : places) found.push_back(contact_of(a, b, t, approach.time, place));
  return found;
}

}  // namespace abut::clock
