#pragma once
// The frame that the surroundings of a material point p carry: at x(p), turned by the polar
// rotation R of F there. Joints hold it, and forces and torques act on the columns through it.
//
// With g_k the gradient of Z_k at p and G as in polar.h, its angular velocity is
//     w = R G (sum_k g_k x R^T r_k'),
// so a torque t acts on the column k as (R G R^T t) x R g_k. The moments of these forces about any
// point add up to t, and they themselves to nothing.

#include <vector>

#include "flexible/bending_body.h"

namespace abut::flexible {

/// Z(p) as weights on columns; of a sheet, those of the point of it that is nearest to p.
std::vector<ColumnWeight> weights_at(const BendingBody& body, const Vec3& p);

class MaterialFrame {
 public:
  /// p in body frame coordinates of the body at rest. Of a sheet it is the point of it nearest to
  /// p, whose frame never turns and takes no torque.
  MaterialFrame(const BendingBody& body, const Columns& columns, const Vec3& p);

  const Vec3& place() const { return place_; }
  const Mat3& rotation() const { return rotation_; }
  const std::vector<ColumnWeight>& weights() const { return weights_; }
  /// The body frame of a rigid body that has this frame at p.
  Pose body_frame() const;

  Vec3 velocity(const Columns& rates) const { return combined(weights_, rates); }
  Vec3 angular_velocity(const Columns& rates) const;
  /// Adds the generalised force of a force at the point, and of a torque.
  void add(const Vec3& force, const Vec3& torque, Columns& generalised) const;

 private:
  Vec3 material_, place_;
  Mat3 rotation_ = Mat3::Identity();
  Mat3 turning_ = Mat3::Zero();  // R G R^T
  Columns gradients_;            // R g_k; none of a sheet
  std::vector<ColumnWeight> weights_;
};

}  // namespace abut::flexible
