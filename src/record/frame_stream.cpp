#include "record/frame_stream.h"

#include <algorithm>

#include "base/stop.h"

namespace abut::record {

// What a frame does not tell is in those before it, up to the last whole one.
FrameStream::FrameStream(const RunReader& run, std::size_t first) : run_(run), read_(first) {
  frame_.bodies.resize(run.facts().bodies.size());
  if (first == 0 || first >= run.frame_count()) return;
  read_ = run.last_whole_frame(first);
  for (std::size_t skipped = first - read_; skipped > 0; --skipped) next();
}

const Frame* FrameStream::next() {
  base::stop_if_wished();
  const StoredFrame* stored = next_stored();
  if (stored == nullptr) return nullptr;
  take(*stored);
  return &frame_;
}

const StoredFrame* FrameStream::next_stored() {
  if (place_ == block_.size()) {
    if (read_ >= run_.frame_count()) return nullptr;
    const std::size_t count = std::min(run_.frames_per_block(), run_.frame_count() - read_);
    block_ = run_.stored(read_, count);
    read_ += count;
    place_ = 0;
  }
  return &block_[place_++];
}

void FrameStream::take(const StoredFrame& stored) {
  frame_.time = stored.frame.time;
  frame_.kind = stored.frame.kind;
  frame_.energy = stored.frame.energy;
  frame_.bending = stored.frame.bending;
  frame_.contacts = stored.frame.contacts;
  frame_.joints = stored.frame.joints;
  const bool is_whole = stored.told.size() == frame_.bodies.size();
  if (is_whole)
    frame_.only.clear();
  else
    frame_.only = stored.told;
  for (std::size_t i = 0; i < stored.told.size(); ++i)
    frame_.bodies[static_cast<std::size_t>(stored.told[i])] = stored.states[i];
}

}  // namespace abut::record
