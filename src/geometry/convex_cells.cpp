#include "geometry/convex_cells.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "geometry/ear_clipping.h"

namespace abut::geometry {
namespace {

// A loop with more corners is cut as it was given: looking for ears costs the square of their
// number.
constexpr std::size_t most_corners_to_clip = 500;

class Cutter {
 public:
  Cutter(const std::vector<Vec2>& points, const std::vector<IndexTriangle>& triangles,
         double tolerance)
      : points_(points), tolerance_(tolerance) {
    std::map<std::pair<int, int>, int> of_side;
    for (const IndexTriangle& t : triangles) {
      const int first = static_cast<int>(sides_.size());
      for (int i = 0; i < 3; ++i) {
        of_side[{t[i], t[(i + 1) % 3]}] = first + i;
        sides_.push_back({t[i], first + (i + 1) % 3, first + (i + 2) % 3, -1, true});
      }
    }
    for (const auto& [ends, side] : of_side) {
      const auto twin = of_side.find({ends.second, ends.first});
      if (twin != of_side.end()) sides_[side].twin = twin->second;
    }
  }

  // The one loop around all, if there is one that passes each of its corners once.
  std::optional<std::vector<int>> outline() const {
    std::map<int, int> after;
    for (std::size_t s = 0; s < sides_.size(); ++s)
      if (sides_[s].twin < 0 &&
          !after.emplace(sides_[s].origin, end_of(static_cast<int>(s))).second)
        return std::nullopt;
    std::vector<int> loop;
    int at = after.begin()->first;
    do {
      loop.push_back(at);
      at = after.at(at);
    } while (at != loop.front());
    if (loop.size() != after.size()) return std::nullopt;
    return loop;
  }

  void join() {
    for (int s = 0; s < static_cast<int>(sides_.size()); ++s)
      if (sides_[s].alive && sides_[s].twin > s) try_to_remove(s);
  }

  std::vector<std::vector<int>> cells() const {
    std::vector<std::vector<int>> found;
    std::vector<bool> seen(sides_.size(), false);
    for (int s = 0; s < static_cast<int>(sides_.size()); ++s) {
      if (!sides_[s].alive || seen[s]) continue;
      std::vector<int> loop;
      for (int h = s; !seen[h]; h = sides_[h].next) {
        seen[h] = true;
        loop.push_back(sides_[h].origin);
      }
      found.push_back(without_straight_corners(std::move(loop)));
    }
    return found;
  }

  // Twice the area of a triangle over its longest base: how far the middle corner sticks out.
  double bulge(int a, int b, int c) const {
    const Vec2 u = points_[b] - points_[a], v = points_[c] - points_[b];
    const double area = u.x() * v.y() - u.y() * v.x();
    const double base = (points_[c] - points_[a]).norm();
    // A corner that leads back is no straight one.
    if (u.dot(v) < 0 && std::abs(area) <= tolerance_ * (u.norm() + v.norm()))
      return -(u.norm() + v.norm());
    return area / std::max(base, std::max(u.norm(), v.norm()));
  }

  std::vector<int> without_straight_corners(std::vector<int> loop) const {
    for (bool changed = true; changed && loop.size() > 3;) {
      changed = false;
      std::vector<int> kept;
      for (std::size_t i = 0; i < loop.size(); ++i) {
        const int before = kept.empty() ? loop.back() : kept.back();
        const int after = loop[(i + 1) % loop.size()];
        const bool left_too_few = loop.size() - i - 1 + kept.size() < 3;
        if (!left_too_few && std::abs(bulge(before, loop[i], after)) <= tolerance_)
          changed = true;
        else
          kept.push_back(loop[i]);
      }
      loop = std::move(kept);
    }
    return loop;
  }

  bool is_convex(const std::vector<int>& loop) const {
    for (std::size_t i = 0; i < loop.size(); ++i)
      if (bulge(loop[i], loop[(i + 1) % loop.size()], loop[(i + 2) % loop.size()]) < 0)
        return false;
    return loop.size() >= 3;
  }

 private:
  struct Side {
    int origin;
    int next, before;
    int twin;  // -1: the border
    bool alive;
  };

  int end_of(int s) const { return sides_[sides_[s].next].origin; }

  bool is_convex_corner(int in, int out) const {
    const double out_by = bulge(sides_[in].origin, sides_[out].origin, end_of(out));
    return out_by >= -tolerance_;
  }

  // With the sides before and after it that two cells have in common too.
  void try_to_remove(int side) {
    int first = side, last = side;
    const auto twin = [&](int s) { return sides_[s].twin; };
    std::size_t left = sides_.size();
    while (left-- > 0 && twin(sides_[last].next) >= 0 &&
           twin(sides_[last].next) == sides_[twin(last)].before && sides_[last].next != first)
      last = sides_[last].next;
    while (left-- > 0 && twin(sides_[first].before) >= 0 &&
           twin(sides_[first].before) == sides_[twin(first)].next && sides_[first].before != last)
      first = sides_[first].before;
    const int other_first = twin(last), other_last = twin(first);
    const int in_a = sides_[first].before, out_a = sides_[other_last].next;
    const int in_b = sides_[other_first].before, out_b = sides_[last].next;
    if (in_a == other_last || in_b == last) return;  // a cell on both sides
    if (!is_convex_corner(in_a, out_a) || !is_convex_corner(in_b, out_b)) return;
    for (int s = first;; s = sides_[s].next) {
      sides_[s].alive = sides_[twin(s)].alive = false;
      if (s == last) break;
    }
    connect(in_a, out_a);
    connect(in_b, out_b);
  }
  void connect(int in, int out) {
    sides_[in].next = out;
    sides_[out].before = in;
  }

  const std::vector<Vec2>& points_;
  double tolerance_;
  std::vector<Side> sides_;
};

// The triangles of a loop with few corners, instead of those of all the points within it.
std::optional<std::vector<IndexTriangle>> triangles_of(const std::vector<Vec2>& points,
                                                       const std::vector<int>& loop) {
  std::vector<Vec2> polygon;
  for (const int corner : loop) polygon.push_back(points[corner]);
  const auto ears = clipped_ears(polygon);
  if (!ears) return std::nullopt;
  std::vector<IndexTriangle> triangles;
  for (const auto& ear : *ears) triangles.push_back({loop[ear[0]], loop[ear[1]], loop[ear[2]]});
  return triangles;
}

}  // namespace

std::vector<std::vector<int>> convex_cells(const std::vector<Vec2>& points,
                                           const std::vector<IndexTriangle>& triangles,
                                           double tolerance) {
  Cutter cutter(points, triangles, tolerance);
  if (const auto outline = cutter.outline()) {
    const std::vector<int> loop = cutter.without_straight_corners(*outline);
    if (cutter.is_convex(loop)) return {loop};
    if (loop.size() < triangles.size() + 2 && loop.size() <= most_corners_to_clip)
      if (const auto fewer = triangles_of(points, loop)) {
        Cutter anew(points, *fewer, tolerance);
        anew.join();
        return anew.cells();
      }
  }
  cutter.join();
  return cutter.cells();
}

}  // namespace abut::geometry
