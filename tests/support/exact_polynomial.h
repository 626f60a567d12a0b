#pragma once
// Polynomials with whole coefficients of any size, and their real roots in [0, 1], without
// rounding.

#include <gmpxx.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace abut::test {

/// numerator / 2^shift.
struct Dyadic {
  mpz_class numerator = 0;
  unsigned shift = 0;

  static Dyadic halfway(const Dyadic& a, const Dyadic& b) {
    const unsigned common = std::max(a.shift, b.shift);
    const mpz_class sum = (a.numerator << (common - a.shift)) + (b.numerator << (common - b.shift));
    return {sum, common + 1};
  }
  double rounded() const { return std::ldexp(numerator.get_d(), -static_cast<int>(shift)); }
};

class Polynomial {
 public:
  Polynomial() = default;
  /// Coefficients from the constant one upwards.
  explicit Polynomial(std::vector<mpz_class> coefficients) : c_(std::move(coefficients)) { trim(); }

  bool zero() const { return c_.empty(); }
  int degree() const { return static_cast<int>(c_.size()) - 1; }
  const std::vector<mpz_class>& coefficients() const { return c_; }

  friend Polynomial operator+(const Polynomial& a, const Polynomial& b) { return sum(a, b, 1); }
  friend Polynomial operator-(const Polynomial& a, const Polynomial& b) { return sum(a, b, -1); }
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b) {
    if (a.zero() || b.zero()) return {};
    std::vector<mpz_class> c(a.c_.size() + b.c_.size() - 1);
    for (std::size_t i = 0; i < a.c_.size(); ++i) {
      for (std::size_t j = 0; j < b.c_.size(); ++j) c[i + j] += a.c_[i] * b.c_[j];
    }
    return Polynomial(std::move(c));
  }

  Polynomial derivative() const {
    std::vector<mpz_class> c;
    for (std::size_t i = 1; i < c_.size(); ++i) c.push_back(c_[i] * static_cast<long>(i));
    return Polynomial(std::move(c));
  }

  int sign_at(const Dyadic& x) const {
    mpz_class value = 0;
    for (std::size_t i = c_.size(); i-- > 0;) {
      value = value * x.numerator + (c_[i] << (x.shift * (c_.size() - 1 - i)));
    }
    return sgn(value);
  }

  /// A positive multiple of the remainder of a divided by b, without common factors.
  friend Polynomial remainder(Polynomial a, const Polynomial& b) {
    const mpz_class lead = b.c_.back();
    while (a.degree() >= b.degree()) {
      const std::size_t offset = a.c_.size() - b.c_.size();
      const mpz_class factor = sgn(lead) * a.c_.back();
      for (mpz_class& c : a.c_) c *= abs(lead);
      for (std::size_t i = 0; i < b.c_.size(); ++i) a.c_[i + offset] -= factor * b.c_[i];
      a.trim();
    }
    a.divide_out_content();
    return a;
  }

  friend Polynomial common_divisor(Polynomial a, Polynomial b) {
    while (!b.zero()) {
      Polynomial r = remainder(a, b);
      a = std::exchange(b, std::move(r));
    }
    a.divide_out_content();
    return a;
  }

  /// The same roots, each once.
  Polynomial without_multiple_roots() const {
    if (degree() < 1) return *this;
    const Polynomial divisor = common_divisor(*this, derivative());
    return divisor.degree() < 1 ? *this : quotient(divisor);
  }

 private:
  static Polynomial sum(const Polynomial& a, const Polynomial& b, int sign) {
    std::vector<mpz_class> c = a.c_;
    if (c.size() < b.c_.size()) c.resize(b.c_.size());
    for (std::size_t i = 0; i < b.c_.size(); ++i) c[i] += sign * b.c_[i];
    return Polynomial(std::move(c));
  }

  /// A multiple of the quotient by a divisor.
  Polynomial quotient(const Polynomial& divisor) const {
    std::vector<mpz_class> rest = c_;
    std::vector<mpz_class> q(c_.size() - divisor.c_.size() + 1);
    const mpz_class lead = divisor.c_.back();
    for (std::size_t k = q.size(); k-- > 0;) {
      for (mpz_class& c : rest) c *= lead;
      for (mpz_class& c : q) c *= lead;
      const mpz_class factor = rest[k + divisor.c_.size() - 1] / lead;
      q[k] = factor;
      for (std::size_t i = 0; i < divisor.c_.size(); ++i) rest[k + i] -= factor * divisor.c_[i];
    }
    Polynomial result(std::move(q));
    result.divide_out_content();
    return result;
  }

  void trim() {
    while (!c_.empty() && sgn(c_.back()) == 0) c_.pop_back();
  }
  void divide_out_content() {
    mpz_class content = 0;
    for (const mpz_class& c : c_) content = gcd(content, c);
    if (content > 1) {
      for (mpz_class& c : c_) c /= content;
    }
  }

  std::vector<mpz_class> c_;
};

/// A root of a polynomial without multiple roots: the only one in the open interval (lower, upper),
/// with upper not a root; or a dyadic number, if lower and upper are equal.
class Root {
 public:
  explicit Root(Dyadic exact) : lower_(exact), upper_(exact), exact_(true) {}
  Root(Polynomial polynomial, Dyadic lower, Dyadic upper)
      : polynomial_(std::move(polynomial)),
        lower_(std::move(lower)),
        upper_(std::move(upper)),
        sign_(polynomial_.sign_at(upper_)) {}

  bool exact() const { return exact_; }
  double lower() const { return lower_.rounded(); }
  double upper() const { return upper_.rounded(); }

  void refine() {
    if (exact_) return;
    const Dyadic middle = Dyadic::halfway(lower_, upper_);
    const int sign = polynomial_.sign_at(middle);
    if (sign == 0) {
      lower_ = upper_ = middle;
      exact_ = true;
    } else {
      (sign == sign_ ? upper_ : lower_) = middle;
    }
  }
  void refine_to_width(double width) {
    while (!exact_ && upper() - lower() > width) refine();
  }

  /// The sign of q at the root.
  int sign_of(const Polynomial& q) {
    if (q.zero()) return 0;
    if (!exact_ && shares_this_root(q)) return 0;
    while (!exact_) {
      const int sign = sign_on_interval(q);
      if (sign != 0) return sign;
      refine();
    }
    return q.sign_at(lower_);
  }

 private:
  bool shares_this_root(const Polynomial& q) const;

  /// The sign of q on the whole interval, or 0 if a crude enclosure does not tell. For
  /// 0 <= a <= x <= b, positive terms are between their values at a and b, negative ones between
  /// those at b and a.
  int sign_on_interval(const Polynomial& q) const {
    std::vector<mpz_class> positive = q.coefficients(), negative = q.coefficients();
    for (mpz_class& c : positive) c = sgn(c) > 0 ? c : mpz_class(0);
    for (mpz_class& c : negative) c = sgn(c) < 0 ? c : mpz_class(0);
    if (sign_of_sum(positive, lower_, negative, upper_) > 0) return 1;
    return sign_of_sum(positive, upper_, negative, lower_) < 0 ? -1 : 0;
  }
  static int sign_of_sum(const std::vector<mpz_class>& p, const Dyadic& x,
                         const std::vector<mpz_class>& n, const Dyadic& y) {
    const unsigned shift = std::max(x.shift, y.shift);  // both over a common power of two
    const mpz_class a = x.numerator << (shift - x.shift), b = y.numerator << (shift - y.shift);
    mpz_class at_x = 0, at_y = 0;
    for (std::size_t i = p.size(); i-- > 0;) {
      const auto scale = shift * (p.size() - 1 - i);
      at_x = at_x * a + (p[i] << scale);
      at_y = at_y * b + (n[i] << scale);
    }
    return sgn(mpz_class(at_x + at_y));
  }

  Polynomial polynomial_;
  Dyadic lower_, upper_;
  int sign_ = 0;  ///< of the polynomial between the root and upper_
  bool exact_ = false;
};

/// Counts the distinct real roots of a polynomial without multiple roots (Sturm).
class SturmChain {
 public:
  explicit SturmChain(const Polynomial& p) : chain_{p, p.derivative()} {
    while (chain_.back().degree() > 0) {
      Polynomial next = remainder(chain_[chain_.size() - 2], chain_.back());
      if (next.zero()) break;
      chain_.push_back(Polynomial() - next);
    }
  }
  /// Roots in the half-open interval (lower, upper].
  int count(const Dyadic& lower, const Dyadic& upper) const {
    return changes(lower) - changes(upper);
  }

 private:
  int changes(const Dyadic& x) const {
    int last = 0, count = 0;
    for (const Polynomial& p : chain_) {
      const int sign = p.sign_at(x);
      if (sign == 0) continue;
      if (last != 0 && sign != last) ++count;
      last = sign;
    }
    return count;
  }
  std::vector<Polynomial> chain_;
};

inline bool Root::shares_this_root(const Polynomial& q) const {
  const Polynomial divisor = common_divisor(polynomial_, q);
  if (divisor.degree() < 1) return false;
  return SturmChain(divisor).count(lower_, upper_) - (divisor.sign_at(upper_) == 0 ? 1 : 0) > 0;
}

inline void isolate_roots(const Polynomial& p, const SturmChain& chain, const Dyadic& lower,
                          const Dyadic& upper, std::vector<Root>& roots) {
  const int upper_is_root = p.sign_at(upper) == 0 ? 1 : 0;
  const int inside = chain.count(lower, upper) - upper_is_root;
  if (inside == 1 && upper_is_root == 0) {
    roots.emplace_back(p, lower, upper);
    return;
  }
  if (inside > 0) {
    const Dyadic middle = Dyadic::halfway(lower, upper);
    isolate_roots(p, chain, lower, middle, roots);
    isolate_roots(p, chain, middle, upper, roots);
  } else if (upper_is_root != 0) {
    roots.emplace_back(upper);
  }
}

/// All distinct roots in [0, 1] of a polynomial that is not zero, in ascending order.
inline std::vector<Root> roots_in_unit_interval(const Polynomial& polynomial) {
  std::vector<Root> roots;
  if (polynomial.degree() < 1) return roots;
  const Polynomial p = polynomial.without_multiple_roots();
  const Dyadic zero{0, 0}, one{1, 0};
  if (p.sign_at(zero) == 0) roots.emplace_back(zero);
  isolate_roots(p, SturmChain(p), zero, one, roots);
  return roots;
}

}  // namespace abut::test
