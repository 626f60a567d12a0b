#include "loop/look_past.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "force/slip.h"
#include "motion/steady_motion.h"
#include "toi/close_watch.h"

namespace abut::loop {
namespace {

using Contacts = std::vector<contact::Contact>;

// In multiples of sqrt(D g) (dimensionless): to beyond the edge from wherever it is met.
constexpr double passing_ways = 2;

// Nor farther than the gap times this would close (dimensionless): leaning as much as it can, by
// sqrt(2 g / D), a contact closes by twice the gap on the way to the edge. What is in the way is
// met, and how deep bodies would be in each other that went on is dear to know.
constexpr double closing_ways = 4;

// Of the way by which a contact would close at its rate, and of the rate (dimensionless).
constexpr double closing_part = 0.5;

class LookPast {
 public:
  LookPast(const ContactFinder& find, const body::RigidMotion& a, const body::RigidMotion& b,
           const model::SolverSettings& solver)
      : find_(find), a_(a), b_(b), solver_(solver), here_(find(a.pose, b.pose)) {}

  Contacts contacts() {
    const double ahead = time_to_pass();
    if (!(ahead < infinity)) return here_;
    const body::RigidMotion a = moved(a_, ahead), b = moved(b_, ahead);
    const Contacts there = find_(a.pose, b.pose);
    const double rounding =
        toi::coordinate_rounding * (a_.pose.position.norm() + b_.pose.position.norm());
    const double least = least_gap(there, a, b) + rounding;
    const auto is_passed = [&](const contact::Contact& contact) {
      const body::ConstraintRow row = now(contact).row;
      return row.rate < -force::still_speed &&
             least > row.value + closing_part * ahead * row.rate &&
             std::none_of(there.begin(), there.end(), [&](const contact::Contact& other) {
               return other.is_same_place(contact) &&
                      now(other).row.rate <= closing_part * row.rate;
             });
    };
    if (there.empty() || std::erase_if(here_, is_passed) == 0) return here_;
    Contacts met = here_;
    for (const contact::Contact& contact : there)
      if (!contact::contains(here_, contact) && is_within_reach(contact)) met.push_back(contact);
    return met;
  }

 private:
  contact::ContactNow now(const contact::Contact& contact) const {
    return contact::evaluate(contact, a_, b_);
  }

  // Infinite where nothing approaches.
  double time_to_pass() const {
    double shortest = infinity;
    for (const contact::Contact& contact : here_) {
      const contact::ContactNow at = now(contact);
      if (!(at.row.rate < -force::still_speed)) continue;
      const double cores = (at.points[0] - at.points[1]).norm();
      const double gap = std::max(at.row.value, model::rest_gap(solver_));
      // A body that rolls has no slip, and moves on all the same.
      double speed = std::hypot(at.row.rate, slip_of(contact, at, a_, b_).norm());
      for (const int side : {0, 1}) {
        const body::RigidMotion& body = side == 0 ? a_ : b_;
        speed += body.angular_velocity.cross(at.points[side] - body.pose.position).norm();
      }
      const double passed = passing_ways * std::sqrt(std::max(cores, gap) * gap) / speed;
      shortest = std::min({shortest, passed, -closing_ways * gap / at.row.rate});
    }
    return shortest;
  }

  static body::RigidMotion moved(const body::RigidMotion& body, double by) {
    return {motion::SteadyMotion{0, by, body.pose, body.velocity, body.angular_velocity}.pose(by)};
  }

  static double least_gap(const Contacts& contacts, const body::RigidMotion& a,
                          const body::RigidMotion& b) {
    double least = infinity;
    for (const contact::Contact& contact : contacts)
      least = std::min(least, contact::evaluate(contact, a, b).row.value);
    return least;
  }

  bool is_within_reach(const contact::Contact& contact) const {
    return contact::support_margin(contact, now(contact), a_, b_) >=
           -contact::lost_support * solver_.contact_distance;
  }

  const ContactFinder& find_;
  const body::RigidMotion& a_;
  const body::RigidMotion& b_;
  const model::SolverSettings& solver_;
  Contacts here_;
};

}  // namespace

Contacts contacts_met(const ContactFinder& find, const body::RigidMotion& a,
                      const body::RigidMotion& b, const model::SolverSettings& solver) {
  return LookPast(find, a, b, solver).contacts();
}

Vec3 slip_of(const contact::Contact& contact, const contact::ContactNow& now,
             const body::RigidMotion& a, const body::RigidMotion& b) {
  Vec3 slip = Vec3::Zero();
  for (const body::ConstraintRow& row : contact::tangent_rows(contact, now, a, b))
    slip += row.rate * row.sides[0].linear;
  return slip;
}

}  // namespace abut::loop
