#include "flexible/spring_elasticity.h"

#include <algorithm>
#include <utility>

namespace abut::flexible {
namespace {

/// From a to b: unit direction and length; no direction where the nodes meet.
struct Stretched {
  Vec3 direction = Vec3::Zero();
  double length = 0;
};

Stretched stretched(const Spring& spring, const Columns& columns) {
  const Vec3 d = columns.col(spring.b) - columns.col(spring.a);
  const double length = d.norm();
  if (length == 0) return {};
  return {d / length, length};
}

double lengthening(const Spring& spring, const State& state) {
  return stretched(spring, state.columns)
      .direction.dot(state.rates.col(spring.b) - state.rates.col(spring.a));
}

// k (u u^T + (1 - L/l) (1 - u u^T)): a spring shorter than at rest pushes its ends aside.
Mat3 stiffness_of(const Spring& spring, const Stretched& now, bool convex) {
  const auto& [u, length] = now;
  double across = length > 0 ? 1 - spring.length / length : 0;
  if (convex) across = std::max(across, 0.0);
  Mat3 block = spring.stiffness * (1 - across) * u * u.transpose();
  block.diagonal().array() += spring.stiffness * across;
  return block;
}

void pull_together(const Spring& spring, const Vec3& pull, Columns& force) {
  force.col(spring.a) += pull;
  force.col(spring.b) -= pull;
}

}  // namespace

SpringElasticity::SpringElasticity(int columns, std::vector<Spring> springs)
    : springs_(std::move(springs)) {
  for (int k = 0; k < columns; ++k) pairs_.push_back({k, k});
  for (Spring& spring : springs_) {
    if (spring.a > spring.b) std::swap(spring.a, spring.b);
    pairs_.push_back({spring.a, spring.b});
  }
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  const auto place = [this](int a, int b) {
    const auto found = std::lower_bound(pairs_.begin(), pairs_.end(), ColumnPair{a, b});
    return static_cast<int>(found - pairs_.begin());
  };
  for (const Spring& s : springs_)
    places_.push_back({place(s.a, s.a), place(s.b, s.b), place(s.a, s.b)});
}

double SpringElasticity::energy(const Columns& columns) const {
  double sum = 0;
  for (const Spring& spring : springs_) {
    const double change = stretched(spring, columns).length - spring.length;
    sum += 0.5 * spring.stiffness * change * change;
  }
  return sum;
}

void SpringElasticity::add_force(const Columns& columns, Columns& force) const {
  for (const Spring& spring : springs_) {
    const auto [direction, length] = stretched(spring, columns);
    pull_together(spring, spring.stiffness * (length - spring.length) * direction, force);
  }
}

// With d the vector half-way, l1^2 - l0^2 = 2 d . (d1 - d0), so that
//     W1 - W0 = k (l1 - l0) ((l0 + l1)/2 - L) = [2 k ((l0 + l1)/2 - L)/(l0 + l1) d] . (d1 - d0).
void SpringElasticity::add_mean_force(const Columns& from, const Columns& to,
                                      Columns& force) const {
  for (const Spring& spring : springs_) {
    const Vec3 d0 = from.col(spring.b) - from.col(spring.a);
    const Vec3 d1 = to.col(spring.b) - to.col(spring.a);
    const double lengths = d0.norm() + d1.norm();
    if (lengths == 0) continue;
    const double factor = spring.stiffness * (lengths - 2 * spring.length) / lengths;
    pull_together(spring, 0.5 * factor * (d0 + d1), force);
  }
}

void SpringElasticity::add_block(std::size_t spring, const Mat3& block, Blocks& blocks) const {
  const auto [aa, bb, ab] = places_[spring];
  blocks[static_cast<std::size_t>(aa)] += block;
  blocks[static_cast<std::size_t>(bb)] += block;
  blocks[static_cast<std::size_t>(ab)] -= block;
}

template <class BlockOf>
void SpringElasticity::gather(Blocks& blocks, const BlockOf& block_of) const {
  blocks.assign(pairs_.size(), Mat3::Zero());
  for (std::size_t s = 0; s < springs_.size(); ++s) add_block(s, block_of(springs_[s]), blocks);
}

void SpringElasticity::stiffness(const Columns& columns, Blocks& blocks, bool convex) const {
  gather(blocks, [&](const Spring& spring) -> Mat3 {
    return stiffness_of(spring, stretched(spring, columns), convex);
  });
}

void SpringElasticity::step_blocks(const Columns& columns, double stiff, double damp, Blocks& k,
                                   Blocks& sum) const {
  k.assign(pairs_.size(), Mat3::Zero());
  sum.assign(pairs_.size(), Mat3::Zero());
  for (std::size_t s = 0; s < springs_.size(); ++s) {
    const Stretched now = stretched(springs_[s], columns);
    const Mat3 block = stiffness_of(springs_[s], now, true);
    const Mat3 along = now.direction * now.direction.transpose();
    add_block(s, block, k);
    add_block(s, stiff * block + damp * springs_[s].damping * along, sum);
  }
}

void SpringElasticity::add_damping(const State& state, Columns& force) const {
  for (const Spring& spring : springs_) {
    const Vec3 direction = stretched(spring, state.columns).direction;
    pull_together(spring, spring.damping * lengthening(spring, state) * direction, force);
  }
}

void SpringElasticity::damping(const Columns& columns, Blocks& blocks) const {
  gather(blocks, [&](const Spring& spring) -> Mat3 {
    const Vec3 u = stretched(spring, columns).direction;
    return spring.damping * u * u.transpose();
  });
}

double SpringElasticity::dissipation(const State& state) const {
  double sum = 0;
  for (const Spring& spring : springs_) {
    const double rate = lengthening(spring, state);
    sum += spring.damping * rate * rate;
  }
  return sum;
}

}  // namespace abut::flexible
