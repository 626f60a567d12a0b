#pragma once
// What `abut check` tells about a body.

#include <optional>
#include <string>

#include "flexible/bending_body.h"
#include "model/model.h"
#include "shape/moments.h"

namespace abut::cli {

/// Of a body that bends.
struct BendingFacts {
  std::string kind;  ///< `affine`, `quadratic` or `sheet`
  int columns = 0;
  int triangles = 0;
  flexible::Periods periods;  ///< of its vibrations, s
};

struct BodyFacts {
  std::string name;
  std::string motion;  ///< `dynamic`, `fixed` or `scripted`
  /// In world axes at time 0; empty where a shape is unbounded.
  std::optional<shape::Moments> moments;
  int part_count = 1;
  std::optional<BendingFacts> bending;
};

/// Fixed and scripted bodies are massless in the model; theirs are the moments of their shapes.
BodyFacts facts_of(const model::Body& body);

}  // namespace abut::cli
