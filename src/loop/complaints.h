#pragma once
// Why a run cannot go on, and what to do about it, in words.

#include <string>

#include "loop/contact_event.h"
#include "loop/detection.h"
#include "loop/paths.h"

namespace abut::loop {

/// Of shapes whose contact cannot be computed; empty where there are none, or the scene allows it.
std::string complaint_of_shapes(const model::Model& model);

/// Of bodies that overlap where the run begins.
std::string complaint_of_overlap(const model::Model& model, const Overlap& overlap);

/// Of a contact event for which no forces were found.
std::string complaint_of_forces(const model::Model& model, const ContactEvent& contact_event);

/// A motion that cannot be continued ends the run, unless a touch comes first: throws
/// SimulationError. The state in which it ends is not recorded: what is singular there has no
/// forces, and its books do not close.
void refuse_to_go_on(const Paths& paths, const Detection& detection, double t);

}  // namespace abut::loop
