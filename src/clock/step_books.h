#pragma once
// What a step of an island leaves behind: impulses for the next one and for the record, and the
// books of energy and momentum.

#include <vector>

#include "clock/step_attempt.h"

namespace abut::clock {

/// A kick that is too short to tell forces tells them together with the kick before it.
void keep_contacts(const Attempt& attempt, std::vector<Push>& pushes);

/// Of a joint's coordinate: what both limits and the motor push it with, together.
void keep_joints(const Attempt& attempt, std::vector<Push>& pushes);

/// What springs do that are followed implicitly, and what holds sheets.
void keep_springs(const Attempt& attempt, std::vector<Push>& pushes);

/// The books of energy and momentum.
void book_step(const Attempt& attempt);

/// On the first body.
Vec3 impulse_of(const Attempt& attempt, const ContactRows& mine);

}  // namespace abut::clock
