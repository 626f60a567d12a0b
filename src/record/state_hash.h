#pragma once
// The fingerprint of the states of a run.

#include "base/hash.h"
#include "record/frame.h"

namespace abut::record {

/// Adds the time, the poses and the velocities of a frame.
inline void add_states(base::Hash& hash, const Frame& frame) {
  const auto add = [&hash](const auto& vector) {
    for (int i = 0; i < vector.size(); ++i) hash.add(vector[i]);
  };
  hash.add(frame.time);
  for (const BodyState& body : frame.bodies) {
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
