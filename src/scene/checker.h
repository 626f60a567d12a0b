#pragma once
// Holds a document against the description of the format and reports every difference.

#include "scene/node.h"
#include "scene/problems.h"
#include "scene/schema.h"

namespace abut::scene {

/// Checks `node` and everything in it, and marks what is right as valid, with numbers converted to
/// SI and choices made.
void check_document(Node& node, const Record& format, Problems& problems);

}  // namespace abut::scene
