#pragma once
// Where a circle comes nearest to something: all local minima.
//
// With c(angle) a point of the circle, let f(angle) be its distance from the other set and n the
// unit normal from there: f' = n . c'. The distance from any set changes by no more than the point
// moves, so |f'| <= R, and where f > 0 its second derivative along a line is at most 1/f. Between
// minima of interest (f <= reach) that leaves two kinds of steps: where f is beyond the reach by d,
// nothing of interest is nearer than d / R; elsewhere a fixed step that is small against the width
// f / R of a minimum. Minima are then roots of f'.

#include <functional>
#include <vector>

#include "abut/types.h"

namespace abut::geometry {

struct PlacedCircle {
  Vec3 centre = Vec3::Zero();
  Mat3 axes = Mat3::Identity();  ///< the third column is the circle's axis
  double radius = 1;

  Vec3 outward(double angle) const;
  Vec3 at(double angle) const { return centre + radius * outward(angle); }
  Vec3 tangent(double angle) const;  ///< unit, the way angles grow
  double angle_of(const Vec3& x) const;
};

/// How far a set is from a point.
struct DistanceOfSet {
  double distance = 0;          ///< m; may be negative within the set
  Vec3 normal = Vec3::UnitZ();  ///< unit, from the set to the point
  Vec3 nearest = Vec3::Zero();  ///< point of the set
};
using DistanceFromPoint = std::function<DistanceOfSet(const Vec3& point)>;

struct CirclePlace {
  double angle = 0;  ///< 0 to 2 pi
  Vec3 on_circle = Vec3::Zero();
  DistanceOfSet other;
  double stiffness = 0;  ///< f'', m

  double distance() const { return other.distance; }
};

/// The local minima with f <= reach, by angle. `least` is a distance below which f is of no
/// interest (the sum of roundings, m): it decides how narrow minima are that are told apart.
std::vector<CirclePlace> circle_minima(const PlacedCircle& circle,
                                       const DistanceFromPoint& distance, double reach,
                                       double least);

/// The local minimum that leads downhill from an angle.
CirclePlace minimum_downhill(const PlacedCircle& circle, const DistanceFromPoint& distance,
                             double from);

/// The smallest f of all; `near` is an angle to begin with.
CirclePlace nearest_on_circle(const PlacedCircle& circle, const DistanceFromPoint& distance,
                              double least, double near);

// Distances of a point from sets that need no search.
DistanceOfSet from_point(const Vec3& point, const Vec3& other);
DistanceOfSet from_segment(const Vec3& point, const Vec3& middle, const Vec3& axis, double half);
DistanceOfSet from_plane(const Vec3& point, const Vec3& on_plane, const Vec3& normal);
DistanceOfSet from_circle(const Vec3& point, const PlacedCircle& circle);

}  // namespace abut::geometry
