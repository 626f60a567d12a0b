#pragma once
// What was found out of contacts at an instant, and stands within what counts as no time: paths end
// one after the other there, and what one of them told must not be forgotten at the next.

#include <vector>

#include "integrate/path_events.h"

namespace abut::loop {

struct Verdicts {
  /// Contacts whose force has just fallen to zero, to stay there. That their gaps do not accelerate
  /// yet is no reason to hold them.
  std::vector<contact::Contact> released;
  /// Contacts whose stick gave way, with the direction.
  std::vector<contact::Contact> giving_way;
  /// Contacts whose slip friction would stop at once under the load they had: it is taken out.
  std::vector<contact::Contact> creeping;
  /// Contacts that cannot keep the direction of their slip: they are not guided.
  std::vector<contact::Contact> freed;

  /// An event that ended the path of an island.
  void note(const integrate::PathEvent& event, const integrate::Island& island);
  /// A contact is not to leave after all. False: it was not to.
  bool take_back_leaving(const contact::Contact& contact);
};

}  // namespace abut::loop
