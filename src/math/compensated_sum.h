#pragma once
// Sums of many terms that lose nothing by being many.

#include <cmath>

namespace abut::math {

/// Neumaier's sum: the rounding error of every addition is kept and added at the end.
class CompensatedSum {
 public:
  void add(double term) {
    const double sum = sum_ + term;
    const bool term_is_small = std::abs(sum_) >= std::abs(term);
    lost_ += term_is_small ? (sum_ - sum) + term : (term - sum) + sum_;
    sum_ = sum;
  }
  double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0;
  double lost_ = 0;
};

}  // namespace abut::math
