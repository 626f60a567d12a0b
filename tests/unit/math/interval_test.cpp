#include "math/interval.h"
#include "support/constants.h"
#include "support/seeds.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

using abut::math::Interval;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
using abut::test::pi;

/// An interval and a point of it, of any scale and place.
struct Sample {
  Interval range;
  double point = 0;
};

class Sampler {
 public:
  explicit Sampler(unsigned seed) : engine_(seed) {}
  Sample next(double lowest, double highest) {
    std::uniform_real_distribution<double> place(lowest, highest);
    const double a = place(engine_);
    const double scale = std::pow(10.0, std::uniform_real_distribution<double>(-17, 2)(engine_));
    const double b = std::min(highest, a + scale * std::abs(a + 1));
    Sample sample{{a, b}, 0};
    sample.point = std::clamp(a + unit(engine_) * (b - a), a, b);
    if (unit(engine_) < 0.1) sample.point = a;
    return sample;
  }

 private:
  std::mt19937_64 engine_;
  std::uniform_real_distribution<double> unit{0, 1};
};

using Scalar = long double (*)(long double);
using Ranged = Interval (*)(const Interval&);

void attack(Ranged ranged, Scalar scalar, double lowest, double highest) {
  Sampler sampler(abut::test::seed(7));
  for (int i = 0; i < 20000; ++i) {
    const Sample sample = sampler.next(lowest, highest);
    const Interval range = ranged(sample.range);
    const long double exact = scalar(sample.point);
    ASSERT_LE(static_cast<long double>(range.lower), exact) << sample.point;
    ASSERT_GE(static_cast<long double>(range.upper), exact) << sample.point;
  }
}

}  // namespace

TEST(Interval, ElementaryFunctionsEncloseExtendedPrecisionValues) {
  attack(abut::math::sin, std::sin, -50, 50);
  attack(abut::math::cos, std::cos, -50, 50);
  attack(abut::math::tan, std::tan, -20, 20);
  attack(abut::math::exp, std::exp, -20, 20);
  attack(abut::math::log, std::log, 1e-9, 100);
  attack(abut::math::sqrt, std::sqrt, 0, 100);
  attack(abut::math::asin, std::asin, -1, 1);
  attack(abut::math::acos, std::acos, -1, 1);
  attack(abut::math::atan, std::atan, -100, 100);
  attack(abut::math::sinh, std::sinh, -20, 20);
  attack(abut::math::cosh, std::cosh, -20, 20);
  attack(abut::math::tanh, std::tanh, -20, 20);
  attack(abut::math::abs, std::fabs, -5, 5);
}

RC_GTEST_PROP(Interval, ArithmeticEnclosesPoints, ()) {
  Sampler sampler(*rc::gen::inRange(0u, 1000000u));
  const Sample a = sampler.next(-100, 100);
  const Sample b = sampler.next(-100, 100);
  const long double x = a.point;
  const long double y = b.point;
  const auto encloses = [](const Interval& range, long double exact) {
    return range.lower <= exact && exact <= range.upper;
  };
  RC_ASSERT(encloses(a.range + b.range, x + y));
  RC_ASSERT(encloses(a.range - b.range, x - y));
  RC_ASSERT(encloses(a.range * b.range, x * y));
  if (b.point != 0) RC_ASSERT(encloses(a.range / b.range, x / y));
  RC_ASSERT(encloses(square(a.range), x * x));
  RC_ASSERT(encloses(atan2(a.range, b.range), std::atan2(x, y)));
  for (int n = -5; n <= 5; ++n) {
    if (n >= 0 || a.point != 0) RC_ASSERT(encloses(power(a.range, n), std::pow(x, n)));
  }
}

TEST(Interval, PlainSumsAreTight) {
  const Interval sum = Interval(0.1) + Interval(0.2);
  EXPECT_EQ(sum.lower, std::nextafter(0.1 + 0.2, -infinity));
  EXPECT_EQ(sum.upper, std::nextafter(0.1 + 0.2, infinity));
}

TEST(Interval, ZeroStaysExact) {
  EXPECT_TRUE(is_zero(Interval(0.0) * Interval::whole()));
  EXPECT_TRUE(is_zero(Interval(0.0) / Interval(1, 2)));
  const Interval same = Interval(0.0) + Interval(3.0);
  EXPECT_EQ(same.lower, 3);
  EXPECT_EQ(same.upper, 3);
}

TEST(Interval, UndefinedPartsGiveTheWholeLine) {
  const auto is_whole = [](const Interval& x) {
    return x.lower == -infinity && x.upper == infinity;
  };
  EXPECT_TRUE(is_whole(Interval(1, 2) / Interval(-1, 1)));
  EXPECT_TRUE(is_whole(Interval(1, 2) / Interval(0, 1)));
  EXPECT_TRUE(is_whole(sqrt(Interval(-1e-300, 4))));
  EXPECT_TRUE(is_whole(log(Interval(0, 4))));
  EXPECT_TRUE(is_whole(tan(Interval(1, 2))));
  EXPECT_TRUE(is_whole(asin(Interval(0, 1.5))));
  EXPECT_TRUE(is_whole(power(Interval(-1, 2), -2)));
  EXPECT_TRUE(is_whole(power(Interval(-1, 2), 0.5)));
}

TEST(Interval, WavesReachTheirExtremesInside) {
  EXPECT_EQ(sin(Interval(0, pi)).upper, 1);
  EXPECT_GT(sin(Interval(0, pi)).lower, -1e-15);
  EXPECT_EQ(cos(Interval(3, 3.5)).lower, -1);
  EXPECT_LT(cos(Interval(3, 3.5)).upper, -0.93);
  EXPECT_EQ(sin(Interval(-100, 100)).lower, -1);
  EXPECT_EQ(cos(Interval(1e300, 2e300)).upper, 1);
  EXPECT_EQ(sin(Interval::whole()).upper, 1);
  EXPECT_LT(sin(Interval(1, 1.1)).width(), 0.06);
}

TEST(Interval, EvenPowersAreNotNegative) {
  const Interval even = power(Interval(-2, 1), 4);
  EXPECT_EQ(even.lower, 0);
  EXPECT_NEAR(even.upper, 16, 1e-12);
  const Interval odd = power(Interval(-2, 1), 3);
  EXPECT_NEAR(odd.lower, -8, 1e-12);
  EXPECT_NEAR(odd.upper, 1, 1e-12);
  EXPECT_EQ(square(Interval(-3, 1)).lower, 0);
}
