#pragma once
// Loops over independent items. The result does not depend on the number of threads: every item
// writes to its own place, and of several failures the one with the lowest index is reported.

#include <cstddef>
#include <functional>
#include <memory>

namespace abut::base {

class ThreadPool {
 public:
  /// 0 threads: as many as the machine has; never more than that.
  explicit ThreadPool(int threads);
  ~ThreadPool();

  int threads() const;

  /// Calls body(i) for every i in [0, count), `grain` items at a time. The first exception in
  /// order of i is rethrown after all items have been tried.
  void for_each(std::size_t count, std::size_t grain,
                const std::function<void(std::size_t)>& body) const;

 private:
  struct Arena;
  std::unique_ptr<Arena> arena_;
};

}  // namespace abut::base
