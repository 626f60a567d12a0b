#pragma once
// The force laws of a scene evaluated on recorded states, written again from their definitions.

#include <vector>

#include "model/model.h"
#include "record/frame.h"

namespace abut::verify {

/// Force on a body and torque about its centre of mass, and the sums of the magnitudes that went
/// into them, against which a remainder is judged.
struct Load {
  Vec3 force = Vec3::Zero();   ///< N
  Vec3 torque = Vec3::Zero();  ///< N m
  double force_scale = 0;
  double torque_scale = 0;
  double rounding = 0;  ///< of terms that cancel in the force, N

  void add(const Vec3& added_force, const Vec3& arm, const Vec3& couple = Vec3::Zero());
};

/// Gravity, springs, drag and constant forces on every body of the model.
std::vector<Load> applied_loads(const model::Model& model, const record::Frame& frame);

/// Of gravity and constant forces on dynamic bodies, zero at the world origin; and the sum of the
/// magnitudes of its terms.
struct Potential {
  double energy = 0;  ///< J
  double scale = 0;   ///< J
};
Potential potential_energy(const model::Model& model, const record::Frame& frame);

/// In springs that pull on a dynamic body.
double elastic_energy(const model::Model& model, const record::Frame& frame);

}  // namespace abut::verify
