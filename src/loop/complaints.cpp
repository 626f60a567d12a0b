#include "loop/complaints.h"

#include <fmt/format.h>

#include <set>

#include "abut/diagnostics.h"
#include "base/text.h"
#include "narrow/unsupported.h"

namespace abut::loop {
namespace {

// What may ask for forces that there are none for.
std::string suspects_of(const model::Model& model, const ContactEvent& contact_event) {
  std::set<std::string> scripted;
  for (const contact::Contact& contact : contact_event.active.contacts)
    for (const BodyIndex body : contact.bodies)
      if (body != world && model.bodies[body].script() != nullptr)
        scripted.insert(model.bodies[body].name);
  const std::string others =
      "joints that contradict each other, and for motors without a greatest force that press "
      "against a contact";
  if (scripted.empty()) return others;
  return fmt::format(
      "scripts that squeeze bodies against something that does not yield ({}); then for {}",
      base::listed({scripted.begin(), scripted.end()}), others);
}

}  // namespace

std::string complaint_of_shapes(const model::Model& model) {
  if (model.solver.unsupported == model::Unsupported::ignore) return "";
  const auto pairs = narrow::unsupported_pairs(model);
  if (pairs.empty()) return "";
  const std::string more =
      pairs.size() > 1 ? fmt::format(", nor that of {} more pairs", pairs.size() - 1) : "";
  return fmt::format("{}{}; {}", narrow::description(model, pairs.front()), more,
                     narrow::unsupported_remedy);
}

std::string complaint_of_overlap(const model::Model& model, const Overlap& overlap) {
  return fmt::format(
      "bodies {} and {} overlap by {:.6g} m; move one of them (`abut check` tells where to), or "
      "list the pair under no_collide",
      model.bodies[overlap.a].name, model.bodies[overlap.b].name, overlap.depth);
}

std::string complaint_of_forces(const model::Model& model, const ContactEvent& contact_event) {
  return fmt::format("no forces were found that keep {} and what touches it apart; look for {}",
                     model.bodies[contact_event.bodies.front()].name,
                     suspects_of(model, contact_event));
}

void refuse_to_go_on(const Paths& paths, const Detection& detection, double t) {
  const auto touch = detection.first_touch();
  if (touch && touch->time <= t) return;
  for (const int number : paths.ended_by(t))
    if (paths.at(number)->event()->kind == integrate::PathEventKind::fails)
      throw SimulationError(t, paths.at(number)->failure());
}

}  // namespace abut::loop
