#pragma once
// What contacts with friction do within an implicit step, all of them together.
//
// Where slip is so slow that friction stops it within force::creep_time, whether it stops or others
// drive it on is not told by its speed, nor by the forces of the instant: each contact's answer
// depends on those of the others, and asked one after the other they contradict each other. Of a
// row of dominoes that lean on each other each one moves a fifth of the next; to stop the slowest
// would stop the fastest.
//
// So velocities are asked for that the implicit step ends with (Moreau's time stepping; Stewart &
// Trinkle 1996). With u the rates of all rows at its beginning, a the accelerations without contact
// forces and h its length, forces z that are constant over it leave rates h w with
//     w = A z + a + u / h,
// and Coulomb's law on the true cone between z and w (impulse/coulomb_problem.h). A is symmetric:
// there is a solution, and it knows of no order. Contacts stick that end with no slip, and slip
// goes on, or turns back, along the slip that others end with.

#include <vector>

#include "loop/event_bodies.h"

namespace abut::loop {

struct ImplicitStep {
  lcp::Status status = lcp::Status::not_converged;
  /// What bears forces within the implicit step, by row of the contact event; ascending.
  std::vector<int> pressed;
  std::vector<int> sticking;     ///< contacts that end it without slip; ascending
  std::vector<bool> slow;        ///< by contact: was asked
  std::vector<Vec3> forces;      ///< by contact: on its first body, N
  std::vector<Vec3> directions;  ///< by contact: unit direction of its slip at the end; or zero

  bool is_found() const { return status == lcp::Status::solved; }
};

/// Contacts whose slip is so slow that it has to be asked for: it would stop within an implicit
/// step.
std::vector<bool> slow_contacts(const EventBodies& bodies, const std::vector<bool>& closed);

/// The implicit step from the bodies as observed on. `closed`: the contacts that may press. `free`:
/// the accelerations of all rows if none of them does. At contacts that are not `slow` slip is as
/// it is.
ImplicitStep implicit_step(const EventBodies& bodies, const std::vector<bool>& closed,
                           const std::vector<bool>& slow, const impulse::Vector& free);

}  // namespace abut::loop
