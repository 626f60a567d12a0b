#include "impulse/routh.h"

#include <utility>

#include "base/limits.h"
#include "impulse/accuracy.h"
#include "impulse/curved_slip.h"

namespace abut::impulse {
namespace {

// Slip slower than this part of the velocity before is none: it is rounding of the velocities of
// the bodies (dimensionless).
constexpr double stopped_fraction = 1e-14;

// A way of slipping along which velocities are linear in the normal impulse.
struct Leg {
  Slip slip = Slip::sticks;
  Vec2 tangential_ratio = Vec2::Zero();  // tangential impulse per normal impulse
  double normal_rate = 0;                // du_n/dp
  double speed_rate = 0;                 // dv/dp
  double friction = 0;                   // mu, where it slips
};

Leg sliding_leg(const SlipFlow& flow, double mu, const Vec2& s, Slip slip) {
  return {mu > 0 ? slip : Slip::slides_freely, -mu * s, flow.normal_rate(mu, s),
          flow.speed_rate(mu, s), mu};
}

// Without friction nothing depends on the slip, which turns as it likes.
Leg free_leg(const SlipFlow& flow) {
  return {Slip::slides_freely, Vec2::Zero(), flow.normal(), 0, 0};
}

Leg sticking_leg(const SlipFlow& flow) {
  return {Slip::sticks, flow.sticking_ratio(), flow.sticking_rate(), 0, 0};
}

double until_stop(const Leg& leg, const ImpactProgress& progress) {
  return leg.speed_rate < 0 ? progress.slip_speed / -leg.speed_rate : infinity;
}

// Halvings of the restitution that is allowed: down to its rounding.
constexpr int halvings = 53;

// The normal impulse that ends compression, or restitution. In restitution the way from u to
// u + k dp does the work u dp + k dp^2 / 2; if the contact jams, it may never do enough.
struct PhaseEnd {
  double impulse = infinity;
  bool is_enough = true;
};
PhaseEnd end_of_phase(const SlipFlow& flow, const Leg& leg, const ImpactProgress& progress) {
  const double u = progress.normal_speed, k = leg.normal_rate;
  if (!progress.parts) return {k > accuracy_of_many * flow.normal() ? -u / k : infinity, true};
  const double due = progress.due();
  if (progress.law == model::RestitutionLaw::poisson)
    return u + k * due < 0 ? PhaseEnd{-u / k, false} : PhaseEnd{due, true};
  if (progress.law == model::RestitutionLaw::newton) {
    if (k < 0) return {-u / k, false};
    return {k > accuracy_of_many * flow.normal() ? due / k : infinity, true};
  }
  const double discriminant = u * u + 2 * k * due;
  if (discriminant < 0) return {-u / k, false};
  return {2 * due / (u + std::sqrt(discriminant)), true};
}

// Follows a leg until slip stops or the impact is over; false if it would have no end.
bool follow(const SlipFlow& flow, const Leg& leg, ImpactProgress& progress) {
  while (!progress.is_over) {
    const PhaseEnd phase = end_of_phase(flow, leg, progress);
    const double stop = until_stop(leg, progress), dp = std::min(phase.impulse, stop);
    if (dp == infinity) return false;
    progress.spend(leg.slip, dp, (progress.normal_speed + 0.5 * leg.normal_rate * dp) * dp);
    progress.tangential_impulse += dp * leg.tangential_ratio;
    progress.friction_work += leg.friction * (progress.slip_speed + 0.5 * leg.speed_rate * dp) * dp;
    progress.normal_speed += leg.normal_rate * dp;
    progress.slip_speed = std::max(0.0, progress.slip_speed + leg.speed_rate * dp);
    if (dp == phase.impulse) {
      if (!progress.parts)
        progress.begin_restitution();
      else if (phase.is_enough)
        progress.finish();
      else
        progress.resume_compression();
    }
    if (dp == stop) break;
  }
  return true;
}

// From slip at the beginning until it stops, or the impact is over.
lcp::Status slide(const SlipFlow& flow, const PointImpact& impact, double stopped_speed,
                  ImpactProgress& progress) {
  const double mu = impact.dynamic_friction;
  Leg leg = mu > 0 ? Leg{} : free_leg(flow);
  if (keeps_direction(flow, mu, progress.direction)) {
    leg = sliding_leg(flow, mu, progress.direction, Slip::slides);
  } else if (mu > 0) {
    const CurvedEnd end = slip_in_a_curve(flow, mu, stopped_speed, progress);
    if (end == CurvedEnd::failed) return lcp::Status::not_converged;
    if (end != CurvedEnd::settled) return lcp::Status::solved;
    leg = sliding_leg(flow, mu, progress.direction, Slip::slides);
  }
  return follow(flow, leg, progress) ? lcp::Status::solved : lcp::Status::no_solution;
}

// Slip has stopped: it sticks, or begins anew.
lcp::Status go_on_from_stop(const SlipFlow& flow, const PointImpact& impact,
                            ImpactProgress& progress) {
  const double mu = impact.dynamic_friction;
  progress.slip_speed = 0;
  Leg leg = sticking_leg(flow);
  if (leg.tangential_ratio.norm() > std::max(mu, impact.static_friction)) {
    progress.direction = flow.starting_direction(mu);
    leg = sliding_leg(flow, mu, progress.direction, Slip::slides_anew);
  }
  return follow(flow, leg, progress) ? lcp::Status::solved : lcp::Status::no_solution;
}

PointImpactResult outcome(const SlipFlow& flow, const PointImpact& impact, lcp::Status status,
                          const ImpactProgress& progress) {
  PointImpactResult result;
  result.status = status;
  result.after = impact.before;
  if (status != lcp::Status::solved) return result;
  result.impulse << progress.normal_impulse, flow.from_principal(progress.tangential_impulse);
  result.after += impact.matrix * result.impulse;
  result.compression_work = progress.compression_work;
  result.restitution_work = progress.restitution_work;
  result.energy_lost =
      progress.friction_work - (progress.compression_work + progress.restitution_work);
  result.phases = progress.phases;
  result.restitution = impact.restitution;
  return result;
}

PointImpactResult followed(const PointImpact& impact) {
  const SlipFlow flow(impact.matrix);
  const double stopped_speed =
      std::max(impact.stopped_speed, stopped_fraction * impact.before.norm());
  ImpactProgress progress;
  progress.law = impact.law;
  progress.restitution = impact.restitution;
  progress.approach = -impact.before[0];
  progress.normal_speed = impact.before[0];
  const Vec2 slip = flow.to_principal(impact.before.tail<2>());
  const bool slips = slip.norm() > stopped_speed;
  if (slips) {
    progress.slip_speed = slip.norm();
    progress.direction = slip / progress.slip_speed;
  }
  const bool jams = slips && flow.normal_rate(impact.dynamic_friction, progress.direction) < 0;
  lcp::Status status = lcp::Status::solved;
  if (impact.before[0] < 0 || (impact.before[0] == 0 && jams)) {
    if (slips) status = slide(flow, impact, stopped_speed, progress);
    if (status == lcp::Status::solved && !progress.is_over)
      status = go_on_from_stop(flow, impact, progress);
  }
  return outcome(flow, impact, status, progress);
}

bool gains_energy(const PointImpactResult& result) {
  return result.energy_lost <
         -accuracy_of_one * (result.restitution_work - result.compression_work);
}

// The impact with the largest restitution that gains no energy. Without any it loses what
// compression and friction take.
PointImpactResult limited_by_energy(PointImpact impact, PointImpactResult result) {
  double low = 0, high = impact.restitution;
  for (int i = 0; i < halvings; ++i) {
    impact.restitution = 0.5 * (low + high);
    PointImpactResult tried = followed(impact);
    if (gains_energy(tried)) {
      high = impact.restitution;
      continue;
    }
    low = impact.restitution;
    result = std::move(tried);
  }
  result.is_limited = true;
  return result;
}

}  // namespace

PointImpactResult routh(const PointImpact& impact) {
  PointImpactResult result = followed(impact);
  if (impact.law == model::RestitutionLaw::energetic || !gains_energy(result)) return result;
  PointImpact inelastic = impact;
  inelastic.restitution = 0;
  return limited_by_energy(impact, followed(inelastic));
}

}  // namespace abut::impulse
