#pragma once
// What a remembered gap still says after both bodies have moved on.
//
// A point at distance r from the origin of a frame that moves by d and turns by the angle theta is
// displaced by at most |d| + 2 sin(theta/2) r, and the gap of two parts closes by no more than
// their points are displaced. So most pairs of parts of two unions need no look at all: they were
// farther apart than the bodies have moved since.

#include <limits>
#include <optional>

#include "motion/path.h"
#include "toi/core.h"

namespace abut::toi {

/// The gap of two parts, seen when their bodies' motion frames were here.
struct SeenGap {
  Pose a, b;
  double gap = 0;  ///< m, or any lower bound of it
};

/// Around a part, in its body's motion frame.
struct Ball {
  Vec3 centre = Vec3::Zero();
  double radius = std::numeric_limits<double>::infinity();  ///< m; infinite: none is known

  static Ball around(const std::optional<Core>& core);
};

/// The gap of two balls, a lower bound of the gap of what is in them; minus infinity without any.
SeenGap seen_gap(const Ball& ball_a, const Ball& ball_b, const Pose& a, const Pose& b);

/// Where a body is when a search begins, and how fast its points can be until it ends.
struct Outlook {
  Pose pose;
  motion::SpeedBound speed;

  static Outlook of(const motion::BodyPath& path, double from, double to) {
    return {path.pose(from), path.speed_bound(from, to)};
  }
};

/// How far points within `reach` (m) of the frame's origin may be from where they were at `then`,
/// `duration` (s) after the outlook began. With an infinite reach: of a body that does not turn.
double displacement(const Pose& then, const Outlook& now, double reach, double duration);

/// A lower bound of the gap over `duration`; the reaches are those of the two parts.
double gap_bound(const SeenGap& seen, const Outlook& a, double reach_a, const Outlook& b,
                 double reach_b, double duration);

}  // namespace abut::toi
