#pragma once
// The contacts with which two bodies meet that slip past each other.
//
// Bodies rest a gap g above what bears them, and come to the edge of a next, flush support beside
// it. The shortest way between them leans there: between cores that are D apart, D = g + r of a
// body that is rounded by r, the edge is met up to sqrt(2 D g) aside. Beyond it the way is upright.
// What closes at the rate of the first moment then never comes nearer, and would stop bodies where
// nothing is in their way.

#include <functional>
#include <vector>

#include "contact/contact.h"
#include "model/settings.h"

namespace abut::loop {

/// The contacts of two bodies, at poses of their motion frames.
using ContactFinder = std::function<std::vector<contact::Contact>(const Pose& a, const Pose& b)>;

/// The contacts of two bodies as they move. Where those that they have approach, the bodies are
/// looked at where they get in a few such ways if they go on steadily. Contacts that are gone
/// there, though the bodies came nearer by less than half of what their rate says, are left to
/// those that are within reach then.
std::vector<contact::Contact> contacts_met(const ContactFinder& find, const body::RigidMotion& a,
                                           const body::RigidMotion& b,
                                           const model::SolverSettings& solver);

/// The velocity of slip of a contact, of its first body against the second one, m/s.
Vec3 slip_of(const contact::Contact& contact, const contact::ContactNow& now,
             const body::RigidMotion& a, const body::RigidMotion& b);

}  // namespace abut::loop
