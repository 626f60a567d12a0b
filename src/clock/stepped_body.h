#pragma once
// A dynamic body as the step clock moves it.
//
// Velocities live halfway between places (leapfrog): over a step of length h a body moves steadily
// with the velocity of the middle of the step, and where two steps meet it is kicked by what forces
// do from the middle of the one to the middle of the next. In free flight places are exact, and
// impulses need no other treatment than forces.

#include <optional>
#include <utility>
#include <vector>

#include "body/rigid.h"
#include "clock/bent_state.h"
#include "clock/steady_push.h"
#include "motion/steady_motion.h"

namespace abut::clock {

/// One step of a body.
struct StepPiece {
  motion::SteadyMotion motion;   ///< of the central frame
  double middle = 0;             ///< of the step as it was taken, s
  Vec3 velocity = Vec3::Zero();  ///< there, of the momentum; that of the motion but for mended gaps
  Vec3 angular_momentum = Vec3::Zero();  ///< there, world axes
  SteadyPush push;                       ///< what changes the momenta about the middle
  /// Where bodies begin to be stepped: the velocity and momentum that they come with.
  std::optional<std::pair<Vec3, Vec3>> first;
};

struct SteppedBody {
  BodyIndex index = 0;
  body::RigidState state;  ///< where its last piece ends, with the velocities of that piece
  double radius = 0;       ///< of the body about its centre of mass, m
  /// Twice the time that its place is ahead of its velocity, s: the length of its last piece,
  /// unless that was cut; 0 at the start.
  double last_step = 0;
  double longest_step = 0;  ///< that was proven lately, s
  Push last_push;           ///< in its last kick
  double drive = 0;         ///< what forces but contacts and joints give, m/s^2
  int calm_steps = 0;       ///< for how many steps it has hardly moved
  bool asleep = false;
  bool lone = false;              ///< nothing was near it in its last step
  bool stays = false;             ///< though nothing is near it
  int nap = -1;                   ///< which island it fell asleep with
  std::vector<StepPiece> pieces;  ///< of the step that is being taken
  /// Of a body that bends; the state is that of the rigid motion that fits best.
  std::optional<BentState> bent;

  Pose pose() const { return {state.centre, state.attitude}; }
};

}  // namespace abut::clock
