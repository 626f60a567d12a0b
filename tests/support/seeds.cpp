#include "support/seeds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/sizes.h"

namespace abut::test {
namespace {

// Seeds of one test are so far apart that those of its neighbours do not come again.
constexpr unsigned seed_stride = 1000;

struct Rounds {
  unsigned now = 0;
  std::map<std::string, int> wanted;  // by name of the test
};

Rounds& rounds_of_all() {
  static Rounds rounds;
  return rounds;
}

}  // namespace

unsigned seed(unsigned first, int rounds) {
  Rounds& all = rounds_of_all();
  const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
  if (test != nullptr && !sanitized) {
    int& wanted = all.wanted[std::string(test->test_suite_name()) + "." + test->name()];
    wanted = std::max(wanted, rounds);
  }
  return first + seed_stride * all.now;
}

std::string begin_next_round() {
  Rounds& all = rounds_of_all();
  ++all.now;
  std::string filter;
  for (const auto& [name, wanted] : all.wanted)
    if (wanted > static_cast<int>(all.now)) filter += (filter.empty() ? "" : ":") + name;
  return filter;
}

}  // namespace abut::test
