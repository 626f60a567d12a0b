#pragma once
// Changes of a document from the command line: `solver.tolerance=1e-6`,
// `bodies.ball.position=[0,0,2]`.

#include <string>
#include <vector>

#include "scene/node.h"
#include "scene/problems.h"

namespace abut::scene {

/// Applies `path=value` texts in order. A path goes through keys (`.key`), places in lists (`[0]`),
/// and in lists of named entries through names (`bodies.ball`); keys that are missing are added.
void apply_overrides(Node& document, const std::vector<std::string>& overrides, Problems& problems);

}  // namespace abut::scene
