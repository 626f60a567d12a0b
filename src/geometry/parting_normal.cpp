#include "geometry/parting_normal.h"

#include "geometry/gjk.h"

namespace abut::geometry {
namespace {

// Curved solids need more rounds the nearer they are to each other: each gains about a digit of the
// normal.
constexpr int most_corners = 64;

Vec3 farthest_point(const PlacedConvex& side, const Vec3& m) {
  return side.atom(side.farthest_atom(m)).support(m);
}

}  // namespace

// The point v of a simplex within A - B that is nearest to the origin, and the point w of A - B
// that is lowest along it: above the plane through w across v there is all of A - B.
std::optional<Vec3> parting_normal(const ConvexPair& pair) {
  Simplex simplex;
  Vec3 v = pair.a.position - pair.b.position;
  if (v.isZero(0)) v = Vec3::UnitZ();
  for (int round = 0; round < most_corners; ++round) {
    const Vec3 n = v.normalized();
    if (pair.gap_along(n) > 0) return n;
    const Vec3 w = farthest_point(pair.a, -n) - farthest_point(pair.b, n);
    simplex.corners[simplex.count++].w = w;
    reduce_to_nearest(simplex);
    if (simplex.count == 4) return std::nullopt;  // the origin is inside
    const Vec3 nearest = simplex.nearest();
    const Vec3 next = direction_to(simplex, nearest);
    if (nearest.isZero(0) || next == n) return std::nullopt;
    v = next;
  }
  return std::nullopt;
}

}  // namespace abut::geometry
