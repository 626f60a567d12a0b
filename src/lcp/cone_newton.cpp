#include "lcp/cone_newton.h"

#include <Eigen/SparseLU>
#include <algorithm>
#include <array>
#include <cmath>

#include "base/limits.h"
#include "base/stop.h"
#include "lcp/cone_laws.h"
#include "math/dense.h"

namespace abut::lcp {
namespace {

// What is accepted if it does not get better: ill-conditioned rows amplify rounding errors.
constexpr double nearly_exact = 1e-11;

// The proximal term, of the diagonal, which is near 1. Dependent rows become regular; along null
// vectors, forces move by rounding errors divided by this, and with less they were seen to leave
// their modes again.
constexpr double proximity = 1e-7;
constexpr int most_centres = 8;

constexpr int newton_patience = 12;  // steps without a new least |F|
constexpr int most_newton_halvings = 10;

// |F| may rise above its last value, but not above the largest of the last few (Grippo, Lampariello
// and Lucidi, 1986): pieces make narrow bends that a falling |F| does not get around.
constexpr std::size_t memory = 4;

constexpr int most_polishing_steps = 4;
constexpr double worth_polishing = 1e-6;

// From where, and up to which part of entries that are not 0, sparse elimination is faster.
constexpr Index sparse_size = 150;
constexpr double sparse_density = 0.1;

// How often what a solution by way of bodies leaves is taken out: once, or twice where it lost more
// than half of its digits.
constexpr int most_corrections = 2;

bool is_held(Mode mode) {
  return mode == Mode::lower || mode == Mode::upper || mode == Mode::open;
}

}  // namespace

void ConeNewton::evaluate(State& state) const {
  system_.motion(state.z, state.w);
  if (alpha_ > 0) state.w += alpha_ * (state.z - centre_);
  state.f.resize(system_.size());
  for (Index i = 0; i < system_.block_count(); ++i) {
    system_.set_part(state.f, i,
                     law_value(system_.block(i), system_.part(state.z, i), system_.part(state.w, i),
                               system_.units(i)));
  }
  state.merit = state.f.squaredNorm();
}

double ConeNewton::scale(const Vector& z) const {
  return z.cwiseAbs().maxCoeff() + system_.largest_b();
}

bool ConeNewton::is_small(const State& state) const {
  return state.f.cwiseAbs().maxCoeff() <= 0.25 * exact * scale(state.z);
}

double ConeNewton::error(const Vector& z) {
  alpha_ = 0;
  trial_.z = z;
  evaluate(trial_);
  const double f = trial_.f.cwiseAbs().maxCoeff();
  return f == 0 ? 0 : f / scale(z);
}

std::vector<Mode> ConeNewton::modes(const Vector& z, double error) const {
  std::vector<Mode> modes;
  modes.reserve(static_cast<std::size_t>(system_.block_count()));
  const double noise = std::max(zero_motion, std::min(error, accepted)) * scale(z);
  for (Index i = 0; i < system_.block_count(); ++i) {
    const Part w = system_.motion(i, z);
    const Mode mode = mode_of(system_.block(i), system_.part(z, i), w, system_.units(i));
    const bool stands = mode == Mode::slip && w.tail<2>().norm() <= noise;
    modes.push_back(stands && system_.block(i).friction > 0 ? Mode::stick : mode);
  }
  return modes;
}

bool ConeNewton::settle(Vector& z, const std::vector<Mode>* modes, int most_steps) {
  State state{z, {}, {}, 0};
  double least = error(z);
  for (int k = 0; k < most_centres && least > exact; ++k) {
    alpha_ = proximity;
    centre_ = state.z;
    evaluate(state);
    const bool has_converged = run(state, modes, most_steps);
    modes = nullptr;
    const double now = error(state.z);
    const bool has_improved = now < 0.5 * least;
    if (now < least) {
      least = now;
      z = state.z;
    }
    if (!has_converged && most_steps == few_steps) break;
    if (!has_improved && (!has_converged || least <= nearly_exact)) break;
  }
  return least <= nearly_exact;
}

void ConeNewton::polish(Vector& z) {
  double least = error(z);
  for (int k = 0; k < most_polishing_steps && least > exact && least < worth_polishing; ++k) {
    State state{z, {}, {}, 0};
    evaluate(state);
    find_modes(state);
    find_laws(state);
    if (!find_direction(false)) return;
    const double now = error(z + direction_);
    if (!(now < 0.5 * least)) return;
    least = now;
    z += direction_;
  }
}

/// Newton's method with the proximal term alpha_ around centre_.
bool ConeNewton::run(State& state, const std::vector<Mode>* modes, int most_steps) {
  std::array<double, memory> recent;
  recent.fill(state.merit);
  double least = infinity;
  int stalled = 0;
  for (int k = 0; k < most_steps && stalled < newton_patience; ++k) {
    base::stop_if_wished();
    if (is_small(state)) return true;
    if (k == 0 && modes != nullptr) {
      modes_ = *modes;
    } else {
      find_modes(state);
    }
    find_laws(state);
    if (!find_direction(true)) return false;
    if (!step(state, *std::max_element(recent.begin(), recent.end()))) return false;
    recent[static_cast<std::size_t>(k) % memory] = state.merit;
    stalled = state.merit < 0.9 * least ? 0 : stalled + 1;
    least = std::min(least, state.merit);
  }
  return is_small(state);
}

/// The longest of the halved steps that keeps |F|^2 below what is allowed; or the best of them.
bool ConeNewton::step(State& state, double allowed_merit) {
  best_trial_.merit = infinity;
  double length = 1;
  for (int k = 0; k < most_newton_halvings; ++k, length /= 2) {
    trial_.z = state.z + length * direction_;
    evaluate(trial_);
    if (trial_.merit < best_trial_.merit) std::swap(trial_, best_trial_);
    if (best_trial_.merit <= (1 - sufficient_decrease * length) * allowed_merit) break;
  }
  if (best_trial_.merit == infinity) return false;
  std::swap(state, best_trial_);
  return true;
}

void ConeNewton::find_modes(const State& state) {
  modes_.clear();
  for (Index i = 0; i < system_.block_count(); ++i) {
    modes_.push_back(mode_of(system_.block(i), system_.part(state.z, i), system_.part(state.w, i),
                             system_.units(i)));
  }
}

void ConeNewton::find_laws(const State& state) {
  laws_.clear();
  for (Index i = 0; i < system_.block_count(); ++i) {
    laws_.push_back(law_of(system_.block(i), modes_[static_cast<std::size_t>(i)],
                           system_.part(state.z, i), system_.part(state.w, i), system_.units(i)));
  }
}

/// (F_z + F_w (A + alpha 1)) direction = -F. Blocks that are held move to where they are held; the
/// others follow from their own rows.
bool ConeNewton::find_direction(bool is_regular) {
  const Index count = system_.block_count();
  places_.assign(static_cast<std::size_t>(count), -1);
  direction_.setZero(system_.size());
  Index size = 0;
  for (Index i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (is_held(modes_[at])) {
      system_.set_part(direction_, i, -laws_[at].value);
    } else {
      places_[at] = size;
      size += system_.block(i).rows;
    }
  }
  ++solves_;
  if (size == 0) return true;
  Vector moved;
  if (!solve_free_blocks(size, is_regular, moved)) return false;
  for (Index i = 0; i < count; ++i) {
    const Index place = places_[static_cast<std::size_t>(i)];
    if (place < 0) continue;
    const int rows = system_.block(i).rows;
    direction_.segment(system_.first_row(i), rows) = moved.segment(place, rows);
  }
  return true;
}

/// Calls add(row, column, block, rows, columns) for the blocks of the matrix that are not 0.
template <typename Add>
void ConeNewton::for_free_blocks(Add add) const {
  for (Index i = 0; i < system_.block_count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (places_[at] < 0) continue;
    for (const Coupling& coupling : system_.couplings(i)) {
      const Index column = places_[static_cast<std::size_t>(coupling.column)];
      if (column < 0) continue;
      PartMatrix product = laws_[at].by_w * coupling.a;
      if (coupling.column == i) product += laws_[at].by_z + alpha_ * laws_[at].by_w;
      add(places_[at], column, product, system_.block(i).rows, system_.block(coupling.column).rows);
    }
  }
}

bool ConeNewton::solve_free_blocks(Index size, bool is_regular, Vector& moved) {
  right_.resize(size);
  Index entries = 0;
  for (Index i = 0; i < system_.block_count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (places_[at] < 0) continue;
    Part known = laws_[at].value;
    for (const Coupling& coupling : system_.couplings(i)) {
      const bool is_known = places_[static_cast<std::size_t>(coupling.column)] < 0;
      if (is_known)
        known += laws_[at].by_w * (coupling.a * system_.part(direction_, coupling.column));
      if (!is_known) entries += system_.block(i).rows * system_.block(coupling.column).rows;
    }
    put_part(right_, places_[at], system_.block(i).rows, -known);
  }
  if (is_regular && system_.knows_bodies()) return solve_by_bodies(moved);
  const double density = static_cast<double>(entries) / static_cast<double>(size * size);
  if (is_regular && size >= sparse_size && density < sparse_density) {
    std::vector<Eigen::Triplet<double>> triplets;
    triplets.reserve(static_cast<std::size_t>(entries));
    for_free_blocks([&](Index row, Index column, const PartMatrix& block, int rows, int columns) {
      for (int i = 0; i < rows; ++i) {
        for (int k = 0; k < columns; ++k) {
          triplets.emplace_back(static_cast<int>(row + i), static_cast<int>(column + k),
                                block(i, k));
        }
      }
    });
    Eigen::SparseMatrix<double> matrix(size, size);
    matrix.setFromTriplets(triplets.begin(), triplets.end());
    Eigen::SparseLU<Eigen::SparseMatrix<double>> factors(matrix);
    if (factors.info() != Eigen::Success) return false;
    moved = factors.solve(right_);
    return moved.allFinite();
  }
  Matrix matrix = Matrix::Zero(size, size);
  for_free_blocks([&](Index row, Index column, const PartMatrix& block, int rows, int columns) {
    matrix.block(row, column, rows, columns) = block.topLeftCorner(rows, columns);
  });
  if (is_regular) {
    moved = math::solve_in_place(matrix, right_);
  } else {
    moved = math::least_norm_solution(matrix, right_, dependence);
  }
  return moved.allFinite();
}

/// The solution loses about as many digits as the proximal term is small, and is found again for
/// what it leaves.
bool ConeNewton::solve_by_bodies(Vector& moved) {
  if (!bodies_) bodies_.emplace(system_);
  bodies_->clear();
  for (Index i = 0; i < system_.block_count(); ++i)
    if (places_[at(i)] >= 0)
      bodies_->add(i, laws_[at(i)].by_z + alpha_ * laws_[at(i)].by_w, laws_[at(i)].by_w);
  if (!bodies_->factorise()) return false;
  moved = solved_by_bodies(right_);
  const double enough = cancellation * right_.lpNorm<Eigen::Infinity>();
  for (int k = 0; k < most_corrections; ++k) {
    Vector left = right_;
    for_free_blocks([&](Index row, Index column, const PartMatrix& block, int rows, int columns) {
      left.segment(row, rows) -=
          block.topLeftCorner(rows, columns) * moved.segment(column, columns);
    });
    if (left.lpNorm<Eigen::Infinity>() <= enough) break;
    moved += solved_by_bodies(left);
  }
  return moved.allFinite();
}

Vector ConeNewton::solved_by_bodies(const Vector& right) const {
  std::vector<Part> parts(at(system_.block_count()), Part::Zero());
  for (Index i = 0; i < system_.block_count(); ++i)
    if (places_[at(i)] >= 0) parts[at(i)] = part_at(right, places_[at(i)], system_.block(i).rows);
  bodies_->solve(parts);
  Vector solution(right.size());
  for (Index i = 0; i < system_.block_count(); ++i)
    if (places_[at(i)] >= 0)
      put_part(solution, places_[at(i)], system_.block(i).rows, parts[at(i)]);
  return solution;
}

}  // namespace abut::lcp
