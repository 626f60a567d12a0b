#include "interrupt.h"

#include <signal.h>
#include <time.h>

#include <csignal>
#include <cstdint>

namespace abut::cli {
namespace {

std::atomic<bool> interrupted{false};
std::atomic<std::int64_t> interrupted_at{0};  // seconds of the monotonic clock
static_assert(std::atomic<bool>::is_always_lock_free, "signal handlers may not wait");
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "signal handlers may not wait");

/// A second signal this soon is an echo of the first, s: timeout(1) sends its signal to the program
/// and once more to the whole process group.
constexpr std::int64_t echo_time = 1;

std::int64_t seconds_now() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

void note_interrupt(int signal) {
  if (!interrupted.exchange(true)) {
    interrupted_at = seconds_now();
  } else if (seconds_now() - interrupted_at > echo_time) {
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

}  // namespace abut::cli
