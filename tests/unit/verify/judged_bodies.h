#pragma once
// Bodies and places as the tests of the judges give them.

#include "model/model.h"

namespace judge_testing {

/// A body of one part at its origin, without mass.
inline abut::model::Body body_of(const abut::shape::Geometry& geometry) {
  abut::model::Body body;
  body.parts = {{geometry, {}, 1000, 0}};
  return body;
}

inline abut::BodyState at(const abut::Vec3& position,
                          const abut::Quat& orientation = abut::Quat::Identity()) {
  abut::BodyState state;
  state.position = position;
  state.orientation = orientation;
  return state;
}

}  // namespace judge_testing
