#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

namespace abut::cli {
namespace {

using std::chrono::duration;
using std::chrono::milliseconds;

constexpr auto terminal_interval = milliseconds(100);
constexpr auto plain_interval = milliseconds(5000);

}  // namespace

Progress::Progress(double simulated, bool quiet, std::string done)
    : done_(std::move(done)),
      duration_(simulated),
      quiet_(quiet),
      terminal_(::isatty(STDERR_FILENO) == 1),
      started_(Clock::now()),
      last_shown_(started_) {}

void Progress::at(double time) {
  time_ = time;
  if (quiet_) return;
  const auto now = Clock::now();
  if (now - last_shown_ < (terminal_ ? terminal_interval : plain_interval)) return;
  last_shown_ = now;
  show();
}

void Progress::finish() {
  if (!quiet_ && !terminal_) show();
  clear();
}

void Progress::clear() {
  if (line_open_) fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  line_open_ = false;
}

void Progress::show() {
  const double part = duration_ > 0 ? time_ / duration_ : 1;
  const double elapsed = duration<double>(Clock::now() - started_).count();
  std::string text =
      fmt::format("{:.6g} s of {:.6g} s {} ({:.0f}%)", time_, duration_, done_, 100 * part);
  if (part > 0 && part < 1) text += fmt::format(", about {:.0f} s left", elapsed / part - elapsed);
  if (terminal_) {
    fmt::print(stderr, "\r{}\x1b[K", text);
    std::fflush(stderr);
    line_open_ = true;
  } else {
    fmt::print(stderr, "abut: {}\n", text);
  }
}

}  // namespace abut::cli
