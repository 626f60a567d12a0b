#include "base/parallel.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <mutex>

namespace abut::base {

struct ThreadPool::Arena {
  explicit Arena(int threads) : tbb(limited(threads)) {}
  static int limited(int threads) {
    const int available = oneapi::tbb::info::default_concurrency();
    return threads > 0 ? std::min(threads, available) : available;
  }
  oneapi::tbb::task_arena tbb;
};

ThreadPool::ThreadPool(int threads) : arena_(std::make_unique<Arena>(threads)) {}
ThreadPool::~ThreadPool() = default;

int ThreadPool::threads() const {
  return arena_->tbb.max_concurrency();
}

void ThreadPool::for_each(std::size_t count, std::size_t grain,
                          const std::function<void(std::size_t)>& body) const {
  std::mutex mutex;
  std::exception_ptr failure;
  std::size_t failed_at = std::numeric_limits<std::size_t>::max();
  const auto attempt = [&](std::size_t i) {
    try {
      body(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (i < failed_at) {
        failed_at = i;
        failure = std::current_exception();
      }
    }
  };

  if (count <= grain || threads() == 1) {
    for (std::size_t i = 0; i < count; ++i) attempt(i);
  } else {
    arena_->tbb.execute([&] {
      oneapi::tbb::parallel_for(oneapi::tbb::blocked_range<std::size_t>(0, count, grain),
                                [&](const oneapi::tbb::blocked_range<std::size_t>& range) {
                                  for (std::size_t i = range.begin(); i != range.end(); ++i)
                                    attempt(i);
                                });
    });
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace abut::base
