#pragma once
// A step that is proven: bodies, coordinates of joints and books go on.

#include "clock/step_attempt.h"

namespace abut::clock {

void accept(Attempt& attempt);

}  // namespace abut::clock
