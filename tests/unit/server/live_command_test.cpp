#include "server/live_command.h"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace abut;
using namespace abut::server;

template <class Command>
Command parsed(const char* text) {
  const auto command = parse_command(text);
  EXPECT_TRUE(command.has_value()) << text;
  return command ? std::get<Command>(*command) : Command{};
}

TEST(LiveCommand, ReadsEveryCommand) {
  EXPECT_EQ(parsed<GoalCommand>(R"({"do": "goal", "time": 1.5})").time, 1.5);
  parsed<StepCommand>(R"({"do": "step"})");
  parsed<RestartCommand>(R"({"do": "restart"})");
  parsed<ReleaseCommand>(R"({"do": "release"})");
  const auto set = parsed<SetCommand>(
      R"({"do": "set", "gravity": [0, 0, -1.6], "friction": 0.5, "restitution": null})");
  EXPECT_EQ(set.gravity, Vec3(0, 0, -1.6));
  EXPECT_EQ(set.friction, 0.5);
  EXPECT_FALSE(set.restitution.has_value());
  const auto grab = parsed<GrabCommand>(
      R"({"do": "grab", "body": 3, "point": [0, 0, 0.1], "target": [1, 2, 3]})");
  EXPECT_EQ(grab.body, 3);
  EXPECT_EQ(grab.point, Vec3(0, 0, 0.1));
  EXPECT_EQ(grab.target, Vec3(1, 2, 3));
}

TEST(LiveCommand, RefusesEverythingElse) {
  for (const char* text :
       {"",
        "{",
        "[]",
        "null",
        "1",
        R"("goal")",
        "{}",
        R"({"do": 1})",
        R"({"do": "fly"})",
        R"({"do": "goal"})",
        R"({"do": "goal", "time": "1"})",
        R"({"do": "goal", "time": null})",
        R"({"do": "goal", "time": -1})",
        R"({"do": "goal", "time": 1e999})",
        R"({"do": "goal", "time": 1, "more": 2})",
        R"({"do": "step", "time": 1})",
        R"({"do": "set", "gravity": [0, 0], "friction": 1, "restitution": 0})",
        R"({"do": "set", "gravity": null, "friction": -1, "restitution": 0})",
        R"({"do": "set", "gravity": null, "friction": 1, "restitution": 1.1})",
        R"({"do": "set", "friction": 1, "restitution": 1})",
        R"({"do": "grab", "body": -1, "point": [0, 0, 0], "target": [0, 0, 0]})",
        R"({"do": "grab", "body": 1.5, "point": [0, 0, 0], "target": [0, 0, 0]})",
        R"({"do": "grab", "body": 99999999999, "point": [0, 0, 0], "target": [0, 0, 0]})",
        R"({"do": "grab", "body": 1, "point": [0, 0, "x"], "target": [0, 0, 0]})",
        R"({"do": "step"} {})"})
    EXPECT_FALSE(parse_command(text).has_value()) << text;
  EXPECT_FALSE(parse_command(std::string(4000, '[')).has_value());
}

}  // namespace
