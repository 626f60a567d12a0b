#pragma once
// Whether bodies that touch have the room to do so.

#include <string>

#include "loop/contact_event.h"

namespace abut::loop {

/// Contacts that last are kept at the rest gap, and a contact event brings them there. Where a body
/// fits exactly between others, or is pressed into a narrowing gap, there is no room for that.
struct Room {
  double least_gap = 0;  ///< of the contacts that last, as a fraction of the rest gap; 1: enough
  std::string bodies;    ///< the names of those that have too little, in words; empty: none has
  std::string joints;    ///< the names of the joints that hold some of these, in words

  bool is_enough() const { return bodies.empty(); }
  /// Steps keep joints as well: they find no more room either.
  bool is_held() const { return !joints.empty(); }
  /// Why the run cannot go on, and what to do about it.
  std::string complaint(const model::SolverSettings& solver) const;
};

Room room_of(const model::Model& model, const integrate::Scripts& scripts,
             const ContactEvent& contact_event, const Outcome& outcome);

}  // namespace abut::loop
