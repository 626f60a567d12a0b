#pragma once
// What `abut check` tells about a body.

#include <optional>
#include <string>

#include "model/model.h"
#include "shape/moments.h"

namespace abut::cli {

struct BodyFacts {
  std::string name;
  std::string motion;  ///< `dynamic`, `fixed` or `scripted`
  /// In world axes at time 0; empty where a shape is unbounded.
  std::optional<shape::Moments> moments;
  int part_count = 1;
};

/// Fixed and scripted bodies are massless in the model; theirs are the moments of their shapes.
BodyFacts facts_of(const model::Body& body);

}  // namespace abut::cli
