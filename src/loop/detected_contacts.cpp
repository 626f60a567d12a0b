// What detection tells of pairs that are near each other: overlaps, contacts, and what they hold.

#include <algorithm>

#include "contact/cell_holding.h"
#include "contact/hold.h"
#include "contact/reduced.h"
#include "loop/detection.h"
#include "model/contact_law.h"
#include "narrow/nesting.h"
#include "narrow/solid_id.h"

namespace abut::loop {

std::optional<Overlap> Detection::deepest_overlap(double t, const Paths& paths) {
  std::optional<Overlap> deepest;
  double lowest = -model_.solver.contact_distance;
  for (const auto& [pair, watch] : watches_) {
    if (!watch.search) continue;  // they are far apart
    const auto now =
        watch.search->separation(paths.motion_of(pair.a, t).pose, paths.motion_of(pair.b, t).pose);
    if (!now) continue;
    // Of meshes the gap is that of the surfaces: one that is in another leaves it by that at least.
    const bool is_inside = now->gap > 0 && are_nested(pair, t, paths);
    const double gap =
        is_inside ? -std::max(now->gap, 2 * model_.solver.contact_distance) : now->gap;
    if (!(gap < lowest)) continue;
    lowest = gap;
    deepest = Overlap{pair.a, pair.b, -lowest};
  }
  if (deepest) gap_bound_ = std::min(gap_bound_, lowest);
  return deepest;
}

bool Detection::are_nested(const broad::Pair& pair, double t, const Paths& paths) {
  const auto a = shape_of(pair.a), b = shape_of(pair.b);
  if (!a || !b || (!a->has_cells() && !b->has_cells())) return false;
  const auto frame = [&](BodyIndex body) {
    return toi::body_pose(model_.bodies[body], paths.motion_of(body, t).pose);
  };
  return narrow::are_nested(*a, frame(pair.a), *b, frame(pair.b));
}

std::shared_ptr<const narrow::BodyShape> Detection::shape_of(BodyIndex body) {
  if (!shapes_[body] && narrow::BodyShape::supports(model_.bodies[body]))
    shapes_[body] = std::make_shared<const narrow::BodyShape>(model_.bodies[body]);
  return shapes_[body];
}

std::vector<contact::Contact> Detection::contacts_of(BodyIndex a, BodyIndex b, const Pose& pose_a,
                                                     const Pose& pose_b) {
  const auto entry = watches_.find({std::min(a, b), std::max(a, b)});
  if (entry == watches_.end() || !entry->second.search || a > b) return {};
  if (!shape_of(a) || !shape_of(b)) return {};
  if (!entry->second.query && !narrow::PairQuery::supports(*shape_of(a), *shape_of(b))) return {};
  std::vector<contact::Contact> contacts = contacts_in(entry->first, entry->second, pose_a, pose_b);
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

// The shapes of both bodies must have been made.
std::vector<contact::Contact> Detection::contacts_in(const broad::Pair& pair, Watch& watch,
                                                     const Pose& pose_a, const Pose& pose_b) const {
  const auto [a, b] = pair;
  if (!watch.query) watch.query = std::make_unique<narrow::PairQuery>(shapes_[a], shapes_[b]);
  const Pose frame_a = toi::body_pose(model_.bodies[a], pose_a);
  const Pose frame_b = toi::body_pose(model_.bodies[b], pose_b);
  const bool by_springs = model_.solver.contact == model::ContactModel::penalty;
  const auto points = by_springs ? contact::RegionPoints::all_within : contact::RegionPoints::hull;
  const double within =
      by_springs ? spring_margin(spring_scale_, model_.solver) : model_.solver.contact_distance;
  std::vector<contact::Contact> contacts;
  for (const contact::ContactRegion& region :
       contact::find_regions(*watch.query, frame_a, frame_b, within, points))
    for (contact::Contact& contact :
         contact::contacts_of(region, model_.bodies[a], *shapes_[a], frame_a, model_.bodies[b],
                              *shapes_[b], frame_b)) {
      const body::RigidMotion at_a{pose_a}, at_b{pose_b};
      const contact::ContactNow now = contact::evaluate(contact, at_a, at_b);
      if (contact::support_margin(contact, now, at_a, at_b) <
          -contact::lost_support * model_.solver.contact_distance)
        continue;
      contact.bodies = {a, b};
      const model::ContactLaw law =
          model::contact_law(model_, a, narrow::part_of(contact.label.part_a), b,
                             narrow::part_of(contact.label.part_b));
      contact.restitution = law.restitution;
      contact.friction = law.friction;
      contact.first_normal = now.normal;
      contacts.push_back(std::move(contact));
    }
  if (by_springs) return contacts;
  contacts = contact::reduced(std::move(contacts), {pose_a}, {pose_b}, within);
  contact::hold_cells_beside(*watch.query, model_.bodies[a], frame_a, model_.bodies[b], frame_b,
                             within, contacts);
  return contacts;
}

void Detection::follow(BodyIndex a, BodyIndex b, std::vector<contact::Contact> springs) {
  const auto entry = watches_.find({a, b});
  if (entry == watches_.end()) return;
  const model::Body &first = model_.bodies[a], &second = model_.bodies[b];
  double reach = 0;
  for (const model::Body* body : {&first, &second})
    if (body->is_dynamic()) reach = std::max(reach, body->bounding_radius);
  entry->second.springs = {std::move(springs), spring_tolerance(first, second),
                           spring_margin(spring_scale_, model_.solver), reach};
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
  if (contacts.empty()) {
    search.hold({});
    return;
  }
  search.hold(contact::holds_of(contacts, model_.bodies[a], *shape_of(a), motion_a,
                                model_.bodies[b], *shape_of(b), motion_b));
}

}  // namespace abut::loop
