#pragma once
// A box that contains a body throughout an interval of its path.

#include <vector>

#include "geometry/aabb.h"
#include "motion/path.h"
#include "shape/shape.h"

namespace abut::motion {

/// How far a body's parts reach, as its motion frame carries them. Made once per body.
class Outline {
 public:
  /// `motion_frame` is given in the body frame: body::Mass::central for a dynamic body, the
  /// identity for a fixed or scripted one.
  explicit Outline(const std::vector<shape::Part>& parts, const Pose& motion_frame = {});

  /// A rigorous box for [from, to] within the path's interval: it contains every point of every
  /// part at every instant, rounding included. Empty for a body without parts.
  geometry::Aabb swept_box(const BodyPath& path, double from, double to) const;

 private:
  /// A part lies within a box that turns with it, within a ball about that box's centre, and within
  /// a ball about the origin of the motion frame.
  struct BoundedPart {
    Vec3 centre = Vec3::Zero();  // of the box, in the motion frame
    Mat3 axes = Mat3::Identity();
    Vec3 half = Vec3::Zero();
    double radius = 0;  // about the centre
    double reach = 0;   // about the origin
  };
  /// The points with normal . x <= offset, in the motion frame.
  struct HalfSpace {
    Vec3 normal = Vec3::UnitZ();
    double offset = 0;
  };

  void add(const shape::Part& part, const Pose& motion_frame);
  static geometry::Aabb turning_box(const BoundedPart& part, const Mat3& middle, double angle);

  std::vector<BoundedPart> parts_;
  std::vector<HalfSpace> half_spaces_;
  bool is_everywhere_ = false;  // an inverted part
  double scale_ = 0;            // largest length among the numbers above, for rounding
};

}  // namespace abut::motion
