#include "interrupt.h"

#include <signal.h>
#include <time.h>

#include <csignal>
#include <cstdint>

namespace abut::cli {
namespace {

std::atomic<bool> interrupted{false};
std::atomic<std::int64_t> interrupted_at{0};  // ms of the monotonic clock
static_assert(std::atomic<bool>::is_always_lock_free, "signal handlers may not wait");
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "signal handlers may not wait");

/// A second signal this soon is an echo of the first, ms: timeout(1) sends its signal to the
/// program and once more to the whole process group.
constexpr std::int64_t echo_time = 1000;

std::int64_t milliseconds_now() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{1000} * now.tv_sec + now.tv_nsec / 1'000'000;
}

void note_interrupt(int signal) {
  if (!interrupted.exchange(true)) {
    interrupted_at = milliseconds_now();
  } else if (milliseconds_now() - interrupted_at > echo_time) {
    std::signal(signal, SIG_DFL);
    ::raise(signal);
  }
}

void handle(int signal) {
  struct sigaction action {};
  action.sa_handler = note_interrupt;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  interrupted = false;
  handle(SIGINT);
  handle(SIGTERM);
  handle(SIGHUP);
}

InterruptGuard::~InterruptGuard() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  std::signal(SIGHUP, SIG_DFL);
}

const std::atomic<bool>* InterruptGuard::flag() const {
  return &interrupted;
}

bool InterruptGuard::is_older_than(std::chrono::milliseconds patience) const {
  return interrupted.load() && milliseconds_now() - interrupted_at > patience.count();
}

}  // namespace abut::cli
