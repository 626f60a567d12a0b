#pragma once
// For how long two moving parts certainly stay apart, where no plane need be between them: one of
// them is a bowl or a ring.
//
// In the frame of one of the two let p + s v be where a point of the other one is after s seconds,
// up to K s^2 / 2 (relative_motion.h). The distance from any set changes by no more than the point
// moves, so
//     gap(t + s) >= min over the points of (distance of p + s v) - K s^2 / 2.
// In a bowl the distance from the wall of a convex cavity is a concave function of the place, and
// so is the right side of s: it is above a level between two instants at which it is. A ring is cut
// into arcs, each of which has its own plane: see ring_watch.h.

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "base/limits.h"
#include "motion/path.h"
#include "narrow/body_shape.h"
#include "toi/free_interval.h"

namespace abut::toi {

/// Roundings of a coordinate: evaluating two poses, rotating a point, and the nearest place.
inline constexpr double coordinate_rounding = 64 * epsilon;

/// What of two parts touches already and is left out.
struct HeldPlaces {
  bool any = false;
  std::vector<int> points;   ///< corners of the core that touch a bowl
  std::vector<double> gaps;  ///< those that the other places which touch are kept at, m
  bool whole = false;        ///< nothing else can touch: a circle that rests on three points
  std::vector<int> rims;     ///< of a cylinder or cone in a bowl, atoms that rest on three points
};

/// Of places of least gap those that are held. They keep their gaps: another one that comes as
/// near, as one that has just been let go may, is told from them by its own.
template <class Place, class GapOf>
std::vector<Place> held_among(std::vector<Place> places, const HeldPlaces& held, GapOf gap_of) {
  std::vector<Place> found;
  for (const double gap : held.gaps) {
    const auto off = [&](const Place& place) { return std::abs(gap_of(place) - gap); };
    const auto place =
        std::min_element(places.begin(), places.end(),
                         [&](const Place& x, const Place& y) { return off(x) < off(y); });
    if (place == places.end()) break;
    found.push_back(*place);
    places.erase(place);
  }
  return found;
}

/// Two parts at an instant. All that is asked of one instant shares what was found out about it.
class CloseLook {
 public:
  virtual ~CloseLook() = default;

  /// The longest interval from there, at most to `limit`, over which what is not held can be shown
  /// to stay more than `clearance` apart.
  virtual FreeInterval free_interval(double limit, double clearance) const = 0;
  /// The gap of what is not held, m; infinite without any.
  virtual double lowest_gap() const = 0;
};

class CloseWatch {
 public:
  virtual ~CloseWatch() = default;

  /// The watch, the paths and what is held must outlive the look.
  virtual std::unique_ptr<CloseLook> at(const motion::BodyPath& a, const motion::BodyPath& b,
                                        double t, const HeldPlaces& held) const = 0;
};

/// A part as its body's motion frame carries it.
struct CarriedSolid {
  const narrow::Solid* solid = nullptr;
  Pose pose;  ///< of the solid in the motion frame
};

/// Null if both parts are convex. The solids must outlive the watch.
std::unique_ptr<CloseWatch> make_close_watch(const CarriedSolid& a, const CarriedSolid& b);

std::unique_ptr<CloseWatch> make_bowl_points_watch(const CarriedSolid& bowl,
                                                   const CarriedSolid& inside);

std::unique_ptr<CloseWatch> make_ring_watch(const CarriedSolid& ring, const CarriedSolid& other);

/// The same for parts that come in the other order.
class SwappedWatch final : public CloseWatch {
 public:
  explicit SwappedWatch(std::unique_ptr<CloseWatch> watch) : watch_(std::move(watch)) {}
  std::unique_ptr<CloseLook> at(const motion::BodyPath& a, const motion::BodyPath& b, double t,
                                const HeldPlaces& held) const override {
    return watch_->at(b, a, t, held);
  }

 private:
  std::unique_ptr<CloseWatch> watch_;
};

}  // namespace abut::toi
