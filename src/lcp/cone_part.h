#pragma once
// The unknowns of one block of a cone problem, out of the vector of all and back.

#include <Eigen/Core>

namespace abut::lcp {

/// A block's part of z, w or F: its leading rows; the others are 0.
using Part = Eigen::Vector3d;
using PartMatrix = Eigen::Matrix3d;

// Number by number: copied through Eigen's `head`, three numbers look to g++ like a packet of four,
// and it warns of writing past their end.

inline Part part_at(const Eigen::VectorXd& v, Eigen::Index first, int rows) {
  const double* from = v.data() + first;
  return {from[0], rows > 1 ? from[1] : 0, rows > 2 ? from[2] : 0};
}

inline void put_part(Eigen::VectorXd& v, Eigen::Index first, int rows, const Part& part) {
  double* to = v.data() + first;
  for (int k = 0; k < rows; ++k) to[k] = part[k];
}

}  // namespace abut::lcp
