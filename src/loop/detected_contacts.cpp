// What detection tells of pairs that are near each other: overlaps, contacts, and what they hold.

#include <algorithm>
#include <utility>

#include "loop/detection.h"

namespace abut::loop {

std::optional<Overlap> Detection::deepest_overlap(double t, const Paths& paths) {
  std::optional<Overlap> deepest;
  double lowest = -model_.solver.contact_distance;
  for (const auto& [pair, watch] : watches_) {
    if (!watch.search) continue;  // they are far apart
    const Pose pose_a = paths.motion_of(pair.a, t).pose, pose_b = paths.motion_of(pair.b, t).pose;
    const auto now = watch.search->separation(pose_a, pose_b);
    if (!now) continue;
    // Of meshes the gap is that of the surfaces: one that is in another leaves it by that at least.
    const bool is_inside = now->gap > 0 && geometry_.are_nested(pair, pose_a, pose_b);
    const double gap =
        is_inside ? -std::max(now->gap, 2 * model_.solver.contact_distance) : now->gap;
    if (!(gap < lowest)) continue;
    lowest = gap;
    deepest = Overlap{pair.a, pair.b, -lowest};
  }
  if (deepest) gap_bound_ = std::min(gap_bound_, lowest);
  return deepest;
}

std::vector<contact::Contact> Detection::contacts_of(BodyIndex a, BodyIndex b, const Pose& pose_a,
                                                     const Pose& pose_b) {
  const auto entry = watches_.find({std::min(a, b), std::max(a, b)});
  if (entry == watches_.end() || !entry->second.search || a > b) return {};
  if (!entry->second.query && !geometry_.make_shapes(entry->first)) return {};
  std::vector<contact::Contact> contacts =
      geometry_.contacts(entry->first, entry->second.query, pose_a, pose_b);
  // Springs are made for points that nearly touch, once any does.
  const auto touches = [&](const contact::Contact& contact) {
    return contact::evaluate(contact, {pose_a}, {pose_b}).row.value <=
           model_.solver.contact_distance;
  };
  if (model_.solver.contact == model::ContactModel::penalty &&
      std::none_of(contacts.begin(), contacts.end(), touches))
    return {};
  return contacts;
}

void Detection::follow(BodyIndex a, BodyIndex b, std::vector<contact::Contact> springs) {
  const auto entry = watches_.find({a, b});
  if (entry != watches_.end())
    entry->second.springs = geometry_.watch_of(entry->first, std::move(springs));
}

void Detection::hold(BodyIndex a, BodyIndex b, const std::vector<contact::Contact>& contacts,
                     const body::RigidMotion& motion_a, const body::RigidMotion& motion_b) {
  const auto entry = watches_.find({a, b});
  if (entry == watches_.end()) return;
  if (contacts.empty() && !entry->second.search) return;  // they are far apart
  toi::FirstContact& search = search_of(entry->first, entry->second);
  // Bodies were shifted to restore gaps: the certificate must not overlook what that did to others.
  if (const auto now = search.separation(motion_a.pose, motion_b.pose))
    gap_bound_ = std::min(gap_bound_, now->gap);
  search.hold(contacts.empty() ? std::vector<toi::PartHold>{}
                               : geometry_.holds(entry->first, contacts, motion_a, motion_b));
}

}  // namespace abut::loop
