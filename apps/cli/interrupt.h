#pragma once
// Ctrl-C and SIGTERM as a wish that a run looks at.

#include <atomic>

namespace abut::cli {

/// While it lives, the first SIGINT or SIGTERM sets the flag; a later one ends the program.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  const std::atomic<bool>* flag() const;
};

}  // namespace abut::cli
