#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "shape/moments.h"

using namespace abut;
using namespace abut::shape;

namespace {

Mat3 rebuilt(const PrincipalAxes& axes) {
  const Mat3 r = axes.axes.toRotationMatrix();
  return r * axes.moments.asDiagonal() * r.transpose();
}

double component() {
  return *rc::gen::inRange(-1000, 1001) / 1000.0;
}

Mat3 random_axes() {
  return Quat(1.2 + component(), component(), component(), component())
      .normalized()
      .toRotationMatrix();
}

Vec3 sorted(Vec3 v) {
  std::sort(v.data(), v.data() + 3);
  return v;
}

}  // namespace

TEST(PrincipalAxes, DiagonalMatricesKeepTheirAxes) {
  for (const Vec3& diagonal :
       {Vec3(3, 1, 2), Vec3(1, 1, 1), Vec3(5, 5, 1), Vec3(1e-30, 1e-31, 1)}) {
    const PrincipalAxes axes = principal_axes(diagonal.asDiagonal());
    EXPECT_EQ(axes.moments, diagonal);
    EXPECT_EQ(axes.axes.coeffs(), Quat::Identity().coeffs());
  }
}

TEST(PrincipalAxes, TwoByTwoBlock) {
  Mat3 inertia = Vec3(2, 2, 7).asDiagonal();
  inertia(0, 1) = inertia(1, 0) = 1;  // eigenvalues 1 and 3 along the diagonals of x and y
  const PrincipalAxes axes = principal_axes(inertia);
  EXPECT_LE((sorted(axes.moments) - Vec3(1, 3, 7)).norm(), 1e-15);
  EXPECT_LE((rebuilt(axes) - inertia).norm(), 4e-15);
  EXPECT_NEAR(std::abs(axes.axes.w()), std::cos(M_PI / 8), 1e-15);  // a turn of 45 degrees
}

RC_GTEST_PROP(PrincipalAxes, FindTheMomentsOfARotatedMatrix, ()) {
  const double ratio = std::pow(10.0, -*rc::gen::inRange(0, 12));
  const Vec3 moments(1, 1 + ratio * (2 + component()), 1 + component() / 2);
  const double scale = std::pow(10.0, *rc::gen::inRange(-50, 50));
  const Mat3 r = random_axes();
  const Mat3 inertia = scale * r * moments.asDiagonal() * r.transpose();
  const PrincipalAxes axes = principal_axes(inertia);
  RC_ASSERT((sorted(axes.moments) - scale * sorted(moments)).norm() <= 1e-14 * scale);
  RC_ASSERT((rebuilt(axes) - inertia).norm() <= 2e-14 * scale);
  RC_ASSERT(std::abs(axes.axes.norm() - 1) <= 4e-16);
}

RC_GTEST_PROP(PrincipalAxes, RepeatedMomentsAreNoTrouble, ()) {
  const Mat3 r = random_axes();
  const Mat3 inertia = r * Vec3(2, 2, 1).asDiagonal() * r.transpose();
  const PrincipalAxes axes = principal_axes(inertia);
  RC_ASSERT((sorted(axes.moments) - Vec3(1, 2, 2)).norm() <= 5e-15);
  RC_ASSERT((rebuilt(axes) - inertia).norm() <= 1e-14);
}

RC_GTEST_PROP(PrincipalAxes, SmallProductsTurnTheAxesLittle, ()) {
  Mat3 inertia = Vec3(1, 2, 4).asDiagonal();
  const double tiny = 1e-9;
  inertia(0, 1) = inertia(1, 0) = tiny * component();
  inertia(0, 2) = inertia(2, 0) = tiny * component();
  inertia(1, 2) = inertia(2, 1) = tiny * component();
  const PrincipalAxes axes = principal_axes(inertia);
  RC_ASSERT(axes.axes.angularDistance(Quat::Identity()) <= 4 * tiny);
  RC_ASSERT((axes.moments - Vec3(1, 2, 4)).norm() <= 1e-15);
}

TEST(PrincipalAxes, ZeroMatrixHasTheIdentity) {
  const PrincipalAxes axes = principal_axes(Mat3::Zero());
  EXPECT_EQ(axes.moments, Vec3::Zero());
  EXPECT_EQ(axes.axes.coeffs(), Quat::Identity().coeffs());
}
