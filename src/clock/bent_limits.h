#pragma once
// What bodies that bend cannot do yet: nothing of it is passed in silence.

#include <string>

#include "model/model.h"

namespace abut::clock {

/// Names the first thing in the scene that the step clock does not do for bodies that bend, with
/// what to do about it; empty if there is none.
std::string bent_complaint(const model::Model& model);

}  // namespace abut::clock
