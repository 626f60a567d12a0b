#include "clock/near_pair.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "base/limits.h"
#include "contact/regions_ahead.h"
#include "integrate/held_gaps.h"
#include "motion/steady_motion.h"
#include "narrow/solid_id.h"
#include "toi/seen_gap.h"

namespace abut::clock {
namespace {

// Certified intervals that a proof of one step may take: it mostly takes one.
constexpr long proof_limit = 64;

// Of the radius of the smaller body (dimensionless), in usual steps: nobody sees it.
constexpr double kept_gap_fraction = 1e-3;

// Of the play between two contacts that face each other (dimensionless), what each of them may be
// kept at: half of it is left to move in. The cosine of the angle from which on normals face each
// other.
constexpr double kept_play = 0.25;
constexpr double facing = -0.9;

// By how much bodies may turn to open gaps that face each other beside one another, rad: what else
// is near hardly changes.
constexpr double small_turn = 0.01;

// In contact distances (dimensionless): the least gap that contacts are kept at.
constexpr double kept_distances = 10;

toi::GapBand touch_of(double kept) {
  return {proven_lower * kept, proven_upper * kept};
}

// Of the least gap that bodies come with which were followed from event to event (dimensionless):
// what they are proven apart by while it opens.
constexpr double leaving_lower = 0.25, leaving_upper = 0.5;

// As multiples of the kept gap (dimensionless): how far around bodies that hardly move against each
// other is looked, and how far they may move until that is done again. A gap that is carried along
// is off by the square of the latter. With half a kept gap a tower of sixty boxes crept off its
// axis by a tenth of a millimetre in a second.
constexpr double resting_reach = 3;
constexpr double carried_fraction = 0.05;

// Seams between the parts of a body up to this width, as a part of the kept gap (dimensionless),
// are not felt.
constexpr double seam_width = 0.01;

bool is_free(const model::Model& model, BodyIndex body) {
  return model.bodies[body].is_dynamic() &&
         std::none_of(model.joints.begin(), model.joints.end(), [&](const joint::Joint& joint) {
           return joint.bodies[0] == body || joint.bodies[1] == body;
         });
}

toi::SearchSettings settings_of(const model::SolverSettings& solver, double kept) {
  toi::SearchSettings settings;
  settings.touch = touch_of(kept);
  const double lowest = integrate::lowest_held_fraction * model::rest_gap(solver);
  settings.leaving = {leaving_lower * lowest, leaving_upper * lowest};
  settings.advance_limit = proof_limit;
  settings.remembered_fraction = toi::kept_fraction;
  settings.proves_steps = true;
  settings.enough = kept;
  return settings;
}

}  // namespace

double kept_gap(const model::Model& model, BodyIndex a, BodyIndex b) {
  if (model.solver.step_gap > 0) return model.solver.step_gap;
  double radius = infinity;
  for (const BodyIndex body : {a, b})
    if (model.bodies[body].is_dynamic())
      radius = std::min(radius, model.bodies[body].bounding_radius);
  return std::max(model::step_fineness(model.solver) * kept_gap_fraction * radius,
                  kept_distances * model.solver.contact_distance);
}

TouchingPair::TouchingPair(const model::Model& model, BodyIndex a, BodyIndex b)
    : bodies_{a, b}, kept_gap_(clock::kept_gap(model, a, b)) {}

Memory::Memory(const PairStep& last, double kick) : ratio_(last.kick > 0 ? kick / last.kick : 0) {
  sorted_.reserve(last.contacts.size());
  for (const StepContact& contact : last.contacts) sorted_.push_back(&contact);
  std::stable_sort(sorted_.begin(), sorted_.end(),
                   [](const StepContact* x, const StepContact* y) { return x->label < y->label; });
}

const StepContact* Memory::find(const contact::ContactLabel& label) const {
  const auto at = std::lower_bound(
      sorted_.begin(), sorted_.end(), label,
      [](const StepContact* x, const contact::ContactLabel& y) { return x->label < y; });
  return at != sorted_.end() && (*at)->label == label ? *at : nullptr;
}

Vec3 Memory::impulse(const contact::ContactLabel& label) const {
  const StepContact* before = find(label);
  return before != nullptr ? Vec3(ratio_ * before->impulse) : Vec3(Vec3::Zero());
}

Vec3 Memory::turned_impulse(const StepContact& contact) const {
  const StepContact* before = find(contact.label);
  if (before == nullptr) return Vec3::Zero();
  return ratio_ * (Quat::FromTwoVectors(before->normal, contact.normal) * before->impulse);
}

void Memory::recall(StepContact& contact) const {
  const StepContact* before = find(contact.label);
  if (before == nullptr) return;
  contact.impulse = ratio_ * before->impulse;
  contact.slides = before->slides;
}

NearPair::NearPair(const model::Model& model, BodyIndex a, BodyIndex b,
                   std::shared_ptr<const narrow::BodyShape> shape_a,
                   std::shared_ptr<const narrow::BodyShape> shape_b)
    : TouchingPair(model, a, b),
      model_(model),
      search_(model.bodies[a], model.bodies[b], settings_of(model.solver, kept_gap()), shape_a,
              shape_b),
      least_kept_(kept_gap()),
      may_turn_(is_free(model, a) || is_free(model, b)) {
  if (!shape_a || !shape_b || !narrow::PairQuery::supports(*shape_a, *shape_b)) return;
  query_.emplace(shape_a, shape_b);
  ahead_.emplace(std::move(shape_a), std::move(shape_b));
}

std::vector<StepContact> NearPair::contacts_of(const std::vector<contact::ContactRegion>& regions,
                                               const Pose& a, const Pose& b) const {
  std::vector<StepContact> found;
  const auto carried = [](const Pose& pose, const Vec3& x) -> Vec3 {
    return pose.orientation.conjugate() * (x - pose.position);
  };
  for (const contact::ContactRegion& region : regions) {
    const model::ContactLaw law =
        model::contact_law(model_, this->a(), narrow::part_of(region.label.part_a), this->b(),
                           narrow::part_of(region.label.part_b));
    for (const contact::ContactPoint& point : region.points) {
      StepContact contact;
      contact.label = point.label;
      contact.normal = region.normal;
      contact.gap = point.gap;
      const Vec3 half = 0.5 * point.gap * region.normal;
      contact.arms = {carried(a, point.position + half), carried(b, point.position - half)};
      contact.law = law;
      contact.kept = kept_gap();
      found.push_back(contact);
    }
  }
  return found;
}

std::vector<StepContact> NearPair::contacts_found(const Pose& a, const Pose& b, double reach) {
  if (!query_) return {};
  const Pose frame_a = toi::body_pose(model_.bodies[this->a()], a);
  const Pose frame_b = toi::body_pose(model_.bodies[this->b()], b);
  return contacts_of(
      contact::find_reachable_regions(*query_, frame_a, frame_b, reach, seam_width * kept_gap()), a,
      b);
}

void fit_to_play(std::vector<StepContact>& contacts, double least,
                 const std::optional<Quat>& free_to_turn) {
  // Whether turning opens both by the gap they are kept at.
  const auto opens = [&](const StepContact& one, const StepContact& other) {
    if (!free_to_turn) return false;
    const Vec3 apart = *free_to_turn * (one.arms[0] - other.arms[0]);
    const double beside = (apart - one.normal * one.normal.dot(apart)).norm();
    return one.kept + other.kept <= small_turn * beside;
  };
  for (std::size_t i = 0; i < contacts.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      StepContact &one = contacts[i], &other = contacts[j];
      const double play = one.gap + other.gap;
      if (kept_play * play >= std::max(one.kept, other.kept)) continue;
      if (one.normal.dot(other.normal) > facing || opens(one, other)) continue;
      const double room = std::max(least, kept_play * play);
      one.kept = std::min(one.kept, room);
      other.kept = std::min(other.kept, room);
    }
}

bool NearPair::look_past(std::vector<StepContact>& contacts, const std::array<Moving, 2>& bodies,
                         double duration, double kick) {
  const auto way = [&](const StepContact& contact) {
    const auto velocity = [&](int side) -> Vec3 {
      const Moving& body = bodies[side];
      return body.velocity + body.spin.cross(body.pose.orientation * contact.arms[side]);
    };
    return duration * contact.normal.dot(velocity(0) - velocity(1));
  };
  const auto is_passed = [&](const StepContact& contact) {
    if (!contact.impulse.isZero(0)) return false;  // it is in the way
    const double moved = way(contact), little = carried_fraction * contact.kept;
    return moved < -little && contact.gap + moved < contact.kept - little;
  };
  const auto passed =
      std::stable_partition(contacts.begin(), contacts.end(), std::not_fn(is_passed));
  if (passed == contacts.end()) return false;
  const auto end_of = [&](int side) -> Pose {
    const auto& [pose, velocity, spin, radius] = bodies[side];
    return motion::SteadyMotion{0, duration, pose, velocity, spin}.pose(duration);
  };
  const Pose a = end_of(0), b = end_of(1);
  // What bodies come with that were followed from event to event.
  const double least =
      leaving_lower * integrate::lowest_held_fraction * model::rest_gap(model_.solver);
  if (gap(a, b, 2 * least) <= least) return false;  // they meet
  std::set<std::pair<int, int>> parts;
  for (auto contact = passed; contact != contacts.end(); ++contact)
    parts.emplace(contact->label.part(0), contact->label.part(1));
  contacts.erase(passed, contacts.end());
  const Memory memory(last, kick);
  const auto is_known = [known = contacts.size(), &contacts](const StepContact& one) {
    return std::any_of(contacts.begin(), contacts.begin() + static_cast<std::ptrdiff_t>(known),
                       [&one](const StepContact& other) { return other.label == one.label; });
  };
  for (StepContact& contact : contacts_found(a, b, resting_reach * kept_gap())) {
    if (!parts.contains({contact.label.part(0), contact.label.part(1)}) || is_known(contact))
      continue;
    contact.gap -= way(contact);
    memory.recall(contact);
    contacts.push_back(contact);
  }
  return true;
}

// Whatever could be reached. Bodies that rest on each other are not searched for the same places
// again and again: these are carried along as long as nothing else can have come within reach.
std::vector<StepContact> NearPair::contacts(const std::array<Moving, 2>& bodies, double duration,
                                            double within, double kick) {
  if (!query_) return {};
  const Pose &a = bodies[0].pose, &b = bodies[1].pose;
  const narrow::Ahead ahead = ahead_of(bodies, duration, within);
  const double resting = resting_reach * kept_gap();
  if (ahead.reach > resting)
    found_.reset();
  else if (!found_ || !still_holds(*found_, a, b, ahead.reach))
    found_ = Found{a, b, resting, contacts_ahead(a, b, {{}, resting, resting})};
  std::vector<StepContact> found = found_ ? carried(*found_, a, b) : contacts_ahead(a, b, ahead);
  fit_to_play(found, kept_distances * model_.solver.contact_distance,
              may_turn_ ? std::optional(a.orientation) : std::nullopt);
  least_kept_ = kept_gap();
  for (const StepContact& contact : found) least_kept_ = std::min(least_kept_, contact.kept);
  const Memory memory(last, kick);
  for (StepContact& contact : found) memory.recall(contact);
  return found;
}

narrow::Ahead NearPair::ahead_of(const std::array<Moving, 2>& bodies, double duration,
                                 double within) const {
  const Pose frame_b = toi::body_pose(model_.bodies[this->b()], bodies[1].pose);
  narrow::Ahead ahead;
  ahead.within = within;
  ahead.reach = within + duration * (bodies[0].velocity - bodies[1].velocity).norm();
  ahead.drift.duration = duration;
  for (const int side : {0, 1}) {
    const auto& [pose, velocity, spin, radius] = bodies[side];
    ahead.drift.spin[side] = spin;
    ahead.drift.velocity[side] = velocity + spin.cross(frame_b.position - pose.position);
    ahead.drift.stray += 0.5 * duration * duration * spin.squaredNorm() * radius;
    ahead.reach += duration * radius * spin.norm();
  }
  return ahead;
}

std::vector<StepContact> NearPair::contacts_ahead(const Pose& a, const Pose& b,
                                                  const narrow::Ahead& ahead) {
  const Pose frame_a = toi::body_pose(model_.bodies[this->a()], a);
  const Pose frame_b = toi::body_pose(model_.bodies[this->b()], b);
  return contacts_of(
      contact::find_regions_ahead(*ahead_, frame_a, frame_b, ahead, seam_width * kept_gap()), a, b);
}

// Places go with their bodies, normals with the second one. What the places have slipped past each
// other is shared, so that forces still act along one line.
std::vector<StepContact> NearPair::carried(const Found& found, const Pose& a, const Pose& b) {
  std::vector<StepContact> contacts = found.contacts;
  const Quat turned = b.orientation * found.b.orientation.conjugate();
  for (StepContact& contact : contacts) {
    const Vec3 on_a = a.position + a.orientation * contact.arms[0];
    const Vec3 on_b = b.position + b.orientation * contact.arms[1];
    contact.normal = (turned * contact.normal).normalized();
    contact.gap = contact.normal.dot(on_a - on_b);
    const Vec3 slip = on_a - on_b - contact.gap * contact.normal;
    contact.arms[0] -= 0.5 * (a.orientation.conjugate() * slip);
    contact.arms[1] += 0.5 * (b.orientation.conjugate() * slip);
  }
  return contacts;
}

// Whether one body, as the other sees it, is still about where it was.
bool NearPair::still_holds(const Found& found, const Pose& a, const Pose& b, double reach) const {
  const bool first = model_.bodies[this->a()].is_dynamic();
  const auto seen = [first](const Pose& pose_a, const Pose& pose_b) -> Pose {
    const Pose &one = first ? pose_a : pose_b, &other = first ? pose_b : pose_a;
    return {other.orientation.conjugate() * (one.position - other.position),
            other.orientation.conjugate() * one.orientation};
  };
  const double radius = model_.bodies[first ? this->a() : this->b()].bounding_radius;
  const double way = toi::displacement(seen(found.a, found.b), {seen(a, b), {}}, radius, 0);
  return way <= carried_fraction * kept_gap() && reach + way <= found.reach;
}

// The part of a contact on one side, and its feature.
const narrow::Solid& NearPair::solid_of(const contact::ContactLabel& label, int side) const {
  const narrow::BodyShape& shape = side == 0 ? query_->shape_a() : query_->shape_b();
  return shape.solid(label.part(side));
}

// Of any length.
Vec3 NearPair::edge_in_space(const contact::ContactLabel& label, int side, const Pose& pose) const {
  const narrow::Solid& solid = solid_of(label, side);
  const int edge = label.feature(side).index;
  const Vec3 along = solid.core.vertices()[solid.core.edge_end(edge)] -
                     solid.core.vertices()[solid.core.edge_start(edge)];
  return toi::body_pose(model_.bodies[bodies()[side]], pose).orientation *
         (solid.orientation * along);
}

// A corner over a face is the same material point all along, and so are two edges lines; a rounded
// body rolls.
std::optional<Vec3> NearPair::normal_after(const StepContact& contact,
                                           const std::array<Pose, 2>& before,
                                           const std::array<Pose, 2>& after) const {
  const auto is_sharp = [&](int side, narrow::FeatureKind kind) {
    const narrow::Solid& solid = solid_of(contact.label, side);
    return contact.label.feature(side).kind == kind && solid.rounding == 0 &&
           (solid.kind == narrow::SolidKind::polyhedron || solid.kind == narrow::SolidKind::plane);
  };
  using enum narrow::FeatureKind;
  for (const int side : {1, 0})
    if (is_sharp(side, face) && is_sharp(1 - side, vertex))
      return after[side].orientation * (before[side].orientation.conjugate() * contact.normal);
  if (!is_sharp(0, edge) || !is_sharp(1, edge)) return std::nullopt;
  const Vec3 across =
      edge_in_space(contact.label, 0, after[0]).cross(edge_in_space(contact.label, 1, after[1]));
  if (!(across.norm() > 0)) return std::nullopt;
  return across.normalized() * (across.dot(contact.normal) > 0 ? 1 : -1);
}

std::optional<double> NearPair::gap_after(const StepContact& contact,
                                          const std::array<Pose, 2>& before,
                                          const std::array<Pose, 2>& after) const {
  const std::optional<Vec3> normal = normal_after(contact, before, after);
  if (!normal) return std::nullopt;
  const auto place = [&](int side) -> Vec3 {
    return after[side].position + after[side].orientation * contact.arms[side];
  };
  return normal->dot(place(0) - place(1));
}

toi::SearchResult NearPair::prove(const motion::BodyPath& a, const motion::BodyPath& b, double from,
                                  double to) {
  search_.set_touch(touch_of(least_kept_));
  return search_.search(a, b, from, to);
}

double NearPair::gap(const Pose& a, const Pose& b, double enough) {
  if (!query_) return infinity;
  return query_->gap_lower_bound(toi::body_pose(model_.bodies[this->a()], a),
                                 toi::body_pose(model_.bodies[this->b()], b), enough);
}

}  // namespace abut::clock
