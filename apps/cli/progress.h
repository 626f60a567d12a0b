#pragma once
// How far a run has come, on stderr.

#include <chrono>
#include <string>

namespace abut::cli {

/// On a terminal one line that overwrites itself; otherwise plain lines now and then.
class Progress {
 public:
  /// `done`: what happens to the time that passes.
  Progress(double duration, bool quiet, std::string done = "simulated");

  /// Called after every recorded frame; shows only as often as people can read.
  void at(double time);
  /// Shows the last state (plain lines) or clears the line (terminal).
  void finish();
  /// Clears the line, and says no more.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void show();

  std::string done_;
  double duration_;
  double time_ = 0;
  bool quiet_;
  bool terminal_;
  bool line_open_ = false;
  Clock::time_point started_;
  Clock::time_point last_shown_;
};

}  // namespace abut::cli
