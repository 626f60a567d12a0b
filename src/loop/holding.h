#pragma once
// Tells detection which bodies rest against each other.

#include <vector>

#include "loop/detection.h"
#include "loop/paths.h"

namespace abut::loop {

/// The given contacts of some bodies last from t on, and no others of theirs. The bodies' paths
/// must have begun there. Returns whether anything is held.
bool hold_contacts(const Paths& paths, Detection& detection, const std::vector<BodyIndex>& bodies,
                   const std::vector<contact::Contact>& contacts, double t);

}  // namespace abut::loop
