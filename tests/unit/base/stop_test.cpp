#include "base/stop.h"

#include <gtest/gtest.h>

#include <atomic>

#include "base/parallel.h"

namespace abut::base {
namespace {

TEST(Stop, HoldsWhileTheScopeDoes) {
  const StopWish yes = [] { return true; }, no = [] { return false; };
  EXPECT_NO_THROW(stop_if_wished());
  {
    const StopScope outer(&yes);
    EXPECT_THROW(stop_if_wished(), Stopped);
    {
      const StopScope inner(&no);
      EXPECT_NO_THROW(stop_if_wished());
    }
    EXPECT_THROW(stop_if_wished(), Stopped);
  }
  EXPECT_NO_THROW(stop_if_wished());
}

// Items that have not begun are not begun, on whatever thread, and those that have may end.
TEST(Stop, ReachesTheThreadsOfALoop) {
  for (const int threads : {1, 2}) {
    std::atomic<bool> flag = false;
    std::atomic<int> begun = 0;
    const StopWish wish = [&] { return flag.load(); };
    const StopScope scope(&wish);
    const ThreadPool pool(threads);
    EXPECT_THROW(pool.for_each(10000, 1,
                               [&](std::size_t) {
                                 ++begun;
                                 flag = true;
                                 stop_if_wished();
                                 ADD_FAILURE();
                               }),
                 Stopped);
    EXPECT_LE(begun, 64);
    flag = false;
    EXPECT_NO_THROW(pool.for_each(100, 1, [](std::size_t) { stop_if_wished(); }));
  }
}

}  // namespace
}  // namespace abut::base
