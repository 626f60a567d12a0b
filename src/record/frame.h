#pragma once
// What the loop hands to whoever listens: frames, events, and a summary at the end.

#include <algorithm>
#include <cstddef>
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

/// A recorded time. Samples tell of the whole scene; a frame before or after an event may tell only
/// of the bodies that the event concerns.
struct Frame {
  double time = 0;
  FrameKind kind = FrameKind::sample;
  /// In model order, all of them; those that this frame does not tell of are as they were told
  /// last.
  std::vector<BodyState> bodies;
  /// Columns and rates of bodies that bend, in model order; nothing of others, and empty where
  /// nothing bends.
  std::vector<flexible::State> bending;
  std::vector<BodyIndex> only;  ///< the bodies that it tells of, ascending; empty: all
  Energy energy;                ///< of the whole scene
  /// Every point of contact of the bodies told of.
  std::vector<ContactState> contacts;
  /// Every joint of theirs, and impulses of loaded ones at an impact.
  std::vector<JointState> joints;

  bool is_whole() const { return only.empty(); }
  bool tells_of(BodyIndex body) const {
    return is_whole() || std::binary_search(only.begin(), only.end(), body);
  }
  /// How many bodies it tells of, and the i-th of these.
  std::size_t told_count() const { return is_whole() ? bodies.size() : only.size(); }
  std::size_t told(std::size_t i) const {
    return is_whole() ? i : static_cast<std::size_t>(only[i]);
  }
};

/// Makes `to` a copy of `from`, but for the states of bodies that `from` does not tell of, which
/// stay as they are where there are any: of many bodies few are copied.
inline void copy_told(const Frame& from, Frame& to) {
  to.time = from.time;
  to.kind = from.kind;
  to.energy = from.energy;
  to.only = from.only;
  to.bending = from.bending;
  to.contacts = from.contacts;
  to.joints = from.joints;
  if (to.bodies.size() != from.bodies.size()) to.bodies = from.bodies;
  for (std::size_t i = 0; i < from.told_count(); ++i)
    to.bodies[from.told(i)] = from.bodies[from.told(i)];
}

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
