#pragma once
// Pairs of bodies that may meet, but whose contact cannot be told yet.

#include <string>
#include <vector>

#include "model/model.h"

namespace abut::narrow {

struct UnsupportedPair {
  BodyIndex a = world;
  BodyIndex b = world;  ///< larger than a
  int part_a = 0;       ///< the first pair of parts that is not supported
  int part_b = 0;
};

/// All of them: of two bodies at least one is dynamic, and nothing keeps them from touching at the
/// start. Where they are does not matter.
std::vector<UnsupportedPair> unsupported_pairs(const model::Model& model);

/// `contact between a mesh and a plane (bodies m and floor) cannot be computed yet`.
std::string description(const model::Model& model, const UnsupportedPair& pair);

/// What a user can do about it.
extern const char* const unsupported_remedy;

}  // namespace abut::narrow
