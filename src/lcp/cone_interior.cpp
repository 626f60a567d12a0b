#include "lcp/cone_interior.h"

#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "base/stop.h"
#include "lcp/second_order_cone.h"

namespace abut::lcp {
namespace {

// Products of forces and motions, relative to the square of what motions are made of, and errors of
// motions, relative to that (dimensionless), at which the method has arrived, and up to which what
// it ends with is of use: Newton's method on the laws does the rest.
constexpr double product_at_end = 1e-22;
constexpr double error_at_end = 1e-13;
constexpr double product_of_use = 1e-8;
constexpr int most_interior_steps = 100;

// Steps within which errors, or the root of products, fall by half; and of those that have arrived
// but for errors, which may be rounding.
constexpr int interior_patience = 20;
constexpr int patience_at_end = 2;

// Forces that are larger than what motions are made of by this factor (dimensionless) are on their
// way to where a problem without a solution has one.
constexpr double most_force = 1e6;

// The product from which on |w_T| is not taken for constant any more, if it was (dimensionless).
constexpr double product_near_end = 1e-4;

// Of the way to the boundary of a cone a step may take this part (dimensionless).
constexpr double most_of_the_way = 0.98;

// A step that leads less far than this (dimensionless) is tried again towards the middle: without
// what the first step teaches, and with these parts of tau kept.
constexpr double short_way = 0.1;
constexpr double kept_towards_middle[] = {0.3, 0.8};

// What is added to the diagonal, which is near 1 (dimensionless). Steps then do not follow rounding
// errors where forces are not unique; where they come to is the same.
constexpr double damping = 1e-8;

// The least part of tau that is kept (dimensionless).
constexpr double least_kept = 1e-3;

// A contact without friction has no force along its tangents.
int cone_rows(const ConeBlock& block) {
  return block.is_contact() && block.friction > 0 ? block.rows : 1;
}

class Walk {
 public:
  Walk(const ConeSystem& system, bool follows_speed, long& solves)
      : system_(system),
        solves_(solves),
        scale_(system.largest_b()),
        x_(static_cast<std::size_t>(system.block_count()), scale_ * Cone::UnitX()),
        y_(x_),
        follows_speed_(follows_speed) {
    for (Index i = 0; i < system.block_count(); ++i) {
      first_.push_back(size_);
      size_ += cone_rows(system.block(i));
    }
  }

  bool arrives() {
    for (int k = 0; k < most_interior_steps && stalled_ < interior_patience; ++k) {
      base::stop_if_wished();
      const double error = observe() / scale_;
      if (!std::isfinite(error)) break;
      note(std::max(std::sqrt(product_), error));
      const bool is_rounding = error <= error_at_end || stalled_ >= patience_at_end;
      if (product_ <= product_at_end && is_rounding) break;
      if (!step()) break;
    }
    if (best_x_.empty()) return false;
    x_ = best_x_;
    y_ = best_y_;
    observe();
    return product_ <= product_of_use && forces().cwiseAbs().maxCoeff() <= most_force * scale_;
  }

  Vector forces() const {
    Vector z = Vector::Zero(system_.size());
    for (Index i = 0; i < system_.block_count(); ++i) system_.set_part(z, i, force(i));
    return z;
  }

  // A contact sticks whose force is deep inside of its cone, and is open if its motion is.
  std::vector<Mode> modes() const {
    std::vector<Mode> modes;
    for (Index i = 0; i < system_.block_count(); ++i) {
      const Cone &x = x_[at(i)], &y = y_[at(i)];
      const bool is_contact = system_.block(i).is_contact();
      if (cone_rows(system_.block(i)) == 1) {
        const bool presses = x[0] > y[0];
        modes.push_back(is_contact ? (presses ? Mode::slip : Mode::open)
                                   : (presses ? Mode::between : Mode::lower));
      } else {
        modes.push_back(low_of(x) > high_of(y)   ? Mode::stick
                        : low_of(y) > high_of(x) ? Mode::open
                                                 : Mode::slip);
      }
    }
    return modes;
  }

 private:
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
  // x_0 is z_N times this.
  double slope(Index i) const {
    const ConeBlock& block = system_.block(i);
    return cone_rows(block) > 1 ? block.friction : 1;
  }
  Part force(Index i) const {
    Part z = x_[at(i)];
    z[0] /= slope(i);
    if (!system_.block(i).is_contact()) z[0] += system_.block(i).lower;
    return z;
  }

  // Finds motions, and what they are more than y; returns the largest of that.
  double observe() {
    const Vector z = forces();
    motions_.clear();
    errors_.clear();
    double largest = 0;
    product_ = 0;
    for (Index i = 0; i < system_.block_count(); ++i) {
      Part w = system_.motion(i, z);
      if (cone_rows(system_.block(i)) == 1) w.tail<2>().setZero();
      motions_.push_back(w);
      w[0] = w[0] / slope(i) + w.tail<2>().norm();
      errors_.push_back(w - y_[at(i)]);
      largest = std::max(largest, errors_.back().cwiseAbs().maxCoeff());
      product_ = std::max(product_, x_[at(i)].dot(y_[at(i)]) / (scale_ * scale_));
    }
    return largest;
  }

  double tau() const {
    double sum = 0;
    for (std::size_t i = 0; i < x_.size(); ++i) sum += x_[i].dot(y_[i]);
    return sum / static_cast<double>(x_.size());
  }

  // The block of B + W^-2.
  PartMatrix block_of(Index i, const Coupling& coupling) const {
    PartMatrix b = coupling.a;
    b.row(0) /= slope(i);
    b.col(0) /= slope(coupling.column);
    const double speed = motions_[at(i)].tail<2>().norm();
    if ((follows_speed_ || product_ < product_near_end) && speed > 0)
      b.row(0) += motions_[at(i)].tail<2>().transpose() / speed * b.bottomRows<2>();
    if (coupling.column == i)
      b += scalings_[at(i)].inverse * scalings_[at(i)].inverse + damping * PartMatrix::Identity();
    return b;
  }

  bool factorise() {
    std::vector<Eigen::Triplet<double>> entries;
    for (Index i = 0; i < system_.block_count(); ++i)
      for (const Coupling& coupling : system_.couplings(i)) {
        const PartMatrix b = block_of(i, coupling);
        for (int row = 0; row < cone_rows(system_.block(i)); ++row)
          for (int column = 0; column < cone_rows(system_.block(coupling.column)); ++column)
            entries.emplace_back(static_cast<int>(first_[at(i)] + row),
                                 static_cast<int>(first_[at(coupling.column)] + column),
                                 b(row, column));
      }
    Eigen::SparseMatrix<double> matrix(size_, size_);
    matrix.setFromTriplets(entries.begin(), entries.end());
    if (solved_ == 0) factors_.analyzePattern(matrix);
    ++solved_;
    ++solves_;
    factors_.factorize(matrix);
    return factors_.info() == Eigen::Success;
  }

  struct Step {
    std::vector<Cone> dx, dy;
  };

  Step solved(const std::vector<Cone>& d) const {
    Vector right(size_);
    for (Index i = 0; i < system_.block_count(); ++i) {
      const Cone part = scalings_[at(i)].inverse * d[at(i)] - errors_[at(i)];
      const int rows = cone_rows(system_.block(i));
      put_part(right, first_[at(i)], rows, part);
    }
    const Vector all = factors_.solve(right);
    Step step{std::vector<Cone>(x_.size()), std::vector<Cone>(x_.size())};
    for (Index i = 0; i < system_.block_count(); ++i) {
      const int rows = cone_rows(system_.block(i));
      step.dx[at(i)] = part_at(all, first_[at(i)], rows);
      const PartMatrix& inverse = scalings_[at(i)].inverse;
      step.dy[at(i)] = inverse * (d[at(i)] - inverse * step.dx[at(i)]);
    }
    return step;
  }

  double length_of(const Step& step) const {
    double way = 1 / most_of_the_way;
    for (std::size_t i = 0; i < x_.size(); ++i)
      way = step_inside(y_[i], step.dy[i], step_inside(x_[i], step.dx[i], way));
    return most_of_the_way * way;
  }

  // Keeps the best, and counts steps without a gain.
  void note(double merit) {
    ++stalled_;
    if (merit < 0.5 * mark_) {
      mark_ = merit;
      stalled_ = 0;
    }
    if (merit >= least_) return;
    least_ = merit;
    best_x_ = x_;
    best_y_ = y_;
  }

  // Whether it moves.
  bool step() {
    scalings_.clear();
    std::vector<Cone> d;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      scalings_.emplace_back(x_[i], y_[i]);
      if (!scalings_.back().lambda.allFinite()) return false;
      d.emplace_back(-scalings_.back().lambda);
    }
    if (!factorise()) return false;
    const Step first = solved(d);
    Step best = solved(directions(std::max(least_kept, std::pow(1 - length_of(first), 3)), &first));
    double length = length_of(best);
    for (const double kept : kept_towards_middle) {
      if (length > short_way) break;
      Step other = solved(directions(kept, nullptr));
      const double way = length_of(other);
      if (way <= length) continue;
      length = way;
      best = std::move(other);
    }
    if (!(length > no_way)) return false;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      x_[i] += length * best.dx[i];
      y_[i] += length * best.dy[i];
    }
    return true;
  }

  // d, with a part of tau kept, and without what the first step leaves of second order, if given.
  std::vector<Cone> directions(double kept, const Step* first) const {
    std::vector<Cone> d;
    const double aim = kept * tau();
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const ConeScaling& s = scalings_[i];
      Cone target = -jordan_product(s.lambda, s.lambda);
      if (first != nullptr) target -= jordan_product(s.inverse * first->dx[i], s.w * first->dy[i]);
      target[0] += aim;
      d.push_back(jordan_quotient(target, s.lambda));
    }
    return d;
  }

  const ConeSystem& system_;
  long& solves_;
  double scale_;              // what motions are made of, at most
  Index size_ = 0;            // rows of all cones
  std::vector<Index> first_;  // of them, by block
  std::vector<Cone> x_, y_;   // by block
  double product_ = 0;        // the largest, relative to the square of the scale
  std::vector<Part> motions_;
  std::vector<Cone> errors_;
  std::vector<ConeScaling> scalings_;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> factors_;
  int solved_ = 0;
  bool follows_speed_;  // |w_T| is not taken for constant
  std::vector<Cone> best_x_, best_y_;
  double least_ = infinity, mark_ = infinity;  // the merit of these; the last one by half
  int stalled_ = 0;
};

bool has_lower_bound_only(const ConeBlock& block) {
  return block.lower > -infinity && block.upper == infinity;
}

}  // namespace

bool ConeInterior::approach(Vector& z, std::vector<Mode>& modes) {
  if (!(system_.largest_b() > 0)) return false;
  for (Index i = 0; i < system_.block_count(); ++i)
    if (!system_.block(i).is_contact() && !has_lower_bound_only(system_.block(i))) return false;
  for (const bool follows_speed : {true, false}) {
    Walk walk(system_, follows_speed, solves_);
    if (!walk.arrives()) continue;
    z = walk.forces();
    modes = walk.modes();
    return true;
  }
  return false;
}

}  // namespace abut::lcp
