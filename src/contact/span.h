#pragma once
// The affine hull of points that contacts hold, to ask what lies in it.

#include <vector>

#include "abut/types.h"

namespace abut::contact {

/// Sine of the angle between an edge and a line from which a contact moves from the edge's end
/// along it without a gap changing by more than a small part of the rest gap (dimensionless):
/// guards tell it late by about ten contact distances, and the gap changes by the square of that
/// over the rounding.
inline constexpr double least_edge_sine = 0.05;

/// A face is parallel to the plane of contact if its normal is within this of it (1 - cosine,
/// dimensionless): 1e-4 rad.
inline constexpr double parallel = 5e-9;

/// A point is held if it is within this fraction of its part's size of what the contacts span
/// (dimensionless): rounding of places, which regions locate to about 1e-9.
inline constexpr double spanned = 1e-7;

class Span {
 public:
  /// `size` is that of the part, m. Precondition: there is a point.
  Span(const std::vector<Vec3>& points, double size)
      : origin_(points.front()), tolerance_(spanned * size) {
    for (const Vec3& p : points) {
      const Vec3 rest = residual(p);
      if (rest.norm() > tolerance_ && axes_.size() < 3) axes_.push_back(rest.normalized());
    }
  }
  bool contains(const Vec3& p) const { return residual(p).norm() <= tolerance_; }
  int dimension() const { return static_cast<int>(axes_.size()); }

 private:
  Vec3 residual(const Vec3& p) const {
    Vec3 rest = p - origin_;
    for (const Vec3& axis : axes_) rest -= axis * axis.dot(rest);
    return rest;
  }
  Vec3 origin_;
  double tolerance_;
  std::vector<Vec3> axes_;
};

}  // namespace abut::contact
