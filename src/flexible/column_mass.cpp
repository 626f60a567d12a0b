#include "flexible/column_mass.h"

#include <utility>

namespace abut::flexible {

ColumnMass::ColumnMass(Matrix dense, Matrix inverse, Vector one)
    : dense_(std::move(dense)), inverse_(std::move(inverse)), one_(std::move(one)) {
  share_ = dense_ * one_;
  total_ = one_.dot(share_);
}

ColumnMass::ColumnMass(Vector diagonal)
    : diagonal_(std::move(diagonal)), one_(Vector::Ones(diagonal_.size())) {
  share_ = diagonal_;
  total_ = diagonal_.sum();
}

double ColumnMass::operator()(int k, int l) const {
  if (!is_diagonal()) return dense_(k, l);
  return k == l ? diagonal_[k] : 0;
}

double ColumnMass::inverse(int k, int l) const {
  if (!is_diagonal()) return inverse_(k, l);
  return k == l ? 1 / diagonal_[k] : 0;
}

Columns ColumnMass::times(const Columns& rates) const {
  if (is_diagonal()) return rates * diagonal_.asDiagonal();
  return rates * dense_;
}

Columns ColumnMass::divided(const Columns& forces) const {
  if (is_diagonal()) return forces * diagonal_.cwiseInverse().asDiagonal();
  return forces * inverse_;
}

double ColumnMass::mobility(Weights a, Weights b) const {
  double sum = 0;
  for (const ColumnWeight& p : a)
    for (const ColumnWeight& q : b) sum += p.weight * q.weight * inverse(p.column, q.column);
  return sum;
}

double ColumnMass::kinetic_energy(const Columns& rates) const {
  return 0.5 * rates.cwiseProduct(times(rates)).sum();
}

Vec3 ColumnMass::centre(const Columns& columns) const {
  return momentum(columns) / total_;
}

Vec3 ColumnMass::momentum(const Columns& rates) const {
  return rates * share_;
}

// int rho x x x' = sum_kl m_kl r_k x r'_l.
Vec3 ColumnMass::angular_momentum(const State& state) const {
  const Columns momenta = times(state.rates);
  Vec3 sum = Vec3::Zero();
  for (int k = 0; k < columns(); ++k) {
    const Vec3 place = state.columns.col(k), momentum_of = momenta.col(k);
    sum += place.cross(momentum_of);
  }
  return sum;
}

}  // namespace abut::flexible
