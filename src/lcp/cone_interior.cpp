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
// motions, relative to that (dimensionless), at which the method has arrived: Newton's method on
// the laws does the rest.
constexpr double product_at_end = 1e-22;
constexpr double error_at_end = 1e-13;
constexpr int most_interior_steps = 100;

// Steps within which errors, or the root of products, fall by half; and of those that have arrived
// but for errors, which may be rounding.
constexpr int interior_patience = 20;
constexpr int patience_at_end = 2;

// Of the way to the boundary of a cone a step may take this part (dimensionless).
constexpr double most_of_the_way = 0.9;

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
  Walk(const ConeSystem& system, double distance, long& solves)
      : system_(system),
        solves_(solves),
        scale_(system.largest_b()),
        x_(static_cast<std::size_t>(system.block_count()), distance * scale_ * Cone::UnitX()),
        y_(x_) {
    for (Index i = 0; i < system.block_count(); ++i) {
      first_.push_back(size_);
      size_ += cone_rows(system.block(i));
      if (is_free(i)) x_[at(i)] = y_[at(i)] = Cone::Zero();
    }
  }

  void go() {
    for (int k = 0; k < most_interior_steps && stalled_ < interior_patience; ++k) {
      base::stop_if_wished();
      const double error = observe() / scale_;
      if (!std::isfinite(error)) break;
      note(std::max(std::sqrt(product_), error));
      const bool is_rounding = error <= error_at_end || stalled_ >= patience_at_end;
      if (product_ <= product_at_end && is_rounding) break;
      if (!step()) break;
    }
    if (best_x_.empty()) return;
    x_ = best_x_;
    y_ = best_y_;
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
        const bool presses = is_free(i) || x[0] > y[0];
        modes.push_back(is_contact     ? (presses ? Mode::slip : Mode::open)
                        : presses      ? Mode::between
                        : slope(i) > 0 ? Mode::lower
                                       : Mode::upper);
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
    if (cone_rows(block) > 1) return block.friction;
    return !block.is_contact() && block.lower == -infinity ? -1 : 1;
  }
  bool is_free(Index i) const {
    const ConeBlock& block = system_.block(i);
    return !block.is_contact() && block.lower == -infinity && block.upper == infinity;
  }
  Part force(Index i) const {
    Part z = x_[at(i)];
    z[0] /= slope(i);
    const ConeBlock& block = system_.block(i);
    if (!block.is_contact() && !is_free(i)) z[0] += slope(i) > 0 ? block.lower : block.upper;
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
    if (speed > 0) b.row(0) += motions_[at(i)].tail<2>().transpose() / speed * b.bottomRows<2>();
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
      if (!is_free(static_cast<Index>(i)))
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
      scalings_.push_back(is_free(static_cast<Index>(i)) ? ConeScaling::none()
                                                         : ConeScaling(x_[i], y_[i]));
      if (!scalings_.back().lambda.allFinite()) return false;
      d.emplace_back(-scalings_.back().lambda);
    }
    if (!factorise()) return false;
    const Step first = solved(d);
    const Step second =
        solved(directions(std::max(least_kept, std::pow(1 - length_of(first), 3)), first));
    const double length = length_of(second);
    if (!(length > no_way)) return false;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      x_[i] += length * second.dx[i];
      y_[i] += length * second.dy[i];
    }
    return true;
  }

  // d, with a part of tau kept, and without what the first step leaves of second order.
  std::vector<Cone> directions(double kept, const Step& first) const {
    std::vector<Cone> d;
    const double aim = kept * tau();
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const ConeScaling& s = scalings_[i];
      Cone target = -jordan_product(s.lambda, s.lambda);
      target -= jordan_product(s.inverse * first.dx[i], s.w * first.dy[i]);
      target[0] += aim;
      d.push_back(is_free(static_cast<Index>(i)) ? Cone::Zero()
                                                 : jordan_quotient(target, s.lambda));
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
  std::vector<Cone> best_x_, best_y_;
  double least_ = infinity, mark_ = infinity;  // the merit of these; the last one by half
  int stalled_ = 0;
};

}  // namespace

void ConeInterior::approach(double distance, Vector& z, std::vector<Mode>& modes) {
  const ConeSystem system = system_.with_single_bounds();
  Walk walk(system, distance, solves_);
  walk.go();
  z = walk.forces().head(system_.size());
  modes = walk.modes();
  // A row that was added bears where the one it was added for is at its upper bound.
  auto added = static_cast<std::size_t>(system_.block_count());
  for (Index i = 0; i < system_.block_count(); ++i)
    if (system.block(i).upper != system_.block(i).upper && modes[added++] == Mode::between)
      modes[at(i)] = Mode::upper;
  modes.resize(static_cast<std::size_t>(system_.block_count()));
}

}  // namespace abut::lcp
