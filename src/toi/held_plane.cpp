#include "toi/held_plane.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "toi/height_proof.h"
#include "toi/plane_instant.h"
#include "toi/watched_heights.h"

namespace abut::toi {
namespace {

using motion::BodyPath;

// The interval is cut down this many times while K proves too coarse.
constexpr int refinements = 12;

// An interval of which this fraction is certified is not worth refining.
constexpr double good_fraction = 0.25;

// The end of a certified interval of a curved solid is searched for to this fraction of its length,
// in at most this many rounds.
constexpr double concave_sharpness = 0.1;
constexpr int concave_rounds = 40;

// The largest s <= h with value + s rate - s^2 K / 2 >= clearance for all heights.
double certified(const std::vector<Height>& all, double of_a_point, double h, double clearance) {
  double s = h;
  for (const Height& height : all) {
    const double room = height.value - clearance, curvature = height.bending * of_a_point;
    if (room < 0) return 0;
    const double at_end = room + s * (height.rate - 0.5 * s * curvature);
    if (at_end >= 0) continue;
    // The positive root of room + s rate - s^2 K / 2, in the form without cancellation.
    const double root = std::sqrt(height.rate * height.rate + 2 * curvature * room);
    s = std::min(s, height.rate < 0 ? 2 * room / (root - height.rate)
                                    : (curvature > 0 ? (height.rate + root) / curvature : h));
  }
  return s;
}

// The same for a height that is concave in s: chords lie below it, so they cross on the safe side.
double certified(const CurvedHeight& height, double curvature, double h, double clearance) {
  const auto room = [&](double s) { return height(s) - 0.5 * s * s * curvature - clearance; };
  double safe = 0, safe_room = room(0), far = h, far_room = room(h);
  if (safe_room < 0) return 0;
  if (far_room >= 0) return h;
  const auto look_at = [&](double s) {
    const double value = room(s);
    (value >= 0 ? safe : far) = s;
    (value >= 0 ? safe_room : far_room) = value;
  };
  for (int i = 0; i < concave_rounds && far - safe > concave_sharpness * far; ++i) {
    look_at(safe + 0.5 * (far - safe));
    look_at(safe + (1 - 1e-9) * (far - safe) * safe_room / (safe_room - far_room));
  }
  return safe;
}

// A followed plane as it is at t, carried by one body from there; what is watched of the other one.
// All of the carrier is below it, since that is convex and touches it.
HeldPlane carried_from(const HeldPlane& plane, const BodyPath& a, const BodyPath& b, double t,
                       int carrier) {
  const Pose poses[2] = {a.pose(t), b.pose(t)};
  const FollowedPlane now = plane.follow(poses[0], poses[1]);
  HeldPlane carried;
  carried.carrier = carrier;
  carried.normal = poses[carrier].orientation.conjugate() * ((carrier == 0 ? -1 : 1) * now.normal);
  carried.touching = {poses[0].orientation.conjugate() * (now.on_a - poses[0].position),
                      poses[1].orientation.conjugate() * (now.on_b - poses[1].position)};
  const int other = 1 - carrier;
  carried.watched[other] = plane.watched[other];
  if (!plane.watched[other].empty()) carried.radii = plane.radii;
  carried.surfaces[other] = plane.surfaces[other];
  carried.rims[other] = plane.rims[other];
  carried.rims_cross_line = !now.lines[carrier].isZero(0);
  carried.directions[carrier] = poses[carrier].orientation.conjugate() * now.lines[carrier];
  return carried;
}

}  // namespace

FreeInterval free_interval(const HeldPlane& plane, const BodyPath& a, const BodyPath& b, double t,
                           double limit, double clearance) {
  if (plane.motion == PlaneMotion::followed) {
    FreeInterval both{limit, infinity};
    for (int carrier = 0; carrier < 2; ++carrier)
      both = free_interval(carried_from(plane, a, b, t, carrier), a, b, t, both.until, clearance);
    return both;
  }
  const PlaneInstant now = plane_instant(plane, a, b, t);
  const std::vector<Height> all = heights(plane, now);
  const std::vector<CurvedHeight> curved = curved_heights(plane, now);
  if (all.empty() && curved.empty()) return {limit, infinity};
  double best = 0, h = limit - t;
  for (int i = 0; i < refinements && h > 0; ++i) {
    const double curvature = curvature_bound(plane, now, a, b, t, h);
    double s = std::isfinite(curvature) ? certified(all, curvature, h, clearance) : 0.0;
    for (const CurvedHeight& height : curved)
      s = s > 0 ? certified(height, curvature, s, clearance) : 0.0;
    best = std::max(best, s);
    if (s >= good_fraction * h) break;
    h = s > 0 ? std::min(0.5 * h, 4 * s) : 0.25 * h;
  }
  const double known = std::min(limit, best < limit - t ? t + best : limit);
  return {proven_above(plane, a, b, t, known, limit, clearance), clearance};
}

double lowest_height(const HeldPlane& plane, const BodyPath& a, const BodyPath& b, double t) {
  double lowest = infinity;
  if (plane.motion == PlaneMotion::followed) {
    for (int carrier = 0; carrier < 2; ++carrier)
      lowest = std::min(lowest, lowest_height(carried_from(plane, a, b, t, carrier), a, b, t));
    return lowest;
  }
  const PlaneInstant now = plane_instant(plane, a, b, t);
  for (const Height& height : heights(plane, now)) lowest = std::min(lowest, height.value);
  for (const CurvedHeight& height : curved_heights(plane, now))
    lowest = std::min(lowest, height(0));
  return lowest;
}

}  // namespace abut::toi
