#pragma once
// The boundary of a body that bends, on its way through a step, and what its triangles may meet.
//
// Corners move steadily. A direction n that keeps them on one side of something where a stretch of
// time begins and where it ends does so in between, but for what a turning solid bends its way by:
// a point that is accelerated by at most c leaves its chord over a time s by c s^2 / 8 at most.

#include <array>
#include <optional>
#include <vector>

#include "clock/corner_gap.h"
#include "flexible/bending_body.h"
#include "geometry/box_tree.h"
#include "model/model.h"
#include "motion/path.h"

namespace abut::clock {

using Corners = std::array<Vec3, 3>;

struct MovingSurface {
  const flexible::BendingBody* body = nullptr;
  std::vector<Vec3> places;      ///< of vertices where the step begins
  std::vector<Vec3> velocities;  ///< over the step

  int triangles() const { return static_cast<int>(body->boundary.triangles().size()); }
  /// Times are counted from the beginning of the step.
  Corners corners(int triangle, double s) const;
  Corners rates(int triangle) const;
  /// Around all that a triangle passes, its thickness not included.
  geometry::Box3 swept(int triangle, double from, double to) const;
  double fastest() const;
};

/// A solid or a triangle that moves.
class MovingObstacle {
 public:
  /// A solid of a rigid body, or a cell of one, whose step begins at t.
  MovingObstacle(const narrow::Solid& solid, const model::Body& body, const motion::BodyPath& path,
                 double t);
  MovingObstacle(const MovingSurface& surface, int triangle);

  /// Where it is; `memory` holds corners.
  Obstacle at(double s, Corners& memory) const;
  geometry::Box3 swept(double from, double to) const;
  /// A plane at rest, which has no box: up to which height it is solid.
  struct Ground {
    Vec3 normal;
    double height;
  };
  std::optional<Ground> ground() const;
  /// A point of it where the step begins; of a plane it says nothing.
  const Vec3& middle() const { return middle_; }
  /// How much nearer it can come to corners in the first h of the step, m.
  double closing(const Corners& start, const Corners& rates, double h) const;
  /// A lower bound of the gap to corners between two times, from a direction that separates.
  double bound(const Corners& start, const Corners& rates, const Vec3& n, double from,
               double to) const;

 private:
  double bend(double from, double to) const;
  double plane_bound(const Corners& start, const Corners& rates, double from, double to) const;

  const narrow::Solid* solid_ = nullptr;
  const model::Body* body_ = nullptr;
  const motion::BodyPath* path_ = nullptr;
  double t_ = 0;
  Vec3 middle_;
  std::optional<Obstacle> resting_;  // where it is, if it does not move
  double radius_ = 0;                // of the solid about the origin of the motion frame, m
  const MovingSurface* surface_ = nullptr;
  int triangle_ = 0;
};

inline Corners moved(const Corners& start, const Corners& rates, double s) {
  return {start[0] + s * rates[0], start[1] + s * rates[1], start[2] + s * rates[2]};
}

}  // namespace abut::clock
