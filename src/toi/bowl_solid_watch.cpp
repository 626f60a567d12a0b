// A solid with a surface of its own in a bowl: an ellipsoid, a ring, a cylinder or cone, or a ball
// that is flatter than the wall.
//
// A convex cavity C holds a solid if it holds the pieces whose hull the solid is: rims, an apex,
// balls, an ellipsoid. With the support functions h of geometry/cavity.h a piece B is further than
// a distance d from the wall if h_C(m) - h_B(m) > d for all unit vectors m. Directions are cut into
// triangles. For those in the cone over the corners m_1, m_2, m_3 of one let x be the place of the
// wall along its middle: h_C(m) >= x.m, and x.m - h_B(m) is concave and of degree one in m, so that
//     h_C(m) - h_B(m) >= min over i of (x.m_i - h_B(m_i))
// where the right side is positive. Triangles are quartered until the bound is hardly less than
// what is true in their middle: near a place of contact they become small, elsewhere a few suffice.
//
// While the body moves, a point r of a piece about the origin o of it is after s seconds, up to
// K s^2 / 2 (relative_motion.h), at o + r + s (v + w x r), so that
//     h_B(m) <= m.(o + s v) + h_r(m + s (m x w)) + K s^2 / 2,
// a convex function of s: the bound of the gap is concave in time.
//
// Around places that touch already, triangles are left out over which the distance from the wall
// grows all the way from the place. That is looked at for samples, and the interval is kept so
// short that the solid moves little in it.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/limits.h"
#include "geometry/cavity.h"
#include "geometry/circle_minima.h"
#include "toi/bowl_watch.h"
#include "toi/longest_free.h"
#include "toi/relative_motion.h"

namespace abut::toi {
namespace {

using geometry::SupportAtom;
using motion::BodyPath;
using narrow::SolidKind;

// Triangles may use up this part of the room above the clearance. At an angle x from a place of
// contact that lets them be about cost / 2 times x wide: a smaller part takes many more.
constexpr double cost_of_width = 0.6;
// Triangles that cost more though they are this small (rad) are as small as rounding allows; and so
// many of them are not worth their work: a solid that is about to touch along a whole circle needs
// ever more, and is followed by its gap and its speed from there on.
constexpr double smallest = 1e-9;
constexpr std::size_t most_triangles = 7000;

// Half of what is left out around a place that touches, at most and at least (rad), and samples
// from its middle to its rim and around it.
constexpr double widest_window = 0.4, narrowest_window = 1e-4;
constexpr int window_samples = 6, window_rays = 8;
// While something is left out, the solid moves by no more than this part of its size.
constexpr double window_travel = 0.05;

using Triangle = std::array<Vec3, 3>;

// What the solid is the hull of: an atom about `position` in the motion frame, rounded.
struct Piece {
  const SupportAtom* atom = nullptr;
  int number = -1;  // of the atom in its surface
  Mat3 rotation = Mat3::Identity();
  Vec3 position = Vec3::Zero();
  double radius = 0;  // m
};

// A piece in the frame of the cavity, moving.
struct MovingPiece {
  const SupportAtom* atom = nullptr;
  Mat3 rotation = Mat3::Identity();
  Vec3 position = Vec3::Zero(), velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();
  double radius = 0;

  // A bound of the speeds of its points, m/s.
  double fastest() const {
    return velocity.norm() +
           angular_velocity.norm() * (atom->centre().norm() + atom->outer_radius());
  }
  // h_B of a unit vector m after s seconds, on straight lines.
  double height(const Vec3& m, double s) const {
    const Vec3 seen = s == 0 ? m : Vec3(m + s * m.cross(angular_velocity));
    return m.dot(position + s * velocity) + atom->height(rotation.transpose() * seen) + radius;
  }
};

// A direction m with a level of the wall along it, x.m, and the piece that must stay below.
struct Level {
  Vec3 direction = Vec3::UnitZ();
  double wall = 0;
  int piece = 0;
  double room = 0;  // between the two at first
};
using Levels = std::vector<Level>;

struct Place {
  double gap = 0;
  int piece = 0;
  Vec3 direction = Vec3::UnitZ();  // to the wall, in the frame of the cavity
};

struct Window {
  int piece = 0;
  Vec3 direction = Vec3::UnitZ();
  double half = 0;

  bool holds(int other, const Vec3& m) const {
    return other == piece && 2 * std::asin(std::min(1.0, 0.5 * (direction - m).norm())) <= half;
  }
};

// The faces of an octahedron, those of its corners first that come first in their order.
std::vector<Triangle> octants() {
  std::vector<Triangle> all;
  for (int octant = 0; octant < 8; ++octant)
    all.push_back({Vec3((octant & 1) != 0 ? 1 : -1, 0, 0), Vec3(0, (octant & 2) != 0 ? 1 : -1, 0),
                   Vec3(0, 0, (octant & 4) != 0 ? 1 : -1)});
  return all;
}

void quarter(const Triangle& t, std::vector<Triangle>& todo) {
  const Vec3 a = (t[0] + t[1]).normalized(), b = (t[1] + t[2]).normalized(),
             c = (t[2] + t[0]).normalized();
  for (const Triangle& part :
       {Triangle{t[0], a, c}, Triangle{a, t[1], b}, Triangle{c, b, t[2]}, Triangle{a, b, c}})
    todo.push_back(part);
}

// The solid at an instant, as the cavity sees it.
class Instant {
 public:
  Instant(const SupportAtom& cavity, std::vector<MovingPiece> pieces, std::vector<int> watched)
      : cavity_(cavity), pieces_(std::move(pieces)), watched_(std::move(watched)) {}

  double gap_along(int piece, const Vec3& m) const {
    return cavity_.height(m) - pieces_[piece].height(m, 0);
  }

  // All local minima of the pieces that are watched.
  std::vector<Place> minima() const {
    std::vector<Place> found;
    for (const int i : watched_) {
      const MovingPiece& piece = pieces_[i];
      if (piece.atom->is_point()) {
        add_place(i, geometry::towards_nearest_wall(cavity_, middle_of(piece)), found);
        if (piece.radius < cavity_.least_radius()) continue;
        found.pop_back();
      }
      if (piece.atom->is_circle())
        add_minima_of_circle(i, found);
      else
        for (const geometry::CavityPlace& place :
             geometry::cavity_minima({{&cavity_, Mat3::Identity(), Vec3::Zero()},
                                      {piece.atom, piece.rotation, piece.position}}))
          add_place(i, place.normal, found);
    }
    return found;
  }

  std::vector<Window> windows(const HeldPlaces& held) const {
    std::vector<Window> found;
    if (held.gaps.empty()) return found;
    for (const Place& place : held_among(minima(), held, [](const Place& p) { return p.gap; })) {
      Window window{place.piece, place.direction, widest_window};
      while (window.half >= narrowest_window && !grows_outwards(window)) window.half *= 0.5;
      if (window.half >= narrowest_window) found.push_back(window);
    }
    return found;
  }

  double lowest_gap(const std::vector<Window>& windows) const {
    double lowest = infinity;
    for (const Place& place : minima())
      if (std::none_of(windows.begin(), windows.end(),
                       [&](const Window& w) { return w.holds(place.piece, place.direction); }))
        lowest = std::min(lowest, place.gap);
    for (const Window& window : windows)
      for (int ray = 0; ray < window_rays; ++ray)
        lowest = std::min(lowest, gap_in_window(window, ray, 1));
    return lowest;
  }

  // In the order of their rooms. False if something is within the clearance, or too near to it.
  bool add_levels(const std::vector<Window>& windows, double clearance, Levels& levels) const {
    for (const int piece : watched_)
      if (!add_levels_of(piece, windows, clearance, levels)) return false;
    std::stable_sort(levels.begin(), levels.end(),
                     [](const Level& x, const Level& y) { return x.room < y.room; });
    return true;
  }

  // Of levels in the order of their rooms: those that are too far to become the lowest by then are
  // not looked at.
  double lowest_after(const Levels& levels, double s) const {
    double fastest = 0;
    for (const MovingPiece& piece : pieces_) fastest = std::max(fastest, piece.fastest());
    double lowest = infinity;
    for (const Level& level : levels) {
      if (level.room - fastest * s >= lowest) break;
      lowest = std::min(lowest, level.wall - pieces_[level.piece].height(level.direction, s));
    }
    return lowest;
  }

 private:
  static Vec3 middle_of(const MovingPiece& piece) {
    return piece.position + piece.rotation * piece.atom->centre();
  }
  void add_place(int piece, const Vec3& m, std::vector<Place>& found) const {
    found.push_back({gap_along(piece, m), piece, m});
  }

  void add_minima_of_circle(int i, std::vector<Place>& found) const {
    const MovingPiece& piece = pieces_[i];
    // Minima of a circle without a tube are as wide as the wall makes them.
    const double least = piece.radius > 0 ? piece.radius : cavity_.least_radius();
    const geometry::PlacedCircle circle{middle_of(piece), piece.rotation,
                                        piece.atom->outer_radius()};
    const auto distance = [&](const Vec3& p) -> geometry::DistanceOfSet {
      const Vec3 m = geometry::towards_nearest_wall(cavity_, p);
      return {cavity_.height(m) - m.dot(p), -m, p};
    };
    for (const geometry::CirclePlace& place : circle_minima(circle, distance, infinity, least))
      add_place(i, -place.other.normal, found);
  }

  // At a fraction of the way from the middle of the window to its rim.
  double gap_in_window(const Window& w, int ray, double fraction) const {
    const Vec3 u = w.direction.unitOrthogonal(), v = w.direction.cross(u);
    const double around = 2 * M_PI * ray / window_rays, out = fraction * w.half;
    return gap_along(w.piece, std::cos(out) * w.direction +
                                  std::sin(out) * (std::cos(around) * u + std::sin(around) * v));
  }
  // Whether the gap grows from the middle, faster and faster.
  bool grows_outwards(const Window& window) const {
    const double middle = gap_in_window(window, 0, 0);
    for (int ray = 0; ray < window_rays; ++ray) {
      double last = middle, growth = 0;
      for (int i = 1; i <= window_samples; ++i) {
        const double gap = gap_in_window(window, ray, static_cast<double>(i) / window_samples);
        if (!(gap - last > growth)) return false;
        growth = gap - last;
        last = gap;
      }
    }
    return true;
  }

  bool add_levels_of(int piece, const std::vector<Window>& windows, double clearance,
                     Levels& levels) const {
    std::vector<Triangle> todo = octants();
    std::size_t looked_at = 0;
    while (!todo.empty()) {
      const Triangle t = todo.back();
      todo.pop_back();
      const auto is_in = [&](const Window& w) {
        return [&](const Vec3& m) { return w.holds(piece, m); };
      };
      if (std::any_of(windows.begin(), windows.end(),
                      [&](const Window& w) { return std::all_of(t.begin(), t.end(), is_in(w)); }))
        continue;
      const Vec3 middle = (t[0] + t[1] + t[2]).normalized();
      const Vec3 wall = cavity_.support(middle);
      const double own = wall.dot(middle) - pieces_[piece].height(middle, 0) - clearance;
      double around = infinity;
      for (const Vec3& m : t)
        around = std::min(around, wall.dot(m) - pieces_[piece].height(m, 0) - clearance);
      if (around > 0 && around >= (1 - cost_of_width) * own) {
        for (const Vec3& m : t)
          levels.push_back({m, wall.dot(m), piece, wall.dot(m) - pieces_[piece].height(m, 0)});
        continue;
      }
      const bool at_window = std::any_of(windows.begin(), windows.end(), [&](const Window& w) {
        return std::any_of(t.begin(), t.end(), is_in(w));
      });
      if ((own <= 0 && !at_window) || (t[1] - t[0]).norm() < smallest) return false;
      if (++looked_at > most_triangles) return false;
      quarter(t, todo);
    }
    return true;
  }

  const SupportAtom& cavity_;
  std::vector<MovingPiece> pieces_;
  std::vector<int> watched_;
};

class BowlSolidWatch final : public CloseWatch {
 public:
  BowlSolidWatch(const CarriedSolid& bowl, const CarriedSolid& inside)
      : cavity_(&bowl.solid->surface->atoms().front()),
        to_bowl_(bowl.pose.orientation.toRotationMatrix().transpose()),
        centre_(bowl.pose.position) {
    const narrow::Solid& solid = *inside.solid;
    const Mat3 rotation = inside.pose.orientation.toRotationMatrix();
    const Vec3& position = inside.pose.position;
    if (solid.kind == SolidKind::ring) {
      ring_ = SupportAtom::circle(Vec3::Zero(), solid.circle);
      pieces_.push_back({&ring_, 0, rotation, position, solid.rounding});
    } else if (solid.surface) {
      const auto atoms = solid.surface->atoms();
      for (int i = 0; i < static_cast<int>(atoms.size()); ++i)
        pieces_.push_back({&atoms[i], i, rotation, position, solid.rounding});
    } else {
      for (const Vec3& corner : solid.core.vertices())
        pieces_.push_back(
            {&SupportAtom::origin(), -1, rotation, position + rotation * corner, solid.rounding});
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
    const Instant now = seen_by_cavity(seen, held);
    const std::vector<Window> windows = now.windows(held);
    if (!windows.empty()) {
      const double speed = seen.velocity.norm() + seen.angular_velocity.norm() * reach_;
      limit = std::min(limit, t + window_travel * size_ / std::max(speed, 1e-300));
    }
    const double rounding =
        coordinate_rounding * (inside.pose(t).position.norm() + bowl.pose(t).position.norm() +
                               reach_ + centre_.norm() + cavity_->outer_radius());
    Levels levels;
    if (!now.add_levels(windows, clearance + rounding, levels))
      return free_by_speed(bowl, inside, t, limit, clearance, now.lowest_gap(windows) - rounding);
    if (levels.empty()) return {limit, infinity};
    return concave::longest_free(t, limit, clearance, [&](double h) {
      const Straying stray = straying(inside, bowl, reach_, t, h);
      return [&, stray](double s) {
        return now.lowest_after(levels, stray.lines_hold ? s : 0) - rounding - stray.over(s);
      };
    });
  }

  double lowest_gap(const BodyPath& bowl, const BodyPath& inside, double t,
                    const HeldPlaces& held) const {
    if (held.whole) return infinity;
    const Instant now = seen_by_cavity(relative_motion(inside, bowl, t), held);
    return now.lowest_gap(now.windows(held));
  }

 private:
  // Rims that rest on three points are held as a whole, as an apex is.
  static bool is_watched(const Piece& piece, const HeldPlaces& held) {
    const std::vector<int>& whole = piece.atom->is_point() ? held.points : held.rims;
    return piece.number < 0 || std::count(whole.begin(), whole.end(), piece.number) == 0;
  }

  Instant seen_by_cavity(const RelativeMotion& seen, const HeldPlaces& held) const {
    std::vector<MovingPiece> moving;
    std::vector<int> watched;
    for (const Piece& piece : pieces_) {
      if (is_watched(piece, held)) watched.push_back(static_cast<int>(moving.size()));
      moving.push_back({piece.atom, to_bowl_ * seen.rotation * piece.rotation,
                        to_bowl_ * (seen.at(piece.position) - centre_),
                        to_bowl_ * seen.velocity_of(piece.position),
                        to_bowl_ * seen.angular_velocity, piece.radius});
    }
    return {*cavity_, std::move(moving), std::move(watched)};
  }

  // No point of the solid goes faster towards the wall than it goes.
  FreeInterval free_by_speed(const BodyPath& bowl, const BodyPath& inside, double t, double limit,
                             double clearance, double gap) const {
    return concave::longest_free(t, limit, clearance, [&](double h) {
      const double speed = straying(inside, bowl, reach_, t, h).speed;
      return [gap, speed](double s) { return gap - (s > 0 ? speed * s : 0.0); };
    });
  }

  const SupportAtom* cavity_;
  Mat3 to_bowl_;
  Vec3 centre_;
  SupportAtom ring_;
  std::vector<Piece> pieces_;
  double size_ = 0, reach_ = 0;
};

}  // namespace

std::unique_ptr<CloseWatch> make_bowl_solid_watch(const CarriedSolid& bowl,
                                                  const CarriedSolid& inside) {
  return std::make_unique<BowlSolidWatch>(bowl, inside);
}

}  // namespace abut::toi
