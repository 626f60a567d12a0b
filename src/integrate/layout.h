#pragma once
// Where things stand in the state vector of an island.
//
//   for each body:  centre (3), attitude x y z w (4), velocity (3), angular momentum (3)
//   then, where forces besides gravity act, the running balance (9):
//                   dissipated energy, that by friction, work, external impulse (3), external
//                   angular impulse (3)
// The balance is not needed for the motion. It is integrated beside it so that energy and momentum
// can be audited.

#include <algorithm>

#include "body/rigid.h"
#include "ode/system.h"

namespace abut::integrate {

inline constexpr int body_size = 13;
inline constexpr int balance_size = 9;

/// Energy and momentum that entered an island, or the rates at which they do.
struct Balance {
  double dissipated = 0;                ///< J
  double rubbed = 0;                    ///< J, of what is dissipated the part by friction
  double work = 0;                      ///< J
  Vec3 impulse = Vec3::Zero();          ///< N s, of external forces
  Vec3 angular_impulse = Vec3::Zero();  ///< N m s, about the world origin

  Balance& operator+=(const Balance& other) {
    dissipated += other.dissipated;
    rubbed += other.rubbed;
    work += other.work;
    impulse += other.impulse;
    angular_impulse += other.angular_impulse;
    return *this;
  }
};

/// Momentum of an island, and the sums of the magnitudes it is made of, to judge errors by.
struct Momentum {
  Vec3 linear = Vec3::Zero();
  Vec3 angular = Vec3::Zero();  ///< about the world origin
  double linear_scale = 0;
  double angular_scale = 0;
  double reach = 0;  ///< largest distance of a centre of mass from the world origin, m

  Momentum& operator+=(const Momentum& other) {
    linear += other.linear;
    angular += other.angular;
    linear_scale += other.linear_scale;
    angular_scale += other.angular_scale;
    reach = std::max(reach, other.reach);
    return *this;
  }
};

/// Of one body.
inline Momentum momentum_of(const body::Mass& mass, const body::RigidState& state) {
  const Vec3 linear = mass.mass * state.velocity;
  const Vec3 orbital = state.centre.cross(linear);
  return {linear, orbital + state.angular_momentum, linear.norm(),
          orbital.norm() + state.angular_momentum.norm(), state.centre.norm()};
}

inline body::RigidState body_in(const ode::Vector& y, int slot) {
  const double* x = y.data() + body_size * slot;
  body::RigidState state;
  state.centre = Vec3(x[0], x[1], x[2]);
  state.attitude = Quat(x[6], x[3], x[4], x[5]);
  state.velocity = Vec3(x[7], x[8], x[9]);
  state.angular_momentum = Vec3(x[10], x[11], x[12]);
  return state;
}

inline void put_body(const body::RigidState& state, int slot, ode::Vector& y) {
  auto x = y.segment<body_size>(body_size * slot);
  x << state.centre, state.attitude.coeffs(), state.velocity, state.angular_momentum;
}

inline Balance balance_in(const ode::Vector& y, int bodies) {
  const double* x = y.data() + body_size * bodies;
  return {x[0], x[1], x[2], Vec3(x[3], x[4], x[5]), Vec3(x[6], x[7], x[8])};
}

inline void put_balance(const Balance& balance, int bodies, ode::Vector& y) {
  auto x = y.segment<balance_size>(body_size * bodies);
  x << balance.dissipated, balance.rubbed, balance.work, balance.impulse, balance.angular_impulse;
}

}  // namespace abut::integrate
