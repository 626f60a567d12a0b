#pragma once
// Newton's method uphill over unit normals: for what two solids leave between them.
//
// A `Hill` says of a normal n, as a `Place`, the value g that is to become as large as it can, its
// gradient F across n, and Newton's step dn:
//     Place at(n);   n = normal(place),  g = value(place),  F = residual(place),  dn = step(place)
// and how far coordinates reach, to which roundings are proportional: scale().
//
// Near a flat spot the place on a surface is no smooth function of its normal: there steps are
// taken by the place on the flatter of two surfaces, W dn, and the normal is that of the surface
// where they lead (beside(place, dn)). It is a smooth function of the place, and Newton's method as
// fast as elsewhere.

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/limits.h"
#include "geometry/extremal_normal.h"
#include "geometry/normal_step.h"

namespace abut::geometry {

/// Newton's method needs about six iterations; a flat spot, near which the radii grow without
/// bound, takes a few dozen.
inline constexpr int most_uphill_steps = 200;

/// A step that ends where the slope is this part of what it was, and downwards, went too far
/// (dimensionless); the place between is looked for in at most so many rounds.
inline constexpr double most_overshoot = 0.5;
inline constexpr int level_rounds = 12;

/// Of two surfaces the flatter one: where a step from its unit outward normal m leads, taken by its
/// place, with its radii of curvature. Nothing where it is not flat.
std::optional<Vec3> normal_by_place(const PlacedAtom& flatter, const Mat3& radii, const Vec3& m,
                                    const Vec3& step, double scale);

template <class Hill>
class NormalSearch {
 public:
  using Place = typename Hill::Place;

  explicit NormalSearch(const Hill& hill) : hill_(hill), scale_(hill.scale()) {}

  /// From there, up to what rounding allows.
  Place uphill(Place now) {
    for (steps_ = 0; steps_ < most_uphill_steps; ++steps_) {
      if (hill_.residual(now).norm() <= residual_rounding * scale_) break;
      std::optional<Place> next = after_step(now);
      if (!next) break;
      now = *std::move(next);
    }
    return now;
  }
  int steps() const { return steps_; }

 private:
  // Nothing if no step leads up that can be told from rounding.
  std::optional<Place> after_step(const Place& now) const {
    // What a step gains is judged by the way that it goes.
    const Vec3 step = limited(hill_.step(now));
    if (const std::optional<Vec3> beside = hill_.beside(now, step)) {
      Place next = hill_.at(*beside);
      if (closes(now, next)) return next;
    }
    const double slope = step.dot(hill_.residual(now));
    double fraction = 1;
    for (int i = 0; i < most_halvings; ++i, fraction *= 0.5) {
      Place next = hill_.at(turned(hill_.normal(now), step, fraction));
      const double gain = hill_.value(next) - hill_.value(now);
      const bool climbs = gain >= least_gain * fraction * slope && gain > epsilon * scale_;
      if (!climbs && !closes(now, next)) continue;
      if (slope_after(next, step) < -most_overshoot * slope)
        return level_between(now, next, step, fraction);
      return next;
    }
    return std::nullopt;
  }

  bool closes(const Place& now, const Place& next) const {
    return hill_.value(next) - hill_.value(now) >= -4 * epsilon * scale_ &&
           hill_.residual(next).norm() <= least_reduction * hill_.residual(now).norm();
  }

  // How fast the value changes along the way that a step has taken.
  double slope_after(const Place& now, const Vec3& step) const {
    const Vec3& n = hill_.normal(now);
    return (step - n * n.dot(step)).dot(hill_.residual(now));
  }

  // Near a flat spot the support point moves with a power below 1 of the angle, and Newton's steps
  // lead from one side of the place to the other and back: the slope is as steep there, with the
  // other sign. Between the two it changes its sign once, and is narrowed down (Illinois).
  Place level_between(const Place& from, const Place& beyond, const Vec3& step,
                      double fraction) const {
    Place best = beyond;
    double low = 0, high = fraction;
    double low_slope = slope_after(from, step), high_slope = slope_after(beyond, step);
    const double enough = most_overshoot * low_slope;
    for (int i = 0; i < level_rounds; ++i) {
      const double middle = low + (high - low) * low_slope / (low_slope - high_slope);
      const Place now = hill_.at(turned(hill_.normal(from), step, middle));
      const double slope = slope_after(now, step);
      if (hill_.value(now) >= hill_.value(best)) best = now;
      if (std::abs(slope) <= enough) break;
      (slope > 0 ? low : high) = middle;
      (slope > 0 ? low_slope : high_slope) = slope;
      (slope > 0 ? high_slope : low_slope) *= 0.5;
    }
    return best;
  }

  const Hill& hill_;
  double scale_;
  int steps_ = 0;
};

}  // namespace abut::geometry
