#include "base/hash.h"

namespace abut::base {
namespace {

TEST(Hash, DependsOnValuesAndTheirOrder) {
  Hash a, b, c;
  a.add(1.0);
  a.add(2.0);
  b.add(2.0);
  b.add(1.0);
  c.add(1.0);
  c.add(std::nextafter(2.0, 3.0));
  EXPECT_NE(a.value(), b.value());
  EXPECT_NE(a.value(), c.value());
  EXPECT_EQ(a.hex().size(), 16u);
}

TEST(Hash, BothZerosAreOneNumber) {
  Hash a, b;
  a.add(0.0);
  b.add(-0.0);
  EXPECT_EQ(a.value(), b.value());
}

TEST(Hash, TextsOfDifferentSplitDiffer) {
  Hash a, b;
  a.add("ab");
  a.add("c");
  b.add("a");
  b.add("bc");
  EXPECT_NE(a.value(), b.value());
}

}  // namespace
}  // namespace abut::base
