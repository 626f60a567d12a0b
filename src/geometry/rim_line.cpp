#include "geometry/rim_line.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace abut::geometry {
namespace {

// Sine between a rim's tangent and a line under which the normal is not taken from these.
constexpr double least_tangent_sine = 1e-6;

// A minimum and a maximum that are nearer to each other than this have become one, rad: there the
// slope is zero to rounding.
constexpr double narrowest = 1e-7;

// Slopes are told from zero if they are larger than this times the lengths (dimensionless): a line
// that is the circle's axis is as near all around.
constexpr double rounding = 1e-14;

// A rim and a straight line: the places of the rim at which its distance D from the line is
// stationary have the normal across the line and the rim's tangent. Where a disc lies on an edge,
// or nearly, the normal hardly differs from the disc's axis, and tells the two ends of the chord
// apart by its last digits only; the places are far apart and well determined.
class RimOnLine {
 public:
  RimOnLine(const PlacedAtom& rim, const Vec3& through, const Vec3& along)
      : radius_(rim.atom->outer_radius()),
        centre_(rim.rotation * rim.atom->centre() + rim.position - through),
        x_(rim.rotation.col(0)),
        y_(rim.rotation.col(1)),
        along_(along) {}

  struct Place {
    Vec3 at = Vec3::Zero(), tangent = Vec3::Zero();  // relative to the line's point
  };

  // With across(v) = P v the slope is
  //     cos t y.Pc - sin t x.Pc + r cos 2t x.Py + r/2 sin 2t (y.Py - x.Px),
  // so that its derivatives are bounded by the two amplitudes. All its roots lie in arcs over which
  // it is monotone.
  std::vector<Place> minima() const {
    const Vec3 c = across(centre_), x = across(x_), y = across(y_);
    const double once = std::hypot(c.dot(x), c.dot(y));
    const double twice = radius_ * std::hypot(x.dot(y), 0.5 * (y.dot(y) - x.dot(x)));
    std::vector<Place> found;
    if (once + twice <= rounding * (radius_ + centre_.norm())) return found;
    const double first = steepest();
    for (int i = 0; i < arcs; ++i)
      search({first + angle(i), first + angle(i + 1)}, {once + 2 * twice, once + 4 * twice}, found);
    return found;
  }

 private:
  static constexpr int arcs = 8;
  static constexpr int iterations = 60;

  struct Arc {
    double from = 0, to = 0;
  };
  struct Bounds {
    double bend = 0, change = 0;  // of the slope's first and second derivative
  };

  static double angle(int i) { return 2 * M_PI * i / arcs; }
  // Where a turn begins and ends with the same sign of the slope.
  double steepest() const {
    double best = 0;
    for (int i = 1; i < arcs; ++i)
      if (std::abs(slope(angle(i))) > std::abs(slope(best))) best = angle(i);
    return best;
  }
  // Halves the arc until its slope is monotone, or has no root. Where slopes are no numbers, as of
  // bodies at no place, there is none.
  void search(const Arc& arc, const Bounds& bounds, std::vector<Place>& found) const {
    const double middle = 0.5 * (arc.from + arc.to), half = 0.5 * (arc.to - arc.from);
    if (!(std::abs(slope(middle)) <= bounds.bend * half)) return;
    if (std::abs(bend(middle)) > bounds.change * half || half < narrowest) {
      if (slope(arc.from) <= 0 && slope(arc.to) > 0)
        found.push_back(place(minimum(arc.from, arc.to)));
      return;
    }
    search({arc.from, middle}, bounds, found);
    search({middle, arc.to}, bounds, found);
  }
  Vec3 tangent(double t) const { return std::cos(t) * y_ - std::sin(t) * x_; }
  Vec3 at(double t) const { return centre_ + radius_ * (std::cos(t) * x_ + std::sin(t) * y_); }
  Vec3 across(const Vec3& v) const { return v - along_ * along_.dot(v); }
  // D' / 2 and D'' / 2, up to the radius.
  double slope(double t) const { return across(at(t)).dot(tangent(t)); }
  double bend(double t) const {
    const Vec3 turns = across(tangent(t));
    return radius_ * turns.squaredNorm() + across(at(t)).dot((centre_ - at(t)) / radius_);
  }
  // Newton's method within the bracket.
  double minimum(double from, double to) const {
    double t = 0.5 * (from + to);
    for (int i = 0; i < iterations; ++i) {
      const double s = slope(t);
      if (s == 0) break;
      (s < 0 ? from : to) = t;
      const double bends = bend(t);
      double next = bends > 0 ? t - s / bends : from;
      if (!(next > from && next < to)) next = 0.5 * (from + to);
      if (next == t || !(next > from && next < to)) break;
      t = next;
    }
    return t;
  }
  Place place(double t) const { return {at(t), tangent(t)}; }

  double radius_;
  Vec3 centre_, x_, y_, along_;
};

}  // namespace

std::vector<Extremum> rim_on_line(const AtomPair& atoms, int rim_side, const Vec3& line,
                                  const Vec3& start) {
  const PlacedAtom& rim = rim_side == 0 ? atoms.a : atoms.b;
  const Vec3& through = (rim_side == 0 ? atoms.b : atoms.a).position;
  std::vector<Extremum> all;
  for (const auto& place : RimOnLine(rim, through, line).minima()) {
    const Vec3 cross = line.cross(place.tangent);
    if (cross.norm() < least_tangent_sine) return {};
    // Along n from b to a the rim is where `place.at` leads, if it is a's, and the other way if
    // b's.
    const Vec3 side = start.isZero(0) ? Vec3((rim_side == 0 ? 1 : -1) * place.at) : start;
    Extremum found;
    found.normal = (cross.dot(side) > 0 ? 1 : -1) / cross.norm() * cross;
    found.gap = (rim_side == 0 ? 1 : -1) * found.normal.dot(place.at);
    const Vec3 on_rim = through + place.at;
    (rim_side == 0 ? found.a : found.b) = on_rim;
    (rim_side == 0 ? found.b : found.a) =
        on_rim + (rim_side == 0 ? -1 : 1) * found.gap * found.normal;
    all.push_back(found);
  }
  return all;
}

}  // namespace abut::geometry
