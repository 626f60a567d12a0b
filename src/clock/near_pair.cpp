#include "clock/near_pair.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "narrow/solid_id.h"

namespace abut::clock {
namespace {

// Certified intervals that a proof of one step may take: it mostly takes one.
constexpr long proof_limit = 64;

// Of the radius of the smaller body (dimensionless): nobody sees it.
constexpr double kept_gap_fraction = 1e-3;

toi::SearchSettings settings_of(const model::SolverSettings& solver, double kept) {
  toi::SearchSettings settings;
  settings.touch = {proven_lower * kept, proven_upper * kept};
  settings.leaving = {model::leaving_lower_fraction * solver.contact_distance,
                      model::leaving_upper_fraction * solver.contact_distance};
  settings.advance_limit = proof_limit;
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

std::vector<StepContact> NearPair::contacts(const Pose& a, const Pose& b, double reach,
                                            double kick) {
  std::vector<StepContact> found = contacts_found(a, b, reach);
  remember(found, kick);
  return found;
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
