#pragma once
// How far ahead a run looks at once. That follows from the scene alone, so that neither the
// recording grid nor the end of the run changes the motion: what is found is rounded, and that
// depends on where a search, or a step, begins and ends.

#include "model/model.h"

namespace abut::loop {

struct Reach {
  double window = 0;  ///< length of the stretches of time that are looked at for events, s
  double until = 0;   ///< nothing is known after that, s; infinite where all is
};

Reach reach_of(const model::Model& model);

}  // namespace abut::loop
