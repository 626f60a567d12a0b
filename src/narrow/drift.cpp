#include "narrow/drift.h"

#include <utility>

#include "base/limits.h"

namespace abut::narrow {

double Drift::approach(int side, const Vec3& centre, double radius, double distance) const {
  const double turned = duration * spin[1 - side].norm();
  // Beyond a radian places farther off could come nearer still.
  if (!(turned < 1)) return infinity;
  return way(centre, radius) + turned * distance;
}

double Drift::farthest(int side, const Vec3& centre, double radius, double distance) const {
  const double turned = duration * spin[1 - side].norm();
  return turned < 1 ? (distance + way(centre, radius)) / (1 - turned) : infinity;
}

double Drift::way(const Vec3& centre, double radius) const {
  const Vec3 relative = spin[0] - spin[1];
  const Vec3 here = velocity[0] - velocity[1] + relative.cross(centre);
  return duration * (here.norm() + relative.norm() * radius) + stray;
}

Drift Drift::swapped() const {
  Drift other = *this;
  std::swap(other.velocity[0], other.velocity[1]);
  std::swap(other.spin[0], other.spin[1]);
  return other;
}

}  // namespace abut::narrow
