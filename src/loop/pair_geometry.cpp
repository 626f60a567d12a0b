#include "loop/pair_geometry.h"

#include <algorithm>
#include <utility>

#include "contact/cell_holding.h"
#include "contact/hold.h"
#include "contact/reduced.h"
#include "model/contact_law.h"
#include "narrow/nesting.h"
#include "narrow/solid_id.h"

namespace abut::loop {

toi::FirstContact PairGeometry::search(BodyIndex a, BodyIndex b) const {
  toi::SearchSettings settings;
  const double distance = model_.solver.contact_distance;
  settings.touch = {model::touch_lower_fraction * distance, model::touch_upper_fraction * distance};
  settings.leaving = {model::leaving_lower_fraction * distance,
                      model::leaving_upper_fraction * distance};
  return {model_.bodies[a], model_.bodies[b], settings};
}

bool PairGeometry::overlap(BodyIndex a, BodyIndex b, const Pose& pose_a, const Pose& pose_b) const {
  const auto now = search(a, b).separation(pose_a, pose_b);
  return now && now->gap < -model_.solver.contact_distance;
}

bool PairGeometry::are_nested(const broad::Pair& pair, const Pose& pose_a, const Pose& pose_b) {
  const auto a = shape_of(pair.a), b = shape_of(pair.b);
  if (!a || !b || (!a->has_cells() && !b->has_cells())) return false;
  return narrow::are_nested(*a, toi::body_pose(model_.bodies[pair.a], pose_a), *b,
                            toi::body_pose(model_.bodies[pair.b], pose_b));
}

std::shared_ptr<const narrow::BodyShape> PairGeometry::shape_of(BodyIndex body) {
  if (!shapes_[body] && narrow::BodyShape::supports(model_.bodies[body]))
    shapes_[body] = std::make_shared<const narrow::BodyShape>(model_.bodies[body]);
  return shapes_[body];
}

bool PairGeometry::make_shapes(const broad::Pair& pair) {
  const auto a = shape_of(pair.a), b = shape_of(pair.b);
  return a && b && narrow::PairQuery::supports(*a, *b);
}

std::vector<contact::Contact> PairGeometry::contacts(const broad::Pair& pair,
                                                     std::unique_ptr<narrow::PairQuery>& query,
                                                     const Pose& pose_a, const Pose& pose_b) const {
  const auto [a, b] = pair;
  if (!query) query = std::make_unique<narrow::PairQuery>(shapes_[a], shapes_[b]);
  const Pose frame_a = toi::body_pose(model_.bodies[a], pose_a);
  const Pose frame_b = toi::body_pose(model_.bodies[b], pose_b);
  const bool by_springs = model_.solver.contact == model::ContactModel::penalty;
  const auto points = by_springs ? contact::RegionPoints::all_within : contact::RegionPoints::hull;
  const double within =
      by_springs ? spring_margin(spring_scale_, model_.solver) : model_.solver.contact_distance;
  std::vector<contact::Contact> contacts;
  for (const contact::ContactRegion& region :
       contact::find_regions(*query, frame_a, frame_b, within, points))
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
  contact::hold_cells_beside(*query, model_.bodies[a], frame_a, model_.bodies[b], frame_b, within,
                             contacts);
  return contacts;
}

SpringWatch PairGeometry::watch_of(const broad::Pair& pair,
                                   std::vector<contact::Contact> springs) const {
  const model::Body &first = model_.bodies[pair.a], &second = model_.bodies[pair.b];
  double reach = 0;
  for (const model::Body* body : {&first, &second})
    if (body->is_dynamic()) reach = std::max(reach, body->bounding_radius);
  return {std::move(springs), spring_tolerance(first, second),
          spring_margin(spring_scale_, model_.solver), reach};
}

std::vector<toi::PartHold> PairGeometry::holds(const broad::Pair& pair,
                                               const std::vector<contact::Contact>& contacts,
                                               const body::RigidMotion& motion_a,
                                               const body::RigidMotion& motion_b) {
  return contact::holds_of(contacts, model_.bodies[pair.a], *shape_of(pair.a), motion_a,
                           model_.bodies[pair.b], *shape_of(pair.b), motion_b);
}

}  // namespace abut::loop
