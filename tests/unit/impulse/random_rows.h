#pragma once
// Random rows over random bodies, and the dense algebra they stand for.

#include <random>
#include <vector>

#include "impulse/row_system.h"
#include "math/rotation.h"

namespace abut::test {

class RandomRows {
 public:
  explicit RandomRows(std::uint64_t seed) : engine_(seed) {}

  int whole(int from, int to) { return std::uniform_int_distribution<int>(from, to)(engine_); }
  double number(double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(engine_);
  }
  double normal() { return std::normal_distribution<double>()(engine_); }
  Vec3 vector(double size = 1) { return size * Vec3(normal(), normal(), normal()); }
  impulse::Vector numbers(int size) {
    return impulse::Vector::NullaryExpr(size, [&] { return normal(); });
  }

  std::vector<impulse::Inertia> inertias(int bodies) {
    std::vector<impulse::Inertia> all;
    for (int i = 0; i < bodies; ++i) {
      body::Mass mass;
      mass.mass = std::pow(10, number(-1, 1));
      mass.principal = mass.mass * Vec3(number(0.1, 1), number(0.1, 1), number(0.1, 1));
      all.push_back(impulse::Inertia::of(mass, math::rotation_exp(vector())));
    }
    return all;
  }

  /// Between two bodies, or a body and what does not yield.
  impulse::SystemRow row(int bodies) {
    impulse::SystemRow row;
    row.slots = {whole(0, bodies - 1), whole(-1, bodies - 1)};
    if (row.slots[1] == row.slots[0]) row.slots[1] = impulse::immovable;
    if (whole(0, 1) == 1) std::swap(row.slots[0], row.slots[1]);
    for (body::RowSide& side : row.row.sides) side = {vector(), vector()};
    row.row.rate = normal();
    return row;
  }
  std::vector<impulse::SystemRow> rows(int count, int bodies) {
    std::vector<impulse::SystemRow> all;
    for (int i = 0; i < count; ++i) all.push_back(row(bodies));
    return all;
  }

 private:
  std::mt19937_64 engine_;
};

/// J, six columns for each body: linear, then angular.
inline impulse::Matrix dense_rows(const std::vector<impulse::SystemRow>& rows, int bodies) {
  impulse::Matrix j = impulse::Matrix::Zero(static_cast<int>(rows.size()), 6 * bodies);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (int side = 0; side < 2; ++side) {
      const int slot = rows[i].slots[side];
      if (slot == impulse::immovable) continue;
      j.block<1, 3>(static_cast<int>(i), 6 * slot) += rows[i].row.sides[side].linear.transpose();
      j.block<1, 3>(static_cast<int>(i), 6 * slot + 3) +=
          rows[i].row.sides[side].angular.transpose();
    }
  return j;
}

/// M^-1.
inline impulse::Matrix dense_inverse_mass(const std::vector<impulse::Inertia>& inertias) {
  const int bodies = static_cast<int>(inertias.size());
  impulse::Matrix w = impulse::Matrix::Zero(6 * bodies, 6 * bodies);
  for (int i = 0; i < bodies; ++i) {
    w.block<3, 3>(6 * i, 6 * i) = inertias[i].inverse_mass * Mat3::Identity();
    w.block<3, 3>(6 * i + 3, 6 * i + 3) = inertias[i].inverse_inertia;
  }
  return w;
}

inline impulse::Vector stacked(const std::vector<impulse::Twist>& twists) {
  impulse::Vector all(6 * static_cast<int>(twists.size()));
  for (std::size_t i = 0; i < twists.size(); ++i)
    all.segment<6>(6 * static_cast<int>(i)) << twists[i].linear, twists[i].angular;
  return all;
}

}  // namespace abut::test
