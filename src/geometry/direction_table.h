#pragma once
// Directions in cells: the six faces of a cube, each cut into squares.
//
// A table over directions is even for a round solid only. Since the support function of an affine
// image L C is h(m) = h_C(L^T m), directions are stretched by the transpose of a matrix L that
// makes the solid from a roundish one before they are looked up.

#include <cstddef>

#include "abut/types.h"

namespace abut::geometry {

class DirectionTable {
 public:
  static constexpr int cells_per_edge = 12;
  static constexpr std::size_t size = 6 * cells_per_edge * cells_per_edge;

  DirectionTable() = default;
  explicit DirectionTable(const Mat3& stretch);

  std::size_t cell_of(const Vec3& direction) const;
  /// Unit.
  Vec3 middle_of(std::size_t cell) const;

 private:
  Mat3 transpose_ = Mat3::Identity();
  Mat3 inverse_transpose_ = Mat3::Identity();
};

}  // namespace abut::geometry
