// Against numbers of 50 digits.

#include "math/double_double.h"

#include <gtest/gtest.h>

#include <random>

#include "support/precise_motion.h"
#include "support/seeds.h"
#include "support/sizes.h"

namespace abut::math {
namespace {

using test::Real;

constexpr double unit = 0x1p-104;

Real real(const DoubleDouble& x) {
  return Real(x.high) + Real(x.low);
}

TEST(DoubleDouble, IsExactToTwiceTheDigits) {
  std::mt19937_64 random(test::seed(1));
  std::uniform_real_distribution<double> part(-1, 1);
  const auto number = [&] {
    const double high = part(random) * std::pow(10, 3 * part(random));
    return DoubleDouble::sum_of(high, 1e-17 * part(random) * high);
  };
  for (int i = 0; i < test::cases(200); ++i) {
    const DoubleDouble x = number(), y = number();
    const auto expect = [&](const DoubleDouble& found, const Real& exact, const Real& scale) {
      EXPECT_LE(static_cast<double>(abs(real(found) - exact) / scale), 8 * unit);
      EXPECT_EQ(found.high + found.low, found.high);
    };
    expect(x + y, real(x) + real(y), abs(real(x)) + abs(real(y)));
    expect(x - y, real(x) - real(y), abs(real(x)) + abs(real(y)));
    expect(x * y, real(x) * real(y), abs(real(x) * real(y)));
    expect(x / y, real(x) / real(y), abs(real(x) / real(y)));
    expect(sqrt(x * x), abs(real(x)), abs(real(x)));
  }
  EXPECT_EQ(double(sqrt(DoubleDouble(0))), 0);
}

// What cancels in doubles: 1 + d - 1 - d.
TEST(DoubleDouble, KeepsWhatCancels) {
  const double d = 1e-20;
  EXPECT_EQ(double(DoubleDouble(1) + d - 1), d);
}

TEST(DoubleDouble, TurnsVectorsWithTheQuaternion) {
  std::mt19937_64 random(test::seed(2));
  std::normal_distribution<double> part;
  for (int i = 0; i < test::cases(20); ++i) {
    const Quat q = Quat(part(random), part(random), part(random), part(random)).normalized();
    const Vec3 v(part(random), part(random), part(random));
    const LongRotation turn(q);
    const LongVec3 turned = turn * LongVec3(v);
    const test::RealVec exact = test::matrix_of(q) * v.cast<Real>();
    const LongVec3 back = turn.inverse(turned);
    for (int k = 0; k < 3; ++k) {
      const auto at = static_cast<std::size_t>(k);
      EXPECT_LE(static_cast<double>(abs(real(turned.x[at]) - exact[k])), 100 * unit * v.norm());
      EXPECT_LE(std::abs(double(back.x[at] - DoubleDouble(v[k]))), 100 * unit * v.norm());
    }
  }
}

}  // namespace
}  // namespace abut::math
