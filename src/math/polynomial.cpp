#include "math/polynomial.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace abut::math {
namespace {

// Higher degrees than this do not occur: squares of distances between lines of bodies that turn.
constexpr int highest_degree = 200;

// By rows: binom(n, i).
const Eigen::VectorXd& binomials(int n) {
  static const std::vector<Eigen::VectorXd> all = [] {
    std::vector<Eigen::VectorXd> rows(highest_degree + 1);
    rows[0] = Eigen::VectorXd::Ones(1);
    for (int row = 1; row <= highest_degree; ++row) {
      rows[row] = Eigen::VectorXd::Ones(row + 1);
      for (int i = 1; i < row; ++i) rows[row][i] = rows[row - 1][i - 1] + rows[row - 1][i];
    }
    return rows;
  }();
  return all[n];
}

Eigen::VectorXd convolved(const Eigen::VectorXd& x, const Eigen::VectorXd& y) {
  Eigen::VectorXd product = Eigen::VectorXd::Zero(x.size() + y.size() - 1);
  for (Eigen::Index i = 0; i < x.size(); ++i) product.segment(i, y.size()) += x[i] * y;
  return product;
}

// How often an interval is halved, at most, to show that a polynomial stays above a bound: each
// time its coefficients come four times as close to it.
constexpr int most_halvings = 5;

bool is_above(Eigen::VectorXd right, double bound, int halvings) {
  if (right.minCoeff() > bound) return true;
  if (!(std::min(right[0], right[right.size() - 1]) > bound) || halvings == 0) return false;
  // By de Casteljau: what is left of the middle, and what is right of it.
  Eigen::VectorXd left(right.size());
  for (Eigen::Index last = right.size() - 1; last >= 0; --last) {
    left[right.size() - 1 - last] = right[0];
    for (Eigen::Index i = 0; i < last; ++i) right[i] = 0.5 * (right[i] + right[i + 1]);
  }
  return is_above(std::move(left), bound, halvings - 1) &&
         is_above(std::move(right), bound, halvings - 1);
}

}  // namespace

Polynomial Polynomial::from_bernstein(const Eigen::VectorXd& coefficients) {
  Polynomial p;
  p.scaled_ = coefficients.cwiseProduct(binomials(static_cast<int>(coefficients.size()) - 1));
  return p;
}

Eigen::VectorXd Polynomial::bernstein() const {
  return scaled_.cwiseQuotient(binomials(degree()));
}

// By Horner's rule in s / (1 - s), or its inverse, whichever is at most 1.
double Polynomial::value(double s) const {
  const bool is_late = s > 0.5;
  const double far = is_late ? s : 1 - s, ratio = (1 - far) / far;
  double sum = 0;
  for (int i = 0; i <= degree(); ++i) sum = sum * ratio + scaled_[is_late ? i : degree() - i];
  return sum * std::pow(far, degree());
}

// As one of higher degree: a product with (s + (1 - s))^k.
void Polynomial::elevate(int degree) {
  if (degree > this->degree()) scaled_ = convolved(scaled_, binomials(degree - this->degree()));
}

Polynomial& Polynomial::operator+=(const Polynomial& other) {
  elevate(other.degree());
  Polynomial more = other;
  more.elevate(degree());
  scaled_ += more.scaled_;
  return *this;
}

Polynomial& Polynomial::operator-=(const Polynomial& other) {
  return *this += -1.0 * other;
}

Polynomial& Polynomial::operator*=(double factor) {
  scaled_ *= factor;
  return *this;
}

Polynomial operator*(const Polynomial& x, const Polynomial& y) {
  Polynomial product;
  product.scaled_ = convolved(x.scaled_, y.scaled_);
  return product;
}

Polynomial derivative(const Polynomial& p) {
  const int n = p.degree();
  if (n == 0) return 0;
  const Eigen::VectorXd c = p.bernstein();
  return Polynomial::from_bernstein(n * (c.tail(n) - c.head(n)));
}

Polynomial dot(const PolynomialVector& x, const PolynomialVector& y) {
  return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

PolynomialVector cross(const PolynomialVector& x, const PolynomialVector& y) {
  return {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
}

PolynomialVector operator+(const PolynomialVector& x, const PolynomialVector& y) {
  return {x[0] + y[0], x[1] + y[1], x[2] + y[2]};
}

PolynomialVector operator-(const PolynomialVector& x, const PolynomialVector& y) {
  return {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
}

PolynomialVector operator*(const PolynomialVector& x, const Polynomial& factor) {
  return {x[0] * factor, x[1] * factor, x[2] * factor};
}

double size_of(const Polynomial& p) {
  return p.bernstein().cwiseAbs().maxCoeff();
}

double size_of(const PolynomialVector& v) {
  return size_of(v[0]) + size_of(v[1]) + size_of(v[2]);
}

bool is_above(const Polynomial& p, double bound) {
  return is_above(p.bernstein(), bound, most_halvings);
}

}  // namespace abut::math
