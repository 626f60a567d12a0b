#include "clock/sheet_flatness.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/limits.h"

namespace abut::clock {
namespace {

using Flat = Eigen::Vector2d;
using FlatTriangle = std::array<Flat, 3>;
using geometry::Box3;

FlatTriangle at_rest(const flexible::Boundary& boundary, int triangle) {
  FlatTriangle corners;
  for (int i = 0; i < 3; ++i)
    corners[i] = boundary.rest(boundary.triangles()[triangle][i]).head<2>();
  return corners;
}

// How far b is beyond a side of a, at most: no more than their distance.
double beyond_sides(const FlatTriangle& a, const FlatTriangle& b) {
  double farthest = -infinity;
  for (int i = 0; i < 3; ++i) {
    const Flat side = a[(i + 1) % 3] - a[i], third = a[(i + 2) % 3] - a[i];
    Flat out(side.y(), -side.x());
    if (out.dot(third) > 0) out = -out;
    double nearest = infinity;
    for (const Flat& corner : b) nearest = std::min(nearest, out.dot(corner - a[i]));
    farthest = std::max(farthest, nearest / out.norm());
  }
  return farthest;
}

// Whether they have more in common than a line.
bool overlap(const Box3& a, const Box3& b) {
  return (a.min() - b.max()).head<2>().maxCoeff() < 0 &&
         (b.min() - a.max()).head<2>().maxCoeff() < 0;
}

}  // namespace

SheetFlatness::SheetFlatness(const flexible::Boundary& boundary,
                             std::vector<std::vector<int>> groups, double near,
                             const std::function<bool(int, int)>& may_touch)
    : boundary_(boundary),
      groups_(std::move(groups)),
      first_near_(groups_.size() + 1, 0),
      ranges_(boundary.triangles().size()) {
  for (std::size_t k = 0; k < ranges_.size(); ++k) {
    const FlatTriangle corners = at_rest(boundary, static_cast<int>(k));
    Eigen::Matrix2d sides;
    sides << corners[1] - corners[0], corners[2] - corners[0];
    inverses_.emplace_back(sides.inverse());
  }
  find_near(near, may_touch);
}

void SheetFlatness::find_near(double near, const std::function<bool(int, int)>& may_touch) {
  std::vector<Box3> triangles(ranges_.size()), boxes;
  for (std::size_t k = 0; k < ranges_.size(); ++k)
    for (const int corner : boundary_.triangles()[k]) triangles[k].extend(boundary_.rest(corner));
  std::vector<int> filled;  // groups that are not empty
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (groups_[i].empty()) continue;
    filled.push_back(static_cast<int>(i));
    boxes.emplace_back();
    for (const int k : groups_[i]) boxes.back().extend(triangles[k]);
  }
  const geometry::BoxTree all(triangles), of_groups(boxes);
  const Vec3 margin = Vec3::Constant(near);
  std::vector<int> found, inside;
  for (std::size_t i = 0; i < filled.size(); ++i) {
    found.clear();
    of_groups.find_overlapping({boxes[i].min() - margin, boxes[i].max() + margin}, found);
    std::sort(found.begin(), found.end());
    for (const int j : found) {
      if (j < static_cast<int>(i)) continue;
      const Box3 both = boxes[i].merged(boxes[j]);
      inside.clear();
      all.find_overlapping(both, inside);
      std::erase_if(inside, [&](int k) { return !overlap(triangles[k], both); });
      near_.push_back({filled[j], least_apart(filled[i], filled[j], may_touch),
                       static_cast<int>(around_.size()), static_cast<int>(inside.size())});
      around_.insert(around_.end(), inside.begin(), inside.end());
      ++first_near_[filled[i] + 1];
    }
  }
  std::partial_sum(first_near_.begin(), first_near_.end(), first_near_.begin());
}

double SheetFlatness::least_apart(int group, int other,
                                  const std::function<bool(int, int)>& may_touch) const {
  double apart = infinity;
  for (const int k : groups_[group])
    for (const int l : groups_[other]) {
      if (k == l || !may_touch(std::min(k, l), std::max(k, l))) continue;
      const FlatTriangle x = at_rest(boundary_, k), y = at_rest(boundary_, l);
      apart = std::min(apart, std::max(beyond_sides(x, y), beyond_sides(y, x)));
    }
  return apart;
}

void SheetFlatness::fit(const MovingSurface& surface, double h) {
  least_kept_ = infinity;
  ends_.resize(surface.places.size());
  for (std::size_t v = 0; v < ends_.size(); ++v)
    ends_[v] = surface.places[v] + h * surface.velocities[v];
  const auto slopes_of = [&](const std::vector<Vec3>& places, std::size_t k) {
    const auto& [a, b, c] = boundary_.triangles()[k];
    const Eigen::Matrix2d& inverse = inverses_[k];
    const Vec3 first = places[b] - places[a], second = places[c] - places[a];
    Slopes slopes;
    for (const int i : {0, 1}) {
      slopes.segment<3>(4 * i) = inverse(0, i) * first + inverse(1, i) * second;
      slopes[4 * i + 3] = 0;
    }
    return slopes;
  };
  for (std::size_t k = 0; k < ranges_.size(); ++k) {
    const Slopes begin = slopes_of(surface.places, k), end = slopes_of(ends_, k);
    ranges_[k] = {begin.min(end), begin.max(end)};
  }
}

// s - d for all of them, with G in the middle of what they have.
double SheetFlatness::kept_part(std::span<const int> triangles) const {
  Range range = ranges_[triangles.front()];
  for (const int k : triangles) {
    range.low = range.low.min(ranges_[k].low);
    range.high = range.high.max(ranges_[k].high);
  }
  const Slopes middle = 0.5 * (range.low + range.high);
  const double off = 0.5 * (range.high - range.low).matrix().norm();
  const Vec3 first = middle.segment<3>(0), second = middle.segment<3>(4);
  const double mean = 0.5 * (first.squaredNorm() + second.squaredNorm());
  const double differ = 0.5 * (first.squaredNorm() - second.squaredNorm());
  const double across = first.dot(second);
  const double least = mean - std::sqrt(differ * differ + across * across);
  return std::sqrt(std::max(least, 0.0)) - off;
}

bool SheetFlatness::keeps_apart(int group, int other, double margin) const {
  const auto [first, second] = std::minmax(group, other);
  const auto begin = near_.begin() + first_near_[first],
             end = near_.begin() + first_near_[first + 1];
  const auto at =
      std::lower_bound(begin, end, second, [](const Near& a, int b) { return a.group < b; });
  if (at == end || at->group != second) return false;
  if (at->apart == infinity) return true;
  const double kept =
      at->apart * kept_part(std::span(around_).subspan(at->first_around, at->around));
  if (!(kept > margin)) return false;
  least_kept_ = std::min(least_kept_, kept);
  return true;
}

}  // namespace abut::clock
