// A ring on its way against a convex part or another ring.
//
// The circle is cut into arcs. In the frame of the other part let c be the middle of an arc that
// reaches w radians to both sides, f its distance from the other core, n the normal there and t
// the direction of the circle. A convex part lies below the plane through its nearest point across
// n, so a point of the arc at an angle d from the middle is at least
//     f + R n.t sin d - R n.e (1 - cos d) >= f - R |n.t| w - R max(n.e, 0) w^2 / 2
// above it, with e the unit vector from the axis to c; and as time goes on it rises at least as
// fast as n.v - |omega| R w, where v is the velocity of c. Each arc thus gives a straight line in
// time, and the gap is above the lowest of them less what points stray from straight lines: a
// concave function, as for a polyhedron with so many corners. Arcs are halved until what their
// width costs is small against the gap: near a place of contact they become short, elsewhere a few
// suffice. Against another ring both circles are cut, and every pair of arcs has its plane.
//
// Around places that touch already an arc is left out over which the distance has no other minimum:
// f' grows all along it. That is looked at for samples, and the interval is kept so short that
// normals turn little.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/limits.h"
#include "base/stop.h"
#include "geometry/circle_minima.h"
#include "geometry/circle_newton.h"
#include "geometry/extremal_normal.h"
#include "geometry/rim_distance.h"
#include "narrow/witness.h"
#include "toi/close_watch.h"
#include "toi/longest_free.h"
#include "toi/relative_motion.h"

namespace abut::toi {
namespace {

using geometry::CirclePlace;
using geometry::DistanceOfSet;
using geometry::PlacedCircle;
using motion::BodyPath;
using narrow::SolidKind;

// Arcs to begin with, and how much of the gap above the clearance an arc may cost by its width: at
// an angle x from a place of contact that lets arcs be about cost / 2 times x wide.
constexpr int first_arcs = 16;
constexpr double cost_of_arc = 0.5;
// Arcs that cost more though they are this short (rad) are as short as rounding allows.
constexpr double shortest_arc = 1e-12;
// More arcs than any gap needs, even of a whole circle that is 1e-11 of its size from a ball in its
// hole. Beyond, the certificate fails, and the meeting is told of as not resolved.
constexpr std::size_t most_arcs = 3000000;

// Half of the arc that is left out around a place that touches, at most and at least (rad), and
// samples on each side of it.
constexpr double widest_arc_window = 0.3, narrowest_arc_window = 1e-4;
constexpr int arc_window_samples = 6;
// Over a plane f is a constant and a cosine, and f' grows up to a quarter of a turn from the lowest
// place, however the bodies move. A ring that comes down flat is near all around: a narrow window
// would take the places beside the lowest one for others.
constexpr double widest_over_plane = 1.4;
// A place that is held strays from the gap it is kept at by less than this times that gap
// (dimensionless). One that is farther off is another.
constexpr double most_straying = 3;
// Of the way to another place of least distance, how much is left out (dimensionless).
constexpr double part_of_way = 0.5;
// Normals turn by no more than this (rad) over an interval in which arcs are left out.
constexpr double window_turn = 0.1;

PlacedCircle circle_of(const CarriedSolid& ring) {
  return {ring.pose.position, ring.pose.orientation.toRotationMatrix(), ring.solid->circle};
}

PlacedCircle seen_circle(const PlacedCircle& circle, const RelativeMotion& seen) {
  return {seen.at(circle.centre), seen.rotation * circle.axes, circle.radius};
}

/// Lower bound of a height that changes in time.
struct ArcLine {
  double height = 0, climb = 0;
};

struct ArcWindow {
  double angle = 0, half = 0;  // on the ring
  double other_angle = 0;      // on another ring

  bool contains(double middle, double half_width) const {
    return std::abs(std::remainder(middle - angle, 2 * M_PI)) + half_width <= half;
  }
  bool meets(double middle, double half_width) const {
    return std::abs(std::remainder(middle - angle, 2 * M_PI)) - half_width < half;
  }
  bool contains_other(double middle, double half_width) const {
    return std::abs(std::remainder(middle - other_angle, 2 * M_PI)) + half_width <= 2 * half;
  }
};

class RingWatch final : public CloseWatch {
 public:
  RingWatch(const CarriedSolid& ring, const CarriedSolid& other)
      : circle_(circle_of(ring)),
        other_(other),
        rotation_(other.pose.orientation.toRotationMatrix()),
        radii_(ring.solid->rounding + other.solid->rounding),
        reach_(circle_.centre.norm() + circle_.radius) {
    if (other.solid->kind == SolidKind::ring) other_circle_ = circle_of(other);
  }

  std::unique_ptr<CloseLook> at(const BodyPath& ring, const BodyPath& other, double t,
                                const HeldPlaces& held) const override {
    return std::make_unique<Look>(*this, ring, other, t, held);
  }

 private:
  // Both parts at an instant, in the motion frame of the other body.
  struct Instant {
    const RingWatch& watch;
    RelativeMotion seen;
    PlacedCircle circle;
    mutable Vec3 hint = Vec3::Zero();
    mutable narrow::Witness witness;  // neighbouring points are near the same feature

    Instant(const RingWatch& w, const BodyPath& ring, const BodyPath& other, double t)
        : watch(w), seen(relative_motion(ring, other, t)), circle(seen_circle(w.circle_, seen)) {}

    DistanceOfSet from(const Vec3& point) const { return watch.distance_of(point, *this); }
    geometry::DistanceFromPoint distance() const {
      return [this](const Vec3& point) { return from(point); };
    }
    // Of the circle's point at c.
    Vec3 velocity_at(const Vec3& c) const {
      return seen.velocity + seen.angular_velocity.cross(c - seen.position);
    }
  };

  class Look final : public CloseLook {
   public:
    Look(const RingWatch& watch, const BodyPath& ring, const BodyPath& other, double t,
         const HeldPlaces& held)
        : watch_(watch),
          ring_(ring),
          other_(other),
          t_(t),
          held_(held),
          now_(watch, ring, other, t) {
      if (held.whole || held.gaps.empty()) return;
      minima_ = watch.minima_of(now_);
      windows_ = watch.windows_of(now_, minima_, held);
    }

    FreeInterval free_interval(double limit, double clearance) const override {
      if (held_.whole) return {limit, infinity};
      if (!windows_.empty()) limit = std::min(limit, t_ + watch_.steady_time(now_));
      std::vector<ArcLine> lines;
      const double rounding = coordinate_rounding *
                              (ring_.pose(t_).position.norm() + other_.pose(t_).position.norm() +
                               watch_.reach_ + watch_.other_.pose.position.norm() + watch_.radii_);
      if (!watch_.add_lines(now_, windows_, clearance + rounding, lines)) return {t_, clearance};
      if (lines.empty()) return {limit, infinity};
      return concave::longest_free(t_, limit, clearance, [&](double h) {
        const Straying stray = straying(ring_, other_, watch_.reach_, t_, h);
        return [&, stray](double s) {
          double lowest = infinity;
          for (const ArcLine& line : lines)
            lowest = std::min(lowest, line.height + (stray.lines_hold ? s * line.climb : 0.0));
          return lowest - rounding - stray.over(s);
        };
      });
    }

    double lowest_gap() const override {
      if (!lowest_) lowest_ = found_lowest_gap();
      return *lowest_;
    }

   private:
    double found_lowest_gap() const {
      if (held_.whole) return infinity;
      if (windows_.empty()) {
        const CirclePlace nearest =
            nearest_on_circle(now_.circle, now_.distance(), watch_.radii_, 0);
        return nearest.distance() - watch_.radii_;
      }
      double lowest = infinity;
      const auto consider = [&](double angle, const DistanceOfSet& found) {
        for (const ArcWindow& window : windows_)
          if (window.contains(angle, 0)) return;
        lowest = std::min(lowest, found.distance - watch_.radii_);
      };
      for (const ArcWindow& window : windows_)
        for (const double side : {-1.0, 1.0}) {
          const double edge = window.angle + side * (1 + 1e-9) * window.half;
          consider(edge, now_.from(now_.circle.at(edge)));
        }
      for (const CirclePlace& place : minima_) consider(place.angle, place.other);
      return lowest;
    }

    const RingWatch& watch_;
    const BodyPath &ring_, &other_;
    double t_;
    const HeldPlaces& held_;
    Instant now_;
    std::vector<CirclePlace> minima_;  // where something is held
    std::vector<ArcWindow> windows_;
    mutable std::optional<double> lowest_;
  };

  std::vector<CirclePlace> minima_of(const Instant& now) const {
    if (other_.solid->kind == SolidKind::plane)
      return {
          lowest_over_plane(now.circle, other_.pose.position, rotation_ * other_.solid->normal)};
    return circle_minima(now.circle, now.distance(), infinity, radii_);
  }

  // Of a point from the other core, in the motion frame of the other body.
  DistanceOfSet distance_of(const Vec3& point, const Instant& now) const {
    const narrow::Solid& solid = *other_.solid;
    switch (solid.kind) {
      case SolidKind::plane:
        return geometry::from_plane(point, other_.pose.position, rotation_ * solid.normal);
      case SolidKind::capsule:
        return geometry::from_segment(point, other_.pose.position, rotation_.col(2),
                                      solid.core.radius());
      case SolidKind::ring:
        return geometry::from_circle(point, other_circle_);
      case SolidKind::polyhedron:
        return from_polyhedron(point, now.witness);
      case SolidKind::curved:
        return solid.has_rims() ? from_cylinder_or_cone(point) : from_curved(point, now.hint);
      default:
        return geometry::from_point(point, other_.pose.position);
    }
  }
  DistanceOfSet from_polyhedron(const Vec3& point, narrow::Witness& witness) const {
    static const auto core = geometry::ConvexPolyhedron::from_point();
    narrow::PairStatistics uncounted;
    const Vec3 local = rotation_.transpose() * (point - other_.pose.position);
    const geometry::ConvexDistance found =
        witness.distance(core, other_.solid->core, {Mat3::Identity(), local}, uncounted);
    return {found.gap, rotation_ * found.normal, other_.pose.position + rotation_ * found.b};
  }
  DistanceOfSet from_cylinder_or_cone(const Vec3& point) const {
    return geometry::from_rims(point, *other_.solid->surface, rotation_, other_.pose.position)
        .point;
  }
  DistanceOfSet from_curved(const Vec3& point, Vec3& hint) const {
    const geometry::Extremum found = geometry::extremum_of_point(
        point, {&other_.solid->surface->atoms().front(), rotation_, other_.pose.position}, hint);
    return {found.gap, found.normal, found.b};
  }

  // The time in which normals turn little.
  double steady_time(const Instant& now) const {
    const double speed = now.velocity_at(now.circle.centre).norm() +
                         now.seen.angular_velocity.norm() * circle_.radius;
    return window_turn / (now.seen.angular_velocity.norm() + speed / std::max(radii_, 1e-300));
  }

  double widest_window() const {
    return other_.solid->kind == SolidKind::plane ? widest_over_plane : widest_arc_window;
  }

  // Around the places that are held.
  std::vector<ArcWindow> windows_of(const Instant& now, const std::vector<CirclePlace>& minima,
                                    const HeldPlaces& held) const {
    std::vector<ArcWindow> windows;
    const auto gap_of = [&](const CirclePlace& p) { return p.distance() - radii_; };
    const std::vector<CirclePlace> matched = held_among(minima, held, gap_of);
    for (std::size_t i = 0; i < matched.size(); ++i) {
      const CirclePlace& place = matched[i];
      const double kept = held.gaps[i];
      if (!(std::abs(gap_of(place) - kept) <= most_straying * kept)) continue;
      ArcWindow window{place.angle, widest_window(), 0};
      // Samples may not see a place that is close beside it.
      for (const CirclePlace& beside : minima) {
        const double way = std::abs(std::remainder(beside.angle - place.angle, 2 * M_PI));
        if (part_of_way * way >= narrowest_arc_window)
          window.half = std::min(window.half, part_of_way * way);
      }
      if (other_.solid->kind == SolidKind::ring)
        window.other_angle = other_circle_.angle_of(place.other.nearest);
      while (window.half >= narrowest_arc_window && !grows_along(now, window)) window.half *= 0.5;
      if (window.half >= narrowest_arc_window) windows.push_back(window);
    }
    return windows;
  }
  // Whether f' grows over the window.
  static bool grows_along(const Instant& now, const ArcWindow& window) {
    double last = -infinity;
    for (int i = -arc_window_samples; i <= arc_window_samples; ++i) {
      const double angle = window.angle + window.half * i / arc_window_samples;
      const double slope = now.from(now.circle.at(angle)).normal.dot(now.circle.tangent(angle));
      if (!(slope > last) || (i < 0 && slope > 0) || (i > 0 && slope < 0)) return false;
      last = slope;
    }
    return true;
  }

  // What an arc of half width w costs at most, along n.
  static double cost(const PlacedCircle& circle, double angle, double w, const Vec3& n) {
    return circle.radius * (std::abs(n.dot(circle.tangent(angle))) * w +
                            0.5 * std::max(n.dot(circle.outward(angle)), 0.0) * w * w);
  }

  // False if some arc is within the clearance.
  bool add_lines(const Instant& now, const std::vector<ArcWindow>& windows, double clearance,
                 std::vector<ArcLine>& lines) const {
    struct Arc {
      double angle, half;              // of the ring
      double other_angle, other_half;  // of another ring
    };
    const bool is_ring = other_.solid->kind == SolidKind::ring;
    std::vector<Arc> todo;
    const double half = M_PI / first_arcs;
    for (int i = 0; i < first_arcs; ++i)
      for (int j = 0; j < (is_ring ? first_arcs : 1); ++j)
        todo.push_back({(2 * i + 1) * half, half, (2 * j + 1) * half, is_ring ? half : 0});
    const double spin = now.seen.angular_velocity.norm();
    while (!todo.empty()) {
      base::stop_if_wished();
      const Arc arc = todo.back();
      todo.pop_back();
      const auto is_left_out = [&](const ArcWindow& window) {
        return window.contains(arc.angle, arc.half) &&
               (!is_ring || window.contains_other(arc.other_angle, arc.other_half));
      };
      if (std::any_of(windows.begin(), windows.end(), is_left_out)) continue;
      const Vec3 c = now.circle.at(arc.angle);
      const DistanceOfSet other =
          is_ring ? geometry::from_point(c, other_circle_.at(arc.other_angle)) : now.from(c);
      const Vec3& n = other.normal;
      double width = cost(now.circle, arc.angle, arc.half, n);
      if (is_ring) width += cost(other_circle_, arc.other_angle, arc.other_half, -n);
      const double room = other.distance - radii_ - clearance;
      if (width <= cost_of_arc * room || std::max(arc.half, arc.other_half) < shortest_arc) {
        if (room - width <= 0) return false;
        lines.push_back({other.distance - radii_ - width,
                         n.dot(now.velocity_at(c)) - spin * circle_.radius * arc.half});
        if (lines.size() > most_arcs) return false;
        continue;
      }
      // The middle of an arc of the circle itself is within the clearance: no use in halving,
      // unless it is halved where an arc is left out.
      const bool at_window =
          std::any_of(windows.begin(), windows.end(),
                      [&](const ArcWindow& window) { return window.meets(arc.angle, arc.half); });
      if (!is_ring && room <= 0 && !at_window) return false;
      if (is_ring && arc.other_half * other_circle_.radius > arc.half * circle_.radius) {
        const double quarter = 0.5 * arc.other_half;
        for (const double side : {-quarter, quarter})
          todo.push_back({arc.angle, arc.half, arc.other_angle + side, quarter});
      } else {
        const double quarter = 0.5 * arc.half;
        for (const double side : {-quarter, quarter})
          todo.push_back({arc.angle + side, quarter, arc.other_angle, arc.other_half});
      }
      if (todo.size() > most_arcs) return false;
    }
    return true;
  }

  PlacedCircle circle_;  // in the motion frame of its body
  CarriedSolid other_;
  Mat3 rotation_;
  PlacedCircle other_circle_;
  double radii_;
  double reach_;
};

}  // namespace

std::unique_ptr<CloseWatch> make_ring_watch(const CarriedSolid& ring, const CarriedSolid& other) {
  return std::make_unique<RingWatch>(ring, other);
}

}  // namespace abut::toi
