#include "loop/verdicts.h"

namespace abut::loop {

using integrate::PathEventKind;

void Verdicts::note(const integrate::PathEvent& event, const integrate::Island& island) {
  for (const int i : event.changes.opening) released.push_back(island.contacts[i]);
  for (const auto& [i, along] : event.changes.slipping) {
    giving_way.push_back(island.contacts[i]);
    giving_way.back().gives_way = along;
  }
  if (event.kind == PathEventKind::creep) creeping.push_back(island.contacts[event.index]);
  if (event.kind == PathEventKind::free) freed.push_back(island.contacts[event.index]);
}

bool Verdicts::take_back_leaving(const contact::Contact& contact) {
  return std::erase_if(released,
                       [&](const contact::Contact& one) { return one.is_same_place(contact); }) > 0;
}

}  // namespace abut::loop
