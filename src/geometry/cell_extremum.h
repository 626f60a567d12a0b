#pragma once
// The normal along which the gap between two cells of normals is widest. Two atoms leave it two
// freedoms, a line and an atom one; two lines or a flat part leave none (extremal_normal.h).

#include <limits>

#include "abut/types.h"
#include "geometry/extremal_normal.h"
#include "geometry/placed_convex.h"

namespace abut::geometry {

struct CellExtremum {
  Extremum extremum;  ///< of single atoms of the cells
  NormalCell cell_a, cell_b;
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();  ///< nearest points within the cells
  /// The distance of the solids lies between these, m.
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  long iterations = 0;  ///< of Newton's method, of all attempts together

  bool is_known() const { return lower > -std::numeric_limits<double>::infinity(); }
};

/// From the normal `start`. Cells that have no normal in common leave the bounds infinite.
CellExtremum cell_extremum(const ConvexPair& pair, const NormalCell& cell_a,
                           const NormalCell& cell_b, const Vec3& start);

/// Of a normal that is given.
CellExtremum cell_extremum_at(const ConvexPair& pair, const NormalCell& cell_a,
                              const NormalCell& cell_b, const Vec3& normal);

}  // namespace abut::geometry
