#pragma once
// What the loop hands to whoever listens: frames, events, and a summary at the end.

#include <cstdint>
#include <vector>

#include "abut/summary.h"
#include "abut/types.h"
#include "model/model.h"

namespace abut::record {

enum class FrameKind : std::uint8_t {
  sample,  ///< on the recording grid, or the end
  before,  ///< just before the events of this time
  after,   ///< just after them
};

/// The whole scene at one recorded time.
struct Frame {
  double time = 0;
  FrameKind kind = FrameKind::sample;
  std::vector<BodyState> bodies;  ///< in model order, all of them
  /// Columns and rates of bodies that bend, in model order; nothing of others, and empty where
  /// nothing bends.
  std::vector<flexible::State> bending;
  Energy energy;
  std::vector<ContactState> contacts;  ///< every point of contact
  std::vector<JointState> joints;      ///< every joint, and impulses of loaded ones at an impact
};

using abut::RunStatus;
using abut::Summary;

/// Receives a run in the order of time. Throwing from a call ends the run.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void begin(const model::Model& model) = 0;
  virtual void frame(const Frame& frame) = 0;
  virtual void event(const Event& event) = 0;
  virtual void end(const Summary& summary) = 0;
};

}  // namespace abut::record
