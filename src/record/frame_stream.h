#pragma once
// The frames of a run one after the other, without holding all of them.

#include <cstddef>
#include <vector>

#include "record/run_reader.h"

namespace abut::record {

/// The run must outlive this.
class FrameStream {
 public:
  explicit FrameStream(const RunReader& run, std::size_t first = 0);

  /// The next frame, as record/frame.h says, until the next call; null behind the last one.
  const Frame* next();

 private:
  const StoredFrame* next_stored();
  void take(const StoredFrame& stored);

  const RunReader& run_;
  std::size_t read_;  // frames, up to the end of the block
  std::vector<StoredFrame> block_;
  std::size_t place_ = 0;  // in the block, of the next one
  Frame frame_;
};

/// Calls visit(frame) for every frame, in order.
template <class Visit>
void for_each_frame(const RunReader& run, Visit visit) {
  FrameStream stream(run);
  while (const Frame* frame = stream.next()) visit(*frame);
}

}  // namespace abut::record
