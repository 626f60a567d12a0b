// Runs the tests, and those that draw random numbers again with other seeds.

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "support/seeds.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  int failed = RUN_ALL_TESTS();
  for (int round = 2;; ++round) {
    const std::string again = abut::test::begin_next_round();
    if (again.empty()) return failed;
    std::printf("Round %d, with other seeds:\n", round);
    GTEST_FLAG_SET(filter, again);
    failed |= RUN_ALL_TESTS();
  }
}
