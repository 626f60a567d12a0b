#pragma once
// The fingerprint of the states of a run.

#include <cstdint>

#include "base/hash.h"
#include "record/frame.h"

namespace abut::record {

/// Adds the time of a frame, and the poses and velocities of the bodies it tells of.
inline void add_states(base::Hash& hash, const Frame& frame) {
  const auto add = [&hash](const auto& vector) {
    for (int i = 0; i < vector.size(); ++i) hash.add(vector[i]);
  };
  hash.add(frame.time);
  for (std::size_t i = 0; i < frame.told_count(); ++i) {
    const BodyState& body = frame.bodies[frame.told(i)];
    hash.add(static_cast<std::uint64_t>(frame.told(i)));
    add(body.position);
    add(body.orientation.coeffs());
    add(body.velocity);
    add(body.angular_velocity);
  }
  for (const flexible::State& state : frame.bending) {
    add(state.columns.reshaped());
    add(state.rates.reshaped());
  }
}

}  // namespace abut::record
