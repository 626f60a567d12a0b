#pragma once
// The state of a free rigid body and what follows from it.
//
// The rotational state is the attitude q of the central frame and the angular momentum L in world
// axes. L rather than omega: without torque L' = 0 is integrated without any error, as v is in
// translation, and omega = R I^-1 R^T L follows from the attitude.

#include "abut/types.h"
#include "body/mass.h"

namespace abut::body {

struct RigidState {
  Vec3 centre = Vec3::Zero();            ///< centre of mass
  Quat attitude = Quat::Identity();      ///< of the central frame
  Vec3 velocity = Vec3::Zero();          ///< of the centre of mass
  Vec3 angular_momentum = Vec3::Zero();  ///< about the centre of mass, world axes
};

/// R I^-1 R^T L. The attitude need not have exactly unit length.
Vec3 angular_velocity(const Mass& mass, const Quat& attitude, const Vec3& angular_momentum);

/// R I R^T omega.
Vec3 angular_momentum(const Mass& mass, const Quat& attitude, const Vec3& angular_velocity);

/// I^-1 (torque - omega x L), in world axes: Euler's equation.
Vec3 angular_acceleration(const Mass& mass, const Quat& attitude, const Vec3& angular_momentum,
                          const Vec3& torque);

double rotational_energy(const Mass& mass, const Quat& attitude, const Vec3& angular_momentum);
double kinetic_energy(const Mass& mass, const RigidState& state);

}  // namespace abut::body
