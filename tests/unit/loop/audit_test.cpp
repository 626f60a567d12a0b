#include "loop/audit.h"

namespace abut::loop {
namespace {

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

}  // namespace
}  // namespace abut::loop
