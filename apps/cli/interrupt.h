#pragma once
// Ctrl-C, SIGTERM and SIGHUP as a wish that a run looks at.

#include <atomic>
#include <chrono>

namespace abut::cli {

/// While it lives, the first SIGINT, SIGTERM or SIGHUP sets the flag; a later one ends the program.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  const std::atomic<bool>* flag() const;
  /// Whether a signal came longer ago than this.
  bool is_older_than(std::chrono::milliseconds patience) const;
};

}  // namespace abut::cli
