#pragma once
// Signed areas and volumes of points as exact fractions: by how much a predicate of
// exact_predicates.h is not zero. Included by .cpp files only.

#include <gmpxx.h>

#include <array>

#include "geometry/exact_predicates.h"

namespace abut::geometry {

using Fraction = mpq_class;
using FractionPoint = std::array<Fraction, 3>;

FractionPoint exact_point(const Vec3& p);
Vec3 rounded(const FractionPoint& p);

/// (b - a) x (c - a): twice the signed area of a triangle.
Fraction exact_area(const Vec2& a, const Vec2& b, const Vec2& c);

/// (b - a) . ((c - a) x (d - a)): six times the signed volume of a tetrahedron.
Fraction exact_volume(const FractionPoint& a, const FractionPoint& b, const FractionPoint& c,
                      const FractionPoint& d);
Fraction exact_volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// p + t (q - p)
FractionPoint exact_between(const Vec3& p, const Vec3& q, const Fraction& t);

}  // namespace abut::geometry
