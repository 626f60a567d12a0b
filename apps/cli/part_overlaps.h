#pragma once
// Parts of one body that overlap, whose common volume counts twice in the body's mass.

#include <vector>

#include "abut/diagnostics.h"
#include "model/model.h"

namespace abut::cli {

/// A warning for each pair of parts of a dynamic body that overlap, as far as that can be told. The
/// bodies of a grid are alike, so only its first one is warned of.
std::vector<Diagnostic> part_overlaps(const model::Model& model,
                                      const std::vector<Location>& places);

}  // namespace abut::cli
