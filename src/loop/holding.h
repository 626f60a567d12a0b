#pragma once
// Tells detection which bodies rest against each other.

#include <vector>

#include "loop/detection.h"
#include "loop/paths.h"

namespace abut::loop {

/// The given contacts and springs of some bodies last from t on, and no others of theirs. The
/// bodies' paths must have begun there. Returns whether any contact is held.
bool hold_contacts(const Paths& paths, Detection& detection, const std::vector<BodyIndex>& bodies,
                   const integrate::ActiveConstraints& active, double t);

}  // namespace abut::loop
