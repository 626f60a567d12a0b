#pragma once
// The longest interval over which a concave lower bound of a gap stays above a clearance.

#include <algorithm>
#include <cmath>
#include <limits>

#include "toi/free_interval.h"

namespace abut::toi::concave {

// Acceleration bounds are tighter over shorter intervals, so the interval is cut down this many
// times before the best result is taken.
inline constexpr int refinements = 8;

// The end of the certified interval is searched for to this fraction of its length, in at most this
// many rounds: a contact that is near compared with the interval needs many halvings to be seen.
inline constexpr double sharpness = 0.1;
inline constexpr int halvings = 40;

// Chords are followed not quite to their end, so that rounding leaves the result on the safe side.
inline constexpr double shortening = 1 - 1e-9;

// An interval of which this fraction is certified is not worth refining.
inline constexpr double good_fraction = 0.25;

// Nearly the largest s <= h with gap > clearance on [0, s], for a concave gap that is above the
// clearance at 0: there is at most one crossing, and every s with gap(s) > clearance lies before
// it.
template <class ConcaveGap>
double certified(const ConcaveGap& gap, double h, double clearance) {
  double safe = 0, safe_gap = gap(0), far = h, far_gap = gap(h);
  if (far_gap > clearance) return h;
  const auto look_at = [&](double s) {
    const double value = gap(s);
    const bool is_safe = value > clearance;
    (is_safe ? safe : far) = s;
    (is_safe ? safe_gap : far_gap) = value;
  };
  for (int i = 0; i < halvings && far - safe > sharpness * far; ++i) {
    look_at(safe + 0.5 * (far - safe));
    // The gap lies above its chord, which therefore crosses on the safe side.
    look_at(safe + shortening * (far - safe) * (safe_gap - clearance) / (safe_gap - far_gap));
  }
  return safe;
}

// Tries the whole of [t, limit] and then shorter intervals, for which `gap_over(h)`, a concave
// lower bound of the gap over [0, h], is sharper.
template <class GapOver>
FreeInterval longest_free(double t, double limit, double clearance, const GapOver& gap_over) {
  FreeInterval best{t, -std::numeric_limits<double>::infinity()};
  double h = limit - t;
  for (int i = 0; i < refinements && h > 0; ++i) {
    const auto gap = gap_over(h);
    if (i == 0) best.gap_bound = gap(0);
    if (!(gap(0) > clearance)) break;
    const double s = std::isfinite(gap(h)) ? certified(gap, h, clearance) : 0.0;
    if (t + s > best.until) best = {s < h ? t + s : t + h, std::min(gap(0), gap(s))};
    if (s >= good_fraction * h) break;
    h = s > 0 ? std::min(0.5 * h, 4 * s) : 0.25 * h;
  }
  best.until = std::min(best.until, limit);
  return best;
}

}  // namespace abut::toi::concave
