#include "lcp/cone_path.h"

#include <algorithm>
#include <cmath>

#include "lcp/cone_laws.h"
#include "math/dense.h"

namespace abut::lcp {
namespace {

using Tangent = Eigen::Vector2d;

struct Smooth {
  double value, slope;
};

/// (t + sqrt(t^2 + 4 epsilon^2)) / 2, without cancellation for t < 0.
Smooth smooth_plus(double t, double epsilon) {
  const double root = std::hypot(t, 2 * epsilon);
  const double value = t >= 0 ? 0.5 * (t + root) : 2 * epsilon * epsilon / (root - t);
  return {value, root > 0 ? value / root : 0.5};
}

/// p(d) of a row: between its bounds.
Smooth smooth_clamp(const ConeBlock& block, double d, double epsilon) {
  const bool from_below = std::isfinite(block.lower), from_above = std::isfinite(block.upper);
  if (from_below) {
    Smooth low = smooth_plus(d - block.lower, epsilon);
    low.value += block.lower;
    if (!from_above) return low;
    const Smooth high = smooth_plus(d - block.upper, epsilon);
    return {low.value - high.value, low.slope - high.slope};
  }
  if (!from_above) return {d, 1};
  const Smooth high = smooth_plus(block.upper - d, epsilon);
  return {block.upper - high.value, high.slope};
}

struct Projection {
  Part value;
  PartMatrix slope;
};

/// p(d) = p(lambda_1) c_1 + p(lambda_2) c_2 with the eigenvalues lambda = d_N +- |d_T| and the
/// idempotents c = (1, +-t) / 2.
Projection smooth_projection(const Part& d, double epsilon) {
  const double length = d.tail<2>().norm();
  const Tangent t = length > 0 ? Tangent(d.tail<2>() / length) : Tangent(1, 0);
  const Smooth high = smooth_plus(d[0] + length, epsilon),
               low = smooth_plus(d[0] - length, epsilon);
  const double mean = 0.5 * (high.slope + low.slope), half = 0.5 * (high.slope - low.slope);
  const double across = length > 0 ? (high.value - low.value) / (2 * length) : mean;
  Projection p;
  p.value << 0.5 * (high.value + low.value), 0.5 * (high.value - low.value) * t;
  p.slope(0, 0) = mean;
  p.slope.topRightCorner<1, 2>() = half * t.transpose();
  p.slope.bottomLeftCorner<2, 1>() = half * t;
  p.slope.bottomRightCorner<2, 2>() =
      across * Eigen::Matrix2d::Identity() + (mean - across) * t * t.transpose();
  return p;
}

double smooth_length(const Tangent& w, double epsilon) {
  return std::sqrt(w.squaredNorm() + epsilon * epsilon);
}

/// y of a contact.
Part dual(const ConeBlock& block, const Part& w, double epsilon, double s) {
  Part y;
  y << w[0] + s * block.friction * smooth_length(w.tail<2>(), epsilon),
      block.friction * w.tail<2>();
  return y;
}

PartMatrix dual_slope(const ConeBlock& block, const Part& w, double epsilon, double s) {
  PartMatrix slope = PartMatrix::Zero();
  slope(0, 0) = 1;
  slope.topRightCorner<1, 2>() =
      s * block.friction / smooth_length(w.tail<2>(), epsilon) * w.tail<2>().transpose();
  slope.bottomRightCorner<2, 2>().diagonal().setConstant(block.friction);
  return slope;
}

Projection projection(const ConeBlock& block, const Part& x, const Part& w, double rho,
                      double epsilon, double s) {
  if (block.is_contact()) return smooth_projection(x - rho * dual(block, w, epsilon, s), epsilon);
  const Smooth clamp = smooth_clamp(block, x[0] - rho * w[0], epsilon);
  return {Part(clamp.value, 0, 0), Part(clamp.slope, 0, 0).asDiagonal()};
}

// Newton's method at the start of the curve.
constexpr int most_descents = 60;
constexpr int most_path_halvings = 12;
constexpr double epsilon_ratio = 0.2;    // from one epsilon to the next
constexpr double start_accuracy = 1e-8;  // of forces

// Newton's method beside the curve. Its points need not be exact, only near enough not to be taken
// for points of another branch.
constexpr int most_corrections = 6;
constexpr int few_corrections = 3;       // after which the next step may be longer
constexpr double curve_accuracy = 1e-3;  // of epsilon
constexpr double difference = 1e-6;      // of the parameter, for derivatives

// Lengths of steps, in units of the parameter and of forces.
constexpr double first_step = 0.1;
constexpr double shortest_step = 1e-5;
constexpr double longest_step = 0.5;

}  // namespace

/// Both pieces end with a derivative of 0, so that the curve is smooth at 1.
ConePath::Smoothing ConePath::smoothing(double parameter) const {
  if (parameter <= 1) return {first_epsilon_, parameter * (2 - parameter)};
  const double beyond = parameter - 1;
  return {first_epsilon_ * std::pow(1000, -beyond * beyond), 1};
}

double ConePath::proximity(const Smoothing& smooth) const {
  const double ratio = smooth.epsilon / scale_;
  return ratio * ratio;
}

Vector ConePath::forces_of(const Vector& x) const {
  Vector z = x;
  for (Index i = 0; i < system_.block_count(); ++i) {
    const ConeBlock& block = system_.block(i);
    if (block.is_contact()) z.segment(system_.first_row(i) + 1, block.rows - 1) *= block.friction;
  }
  return z;
}

Vector ConePath::laws(const Vector& x, const Smoothing& smooth, Vector& w) const {
  system_.motion(forces_of(x), w);
  w += proximity(smooth) * x;
  Vector f(x.size());
  for (Index i = 0; i < system_.block_count(); ++i) {
    const Part own = system_.part(x, i);
    const Projection p = projection(system_.block(i), own, system_.part(w, i),
                                    system_.units(i).normal, smooth.epsilon, smooth.s);
    system_.set_part(f, i, own - p.value);
  }
  return f;
}

/// The derivative of the laws by x, in the leading rows and columns.
void ConePath::assemble(const Vector& x, const Vector& w, const Smoothing& smooth) {
  const Index n = system_.size();
  matrix_.setZero(n + 1, n + 1);
  for (Index i = 0; i < system_.block_count(); ++i) {
    const ConeBlock& block = system_.block(i);
    const Part own_w = system_.part(w, i);
    const double rho = system_.units(i).normal;
    const PartMatrix slope =
        projection(block, system_.part(x, i), own_w, rho, smooth.epsilon, smooth.s).slope;
    PartMatrix by_w = rho * slope;
    if (block.is_contact()) by_w *= dual_slope(block, own_w, smooth.epsilon, smooth.s);
    for (const Coupling& coupling : system_.couplings(i)) {
      PartMatrix product = by_w * coupling.a;
      const ConeBlock& other = system_.block(coupling.column);
      if (other.is_contact()) product.rightCols<2>() *= other.friction;
      if (coupling.column == i)
        product += PartMatrix::Identity() - slope + proximity(smooth) * by_w;
      matrix_.block(system_.first_row(i), system_.first_row(coupling.column), block.rows,
                    other.rows) = product.topLeftCorner(block.rows, other.rows);
    }
  }
  ++solves_;
}

/// The last column, of derivatives by the parameter, and the last row, the tangent.
void ConePath::border(const Point& point, const Vector& f) {
  const Index n = system_.size();
  Vector w;
  const Vector ahead = laws(point.x, smoothing(point.parameter + difference), w);
  matrix_.col(n).head(n) = (ahead - f) / difference;
  matrix_.row(n).head(n) = weight_ * tangent_.head(n).transpose();
  matrix_(n, n) = tangent_[n];
}

double ConePath::product(const Vector& a, const Vector& b) const {
  const Index n = system_.size();
  return weight_ * a.head(n).dot(b.head(n)) + a[n] * b[n];
}

bool ConePath::start(double relative_epsilon) {
  const Index n = system_.size();
  scale_ = system_.largest_b();
  if (!(scale_ > 0) || !std::isfinite(scale_)) return false;
  first_epsilon_ = relative_epsilon * scale_;
  weight_ = 1 / (scale_ * scale_ * static_cast<double>(n));
  here_ = {Vector::Zero(n), 0};
  Smoothing smooth{std::max(scale_, first_epsilon_), 0};
  for (int k = 0; k < most_descents; ++k) {
    const double error = descend(smooth);
    if (smooth.epsilon > first_epsilon_) {
      if (error <= 0.5 * smooth.epsilon * std::sqrt(static_cast<double>(n)))
        smooth.epsilon = std::max(first_epsilon_, epsilon_ratio * smooth.epsilon);
    } else if (error <= start_accuracy * scale_) {
      tangent_ = Vector::Unit(n + 1, n);
      length_ = first_step;
      return find_tangent(here_, tangent_);
    }
  }
  return false;
}

/// A step of Newton's method, shortened until |F| falls; returns |F|.
double ConePath::descend(const Smoothing& smooth) {
  const Index n = system_.size();
  Vector w;
  const Vector f = laws(here_.x, smooth, w);
  assemble(here_.x, w, smooth);
  const Vector step = math::solve(matrix_.topLeftCorner(n, n), -f);
  if (!step.allFinite()) return f.norm();
  double length = 1, error = 0;
  Vector trial;
  for (int k = 0; k < most_path_halvings; ++k, length /= 2) {
    trial = here_.x + length * step;
    error = laws(trial, smooth, w).norm();
    if (error <= (1 - sufficient_decrease * length) * f.norm()) break;
  }
  here_.x = trial;
  return error;
}

/// The direction in which the laws do not change, on the side of the last tangent.
bool ConePath::find_tangent(const Point& point, Vector& tangent) {
  const Index n = system_.size();
  const Smoothing smooth = smoothing(point.parameter);
  Vector w;
  const Vector f = laws(point.x, smooth, w);
  assemble(point.x, w, smooth);
  border(point, f);
  tangent = math::solve(matrix_, Vector::Unit(n + 1, n));
  tangent /= std::sqrt(product(tangent, tangent));
  return tangent.allFinite();
}

/// Newton's method at right angles to the tangent.
bool ConePath::correct(Point& point, int& steps) {
  const Index n = system_.size();
  double last = std::numeric_limits<double>::infinity();
  Vector w, right(n + 1);
  for (steps = 0; steps < most_corrections; ++steps) {
    const Smoothing smooth = smoothing(point.parameter);
    const Vector f = laws(point.x, smooth, w);
    const double error = f.norm();
    if (error <= curve_accuracy * smooth.epsilon) return true;
    if (!(error < last) && steps > 1) return false;
    last = error;
    assemble(point.x, w, smooth);
    border(point, f);
    right << -f, 0;
    const Vector step = math::solve(matrix_, right);
    if (!step.allFinite()) return false;
    point.x += step.head(n);
    point.parameter += step[n];
  }
  return false;
}

bool ConePath::advance() {
  const Index n = system_.size();
  for (; length_ > shortest_step; length_ *= 0.3) {
    Point point{here_.x + length_ * tangent_.head(n), here_.parameter + length_ * tangent_[n]};
    int steps = 0;
    if (!correct(point, steps)) continue;
    Vector tangent;
    if (!find_tangent(point, tangent)) return false;
    // A tangent that turns around belongs to another branch.
    if (!(product(tangent, tangent_) > 0)) continue;
    here_ = point;
    tangent_ = tangent;
    if (steps <= few_corrections) length_ = std::min(longest_step, 2 * length_);
    return true;
  }
  return false;
}

}  // namespace abut::lcp
