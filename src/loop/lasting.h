#pragma once
// Which of the contacts and limits of a contact event hold on when it is over: those that do not
// open, by velocity and then by acceleration.

#include "loop/implicit_step.h"

namespace abut::loop {

/// What a motor of limited force tries at each joint: to keep its speed where it is reached, else
/// to reach it. The bodies must have been observed.
std::vector<impulse::MotorDrive> drives(const EventBodies& bodies);

/// Fills in what lasts, by the bodies as they are now. `stopped` is the largest rate that impulses
/// have just stopped, m/s or rad/s: by it joints are judged that contradict each other.
///
/// Returns the contacts that jam: they slide, and no forces keep them and what else touches from
/// closing (Painleve). Empty otherwise; `outcome.status` tells of other failures.
std::vector<contact::Contact> decide_what_lasts(EventBodies& bodies,
                                                const integrate::Scripts& scripts, double stopped,
                                                const ImplicitStep& implicit_step,
                                                Outcome& outcome);

}  // namespace abut::loop
