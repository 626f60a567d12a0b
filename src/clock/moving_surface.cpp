#include "clock/moving_surface.h"

#include <algorithm>

#include "base/limits.h"
#include "toi/core.h"

namespace abut::clock {

using geometry::Box3;

namespace {

bool moves_not(const motion::SpeedBound& speed) {
  return speed.linear == 0 && speed.angular == 0;
}

}  // namespace

Corners MovingSurface::rates(int triangle) const {
  const auto& [a, b, c] = body->boundary.triangles()[triangle];
  return {velocities[a], velocities[b], velocities[c]};
}

Corners MovingSurface::corners(int triangle, double s) const {
  const auto& [a, b, c] = body->boundary.triangles()[triangle];
  return moved({places[a], places[b], places[c]}, rates(triangle), s);
}

Box3 MovingSurface::swept(int triangle, double from, double to) const {
  Box3 box;
  for (const double s : {from, to})
    for (const Vec3& corner : corners(triangle, s)) box.extend(corner);
  return box;
}

double MovingSurface::fastest() const {
  double fastest = 0;
  for (const Vec3& v : velocities) fastest = std::max(fastest, v.norm());
  return fastest;
}

MovingObstacle::MovingObstacle(const narrow::Solid& solid, const model::Body& body,
                               const motion::BodyPath& path, double t)
    : solid_(&solid), body_(&body), path_(&path), t_(t) {
  const Pose frame = toi::motion_frame(body);
  radius_ = (solid.position - frame.position).norm() + solid.bounding_radius();
  Corners memory;
  const Obstacle here = at(0, memory);
  middle_ = here.position;
  if (moves_not(path.speed_bound(t, path.end()))) resting_ = here;
}

MovingObstacle::MovingObstacle(const MovingSurface& surface, int triangle)
    : surface_(&surface), triangle_(triangle) {
  const Corners corners = surface.corners(triangle, 0);
  middle_ = (corners[0] + corners[1] + corners[2]) / 3;
}

double MovingObstacle::closing(const Corners& start, const Corners& rates, double h) const {
  double fastest = 0;
  if (surface_ != nullptr) {
    for (const Vec3& mine : surface_->rates(triangle_))
      for (const Vec3& rate : rates) fastest = std::max(fastest, (rate - mine).norm());
    return h * fastest;
  }
  for (const Vec3& rate : rates) fastest = std::max(fastest, rate.norm());
  if (resting_) return h * fastest;
  const motion::SpeedBound speed = path_->speed_bound(t_, t_ + h);
  double farthest = 0;  // of a place that could be met, about the origin of the motion frame
  for (const Vec3& corner : start)
    farthest = std::max(farthest, (corner - path_->pose(t_).position).norm());
  const double reach = std::min(radius_, farthest + h * (fastest + speed.linear));
  return h * (fastest + speed.linear + (speed.angular > 0 ? speed.angular * reach : 0));
}

Obstacle MovingObstacle::at(double s, Corners& memory) const {
  Obstacle here;
  if (surface_ != nullptr) {
    memory = surface_->corners(triangle_, s);
    here.corners = memory;
    return here;
  }
  if (resting_) return *resting_;
  const Pose pose = toi::body_pose(*body_, path_->pose(t_ + s));
  const narrow::Placed placed = narrow::placed(*solid_, pose.position, pose.orientation);
  here.solid = solid_;
  here.rotation = placed.rotation;
  here.position = placed.position;
  return here;
}

Box3 MovingObstacle::swept(double from, double to) const {
  if (surface_ != nullptr) return surface_->swept(triangle_, from, to);
  Box3 box;
  if (solid_->kind == narrow::SolidKind::plane)
    return {Vec3::Constant(-infinity), Vec3::Constant(infinity)};
  Corners memory;
  for (const double s : {from, to}) {
    const Obstacle here = at(s, memory);
    Vec3 low, high;
    for (int i = 0; i < 3; ++i) {
      high[i] = here.height(Vec3::Unit(i));
      low[i] = -here.height(-Vec3::Unit(i));
    }
    box.extend(low);
    box.extend(high);
  }
  const Vec3 margin = Vec3::Constant(bend(from, to));
  return {box.min() - margin, box.max() + margin};
}

std::optional<MovingObstacle::Ground> MovingObstacle::ground() const {
  if (!resting_ || !resting_->is_plane()) return std::nullopt;
  const Vec3 normal = resting_->rotation * solid_->normal;
  return Ground{normal, normal.dot(resting_->position)};
}

double MovingObstacle::bend(double from, double to) const {
  if (surface_ != nullptr || resting_) return 0;
  const motion::AccelerationBound most = path_->acceleration_bound(t_ + from, t_ + to);
  return (to - from) * (to - from) / 8 * most.at_radius(radius_);
}

// The gap along a direction is concave in time for the corners and convex for each point of the
// obstacle, but for its bend: no less than at the worse end.
double MovingObstacle::bound(const Corners& start, const Corners& rates, const Vec3& n, double from,
                             double to) const {
  if (solid_ != nullptr && solid_->kind == narrow::SolidKind::plane)
    return plane_bound(start, rates, from, to);
  Corners memory;
  double least = infinity;
  for (const double s : {from, to})
    least = std::min(least, gap_along(moved(start, rates, s), at(s, memory), n));
  return least - bend(from, to);
}

// The height of a corner x above the plane through p with the normal n, n . (x - p), has the second
// derivative  n'' . (x - p) + 2 n' . (x' - p') - n . p'', with |n'| <= spin and
// |n''| <= angular + spin^2. The point p of the plane is taken at the origin of the motion frame,
// which only shifts the height by a constant.
double MovingObstacle::plane_bound(const Corners& start, const Corners& rates, double from,
                                   double to) const {
  Corners memory;
  double least = infinity, farthest = 0, fastest = 0;
  for (const double s : {from, to}) {
    const Obstacle here = at(s, memory);
    const Vec3 n = here.rotation * solid_->normal;
    const Vec3 origin = path_->pose(t_ + s).position;
    for (const Vec3& corner : moved(start, rates, s)) {
      least = std::min(least, n.dot(corner - here.position));
      farthest = std::max(farthest, (corner - origin).norm());
    }
  }
  for (const Vec3& rate : rates) fastest = std::max(fastest, rate.norm());
  const double time = to - from;
  const motion::AccelerationBound most = path_->acceleration_bound(t_ + from, t_ + to);
  const motion::SpeedBound speed = path_->speed_bound(t_ + from, t_ + to);
  const double reach = farthest + time * (fastest + speed.linear);
  const double curved = most.linear + (most.angular + most.spin * most.spin) * reach +
                        2 * most.spin * (fastest + speed.linear);
  return least - time * time / 8 * curved;
}

}  // namespace abut::clock
