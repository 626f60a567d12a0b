#include "geometry/line_count.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "geometry/segment_boxes.h"

namespace abut::geometry {
namespace {

// Predicates of a point x that is given in doubles or in fractions.

int height_sign(const Triangle& t, const Vec3& x) {
  return orientation_3d(t[0], t[1], t[2], x);
}
int height_sign(const Triangle& t, const FractionPoint& x) {
  return sgn(exact_volume(exact_point(t[0]), exact_point(t[1]), exact_point(t[2]), x));
}
int turn_sign(const Vec3& x, const Vec3& end, const Vec3& a, const Vec3& b) {
  return orientation_3d(x, end, a, b);
}
int turn_sign(const FractionPoint& x, const Vec3& end, const Vec3& a, const Vec3& b) {
  return sgn(exact_volume(x, exact_point(end), exact_point(a), exact_point(b)));
}
Vec3 in_doubles(const Vec3& x) {
  return x;
}
Vec3 in_doubles(const FractionPoint& x) {
  return rounded(x);
}

/// Passages outward less passages inward on the way from x to `end`; nothing if it meets a side, a
/// corner, or runs in the plane of a triangle that it may meet.
template <class Point>
std::optional<int> passages(const Point& x, const Vec3& end, const BrepEntities& solid,
                            const BoxTree& tree) {
  int count = 0;
  for (const int index : triangles_along(tree, in_doubles(x), end)) {
    const auto& corners = solid.triangles[index];
    const Triangle t = {solid.points[corners[0]], solid.points[corners[1]],
                        solid.points[corners[2]]};
    const int before = height_sign(t, x), after = height_sign(t, end);
    if (before == after && before != 0) continue;
    int turns[3];
    for (int i = 0; i < 3; ++i) turns[i] = turn_sign(x, end, t[i], t[(i + 1) % 3]);
    const int low = *std::min_element(turns, turns + 3), high = *std::max_element(turns, turns + 3);
    if (low < 0 && high > 0) continue;
    if (low == 0 || high == 0) return std::nullopt;
    // Not on the surface, so `before` is not zero here.
    count += after > before ? 1 : -1;
  }
  return count;
}

// Ends beyond the box, in directions that no construction prefers: the first way out is the
// shortest, so that few triangles are met.
Vec3 way_out(const Box3& box, const Vec3& from, int attempt) {
  int axis = 0;
  bool up = true;
  double nearest = std::abs(box.max()[0] - from[0]);
  for (int i = 0; i < 3; ++i)
    for (const bool to_max : {true, false}) {
      const double distance = std::abs((to_max ? box.max() : box.min())[i] - from[i]);
      if (distance < nearest) {
        nearest = distance;
        axis = i;
        up = to_max;
      }
    }
  axis = (axis + attempt) % 3;
  const double size = box.sizes().maxCoeff() + (from - box.center()).cwiseAbs().maxCoeff();
  // Irrational multiples of the attempt's number, spread between -1 and 1.
  const auto spread = [&](double golden) {
    return 2 * (golden * (attempt + 1) - std::floor(golden * (attempt + 1))) - 1;
  };
  Vec3 end = from;
  end[axis] = up ? box.max()[axis] + size : box.min()[axis] - size;
  end[(axis + 1) % 3] += 0.1 * size * spread(0.6180339887498949);
  end[(axis + 2) % 3] += 0.1 * size * spread(0.4142135623730951);
  return end;
}

template <class Point>
bool is_enclosed_point(const Point& x, const BrepEntities& solid, const BoxTree& tree) {
  const Box3& box = tree.nodes().front().box;
  if (!box.contains(in_doubles(x))) return false;
  for (int attempt = 0;; ++attempt)
    if (const auto count = passages(x, way_out(box, in_doubles(x), attempt), solid, tree))
      return *count != 0;
}

}  // namespace

bool is_enclosed(const Vec3& point, const BrepEntities& solid, const BoxTree& tree) {
  return is_enclosed_point(point, solid, tree);
}

bool is_enclosed(const FractionPoint& point, const BrepEntities& solid, const BoxTree& tree) {
  return is_enclosed_point(point, solid, tree);
}

}  // namespace abut::geometry
