#pragma once
// Volume, centre of mass and inertia of every shape.

#include <vector>

#include "abut/types.h"
#include "shape/shape.h"

namespace abut::shape {

/// Mass properties in some frame.
struct Moments {
  double volume = 0;            ///< m^3
  double mass = 0;              ///< kg
  Vec3 centre = Vec3::Zero();   ///< centre of mass
  Mat3 inertia = Mat3::Zero();  ///< about the centre of mass, along the frame's axes, kg m^2
};

/// Of one bounded shape with uniform density, in the shape's own frame.
/// Precondition: !is_unbounded(geometry).
Moments moments_of(const Geometry& geometry, double density);

/// The same solid seen from the frame in which it has the pose `pose`.
Moments transformed(const Moments& moments, const Pose& pose);

/// Of several solids together, by the parallel-axis theorem; masses add part by part.
Moments combined(const std::vector<Moments>& moments);

/// Of a whole body in its body frame. Precondition: no part is unbounded.
Moments moments_of(const std::vector<Part>& parts);

/// The same distribution of mass, scaled to another total.
inline Moments scaled_to_mass(Moments moments, double mass) {
  moments.inertia *= mass / moments.mass;
  moments.mass = mass;
  return moments;
}

/// Principal axes of a symmetric matrix: inertia = R diag(moments) R^T with R = axes.
/// An already diagonal matrix gives the identity, so that the axes of a box are its own.
struct PrincipalAxes {
  Vec3 moments = Vec3::Zero();
  Quat axes = Quat::Identity();
};
PrincipalAxes principal_axes(const Mat3& inertia);

}  // namespace abut::shape
