#include "loop/audit.h"

namespace abut::loop {
namespace {

using record::EnergyAudit;

TEST(ExactSum, KeepsSmallTermsAmongLargeOnes) {
  ExactSum sum;
  for (const double term : {1e16, 1.0, 1.0, -1e16}) sum.add(term);
  EXPECT_EQ(sum.value(), 2);
}

TEST(EnergyAudit, MeasuresImbalanceAgainstWhatWasExchanged) {
  EnergyAudit audit;
  audit.add({10, 0, 0, 0, 0});
  audit.add({4, 3, 2, 1, 0});        // balanced
  audit.add({4, 3, 2, 1.5, 0.499});  // 0.001 too much
  EXPECT_NEAR(audit.relative_error(), 0.001 / 10.999, 1e-12);
  EXPECT_EQ(audit.first().mechanical(), 10);
  EXPECT_EQ(audit.last().mechanical(), 9);
}

TEST(EnergyAudit, DoesNotDependOnWherePotentialIsZero) {
  EnergyAudit near, far;
  near.add({1, 0, 0, 0, 0});
  near.add({2, -1.01, 0, 0, 0});
  far.add({1, 1e6, 0, 0, 0});
  far.add({2, 1e6 - 1.01, 0, 0, 0});
  EXPECT_NEAR(near.relative_error(), far.relative_error(), 1e-8);
}

TEST(EnergyAudit, AtRestErrorsAreRelativeToTheGivenScale) {
  EnergyAudit audit(100);
  audit.add({0, 7, 0, 0, 0});
  audit.add({0, 7.001, 0, 0, 0});
  EXPECT_NEAR(audit.relative_error(), 1e-5, 1e-12);
}

// As a book does that is closed by what is missing in it.
TEST(EnergyAudit, WhatWasDissipatedDoesNotComeBack) {
  EnergyAudit audit;
  audit.add({10, 0, 0, 0, 0});
  audit.add({6, 0, 0, 4, 0});
  EXPECT_EQ(audit.relative_return(), 0);
  audit.add({7, 0, 0, 3, 0});
  EXPECT_EQ(audit.relative_error(), 0);
  EXPECT_NEAR(audit.relative_return(), 1.0 / 10, 1e-12);
}

integrate::Momentum momentum(const Vec3& linear, const Vec3& angular) {
  return {linear, angular, linear.norm(), angular.norm(), 2};
}

TEST(MomentumAudit, WhatCameInIsNoError) {
  MomentumAudit audit;
  audit.add(0, momentum(Vec3(3, 0, 0), Vec3(0, 0, 1)), {});
  integrate::Balance in;
  in.impulse = Vec3(0, 4, 0);
  in.angular_impulse = Vec3(1, 0, 0);
  audit.add(1, momentum(Vec3(3, 4, 0), Vec3(1, 0, 1)), in);
  EXPECT_EQ(audit.relative_error(), 0);
  audit.add(2, momentum(Vec3(3, 4, 0.01), Vec3(1, 0, 1)), in);
  EXPECT_NEAR(audit.relative_error(), 0.01 / 5, 1e-7);
  audit.add(3, momentum(Vec3(3, 4, 0), Vec3(1, 0, 1.1)), in);
  EXPECT_NEAR(audit.relative_error(), 0.1 / std::hypot(1, 1.1), 1e-7);
}

// Of bodies at rest under their weight there is no momentum to compare with, but weight times time.
TEST(MomentumAudit, WeightIsAScale) {
  MomentumAudit audit({100, 0, 0});
  audit.add(0, momentum(Vec3::Zero(), Vec3::Zero()), {});
  audit.add(2, momentum(Vec3(0, 0, 1), Vec3::Zero()), {});
  EXPECT_NEAR(audit.relative_error(), 1.0 / 200, 1e-15);
}

// Nor of bodies that are pressed together, but the forces between them times time.
TEST(MomentumAudit, WhatPressesIsAScale) {
  MomentumAudit audit({0, 0, 0.5});
  audit.add(0, {}, {}, {7, 0});
  audit.add(2, {}, {}, {100, 0});
  audit.add(2, {}, {}, {50, 0});
  audit.add(3, {Vec3(0, 0, 1e-6), Vec3::Zero(), 1e-6, 0, 0}, {}, {50, 0});
  EXPECT_NEAR(audit.relative_error(), 1e-6 / 0.25, 1e-15);  // a thousandth of 2 * 100 + 50 N s
  audit.add(3, {Vec3::Zero(), Vec3(0, 0, 1e-6), 0, 1e-6, 0}, {}, {50, 0});
  EXPECT_NEAR(audit.relative_error(), 1e-6 / (0.25 * 0.5), 1e-15);
}

TEST(EnergyAudit, WhatPressesIsAScale) {
  EnergyAudit audit;
  audit.add({}, {0, 20});
  audit.add({1e-6, 0, 0, 0, 0}, {0, 10});
  EXPECT_NEAR(audit.relative_error(), 1e-6 / 0.02, 1e-15);  // a thousandth of 20 J
}

TEST(MomentumAudit, BodiesThatHardlyMoveAreComparedWithRest) {
  MomentumAudit audit({0, 1e-3, 2});
  audit.add(0, {}, {});
  audit.add(1, {Vec3(1e-17, 0, 0), Vec3(1e-17, 0, 0), 1e-17, 1e-17, 0}, {});
  EXPECT_NEAR(audit.relative_error(), 1e-14, 1e-16);
}

}  // namespace
}  // namespace abut::loop
