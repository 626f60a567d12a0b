#pragma once
// What a segment has in common with a triangle, decided exactly.

#include <array>
#include <cstdint>

#include "geometry/exact_fraction.h"

namespace abut::geometry {

/// A corner, an open side (from corner i to i + 1) or the open inside of a triangle.
enum class TrianglePart : std::uint8_t { corner, side, inside };

/// A place of the segment on the triangle.
struct TrianglePlace {
  TrianglePart part = TrianglePart::inside;
  int index = 0;  ///< which corner or side; 0 for the inside
  Fraction t;     ///< 0 at the segment's first end, 1 at its second
};

/// Nothing, one place, or all between two places.
struct TrianglePassage {
  int count = 0;
  std::array<TrianglePlace, 2> places;  ///< the first `count`, in no order
  /// Of two places: the open side or the inside that holds what is between.
  TrianglePart between = TrianglePart::inside;
  int between_side = 0;
  int before = 0;  ///< the sign of the first end's height above the plane: 1 is outward
  int after = 0;   ///< of the second end's
};

/// Precondition: p != q, the triangle is not degenerate.
TrianglePassage passage_through(const Vec3& p, const Vec3& q, const Triangle& triangle);

/// The part of a closed triangle that a point is on. Precondition: it is in the triangle's plane.
struct PartOfTriangle {
  bool is_on = false;
  TrianglePart part = TrianglePart::inside;
  int index = 0;
};
PartOfTriangle part_at(const Vec3& p, const Triangle& triangle);

}  // namespace abut::geometry
