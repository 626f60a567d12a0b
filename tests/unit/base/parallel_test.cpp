#include "base/parallel.h"

#include <atomic>
#include <stdexcept>
#include <vector>

namespace abut::base {
namespace {

TEST(ThreadPool, VisitsEveryItemOnce) {
  for (const int threads : {1, 2, 4}) {
    const ThreadPool pool(threads);
    std::vector<std::atomic<int>> visits(10000);
    pool.for_each(visits.size(), 16, [&](std::size_t i) { ++visits[i]; });
    for (const auto& count : visits) EXPECT_EQ(count, 1);
  }
}

TEST(ThreadPool, ReportsTheFirstFailureInOrderAndStillTriesTheRest) {
  for (const int threads : {1, 4}) {
    const ThreadPool pool(threads);
    std::atomic<int> tried = 0;
    try {
      pool.for_each(1000, 8, [&](std::size_t i) {
        ++tried;
        if (i % 100 == 37) throw std::runtime_error(std::to_string(i));
      });
      FAIL();
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "37");
    }
    EXPECT_EQ(tried, 1000);
  }
}

}  // namespace
}  // namespace abut::base
