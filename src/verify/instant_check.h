#pragma once
// Checks that look at what happened at an instant: the frames before and after it, and its events.

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "record/run_reader.h"
#include "verify/check.h"

namespace abut::verify {

/// The events of a run in their order, a block at a time.
class EventCursor {
 public:
  explicit EventCursor(const record::RunReader& run) : run_(&run) {}

  /// The next one; null behind the last.
  const Event* peek() {
    if (next_ < block_.size()) return &block_[next_];
    const std::size_t count = std::min(events_per_block, run_->event_count() - read_);
    if (count == 0) return nullptr;
    block_ = run_->events(read_, count);
    read_ += count;
    next_ = 0;
    return &block_.front();
  }
  Event take() { return std::move(block_[next_++]); }

 private:
  static constexpr std::size_t events_per_block = 4096;

  const record::RunReader* run_;
  std::vector<Event> block_;
  std::size_t next_ = 0, read_ = 0;
};

/// An instant at which something happened.
struct Instant {
  double time = 0;  ///< s
  const record::Frame& before;
  const record::Frame& after;
  std::vector<Event> events;
};

class InstantCheck : public Check {
 public:
  /// The run must outlive the check.
  InstantCheck(std::string name, const record::RunReader& run)
      : Check(std::move(name)), cursor_(run) {}

  void frame(const record::Frame& frame) final {
    between(frame);
    if (frame.kind == record::FrameKind::before) record::copy_told(frame, before_);
    if (frame.kind == record::FrameKind::before) has_before_ = true;
    if (frame.kind != record::FrameKind::after || !has_before_) return;
    has_before_ = false;
    Instant now{frame.time, before_, frame, {}};
    while (const Event* event = cursor_.peek()) {
      if (event->time > frame.time) break;
      Event taken = cursor_.take();
      if (taken.time == frame.time)
        now.events.push_back(std::move(taken));
      else
        stray(taken);
    }
    instant(now);
  }
  void finish() override {
    while (cursor_.peek() != nullptr) stray(cursor_.take());
  }

 protected:
  virtual void instant(const Instant& now) = 0;
  /// Every frame, before anything else.
  virtual void between(const record::Frame&) {}
  /// An event without frames of its time.
  virtual void stray(const Event&) {}

 private:
  EventCursor cursor_;
  record::Frame before_;
  bool has_before_ = false;
};

}  // namespace abut::verify
