// An ellipsoid, a ring, a cylinder or cone, or a ball that is flatter than the wall, in a bowl.
//
// A convex cavity that holds some points holds their hull. So a solid is enclosed by points around
// it, found anew at every instant from which a certificate begins: a ball, stretched to an
// ellipsoid or not, is cut into cones over triangles of directions, and each cone lies in the
// pyramid whose base touches the ball above it; an arc of a ring's circle lies in the triangle of
// its end tangents. Cylinders and cones are the hulls of their rims, which are circles without a
// tube, and of their apex. Triangles and arcs are divided until the points around are hardly nearer
// to the wall than the solid is: near a place of contact they become small, elsewhere a few
// suffice. The points are watched as corners are (bowl_watch.cpp).
//
// Around places that touch already, triangles or arcs are left out over which the distance from the
// wall grows all the way from the place. That is looked at for samples, and the interval is kept so
// short that the solid moves little in it.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "base/limits.h"
#include "geometry/cavity.h"
#include "geometry/circle_minima.h"
#include "toi/bowl_watch.h"
#include "toi/longest_free.h"
#include "toi/relative_motion.h"

namespace abut::toi {
namespace {

using geometry::CavityPair;
using geometry::PlacedCircle;
using motion::BodyPath;
using narrow::SolidKind;

// Points around may use up this part of the room above the clearance. At an angle x from a place of
// contact that lets triangles be about cost / 2 times x wide: a smaller part takes many more.
constexpr double cost_of_width = 0.6;
// Triangles and arcs that cost more though they are this small (rad) are as small as rounding
// allows; and so many of them are not worth their work: a solid that is about to touch along a
// whole circle needs ever more, and is followed by its gap and its speed from there on.
constexpr double smallest = 1e-9;
constexpr std::size_t most_points = 20000;

// Half of what is left out around a place that touches, at most and at least (rad), and samples
// from its middle to its rim and around it.
constexpr double widest_window = 0.4, narrowest_window = 1e-4;
constexpr int window_samples = 6, window_rays = 8;
// While something is left out, the solid moves by no more than this part of its size.
constexpr double window_travel = 0.05;

using Triangle = std::array<Vec3, 3>;

struct RoundPlace {
  Vec3 centre = Vec3::Zero();
  Mat3 axes = Mat3::Zero();
};

// A point around the solid in the motion frame of its body, rounded by the radius of all.
using Points = std::vector<Vec3>;

struct Window {
  int piece = 0;                   // of the balls, or of the circles
  Vec3 direction = Vec3::UnitZ();  // of the unit ball
  double angle = 0;                // of the circle
  double half = 0;
};

class BowlSolidWatch final : public CloseWatch {
 public:
  BowlSolidWatch(const CarriedSolid& bowl, const CarriedSolid& inside)
      : cavity_(&bowl.solid->surface->atoms().front()),
        to_bowl_(bowl.pose.orientation.toRotationMatrix().transpose()),
        centre_(bowl.pose.position) {
    const narrow::Solid& solid = *inside.solid;
    const Mat3 rotation = inside.pose.orientation.toRotationMatrix();
    if (solid.kind == SolidKind::ring) {
      circles_ = {{inside.pose.position, rotation, solid.circle}};
      atoms_ = {0};
      radius_ = solid.rounding;
    } else if (solid.has_rims()) {
      for (int i = 0; i < static_cast<int>(solid.surface->atoms().size()); ++i) {
        const geometry::SupportAtom& atom = solid.surface->atoms()[i];
        const Vec3 centre = inside.pose.position + rotation * atom.centre();
        if (atom.is_point()) {
          apex_ = centre;
          apex_atom_ = i;
        } else {
          circles_.push_back({centre, rotation, atom.outer_radius()});
          atoms_.push_back(i);
        }
      }
    } else if (solid.surface) {
      const Vec3& axes = solid.surface->atoms().front().half_axes();
      balls_.push_back({inside.pose.position, rotation * axes.asDiagonal()});
    } else {
      for (const Vec3& corner : solid.core.vertices())
        balls_.push_back(
            {inside.pose.position + rotation * corner, solid.rounding * Mat3::Identity()});
    }
    size_ = solid.bounding_radius();
    reach_ = inside.pose.position.norm() + 2 * size_;
  }

  std::unique_ptr<CloseLook> at(const BodyPath& bowl, const BodyPath& inside, double t,
                                const HeldPlaces& held) const override {
    return std::make_unique<LookIntoBowl<BowlSolidWatch>>(*this, bowl, inside, t, held);
  }

  FreeInterval free_interval(const BodyPath& bowl, const BodyPath& inside, double t, double limit,
                             double clearance, const HeldPlaces& held) const {
    if (held.whole) return {limit, infinity};
    const RelativeMotion seen = relative_motion(inside, bowl, t);
    const std::vector<Window> windows = windows_of(seen, held);
    if (!windows.empty()) {
      const double speed = seen.velocity.norm() + seen.angular_velocity.norm() * reach_;
      limit = std::min(limit, t + window_travel * size_ / std::max(speed, 1e-300));
    }
    const double rounding =
        coordinate_rounding * (inside.pose(t).position.norm() + bowl.pose(t).position.norm() +
                               reach_ + centre_.norm() + cavity_->outer_radius());
    Points points;
    if (!add_points(seen, windows, held, clearance + rounding, points))
      return free_by_speed(bowl, inside, t, limit, clearance,
                           lowest_gap(bowl, inside, t, held) - rounding);
    if (points.empty()) return {limit, infinity};
    return concave::longest_free(t, limit, clearance, [&](double h) {
      const Straying stray = straying(inside, bowl, reach_, t, h);
      return [&, stray](double s) {
        const double along = stray.lines_hold ? s : 0;
        double lowest = infinity;
        for (const Vec3& p : points)
          lowest = std::min(lowest, depth(seen.at(p) + along * seen.velocity_of(p)));
        return lowest - radius_ - rounding - stray.over(s);
      };
    });
  }

  double lowest_gap(const BodyPath& bowl, const BodyPath& inside, double t,
                    const HeldPlaces& held) const {
    if (held.whole) return infinity;
    const RelativeMotion seen = relative_motion(inside, bowl, t);
    const std::vector<Window> windows = windows_of(seen, held);
    double lowest = infinity;
    if (apex_ && !holds_apex(held)) lowest = depth_now(seen, *apex_);
    for (const Place& place : minima(seen, held))
      if (std::none_of(windows.begin(), windows.end(), [&](const Window& w) {
            return is_within(w, place.piece, place.direction, place.angle, 0);
          }))
        lowest = std::min(lowest, place.gap);
    for (const Window& window : windows)
      for (int ray = 0; ray < window_rays; ++ray)
        lowest = std::min(lowest, gap_in_window(seen, window, ray, 1));
    return lowest;
  }

 private:
  struct Place {
    double gap = 0;
    int piece = 0;
    Vec3 direction = Vec3::UnitZ();
    double angle = 0;
  };

  // Of a point in the motion frame of the bowl's body.
  double depth(const Vec3& p) const {
    return geometry::depth_in(*cavity_, to_bowl_ * (p - centre_));
  }
  double depth_now(const RelativeMotion& seen, const Vec3& local) const {
    return depth(seen.at(local));
  }

  bool is_whole(int circle, const HeldPlaces& held) const {
    return std::count(held.rims.begin(), held.rims.end(), atoms_[circle]) > 0;
  }
  bool holds_apex(const HeldPlaces& held) const {
    return std::count(held.points.begin(), held.points.end(), apex_atom_) > 0;
  }

  // All local minima of what is not held as a whole.
  std::vector<Place> minima(const RelativeMotion& seen, const HeldPlaces& held) const {
    std::vector<Place> found;
    for (int i = 0; i < static_cast<int>(circles_.size()); ++i) {
      if (is_whole(i, held)) continue;
      // Minima of a circle without a tube are as wide as the wall makes them.
      const double least = radius_ > 0 ? radius_ : cavity_->least_radius();
      for (const geometry::CirclePlace& place : circle_minima(
               circles_[i],
               [&](const Vec3& p) -> geometry::DistanceOfSet {
                 const Vec3 in_bowl = to_bowl_ * (seen.at(p) - centre_);
                 const Vec3 m = geometry::towards_nearest_wall(*cavity_, in_bowl);
                 const Vec3 normal = -(seen.rotation.transpose() * (to_bowl_.transpose() * m));
                 return {cavity_->height(m) - m.dot(in_bowl), normal, p};
               },
               infinity, least))
        found.push_back({place.distance() - radius_, i, Vec3::UnitZ(), place.angle});
    }
    for (int i = 0; i < static_cast<int>(balls_.size()); ++i) {
      // D(m) = h(m) - |axes^T m| - m . centre; the place is axes axes^T m / |axes^T m|.
      const Vec3 lengths(balls_[i].axes.col(0).norm(), balls_[i].axes.col(1).norm(),
                         balls_[i].axes.col(2).norm());
      const geometry::SupportAtom solid = geometry::SupportAtom::ellipsoid(lengths);
      Mat3 rotation = seen.rotation * balls_[i].axes;
      for (int k = 0; k < 3; ++k) rotation.col(k) /= lengths[k];
      const CavityPair pair{
          {cavity_, Mat3::Identity(), Vec3::Zero()},
          {&solid, to_bowl_ * rotation, to_bowl_ * (seen.at(balls_[i].centre) - centre_)}};
      for (const geometry::CavityPlace& place : cavity_minima(pair)) {
        const Vec3 direction =
            lengths.cwiseProduct(pair.inside.rotation.transpose() * place.normal).normalized();
        found.push_back({place.clearance, i, direction, 0});
      }
    }
    return found;
  }

  std::vector<Window> windows_of(const RelativeMotion& seen, const HeldPlaces& held) const {
    std::vector<Window> windows;
    if (held.gaps.empty()) return windows;
    for (const Place& place :
         held_among(minima(seen, held), held, [](const Place& p) { return p.gap; })) {
      Window window{place.piece, place.direction, place.angle, widest_window};
      while (window.half >= narrowest_window && !grows_outwards(seen, window)) window.half *= 0.5;
      if (window.half >= narrowest_window) windows.push_back(window);
    }
    return windows;
  }
  // At a fraction of the way from the middle of the window to its rim.
  double gap_in_window(const RelativeMotion& seen, const Window& w, int ray,
                       double fraction) const {
    if (!circles_.empty()) {
      const double angle = w.angle + (ray % 2 == 0 ? 1 : -1) * fraction * w.half;
      return depth_now(seen, circles_[w.piece].at(angle)) - radius_;
    }
    const Vec3 u = w.direction.unitOrthogonal(), v = w.direction.cross(u);
    const double around = 2 * M_PI * ray / window_rays, out = fraction * w.half;
    const Vec3 direction =
        std::cos(out) * w.direction + std::sin(out) * (std::cos(around) * u + std::sin(around) * v);
    return depth_now(seen, balls_[w.piece].centre + balls_[w.piece].axes * direction);
  }
  // Whether the gap grows from the middle, faster and faster.
  bool grows_outwards(const RelativeMotion& seen, const Window& window) const {
    const double middle = gap_in_window(seen, window, 0, 0);
    for (int ray = 0; ray < window_rays; ++ray) {
      double last = middle, growth = 0;
      for (int i = 1; i <= window_samples; ++i) {
        const double gap =
            gap_in_window(seen, window, ray, static_cast<double>(i) / window_samples);
        if (!(gap - last > growth)) return false;
        growth = gap - last;
        last = gap;
      }
    }
    return true;
  }
  bool is_within(const Window& w, int piece, const Vec3& direction, double angle,
                 double margin) const {
    if (piece != w.piece) return false;
    if (!circles_.empty())
      return std::abs(std::remainder(angle - w.angle, 2 * M_PI)) + margin <= w.half;
    return 2 * std::asin(std::min(1.0, 0.5 * (direction - w.direction).norm())) + margin <= w.half;
  }

  // No point of the solid goes faster towards the wall than it goes.
  FreeInterval free_by_speed(const BodyPath& bowl, const BodyPath& inside, double t, double limit,
                             double clearance, double gap) const {
    return concave::longest_free(t, limit, clearance, [&](double h) {
      const double speed = straying(inside, bowl, reach_, t, h).speed;
      return [gap, speed](double s) { return gap - (s > 0 ? speed * s : 0.0); };
    });
  }

  // False if something is within the clearance, or too near to it.
  bool add_points(const RelativeMotion& seen, const std::vector<Window>& windows,
                  const HeldPlaces& held, double clearance, Points& points) const {
    if (!add_triangles(seen, windows, clearance, points)) return false;
    if (!add_apex(seen, held, clearance, points)) return false;
    for (int i = 0; i < static_cast<int>(circles_.size()); ++i)
      if (!is_whole(i, held) && !add_arcs(i, seen, windows, clearance, points)) return false;
    return true;
  }

  bool add_triangles(const RelativeMotion& seen, const std::vector<Window>& windows,
                     double clearance, Points& points) const {
    for (int i = 0; i < static_cast<int>(balls_.size()); ++i) {
      const RoundPlace& ball = balls_[i];
      std::vector<Triangle> todo;
      todo.reserve(8);
      for (int octant = 0; octant < 8; ++octant)
        todo.push_back({Vec3((octant & 1) != 0 ? 1 : -1, 0, 0),
                        Vec3(0, (octant & 2) != 0 ? 1 : -1, 0),
                        Vec3(0, 0, (octant & 4) != 0 ? 1 : -1)});
      if (!(depth_now(seen, ball.centre) > clearance)) return false;
      while (!todo.empty()) {
        const Triangle t = todo.back();
        todo.pop_back();
        const auto is_left_out = [&](const Window& w) {
          return std::all_of(t.begin(), t.end(),
                             [&](const Vec3& u) { return is_within(w, i, u, 0, 0); });
        };
        if (std::any_of(windows.begin(), windows.end(), is_left_out)) continue;
        const double level = std::abs((t[1] - t[0]).cross(t[2] - t[0]).normalized().dot(t[0]));
        double own = infinity, around = infinity;
        for (const Vec3& u : t) {
          own = std::min(own, depth_now(seen, ball.centre + ball.axes * u) - clearance);
          around =
              std::min(around, depth_now(seen, ball.centre + ball.axes * (u / level)) - clearance);
        }
        if (around > 0 && around >= (1 - cost_of_width) * own) {
          for (const Vec3& u : t) points.emplace_back(ball.centre + ball.axes * (u / level));
          continue;
        }
        const auto touches_window = [&](const Window& w) {
          return std::any_of(t.begin(), t.end(),
                             [&](const Vec3& u) { return is_within(w, i, u, 0, 0); });
        };
        const bool at_window = std::any_of(windows.begin(), windows.end(), touches_window);
        if ((own <= 0 && !at_window) || (t[1] - t[0]).norm() < smallest) return false;
        if (points.size() + todo.size() > most_points) return false;
        const Vec3 a = (t[0] + t[1]).normalized(), b = (t[1] + t[2]).normalized(),
                   c = (t[2] + t[0]).normalized();
        for (const Triangle& part :
             {Triangle{t[0], a, c}, Triangle{a, t[1], b}, Triangle{c, b, t[2]}, Triangle{a, b, c}})
          todo.push_back(part);
      }
    }
    return true;
  }

  bool add_apex(const RelativeMotion& seen, const HeldPlaces& held, double clearance,
                Points& points) const {
    if (!apex_ || holds_apex(held)) return true;
    points.push_back(*apex_);
    return depth_now(seen, *apex_) > clearance;
  }

  bool add_arcs(int piece, const RelativeMotion& seen, const std::vector<Window>& windows,
                double clearance, Points& points) const {
    const PlacedCircle& circle = circles_[piece];
    struct Arc {
      double middle, half;
    };
    constexpr int first = 8;
    std::vector<Arc> todo;
    todo.reserve(first);
    for (int i = 0; i < first; ++i) todo.push_back({(2 * i + 1) * M_PI / first, M_PI / first});
    const auto room = [&](const Vec3& p) { return depth_now(seen, p) - radius_ - clearance; };
    while (!todo.empty()) {
      const Arc arc = todo.back();
      todo.pop_back();
      const auto is_left_out = [&](const Window& w) {
        return is_within(w, piece, Vec3::UnitZ(), arc.middle, arc.half);
      };
      if (std::any_of(windows.begin(), windows.end(), is_left_out)) continue;
      const Vec3 from = circle.at(arc.middle - arc.half), to = circle.at(arc.middle + arc.half);
      const Vec3 beyond =
          circle.centre + circle.radius / std::cos(arc.half) * circle.outward(arc.middle);
      const double own = std::min({room(from), room(to), room(circle.at(arc.middle))});
      const double around = std::min({room(from), room(to), room(beyond)});
      if (around > 0 && around >= (1 - cost_of_width) * own) {
        for (const Vec3& p : {from, to, beyond}) points.push_back(p);
        continue;
      }
      const auto touches_window = [&](const Window& w) {
        return is_within(w, piece, Vec3::UnitZ(), arc.middle, -arc.half);
      };
      const bool at_window = std::any_of(windows.begin(), windows.end(), touches_window);
      if ((own <= 0 && !at_window) || arc.half < smallest) return false;
      if (points.size() + todo.size() > most_points) return false;
      for (const double side : {-0.5, 0.5})
        todo.push_back({arc.middle + side * arc.half, 0.5 * arc.half});
    }
    return true;
  }

  const geometry::SupportAtom* cavity_;
  Mat3 to_bowl_;
  Vec3 centre_;
  std::vector<RoundPlace> balls_;  // in the motion frame of the body
  std::vector<PlacedCircle> circles_;
  std::vector<int> atoms_;  // of the circles
  std::optional<Vec3> apex_;
  int apex_atom_ = -1;
  double radius_ = 0;  // of the ring's tube
  double size_ = 0, reach_ = 0;
};

}  // namespace

std::unique_ptr<CloseWatch> make_bowl_solid_watch(const CarriedSolid& bowl,
                                                  const CarriedSolid& inside) {
  return std::make_unique<BowlSolidWatch>(bowl, inside);
}

}  // namespace abut::toi
