#include "clock/step_prediction.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "clock/bent_rows.h"
#include "clock/implicit_forces.h"
#include "clock/step_solution.h"

namespace abut::clock {
namespace {

// A contact closes at its own time unless that cuts off less than this part of a whole step: so the
// end of a sequence of bounces costs a few steps and no more.
constexpr double least_arrival = 1.0 / 64;

// Islands of up to so many bodies take one more step for anything that arrives later than that.
constexpr double few_bodies = 16;

// Of one pair, whatever could be reached within the step.
void collect_contacts_of(Attempt& attempt, std::size_t p) {
  NearPair& pair = *attempt.island.pairs[p];
  const Side a = attempt.side_of(pair.a()), b = attempt.side_of(pair.b());
  const double apart = (a.pose.position - b.pose.position).norm();
  std::array<NearPair::Moving, 2> moving;
  for (const int side : {0, 1}) {
    const Side& one = side == 0 ? a : b;
    const Side& other = side == 0 ? b : a;
    const double radius = one.place >= 0 ? attempt.stepped(one.place).radius
                                         : apart + attempt.stepped(other.place).radius;
    moving[side] = {one.pose, one.velocity.linear, one.velocity.angular, radius};
  }
  const double kick = attempt.bodies[std::max(a.place, b.place)].kick;
  attempt.contacts[p] = pair.contacts(moving, attempt.h, closed_fraction * pair.kept_gap(), kick);
  for (const int side : {0, 1})
    if (const int place = (side == 0 ? a : b).place; place >= 0) {
      moving[side].velocity = attempt.bodies[place].before.linear;
      moving[side].spin = attempt.bodies[place].before.angular;
    }
  attempt.looks_past[p] = pair.look_past(attempt.contacts[p], moving, attempt.h, kick);
  for (StepContact& contact : attempt.contacts[p]) contact.within = attempt.h;
}

}  // namespace

void predict(Attempt& attempt) {
  const std::size_t count = attempt.island.slots.size();
  const model::Model& model = attempt.model();
  attempt.bodies.assign(count, {});
  std::vector<integrate::MovingBody> moving;
  for (const int slot : attempt.island.slots) {
    const SteppedBody& body = attempt.island.scene.bodies[slot];
    const body::Mass& mass = model.bodies[body.index].mass;
    moving.push_back({body.state, body::angular_velocity(mass, body.state.attitude,
                                                         body.state.angular_momentum)});
  }
  std::vector<integrate::Wrench> wrenches(count);
  attempt.rates = {};
  if (!attempt.island.laws.empty())
    attempt.island.laws.add(attempt.t, motion::Side::after, moving, wrenches, attempt.rates);
  for (std::size_t i = 0; i < count; ++i) {
    const SteppedBody& body = attempt.stepped(i);
    const body::Mass& mass = model.bodies[body.index].mass;
    AttemptBody& now = attempt.bodies[i];
    now.kick = std::max(0.0, 0.5 * (body.last_step + attempt.h));
    now.last_step = body.last_step;
    if (body.bent) {
      predict_bent(attempt, static_cast<int>(i));
      continue;
    }
    now.inertia = impulse::Inertia::of(mass, body.state.attitude);
    now.before = {body.state.velocity, moving[i].angular_velocity};
    now.force = mass.mass * model.gravity + wrenches[i].force;
    now.torque = wrenches[i].torque;
    const integrate::Wrench struck = attempt.island.outside_impulse_on(body);
    now.free_velocity =
        body.state.velocity + now.kick / mass.mass * now.force + struck.force / mass.mass;
    now.free_momentum = body.state.angular_momentum + now.kick * now.torque + struck.torque;
    if (const auto drags = drags_on(model, attempt.island.implicit_forces, body.index);
        !drags.empty()) {
      const Vec3 velocity = body.state.velocity + struck.force / mass.mass;
      const Vec3 momentum = body.state.angular_momentum + struck.torque;
      now.drag.emplace(drags, mass, body.state.attitude, velocity,
                       now.inertia.inverse_inertia * momentum, now.kick);
      now.free_velocity = velocity + now.kick * now.drag->acceleration(now.force);
      now.free_momentum = momentum + now.kick * now.drag->slowed(now.torque);
    }
    const Vec3 spin = now.inertia.inverse_inertia * now.free_momentum;
    now.turning = middle_spin(mass, body.state.attitude, now.free_momentum, attempt.h) - spin;
    now.moved = now.drift = {now.free_velocity, spin + now.turning};
  }
}

void collect_contacts(Attempt& attempt) {
  attempt.contacts.assign(attempt.island.pair_count(), {});
  attempt.looks_past.assign(attempt.island.pairs.size(), false);
  for (std::size_t p = 0; p < attempt.island.pairs.size(); ++p) collect_contacts_of(attempt, p);
  collect_bent_contacts(attempt);
}

void shorten(Attempt& attempt, double h) {
  std::vector<double> kicks;
  for (const AttemptBody& body : attempt.bodies) kicks.push_back(body.kick);
  attempt.h = h;
  predict(attempt);
  for (std::size_t p = 0; p < attempt.island.pairs.size(); ++p) {
    if (attempt.looks_past[p]) {
      collect_contacts_of(attempt, p);
      continue;
    }
    std::erase_if(attempt.contacts[p], [](const StepContact& one) { return one.found_late; });
    const int place = std::max(attempt.island.place_of(attempt.island.pairs[p]->a()),
                               attempt.island.place_of(attempt.island.pairs[p]->b()));
    const double ratio = kicks[place] > 0 ? attempt.bodies[place].kick / kicks[place] : 0;
    for (StepContact& contact : attempt.contacts[p]) {
      contact.within = h;
      contact.impulse *= ratio;
    }
  }
  collect_bent_contacts(attempt);
}

// When the first contact closes for which the step ends; what it does then begins the next. A
// contact that bounces does. With steps that are to have a given error, so does one of bodies that
// the rest of the step would take through each other by more than the gap that they are kept at; if
// it pressed in the last step it does not arrive, but only hovers a little. All of the island takes
// one more step for that, though: where m pairs of n bodies arrive, as in a large heap at all
// times, the least time that is worth it grows by m^2 n, and with many there is none. What bounces
// then does so where the step begins: it is told when it would have closed.
double first_arrival(Attempt& attempt) {
  const model::SolverSettings& solver = attempt.model().solver;
  const double least = least_arrival / shortest_part * attempt.island.shortest;
  std::vector<double> arrivals;  // by pair
  for (std::size_t p = 0; p < attempt.island.pairs.size(); ++p) {
    const NearPair& pair = *attempt.island.pairs[p];
    const Side a = attempt.side_of(pair.a()), b = attempt.side_of(pair.b());
    double arrival = attempt.h;
    for (StepContact& contact : attempt.contacts[p]) {
      if (contact.gap <= closed_fraction * contact.kept) continue;
      const double approach =
          -contact.normal.dot(a.velocity_at(contact.arms[0]) - b.velocity_at(contact.arms[1]));
      const double closing = (contact.gap - contact.kept) / approach;
      if (!(approach > 0) || closing >= attempt.h) continue;
      const bool bounces = contact.law.restitution > 0 && approach > solver.rest_speed;
      if (bounces) contact.bounces_at = closing;
      const bool gets_through = solver.clock != model::Clock::step && contact.impulse.isZero(0) &&
                                approach * (attempt.h - closing) > contact.kept;
      if (closing > least && (bounces || gets_through)) arrival = std::min(arrival, closing);
    }
    if (arrival < attempt.h) arrivals.push_back(arrival);
  }
  const double size = std::max(1.0, static_cast<double>(attempt.island.slots.size()) / few_bodies);
  const double worth = least * size * static_cast<double>(arrivals.size() * arrivals.size());
  double first = attempt.h;
  for (const double arrival : arrivals)
    if (arrival > worth) first = std::min(first, arrival);
  return first;
}

}  // namespace abut::clock
