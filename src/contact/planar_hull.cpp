#include "contact/planar_hull.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace abut::contact {
namespace {

/// Andrew's monotone chain: one half of the hull, of points in the order of their sweep. Exact
/// turns only, so that no point is lost to a sum of small ones.
std::vector<int> half_hull(const std::vector<Vec2>& points, const std::vector<int>& order) {
  std::vector<int> chain;
  for (const int i : order) {
    while (chain.size() >= 2) {
      const Vec2& before = points[chain[chain.size() - 2]];
      if (cross(points[chain.back()] - before, points[i] - before) > 0) break;
      chain.pop_back();
    }
    chain.push_back(i);
  }
  chain.pop_back();
  return chain;
}

std::vector<int> hull_of(const std::vector<Vec2>& points, std::vector<int> order) {
  std::sort(order.begin(), order.end(), [&](int i, int j) {
    return std::pair(points[i].x(), points[i].y()) < std::pair(points[j].x(), points[j].y());
  });
  std::vector<int> hull = half_hull(points, order);
  std::reverse(order.begin(), order.end());
  const std::vector<int> back = half_hull(points, order);
  hull.insert(hull.end(), back.begin(), back.end());
  return hull;
}

/// Distance from corner `at` of the hull to the line through its neighbours.
double height_of_corner(const std::vector<Vec2>& points, const std::vector<int>& hull,
                        std::size_t at) {
  const std::size_t n = hull.size();
  const Vec2& before = points[hull[(at + n - 1) % n]];
  const Vec2 across = points[hull[(at + 1) % n]] - before;
  return std::abs(cross(across, points[hull[at]] - before)) / across.norm();
}

/// Takes out the flattest corner as long as it is flat.
void drop_flat_corners(const std::vector<Vec2>& points, std::vector<int>& hull, double tolerance) {
  while (hull.size() > 3) {
    std::size_t flattest = 0;
    double least = tolerance;
    bool found = false;
    for (std::size_t i = 0; i < hull.size(); ++i) {
      const double height = height_of_corner(points, hull, i);
      if (height > least) continue;
      least = height;
      flattest = i;
      found = true;
    }
    if (!found) return;
    hull.erase(hull.begin() + static_cast<std::ptrdiff_t>(flattest));
  }
}

}  // namespace

std::vector<int> distinct(const std::vector<Vec2>& points, double tolerance) {
  std::vector<int> kept;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool is_known = std::any_of(kept.begin(), kept.end(), [&](int k) {
      return (points[k] - points[i]).norm() <= tolerance;
    });
    if (!is_known) kept.push_back(static_cast<int>(i));
  }
  return kept;
}

PlanarHull planar_hull(const std::vector<Vec2>& points, double tolerance) {
  const std::vector<int> kept = distinct(points, tolerance);
  if (kept.size() <= 1) return {static_cast<int>(kept.size()) - 1, kept};
  std::vector<int> hull = hull_of(points, kept);

  // The longest diagonal, and how far the others are from it.
  std::pair<int, int> ends;
  double longest = -1;
  for (std::size_t i = 0; i < hull.size(); ++i) {
    for (std::size_t j = i + 1; j < hull.size(); ++j) {
      const double length = (points[hull[i]] - points[hull[j]]).norm();
      if (length <= longest) continue;
      longest = length;
      ends = std::minmax(hull[i], hull[j]);
    }
  }
  const Vec2 along = (points[ends.second] - points[ends.first]) / longest;
  const bool is_line = std::all_of(hull.begin(), hull.end(), [&](int i) {
    return std::abs(cross(along, points[i] - points[ends.first])) <= tolerance;
  });
  if (is_line) return {1, {ends.first, ends.second}};
  drop_flat_corners(points, hull, tolerance);
  return {2, hull};
}

}  // namespace abut::contact
