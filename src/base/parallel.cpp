#include "base/parallel.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>

#include "base/stop.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#include <sanitizer/tsan_interface.h>
#define ABUT_THREAD_SANITIZER
// The inside of TBB is left alone.
extern "C" const char* __tsan_default_suppressions() {
  return "race:tbb::detail\n";
}
#endif
#endif

namespace abut::base {
namespace {

// Debian's TBB is not built for the thread sanitizer, which therefore does not see that a loop
// waits for its threads. This tells it, and it then finds races between the bodies of a loop, and
// none between those and what comes before or after.
class Handover {
 public:
#ifdef ABUT_THREAD_SANITIZER
  void give() {
    __tsan_release(this);
  }
  void take() {
    __tsan_acquire(this);
  }
#else
  void give() {}
  void take() {}
#endif
};

}  // namespace

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
  const StopWish* const wish = StopScope::current();
  std::atomic<bool> is_stopped = false;
  const auto attempt = [&](std::size_t i) {
    if (is_stopped.load(std::memory_order_relaxed)) return;
    try {
      stop_if_wished();
      body(i);
    } catch (const Stopped&) {
      is_stopped = true;
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
    Handover begin, end;
    begin.give();
    arena_->tbb.execute([&] {
      oneapi::tbb::parallel_for(oneapi::tbb::blocked_range<std::size_t>(0, count, grain),
                                [&](const oneapi::tbb::blocked_range<std::size_t>& range) {
                                  begin.take();
                                  const StopScope scope(wish);
                                  for (std::size_t i = range.begin(); i != range.end(); ++i)
                                    attempt(i);
                                  end.give();
                                });
    });
    end.take();
  }
  if (failure) std::rethrow_exception(failure);
  if (is_stopped) throw Stopped{};
}

}  // namespace abut::base
