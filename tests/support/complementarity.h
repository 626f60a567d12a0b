#pragma once
// Complementarity problems for tests and benchmarks: random ones, and walls of bricks.

#include <Eigen/Core>
#include <limits>
#include <random>

#include "lcp/lcp.h"

namespace abut::test {

constexpr double infinite = std::numeric_limits<double>::infinity();

class RandomProblems {
 public:
  explicit RandomProblems(std::uint64_t seed) : random_(seed) {}

  int whole(int lower, int upper) {
    return std::uniform_int_distribution<int>(lower, upper)(random_);
  }
  double normal() { return std::normal_distribution<double>()(random_); }
  lcp::Matrix matrix(Eigen::Index rows, Eigen::Index columns);
  lcp::Vector vector(Eigen::Index size);

  /// J M^-1 J^T with `freedoms` columns in J; b = J a. Contacts without friction look like this: b
  /// is in the range of A, so there is a solution. Units of rows differ by up to six orders of
  /// magnitude, masses by four.
  lcp::Problem contacts(Eigen::Index n, Eigen::Index freedoms);

  /// Small whole numbers, so that ties, zeros and dependent rows are exact and frequent.
  lcp::Problem degenerate(Eigen::Index n, Eigen::Index freedoms);

  /// Turns some rows into equalities, boxes, upper bounds and fixed unknowns.
  void mix_bounds(lcp::Problem& problem);

 private:
  std::mt19937_64 random_;
};

/// A wall in running bond on a floor: every brick rests on two halves below, each half touching at
/// the four corners of a rectangle, and leans on its neighbours at four corners. There are more
/// contacts than freedoms, and the wall stands: all accelerations are zero. Turning the wall and
/// gravity with it changes nothing but rounding errors, which take the place of zeros.
lcp::Problem brick_wall(int bricks_per_course, int courses,
                        const Eigen::Matrix3d& turn = Eigen::Matrix3d::Identity());

}  // namespace abut::test
