#pragma once
// What the events of an island ask of its contacts and joints at an instant.

#include <utility>
#include <vector>

#include "integrate/equations.h"

namespace abut::integrate {

/// The rows of contacts, limits and joints at an instant, and the forces that hold them: of the
/// rows that carry any, zero of the others.
struct HeldNow {
  impulse::RowsNow rows;
  impulse::Vector forces;
  impulse::Vector accelerations;
  std::vector<double> margins;     ///< by contact: how far it is within its features, m
  std::vector<force::Slip> slips;  ///< by contact; zero without friction
};
HeldNow held_now(Equations& equations, double t, const ode::Vector& y);

/// Of that what one contact has without any forces: its slip, and how far it is within its
/// features.
force::Slip slip_at(Equations& equations, double t, const ode::Vector& y, int contact);
double margin_at(Equations& equations, double t, const ode::Vector& y, int contact);

/// The contacts that no force keeps closed at an instant, and that open; and those that no friction
/// keeps from slipping, with the directions in which they begin to.
struct Changes {
  std::vector<int> opening;
  std::vector<std::pair<int, Vec3>> slipping;
  bool only_shares = false;  ///< other forces hold all that is held
};
Changes changes_at(Equations& equations, double t, const ode::Vector& y);

/// The first contact whose slip is too slow for its direction to be followed, under gravity or
/// under the load that it bears, and that is not guided; -1: none.
int creeping_contact(Equations& equations, double t, const ode::Vector& y);

}  // namespace abut::integrate
