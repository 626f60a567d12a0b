#include "clock/near_pair.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "narrow/solid_id.h"
#include "toi/seen_gap.h"

namespace abut::clock {
namespace {

// Certified intervals that a proof of one step may take: it mostly takes one.
constexpr long proof_limit = 64;

// Of the radius of the smaller body (dimensionless): nobody sees it.
constexpr double kept_gap_fraction = 1e-3;

// As multiples of the kept gap (dimensionless): how far around bodies that hardly move is looked,
// and how far they may move until that is done again. A place that is carried along is off by the
// square of the latter.
constexpr double resting_reach = 3;
constexpr double carried_fraction = 0.05;

toi::SearchSettings settings_of(const model::SolverSettings& solver, double kept) {
  toi::SearchSettings settings;
  settings.touch = {proven_lower * kept, proven_upper * kept};
  settings.leaving = {model::leaving_lower_fraction * solver.contact_distance,
                      model::leaving_upper_fraction * solver.contact_distance};
  settings.advance_limit = proof_limit;
  settings.remembered_fraction = toi::kept_fraction;
  return settings;
}

}  // namespace

double kept_gap(const model::Model& model, BodyIndex a, BodyIndex b) {
  if (model.solver.step_gap > 0) return model.solver.step_gap;
  double radius = infinity;
  for (const BodyIndex body : {a, b})
    if (model.bodies[body].is_dynamic())
      radius = std::min(radius, model.bodies[body].bounding_radius);
  return std::max(kept_gap_fraction * radius, 10 * model.solver.contact_distance);
}

TouchingPair::TouchingPair(const model::Model& model, BodyIndex a, BodyIndex b)
    : bodies_{a, b}, kept_gap_(clock::kept_gap(model, a, b)) {}

void TouchingPair::remember(std::vector<StepContact>& contacts, double kick) const {
  const double ratio = last.kick > 0 ? kick / last.kick : 0;
  for (StepContact& contact : contacts)
    for (const StepContact& before : last.contacts)
      if (before.label == contact.label) {
        contact.impulse = ratio * before.impulse;
        contact.slides = before.slides;
        break;
      }
}

NearPair::NearPair(const model::Model& model, BodyIndex a, BodyIndex b,
                   std::shared_ptr<const narrow::BodyShape> shape_a,
                   std::shared_ptr<const narrow::BodyShape> shape_b)
    : TouchingPair(model, a, b),
      model_(model),
      search_(model.bodies[a], model.bodies[b], settings_of(model.solver, kept_gap())) {
  if (shape_a && shape_b && narrow::PairQuery::supports(*shape_a, *shape_b))
    query_.emplace(std::move(shape_a), std::move(shape_b));
}

std::vector<StepContact> NearPair::contacts_found(const Pose& a, const Pose& b, double reach) {
  std::vector<StepContact> found;
  if (!query_) return found;
  const Pose frame_a = toi::body_pose(model_.bodies[this->a()], a);
  const Pose frame_b = toi::body_pose(model_.bodies[this->b()], b);
  const auto carried = [](const Pose& pose, const Vec3& x) -> Vec3 {
    return pose.orientation.conjugate() * (x - pose.position);
  };
  for (const contact::ContactRegion& region :
       contact::find_regions(*query_, frame_a, frame_b, reach, contact::RegionPoints::reachable)) {
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
      found.push_back(contact);
    }
  }
  return found;
}

// Bodies that rest on each other are not searched for the same places again and again: these are
// carried along as long as nothing else can have come within reach.
std::vector<StepContact> NearPair::contacts(const Pose& a, const Pose& b, double reach,
                                            double kick) {
  if (!found_ || !still_holds(*found_, a, b, reach)) {
    reach = std::max(reach, resting_reach * kept_gap());
    found_ = Found{a, b, reach, contacts_found(a, b, reach)};
  }
  std::vector<StepContact> contacts = found_->contacts;
  for (StepContact& contact : contacts)
    contact.gap = contact.normal.dot(a.position + a.orientation * contact.arms[0] - b.position -
                                     b.orientation * contact.arms[1]);
  remember(contacts, kick);
  return contacts;
}

bool NearPair::still_holds(const Found& found, const Pose& a, const Pose& b, double reach) const {
  const auto moved = [&](BodyIndex body, const Pose& then, const Pose& now) {
    const model::Body& one = model_.bodies[body];
    return toi::displacement(then, {now, {}}, one.is_dynamic() ? one.bounding_radius : infinity, 0);
  };
  const double way = moved(this->a(), found.a, a) + moved(this->b(), found.b, b);
  return way <= carried_fraction * kept_gap() && reach + way <= found.reach;
}

toi::SearchResult NearPair::prove(const motion::BodyPath& a, const motion::BodyPath& b, double from,
                                  double to) {
  return search_.search(a, b, from, to);
}

double NearPair::gap(const Pose& a, const Pose& b, double enough) {
  if (!query_) return infinity;
  return query_->gap_lower_bound(toi::body_pose(model_.bodies[this->a()], a),
                                 toi::body_pose(model_.bodies[this->b()], b), enough);
}

}  // namespace abut::clock
