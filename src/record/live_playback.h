#pragma once
// A run that goes on, in the form that the player reads (playback.h): the header and the shapes at
// once, then chunks of what came since the last ones.

#include <memory>
#include <string>
#include <vector>

#include "record/frame.h"
#include "record/playback.h"
#include "record/playback_plan.h"

namespace abut::record {

class LivePlayback {
 public:
  /// `model` must outlive this.
  explicit LivePlayback(const model::Model& model);
  ~LivePlayback();

  /// What the page holds before the first frame.
  Playback beginning() const;

  void add(const Frame& frame);
  void add(const Event& event);
  /// Chunks of all that was added since the last call, events before the frames that follow them;
  /// empty where nothing was.
  std::vector<std::string> take();

 private:
  struct Pending;
  const model::Model& model_;
  PlaybackPlan plan_;
  std::unique_ptr<Pending> pending_;
};

}  // namespace abut::record
