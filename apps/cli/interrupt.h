#pragma once
// Ctrl-C, SIGTERM and SIGHUP as a wish that a run looks at.

#include <atomic>

namespace abut::cli {

/// While it lives, the first SIGINT, SIGTERM or SIGHUP sets the flag; a later one ends the program.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  const std::atomic<bool>* flag() const;
};

}  // namespace abut::cli
