#pragma once
// One sweep of Gauss and Seidel on the problem as it is given: every block solved alone, with the
// forces of those before it. Blocks that are not coupled, or only to contacts that open, are then
// done, which is all that small problems need, at a tenth of the cost of preparing for more.

#include "lcp/cone_problem.h"
#include "lcp/one_contact.h"

namespace abut::lcp {

/// The rows of block i as one system: its own part of A, and b with the forces of the other blocks.
inline void gather(const Matrix& a, const Vector& z, Eigen::Index first, int rows, PartMatrix& own,
                   Part& q) {
  for (int i = 0; i < rows; ++i) {
    const Eigen::Index row = first + i;
    // Later blocks have no force yet.
    q[i] += a.row(row).head(first).dot(z.head(first));
    for (int k = 0; k < rows; ++k) own(i, k) = a(row, first + k);
  }
}

inline void gather(const SparseMatrix& a, const Vector& z, Eigen::Index first, int rows,
                   PartMatrix& own, Part& q) {
  for (int i = 0; i < rows; ++i) {
    for (SparseMatrix::InnerIterator entry(a, first + i); entry; ++entry) {
      const Eigen::Index column = entry.col();
      if (column >= first + rows) break;
      if (column < first) {
        q[i] += entry.value() * z[column];
      } else {
        own(i, column - first) = entry.value();
      }
    }
  }
}

template <typename AnyProblem>
Vector first_guess(const AnyProblem& problem) {
  Vector z = Vector::Zero(problem.size());
  Eigen::Index first = 0;
  for (const ConeBlock& block : problem.blocks) {
    PartMatrix own = PartMatrix::Zero();
    Part q = Part::Zero(), force;
    for (int i = 0; i < block.rows; ++i) q[i] = problem.b[first + i];
    gather(problem.a, z, first, block.rows, own, q);
    solve_alone(block, own, q, Part::Zero(), force);
    for (int i = 0; i < block.rows; ++i) z[first + i] = force[i];
    first += block.rows;
  }
  return z;
}

}  // namespace abut::lcp
