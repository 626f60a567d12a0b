#pragma once
// What a page can ask of a live simulation: one JSON object per message, its key `do` naming what.

#include <optional>
#include <string_view>
#include <variant>

#include "abut/types.h"

namespace abut::server {

/// `{"do": "goal", "time": 1.5}`: simulate up to there, and wait.
struct GoalCommand {
  double time = 0;  ///< s
};
/// `{"do": "step"}`: simulate to the next event, whatever the goal.
struct StepCommand {};
/// `{"do": "restart"}`: from time 0 again, with the parameters as they are set.
struct RestartCommand {};
/// `{"do": "set", "gravity": [0, 0, -1.6], "friction": 0.5, "restitution": null}`: from now on;
/// null is what the scene says.
struct SetCommand {
  std::optional<Vec3> gravity;        ///< m/s^2
  std::optional<double> friction;     ///< of all contacts
  std::optional<double> restitution;  ///< likewise
};
/// `{"do": "grab", "body": 3, "point": [0, 0, 0.1], "target": [1, 2, 3]}`: a spring from a point of
/// a body (in its frame) to a place in the world. With a body that is held already, the place
/// moves.
struct GrabCommand {
  BodyIndex body = 0;
  Vec3 point = Vec3::Zero();
  Vec3 target = Vec3::Zero();
};
/// `{"do": "release"}`
struct ReleaseCommand {};

using LiveCommand =
    std::variant<GoalCommand, StepCommand, RestartCommand, SetCommand, GrabCommand, ReleaseCommand>;

/// Nothing where the text is not exactly one of the above, with finite numbers within reason.
std::optional<LiveCommand> parse_command(std::string_view text);

}  // namespace abut::server
