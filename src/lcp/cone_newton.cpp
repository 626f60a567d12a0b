#include "lcp/cone_newton.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace abut::lcp {
namespace {

constexpr int most_halvings = 12;
constexpr double sufficient_decrease = 1e-4;

bool is_held(Mode mode) {
  return mode == Mode::lower || mode == Mode::upper || mode == Mode::open;
}

}  // namespace

ConeNewton::ConeNewton(const ConeSystem& system) : system_(system) {}

Vector ConeNewton::laws(const Vector& z, double alpha, const Vector& centre, Vector& w) const {
  w = system_.motion(z) + alpha * (z - centre);
  Vector f(system_.size());
  for (Index i = 0; i < system_.block_count(); ++i) {
    system_.set_part(
        f, i,
        law_value(system_.block(i), system_.part(z, i), system_.part(w, i), system_.units(i)));
  }
  return f;
}

double ConeNewton::error(const Vector& z) const {
  Vector w;
  const double f = laws(z, 0, z, w).cwiseAbs().maxCoeff();
  const double scale = z.cwiseAbs().maxCoeff() + system_.b().cwiseAbs().maxCoeff();
  return f == 0 ? 0 : f / scale;
}

std::vector<Mode> ConeNewton::modes(const Vector& z) const {
  std::vector<Mode> modes;
  for (Index i = 0; i < system_.block_count(); ++i) {
    modes.push_back(
        mode_of(system_.block(i), system_.part(z, i), system_.motion(i, z), system_.units(i)));
  }
  return modes;
}

bool ConeNewton::run(Vector& z, double alpha, const Vector& centre, const Limits& limits,
                     const std::vector<Mode>* modes) {
  Vector w, step, trial, trial_w;
  Vector f = laws(z, alpha, centre, w);
  double merit = f.squaredNorm();
  std::vector<Mode> pieces;
  double recent[4] = {merit, merit, merit, merit};
  for (int k = 0; k < limits.steps; ++k) {
    const double scale = z.cwiseAbs().maxCoeff() + system_.b().cwiseAbs().maxCoeff();
    if (f.cwiseAbs().maxCoeff() <= limits.small * scale) return true;
    if (k == 0 && modes != nullptr) {
      pieces = *modes;
    } else {
      pieces.clear();
      for (Index i = 0; i < system_.block_count(); ++i) {
        pieces.push_back(
            mode_of(system_.block(i), system_.part(z, i), system_.part(w, i), system_.units(i)));
      }
    }
    if (!direction(z, w, alpha, pieces, step)) return false;
    double length = 1;
    const double allowed = *std::max_element(recent, recent + 4);
    Vector best_z, best_w, best_f;
    double best = std::numeric_limits<double>::infinity();
    for (int h = 0; h < most_halvings; ++h, length /= 2) {
      trial = z + length * step;
      Vector trial_f = laws(trial, alpha, centre, trial_w);
      const double trial_merit = trial_f.squaredNorm();
      if (trial_merit < best) {
        best = trial_merit;
        best_z = trial;
        best_w = trial_w;
        best_f = trial_f;
      }
      if (trial_merit <= (1 - sufficient_decrease * length) * allowed) break;
    }
    if (!std::isfinite(best)) return false;
    z = best_z;
    w = best_w;
    f = best_f;
    merit = best;
    recent[k % 4] = merit;
  }
  const double scale = z.cwiseAbs().maxCoeff() + system_.b().cwiseAbs().maxCoeff();
  return f.cwiseAbs().maxCoeff() <= limits.small * scale;
}

bool ConeNewton::direction(const Vector& z, const Vector& w, double alpha,
                           const std::vector<Mode>& modes, Vector& step) {
  std::vector<Law> laws;
  laws.reserve(modes.size());
  for (Index i = 0; i < system_.block_count(); ++i) {
    laws.push_back(law_of(system_.block(i), modes[static_cast<std::size_t>(i)], system_.part(z, i),
                          system_.part(w, i), system_.units(i)));
  }
  ++solves_;
  return solve_dense(modes, laws, alpha, step);
}

/// (F_z + F_w (A + alpha 1)) step = -F. Blocks that are held move to where they are held; the
/// others follow from their own rows.
bool ConeNewton::solve_dense(const std::vector<Mode>& modes, const std::vector<Law>& laws,
                             double alpha, Vector& step) {
  const auto count = system_.block_count();
  std::vector<Index> place(static_cast<std::size_t>(count), -1);
  Index size = 0;
  step = Vector::Zero(system_.size());
  for (Index i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (is_held(modes[at])) {
      system_.set_part(step, i, -laws[at].value);
    } else {
      place[at] = size;
      size += system_.block(i).rows;
    }
  }
  Matrix matrix = Matrix::Zero(size, size);
  Vector right(size);
  for (Index i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (place[at] < 0) continue;
    const int rows = system_.block(i).rows;
    Part known = laws[at].value;
    for (const Coupling& coupling : system_.couplings(i)) {
      const Index k = place[static_cast<std::size_t>(coupling.column)];
      PartMatrix product = laws[at].by_w * coupling.a;
      if (k < 0) {
        known += product * system_.part(step, coupling.column);
      } else {
        const int columns = system_.block(coupling.column).rows;
        if (coupling.column == i) product += laws[at].by_z + alpha * laws[at].by_w;
        matrix.block(place[at], k, rows, columns) = product.topLeftCorner(rows, columns);
      }
    }
    right.segment(place[at], rows) = -known.head(rows);
  }
  if (size > 0) {
    const Eigen::PartialPivLU<Matrix> lu(matrix);
    const Vector moved = lu.solve(right);
    if (!moved.allFinite()) return false;
    for (Index i = 0; i < count; ++i) {
      const Index k = place[static_cast<std::size_t>(i)];
      if (k < 0) continue;
      step.segment(system_.first_row(i), system_.block(i).rows) =
          moved.segment(k, system_.block(i).rows);
    }
  }
  return true;
}

}  // namespace abut::lcp
