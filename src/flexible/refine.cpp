#include <map>
#include <utility>

#include "flexible/surface.h"

namespace abut::flexible {
namespace {

using Triangle = std::array<int, 3>;

/// The vertices half-way along edges, made when first asked for.
class Middles {
 public:
  Middles(Surface& surface, const std::function<bool(const Vec3&, const Vec3&)>& too_long,
          const std::function<Vec3(const Vec3&, const Vec3&)>& middle)
      : surface_(surface), too_long_(too_long), middle_(middle) {}

  /// -1 for an edge that stays.
  int of(int a, int b) {
    const auto key = std::minmax(a, b);
    const auto [entry, is_new] = known_.try_emplace({key.first, key.second}, -1);
    if (!is_new) return entry->second;
    const Vec3 p = surface_.vertices[static_cast<std::size_t>(key.first)];
    const Vec3 q = surface_.vertices[static_cast<std::size_t>(key.second)];
    if (!too_long_(p, q)) return -1;
    surface_.vertices.push_back(middle_(p, q));
    return entry->second = static_cast<int>(surface_.vertices.size()) - 1;
  }

 private:
  Surface& surface_;
  const std::function<bool(const Vec3&, const Vec3&)>& too_long_;
  const std::function<Vec3(const Vec3&, const Vec3&)>& middle_;
  std::map<std::pair<int, int>, int> known_;
};

/// The shorter of the two diagonals of the quadrilateral (a, b, c, d).
void add_quadrilateral(const Surface& surface, const std::array<int, 4>& q,
                       std::vector<Triangle>& triangles) {
  const auto at = [&](int i) { return surface.vertices[static_cast<std::size_t>(i)]; };
  if ((at(q[0]) - at(q[2])).squaredNorm() <= (at(q[1]) - at(q[3])).squaredNorm()) {
    triangles.push_back({q[0], q[1], q[2]});
    triangles.push_back({q[0], q[2], q[3]});
  } else {
    triangles.push_back({q[0], q[1], q[3]});
    triangles.push_back({q[1], q[2], q[3]});
  }
}

/// Into two, three or four, as one, two or three of its sides are halved.
void split(const Surface& surface, Triangle t, Triangle m, std::vector<Triangle>& triangles) {
  const int halved = (m[0] >= 0) + (m[1] >= 0) + (m[2] >= 0);
  if (halved == 0) return triangles.push_back(t);
  if (halved == 3) {
    triangles.push_back({t[0], m[0], m[2]});
    triangles.push_back({m[0], t[1], m[1]});
    triangles.push_back({m[2], m[1], t[2]});
    triangles.push_back(m);
    return;
  }
  // Turned so that the first side is the only one that is halved, or the last that stays whole.
  while (halved == 1 ? m[0] < 0 : m[2] >= 0) {
    t = {t[1], t[2], t[0]};
    m = {m[1], m[2], m[0]};
  }
  if (halved == 1) {
    triangles.push_back({t[0], m[0], t[2]});
    triangles.push_back({m[0], t[1], t[2]});
    return;
  }
  triangles.push_back({m[0], t[1], m[1]});
  add_quadrilateral(surface, {t[0], m[0], m[1], t[2]}, triangles);
}

}  // namespace

void refine(Surface& surface, const std::function<bool(const Vec3&, const Vec3&)>& too_long,
            const std::function<Vec3(const Vec3&, const Vec3&)>& middle) {
  for (bool changed = true; changed;) {
    Middles middles(surface, too_long, middle);
    const std::size_t before = surface.vertices.size();
    std::vector<Triangle> next;
    for (const Triangle& t : surface.triangles) {
      const Triangle m = {middles.of(t[0], t[1]), middles.of(t[1], t[2]), middles.of(t[2], t[0])};
      split(surface, t, m, next);
    }
    surface.triangles = std::move(next);
    changed = surface.vertices.size() > before;
  }
}

}  // namespace abut::flexible
