#pragma once
// To what impulses and velocities are found, relative to those that occur (dimensionless).

namespace abut::impulse {

/// Of one contact, in closed form or along a curve: of directions, works and approaches.
inline constexpr double accuracy_of_one = 1e-13;

/// Of contacts and joints together: a digit is lost by solving for the joints.
inline constexpr double accuracy_of_many = 1e-12;

}  // namespace abut::impulse
