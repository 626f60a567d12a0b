#include "lcp/body_elimination.h"

#include <Eigen/LU>

namespace abut::lcp {
namespace {

using SixByThree = Eigen::Matrix<double, 6, 3>;

std::vector<std::array<int, 2>> couplings_of(const ConeSystem& system) {
  std::vector<std::array<int, 2>> couplings;
  for (Index i = 0; i < system.block_count(); ++i) {
    const std::array<int, 2>& bodies = system.body_row(system.first_row(i)).bodies;
    if (bodies[0] >= 0 && bodies[1] >= 0) couplings.push_back(bodies);
  }
  return couplings;
}

// Of the rows of a block at one of its bodies.
struct RowsAtBody {
  int body;
  SixByThree along = SixByThree::Zero(), answers = SixByThree::Zero();
};

RowsAtBody rows_at_body(const ConeSystem& system, Index block, int side) {
  const Index first = system.first_row(block);
  RowsAtBody result{system.body_row(first).bodies[at(side)]};
  for (int k = 0; k < system.block(block).rows; ++k) {
    result.along.col(k) = system.body_row(first + k).along[at(side)];
    result.answers.col(k) = system.body_row(first + k).answers[at(side)];
  }
  return result;
}

}  // namespace

BodyElimination::BodyElimination(const ConeSystem& system)
    : system_(system), matrix_(system.body_count(), couplings_of(system)) {}

void BodyElimination::clear() {
  added_.clear();
  matrix_.clear();
  for (int i = 0; i < system_.body_count(); ++i) matrix_.at(i, i).setIdentity();
}

void BodyElimination::add(Index block, const PartMatrix& d, const PartMatrix& w) {
  PartMatrix inverse = PartMatrix::Zero();
  const int rows = system_.block(block).rows;
  inverse.topLeftCorner(rows, rows) = d.topLeftCorner(rows, rows).inverse();
  added_.push_back({block, inverse, inverse * w});
  const std::array<RowsAtBody, 2> sides = {rows_at_body(system_, block, 0),
                                           rows_at_body(system_, block, 1)};
  for (const RowsAtBody& on : sides) {
    if (on.body < 0) continue;
    const SixByThree given = on.answers * added_.back().k;
    for (const RowsAtBody& of : sides)
      if (of.body >= 0) matrix_.at(on.body, of.body) += given * of.along.transpose();
  }
}

void BodyElimination::solve(std::vector<Part>& r) const {
  std::vector<Motion> v(at(system_.body_count()), Motion::Zero());
  for (const Added& one : added_) {
    Part& alone = r[at(one.block)];
    alone = one.inverse * alone;
    for (const int side : {0, 1}) {
      const RowsAtBody on = rows_at_body(system_, one.block, side);
      if (on.body >= 0) v[at(on.body)] += on.answers * alone;
    }
  }
  matrix_.solve(v);
  for (const Added& one : added_) {
    Part motion = Part::Zero();
    for (const int side : {0, 1}) {
      const RowsAtBody on = rows_at_body(system_, one.block, side);
      if (on.body >= 0) motion += on.along.transpose() * v[at(on.body)];
    }
    r[at(one.block)] -= one.k * motion;
  }
}

}  // namespace abut::lcp
