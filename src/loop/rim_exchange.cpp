#include "loop/rim_exchange.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "base/limits.h"
#include "integrate/island_report.h"
#include "loop/lasting.h"

namespace abut::loop {
namespace {

using contact::Contact;

constexpr double turn = 2 * M_PI;

// Every round halves the angle to the lowest place, or does better; from an eighth of a turn a
// dozen are enough for the tolerance below.
constexpr int most_rounds = 24;

// A place sinks if it does so at this fraction of what the rim's places differ by (dimensionless).
// The place found is then within 1e-3 rad of the lowest one, and a polygon of such places within
// 1e-6 of the disc.
constexpr double sinking_fraction = 1e-6;

/// c0 + c1 cos(phi) + c2 sin(phi)
struct Wave {
  double mean = 0, cosine = 0, sine = 0;

  /// From the values at three angles, a third of a turn apart, the first of them 0.
  explicit Wave(const std::array<double, 3>& at) {
    mean = (at[0] + at[1] + at[2]) / 3;
    cosine = (2 * at[0] - at[1] - at[2]) / 3;
    sine = (at[1] - at[2]) / std::sqrt(3.0);
  }
  double amplitude() const { return std::hypot(cosine, sine); }
  double lowest() const { return mean - amplitude(); }
  double lowest_angle() const { return std::atan2(-sine, -cosine); }
};

/// The same angle within the arc, if it has it.
std::optional<double> within(const contact::RimArc& arc, double angle) {
  const double found = angle + turn * std::ceil((arc.from - angle) / turn);
  return found < arc.to ? std::optional<double>(found) : std::nullopt;
}

bool is_same_arc(const Contact& x, const Contact& y) {
  return x.bodies == y.bodies && x.label.part_a == y.label.part_a &&
         x.label.part_b == y.label.part_b && x.arc->side == y.arc->side &&
         x.arc->atom == y.arc->atom && x.arc->from == y.arc->from;
}

/// One contact of every arc.
std::vector<Contact> arcs_of(const ContactEvent& contact_event) {
  std::vector<Contact> arcs;
  for (const Contact& contact : contact_event.active.contacts) {
    if (!contact.arc) continue;
    if (std::none_of(arcs.begin(), arcs.end(),
                     [&](const Contact& one) { return is_same_arc(one, contact); }))
      arcs.push_back(contact);
  }
  return arcs;
}

/// The bodies as the contact event leaves them.
class Aftermath {
 public:
  Aftermath(const model::Model& model, const integrate::Scripts& scripts,
            const ContactEvent& contact_event, const Outcome& outcome)
      : model_(model), scripts_(scripts), contact_event_(contact_event), outcome_(outcome) {}

  /// A place of the contact's arc that sinks, as its angle.
  std::optional<double> sinking(const Contact& contact) {
    std::array<double, 3> rates;
    for (int i = 0; i < 3; ++i) rates[i] = row_at(contact, i).rate;
    const Wave rate(rates);
    if (rate.lowest() < -least_rate - sinking_fraction * rate.amplitude())
      return within(*contact.arc, rate.lowest_angle());
    if (rate.mean + rate.amplitude() > 2 * least_rate) return std::nullopt;
    accelerate();
    std::array<double, 3> accelerations;
    for (int i = 0; i < 3; ++i) {
      const body::ConstraintRow row = row_at(contact, i);
      accelerations[i] = row.bias;
      for (int side = 0; side < 2; ++side) {
        const impulse::Twist twist = acceleration_of(contact.bodies[side]);
        accelerations[i] += row.sides[side](twist.linear, twist.angular);
      }
    }
    const Wave acceleration(accelerations);
    if (acceleration.lowest() <
        -force::row_accuracy * largest_acceleration_ - sinking_fraction * acceleration.amplitude())
      return within(*contact.arc, acceleration.lowest_angle());
    return std::nullopt;
  }

 private:
  body::ConstraintRow row_at(const Contact& contact, int third) const {
    const Contact there = contact::moved_along_arc(contact, turn * third / 3);
    return contact::evaluate(there, motion_of(contact.bodies[0]), motion_of(contact.bodies[1])).row;
  }
  std::optional<std::size_t> slot_of(BodyIndex body) const {
    const auto place =
        std::lower_bound(contact_event_.bodies.begin(), contact_event_.bodies.end(), body);
    if (place == contact_event_.bodies.end() || *place != body) return std::nullopt;
    return place - contact_event_.bodies.begin();
  }
  body::RigidMotion motion_of(BodyIndex body) const {
    if (const auto slot = slot_of(body)) {
      const body::RigidState& s = outcome_.states[*slot];
      return {{s.centre, s.attitude},
              s.velocity,
              body::angular_velocity(model_.bodies[body].mass, s.attitude, s.angular_momentum)};
    }
    return integrate::prescribed_support(model_, scripts_, body, contact_event_.time).motion;
  }
  impulse::Twist acceleration_of(BodyIndex body) const {
    if (const auto slot = slot_of(body)) return accelerations_[*slot];
    return integrate::prescribed_support(model_, scripts_, body, contact_event_.time).acceleration;
  }

  // Of all bodies of the contact event, by the forces of what lasts.
  void accelerate() {
    if (!accelerations_.empty()) return;
    accelerations_.resize(contact_event_.bodies.size());
    largest_acceleration_ = model_.gravity.norm();
    for (integrate::Island& island : contact_event_.islands_of(model_, outcome_.active)) {
      const std::vector<BodyIndex> bodies = island.bodies;
      std::vector<body::RigidState> states;
      states.reserve(bodies.size());
      for (const BodyIndex body : bodies) states.push_back(outcome_.states[*slot_of(body)]);
      integrate::Equations equations(model_, scripts_, std::move(island));
      const ode::Vector y = equations.applied().state_vector(states);
      equations.begin_smooth_motion(contact_event_.time, y, infinity);
      std::vector<BodyState> recorded(model_.bodies.size());
      integrate::write_states(equations, contact_event_.time, motion::Side::after, y, recorded);
      for (const BodyIndex body : bodies) {
        accelerations_[*slot_of(body)] = {recorded[body].acceleration,
                                          recorded[body].angular_acceleration};
        largest_acceleration_ = std::max(largest_acceleration_, recorded[body].acceleration.norm());
      }
    }
  }

  const model::Model& model_;
  const integrate::Scripts& scripts_;
  const ContactEvent& contact_event_;
  const Outcome& outcome_;
  std::vector<impulse::Twist> accelerations_;
  double largest_acceleration_ = 0;
};

/// Makes contacts where arcs sink. A contact that is there but was let go is taken back. Returns
/// whether the contact event has changed.
bool add_sinking_places(const model::Model& model, const integrate::Scripts& scripts,
                        const std::vector<Contact>& arcs, const Outcome& outcome,
                        ContactEvent& contact_event) {
  Aftermath aftermath(model, scripts, contact_event, outcome);
  std::vector<Contact> added;
  bool changed = false;
  for (const Contact& arc : arcs) {
    const std::optional<double> angle = aftermath.sinking(arc);
    if (!angle) continue;
    Contact contact = contact::moved_along_arc(arc, *angle);
    if (!contact::contains(contact_event.active.contacts, contact)) {
      added.push_back(std::move(contact));
      continue;
    }
    changed |= contact_event.verdicts.take_back_leaving(contact);
  }
  std::vector<Contact>& contacts = contact_event.active.contacts;
  contacts.insert(contacts.end(), added.begin(), added.end());
  std::stable_sort(contacts.begin(), contacts.end(), [](const Contact& x, const Contact& y) {
    return x.bodies != y.bodies ? x.bodies < y.bodies : x.label < y.label;
  });
  return changed || !added.empty();
}

}  // namespace

Outcome settle_with_rims(const model::Model& model, const integrate::Scripts& scripts,
                         ContactEvent& contact_event) {
  const std::vector<Contact> arcs = arcs_of(contact_event);
  Outcome outcome = settle(model, scripts, contact_event);
  for (int round = 0; round < most_rounds && !arcs.empty(); ++round) {
    if (outcome.status != lcp::Status::solved ||
        !add_sinking_places(model, scripts, arcs, outcome, contact_event))
      break;
    const Outcome before = std::move(outcome);
    outcome = settle(model, scripts, contact_event);
    outcome.solves += before.solves;
    outcome.pivots += before.pivots;
    outcome.residual = std::max(outcome.residual, before.residual);
  }
  return outcome;
}

}  // namespace abut::loop
