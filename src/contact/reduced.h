#pragma once
// The contacts of two bodies with several parts, without those that say nothing new.
//
// Parts that are flush touch another body at one place each for the same: one contact is enough.
// And where contacts of several pairs of parts have one normal and lie in one plane, on both
// bodies, a force at any of them is a sum of forces at the vertices of their convex hull, and their
// gaps lie between those of the vertices: the vertices stand for all, as within one region.

#include <vector>

#include "contact/contact.h"

namespace abut::contact {

/// Precondition: the contacts are between the same two bodies, with their laws set.
std::vector<Contact> reduced(std::vector<Contact> contacts, const body::RigidMotion& a,
                             const body::RigidMotion& b, double contact_distance);

}  // namespace abut::contact
