#pragma once
// Gaps that would end too small are opened.

#include "clock/step_attempt.h"

namespace abut::clock {

/// Where gaps would end below what they are to be, the bodies are moved apart by the least shift in
/// the mass metric, which is no part of their momentum: no energy comes of it.
void open_gaps(Attempt& attempt);

}  // namespace abut::clock
