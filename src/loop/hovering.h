#pragma once
// Places that hover: two bodies are within the contact distance of each other there, and come
// nearer so slowly that it takes long until they touch, if they ever do.
//
// Of a row of dominoes that have fallen each one lies on the next, and turns a fixed part of what
// that one turns. Their faces become parallel, as all come to rest: the gap between a face and the
// far edge of the other one falls to the rest gap, by half in each tenth of a second or so, and its
// rate with it. To take the two for touching from the contact distance on, and to stop what is
// left of the approach, would lock them to each other; through the levers of the row that stops the
// dominoes at its other end. But there is nothing to be stopped: the gap is never used up.
//
// So a place that bodies do not hold each other by yet may come nearer as fast as lasts for
// hovering_time (hovering.cpp). In a meeting its rate is told as slower by that. It touches where
// detection finds its gap below what bodies that leave each other may have. Anything that weight
// presses comes down there within some microseconds: one more event, and no other outcome.

#include <vector>

#include "loop/meeting.h"
#include "loop/paths.h"

namespace abut::loop {

/// Finds which of a meeting's contacts hover. Those that did before, and are too slow now to be
/// told from resting, go on.
void let_hover(const model::Model& model, const Paths& paths,
               const std::vector<contact::Contact>& before, Meeting& meeting);

/// Replaces those of a list that belong to a meeting by those that hover there now.
void renew_hovering(const Meeting& meeting, std::vector<contact::Contact>& hovering);

}  // namespace abut::loop
