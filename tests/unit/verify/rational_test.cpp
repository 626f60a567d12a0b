#include "verify/rational.h"

#include <gtest/gtest.h>

#include "support/random_hulls.h"
#include "support/seeds.h"
#include "support/sizes.h"

namespace {

using abut::Vec3;
using abut::verify::exact;
using abut::verify::ExactPoint;
using abut::verify::ExactPose;

}  // namespace

TEST(Rational, RotationsKeepAnglesAndLengthsExactly) {
  abut::test::Random random(abut::test::seed(3));
  for (int i = 0; i < abut::test::cases(100); ++i) {
    abut::Quat q = abut::test::random_rotation(random);
    q.coeffs() *= 1 + 1e-3 * i;  // the length must not matter
    const ExactPose pose(Vec3(1, 2, 3), q);
    const ExactPoint axes[] = {pose.rotated(exact(Vec3::UnitX())),
                               pose.rotated(exact(Vec3::UnitY())),
                               pose.rotated(exact(Vec3::UnitZ()))};
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        EXPECT_TRUE(dot(axes[a], axes[b]) == (a == b ? 1 : 0));
      }
    }
    EXPECT_TRUE(dot(cross(axes[0], axes[1]), axes[2]) == 1);
  }
}

TEST(Rational, AgreesWithRotationInDoubles) {
  abut::test::Random random(abut::test::seed(4));
  for (int i = 0; i < 100; ++i) {
    const abut::Quat q = abut::test::random_rotation(random);
    const Vec3 p = 10 * abut::test::random_direction(random),
               s = abut::test::random_direction(random);
    const ExactPoint x = ExactPose(p, q) * exact(s);
    EXPECT_LT((Vec3(x.x.get_d(), x.y.get_d(), x.z.get_d()) - (p + q * s)).norm(), 1e-14);
  }
}
