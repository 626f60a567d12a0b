#include "impulse/rough_impact.h"

#include <algorithm>

#include "base/stop.h"
#include "impulse/accuracy.h"
#include "impulse/equalities.h"
#include "impulse/mixed_problem.h"

namespace abut::impulse {
namespace {

std::vector<int> rows_of_point(const ConstraintSet& set, int row) {
  if (row >= set.contact_count() || set.tangent_of(row) < 0) return {row};
  return {row, set.tangent_of(row), set.tangent_of(row) + 1};
}

class PointByPoint {
 public:
  explicit PointByPoint(const Impact& impact)
      : impact_(impact),
        equalities_(*impact.system,
                    row_range(impact.set->first_equality(), impact.set->first_tangent())),
        rates_(rates_of(*impact.system)) {
    result_.impulses = Vector::Zero(impact.system->size());
    // Joints are brought to move as they must first.
    add(Vector::Zero(impact.system->size()));
  }

  int fastest() const {
    int fastest = -1;
    for (int i = 0; i < impact_.set->first_motor(); ++i)
      if (fastest < 0 || rates_[i] < rates_[fastest]) fastest = i;
    return fastest;
  }
  const Vector& rates() const { return rates_; }

  /// `approach`: the rate of the gap to collide with.
  bool collide(int row, double approach, PointLaw law) {
    const std::vector<int> rows = rows_of_point(*impact_.set, row);
    const Matrix a = equalities_.reduced(rows, rates_).a;
    PointImpact point;
    point.matrix.setZero();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      point.before[static_cast<Eigen::Index>(i)] = rates_[rows[i]];
      for (std::size_t j = 0; j < rows.size(); ++j)
        point.matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
            a(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
    }
    point.before[0] = approach;
    if (row < impact_.set->contact_count()) {
      const contact::Contact& contact = impact_.set->contacts()[row];
      point.static_friction = rows.size() > 1 ? contact.friction.static_coefficient : 0;
      point.dynamic_friction = rows.size() > 1 ? contact.friction.dynamic_coefficient : 0;
      point.restitution = -approach > impact_.rest_speed ? contact.restitution : 0;
      point.law = impact_.law;
    }
    const PointImpactResult hit = law(point);
    ++result_.solves;
    if (hit.status != lcp::Status::solved) {
      result_.status = hit.status;
      return false;
    }
    Vector impulses = Vector::Zero(impact_.system->size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      impulses[rows[i]] = hit.impulse[static_cast<Eigen::Index>(i)];
    if (hit.is_limited) result_.limited.push_back({row, hit.restitution});
    if (impulses.isZero(0)) return false;
    add(std::move(impulses));
    return true;
  }

  ImpactResult finished() {
    result_.jumps = impact_.system->response(result_.impulses);
    const Vector before = rates_of(*impact_.system);
    result_.energy_gained =
        0.5 * result_.impulses.dot(2 * before + impact_.system->along(result_.jumps));
    return std::move(result_);
  }

  void add_result(const ImpactResult& more) {
    result_.impulses += more.impulses;
    result_.status = more.status;
    result_.residual = std::max(result_.residual, more.residual);
  }

 private:
  void add(Vector impulses) {
    equalities_.complete(rates_, impulses);
    result_.impulses += impulses;
    rates_ += impact_.system->along(impact_.system->response(impulses));
  }

  const Impact& impact_;
  Equalities equalities_;
  Vector rates_;
  ImpactResult result_;
};

}  // namespace

ImpactResult point_by_point(const Impact& impact, PointLaw law) {
  PointByPoint points(impact);
  const double settled = accuracy_of_one * points.rates().lpNorm<Eigen::Infinity>();
  const long rounds = rounds_per_contact * impact.set->first_motor();
  for (long round = 0; round < rounds; ++round) {
    base::stop_if_wished();
    const int row = points.fastest();
    if (row < 0 || points.rates()[row] >= -settled) return points.finished();
    if (!points.collide(row, points.rates()[row], law)) break;
  }
  points.add_result(settle_at_once(impact, points.rates()));
  return points.finished();
}

ImpactResult unjam(const Impact& impact, int contact) {
  PointByPoint points(impact);
  points.collide(contact, 0, routh);
  return points.finished();
}

}  // namespace abut::impulse
