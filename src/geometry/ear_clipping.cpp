// Ear clipping (Meisters 1975): a simple polygon of more than three corners has an ear, a corner
// whose triangle with its two neighbours holds no other corner. Cut it off and go on.
//
// Corners of 180 degrees are kept: they are no ears, but every polygon that has an area has an ear
// elsewhere, because some triangulation without degenerate triangles exists and two of its
// triangles have two sides on the boundary.
//
// Corners that are of 180 degrees but for rounding deserve care: a triangle of three of them is so
// thin that its plane means nothing, and it may poke through a neighbouring face. Ears that are
// such triangles, or would leave one, are cut only when there are no others.

#include "geometry/ear_clipping.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace abut::geometry {
namespace {

/// The sine of an angle under which a corner counts as flat (dimensionless): far above the rounding
/// of coordinates, far below the angles of any polygon that is meant to be round.
constexpr double flat_angle = 1e-6;

double cross(const Vec2& a, const Vec2& b) {
  return a.x() * b.y() - a.y() * b.x();
}

/// Turns left by more than rounding can.
bool clearly_turns_left(const Vec2& a, const Vec2& b, const Vec2& c) {
  const Vec2 u = b - a;
  const Vec2 v = c - b;
  return cross(u, v) > flat_angle * u.norm() * v.norm();
}

/// For c on the line through a and b: is it between them or one of them?
bool is_between(const Vec2& a, const Vec2& b, const Vec2& c) {
  return (c.array() >= a.cwiseMin(b).array()).all() && (c.array() <= a.cwiseMax(b).array()).all();
}

bool segments_meet(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  const int abc = orientation_2d(a, b, c);
  const int abd = orientation_2d(a, b, d);
  const int cda = orientation_2d(c, d, a);
  const int cdb = orientation_2d(c, d, b);
  if (abc * abd < 0 && cda * cdb < 0) return true;
  return (abc == 0 && is_between(a, b, c)) || (abd == 0 && is_between(a, b, d)) ||
         (cda == 0 && is_between(c, d, a)) || (cdb == 0 && is_between(c, d, b));
}

/// A corner at which the polygon turns back on itself.
bool is_spike(const Vec2& before, const Vec2& corner, const Vec2& after) {
  return orientation_2d(before, corner, after) == 0 && !is_between(before, after, corner);
}

/// All turns clearly to the left and one turn in all: then the first coordinate rises once and
/// falls once.
bool is_clearly_convex(const std::vector<Vec2>& polygon) {
  const std::size_t n = polygon.size();
  int changes = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2& a = polygon[i];
    const Vec2& b = polygon[(i + 1) % n];
    const Vec2& c = polygon[(i + 2) % n];
    if (orientation_2d(a, b, c) <= 0 || !clearly_turns_left(a, b, c)) return false;
    // Order by the first coordinate, then by the second, so that no side is level.
    const auto rises = [](const Vec2& p, const Vec2& q) {
      return p.x() != q.x() ? p.x() < q.x() : p.y() < q.y();
    };
    if (rises(a, b) != rises(b, c)) ++changes;
  }
  return changes == 2;
}

class EarClipper {
 public:
  explicit EarClipper(const std::vector<Vec2>& polygon)
      : polygon_(polygon),
        count_(static_cast<int>(polygon.size())),
        before_(polygon.size()),
        after_(polygon.size()),
        convex_(polygon.size()) {
    for (int i = 0; i < count_; ++i) {
      before_[i] = (i + count_ - 1) % count_;
      after_[i] = (i + 1) % count_;
    }
    for (int i = 0; i < count_; ++i) update(i);
  }

  std::optional<std::vector<std::array<int, 3>>> run() {
    std::vector<std::array<int, 3>> triangles;
    int corner = 0;
    int left = count_;
    for (int tried = 0; left > 3;) {
      if (++tried > left) {
        if (!choosy_) return std::nullopt;
        choosy_ = false;
        tried = 1;
      }
      const int next = after_[corner];
      if (is_ear(corner)) {
        triangles.push_back({before_[corner], corner, after_[corner]});
        cut(corner);
        --left;
        tried = 0;
      }
      corner = next;
    }
    if (!convex_[corner]) return std::nullopt;
    triangles.push_back({before_[corner], corner, after_[corner]});
    return triangles;
  }

 private:
  void update(int corner) {
    convex_[corner] =
        orientation_2d(polygon_[before_[corner]], polygon_[corner], polygon_[after_[corner]]) > 0;
  }

  bool is_ear(int corner) const {
    if (!convex_[corner]) return false;
    const int a = before_[corner];
    const int b = after_[corner];
    if (choosy_ && !clearly_turns_left(polygon_[a], polygon_[corner], polygon_[b])) return false;
    for (int i = after_[b]; i != a; i = after_[i]) {
      if (choosy_ && is_just_behind(a, b, i)) return false;
      // If any corner lies in the triangle, so does one that is not convex.
      if (!convex_[i] && triangle_contains(a, corner, b, i)) return false;
    }
    return true;
  }

  /// A corner next to the cut from a to b, on the side that remains: a thin triangle to come.
  bool is_just_behind(int a, int b, int corner) const {
    const Vec2 cut = polygon_[b] - polygon_[a];
    const Vec2 offset = polygon_[corner] - polygon_[a];
    const double along = cut.dot(offset);
    return along > 0 && along < cut.squaredNorm() &&
           std::abs(cross(cut, offset)) <= flat_angle * cut.squaredNorm();
  }

  bool triangle_contains(int a, int b, int c, int p) const {
    return orientation_2d(polygon_[a], polygon_[b], polygon_[p]) >= 0 &&
           orientation_2d(polygon_[b], polygon_[c], polygon_[p]) >= 0 &&
           orientation_2d(polygon_[c], polygon_[a], polygon_[p]) >= 0;
  }

  void cut(int corner) {
    const int a = before_[corner];
    const int b = after_[corner];
    after_[a] = b;
    before_[b] = a;
    update(a);
    update(b);
  }

  const std::vector<Vec2>& polygon_;
  int count_;
  std::vector<int> before_;
  std::vector<int> after_;
  std::vector<char> convex_;
  bool choosy_ = true;  ///< cuts no thin triangles as long as there are others
};

}  // namespace

// Sides in the order of their left ends; each is compared with those that start before it ends.
bool is_simple(const std::vector<Vec2>& polygon) {
  const int n = static_cast<int>(polygon.size());
  const auto left = [&](int i) { return std::min(polygon[i].x(), polygon[(i + 1) % n].x()); };
  const auto right = [&](int i) { return std::max(polygon[i].x(), polygon[(i + 1) % n].x()); };
  for (int i = 0; i < n; ++i) {
    const Vec2& corner = polygon[(i + 1) % n];
    if (polygon[i] == corner || is_spike(polygon[i], corner, polygon[(i + 2) % n])) return false;
  }
  std::vector<int> order(polygon.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return left(a) < left(b); });
  for (int k = 0; k < n; ++k) {
    const int i = order[k];
    for (int m = k + 1; m < n && left(order[m]) <= right(i); ++m) {
      const int j = order[m];
      const bool neighbours = (i + 1) % n == j || (j + 1) % n == i;
      if (neighbours) continue;
      if (segments_meet(polygon[i], polygon[(i + 1) % n], polygon[j], polygon[(j + 1) % n])) {
        return false;
      }
    }
  }
  return true;
}

std::optional<std::vector<std::array<int, 3>>> clipped_ears(const std::vector<Vec2>& polygon) {
  if (polygon.size() < 3) return std::nullopt;
  if (is_clearly_convex(polygon)) {
    std::vector<std::array<int, 3>> fan;
    for (int i = 1; i + 1 < static_cast<int>(polygon.size()); ++i) fan.push_back({0, i, i + 1});
    return fan;
  }
  if (!is_simple(polygon)) return std::nullopt;
  return EarClipper(polygon).run();
}

}  // namespace abut::geometry
