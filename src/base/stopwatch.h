#pragma once
// Wall time of what is done while it lives, added to a total. For the reader of a summary only:
// nothing that is computed may depend on it.

#include <chrono>

namespace abut::base {

class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  ~Stopwatch() { seconds_ += std::chrono::duration<double>(Clock::now() - started_).count(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double& seconds_;
  Clock::time_point started_ = Clock::now();
};

}  // namespace abut::base
