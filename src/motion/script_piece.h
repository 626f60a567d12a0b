#pragma once
// Makes a piece of polynomials of functions of time that are given as series.

#include <array>
#include <optional>

#include "math/series.h"
#include "motion/script_motion.h"

namespace abut::motion {

/// Functions of time about an instant: place, and the quaternion (x, y, z, w), which is base * q.
struct ScriptSeries {
  std::array<math::Series, 3> centre;
  std::array<math::Series, 4> quaternion;
};

/// From the series about the middle of an interval, in s from -1 to 1, and those for all of it;
/// empty where they have no bound.
std::optional<ScriptPiece> script_piece(const ScriptSeries& at_middle, const ScriptSeries& over_all,
                                        const Quat& base);

/// The same by a function that tells the series in s at t + scale s for all t in an interval.
template <class SeriesOf>
std::optional<ScriptPiece> script_piece(double from, double to, const Quat& base,
                                        const SeriesOf& series_of) {
  const double half = 0.5 * (to - from), middle = from + half;
  return script_piece(series_of(math::Interval(middle), half),
                      series_of(math::Interval(from, to), half), base);
}

}  // namespace abut::motion
