#pragma once
// Second moments of the shapes that have closed forms.

#include "shape/second_moments.h"
#include "shape/shape.h"

namespace abut::shape {

SecondMoments second_moments_of(const Sphere& sphere);
SecondMoments second_moments_of(const Ellipsoid& ellipsoid);
SecondMoments second_moments_of(const Superellipsoid& superellipsoid);
SecondMoments second_moments_of(const Capsule& capsule);
SecondMoments second_moments_of(const Cylinder& cylinder);
SecondMoments second_moments_of(const Cone& cone);
SecondMoments second_moments_of(const Torus& torus);
SecondMoments second_moments_of(const Box& box);

}  // namespace abut::shape
