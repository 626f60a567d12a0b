#pragma once
// Vectors of the plane of contact.

#include <Eigen/Core>

namespace abut::contact {

using Vec2 = Eigen::Vector2d;

/// The third component of p x q: positive if q is counter-clockwise from p.
inline double cross(const Vec2& p, const Vec2& q) {
  return p.x() * q.y() - p.y() * q.x();
}

}  // namespace abut::contact
