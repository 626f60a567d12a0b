// Scripts: keyframes and formulas.
#include <gtest/gtest.h>

#include <cmath>

#include "unit/scene/scene_testing.h"

using namespace scene_testing;
using abut::Vec3;
namespace script = abut::body;

namespace {

std::vector<std::string> motion_errors(const std::string& motion) {
  return body_errors(ball + "    motion: " + motion + "\n");
}

}  // namespace

TEST(BuildMotion, Formulas) {
  const auto b = body(ball +
                      "    position: [7, 7, 7]\n    orientation: [0, 1, 0, 0]\n"
                      "    motion: {position: ['1+0.1*t^2', 0, 'sin(2*pi*t)'],\n"
                      "             rotation: {axis: [0, 0, 2], angle: '3*t'}}\n");
  ASSERT_NE(b.script(), nullptr);
  const auto& formulas = std::get<script::ExpressionScript>(*b.script());
  EXPECT_DOUBLE_EQ(formulas.position[0].value(2), 1.4);
  EXPECT_EQ(formulas.position[1].value(2), 0);
  EXPECT_EQ(formulas.axis, Vec3(0, 0, 1));
  EXPECT_EQ(formulas.angle.value(2), 6);
  EXPECT_EQ(formulas.orientation.x(), 1);
  EXPECT_EQ(b.pose.position, Vec3(1, 0, 0));  // where the script starts
}

TEST(BuildMotion, MissingPartsKeepTheBodysOwn) {
  const auto b = body(ball +
                      "    position: [7, 8, 9]\n"
                      "    motion: {rotation: {axis: [0, 0, 1], angle: '3*t'}}\n");
  const auto& turning = std::get<script::ExpressionScript>(*b.script());
  EXPECT_EQ(turning.position[2].value(5), 9);
  const auto c = body(ball + "    orientation: [0, 0, 1, 0]\n    motion: {position: [t, 0, 0]}\n");
  const auto& sliding = std::get<script::ExpressionScript>(*c.script());
  EXPECT_EQ(sliding.angle.value(5), 0);
  EXPECT_EQ(c.pose.orientation.y(), 1);
}

TEST(BuildMotion, Keyframes) {
  const auto b = body(ball +
                      "    position: [1, 2, 3]\n    motion:\n      interpolation: linear\n"
                      "      keyframes:\n        - {time: -1, position: [0, 0, 0]}\n"
                      "        - {time: 1, position: [2, 0, 0]}\n"
                      "        - {time: 500 ms + 2 s, orientation: [0, 0, 0, 1]}\n");
  const auto& keyframes = std::get<script::KeyframeScript>(*b.script());
  ASSERT_EQ(keyframes.keyframes.size(), 3u);
  EXPECT_EQ(keyframes.interpolation, script::Interpolation::linear);
  EXPECT_EQ(keyframes.keyframes[2].time, 2.5);
  EXPECT_EQ(keyframes.keyframes[2].pose.position, Vec3(1, 2, 3));
  EXPECT_EQ(keyframes.keyframes[2].pose.orientation.z(), 1);
  EXPECT_LT((b.pose.position - Vec3(1, 0, 0)).norm(), 1e-15);  // halfway at time 0
}

TEST(BuildMotion, Mistakes) {
  EXPECT_TRUE(one_error(motion_errors("fixd"), "6:13", "did you mean `fixed`?"));
  EXPECT_TRUE(one_error(motion_errors("[1]"), "6:13", "`dynamic`, `fixed`"));
  EXPECT_TRUE(one_error(motion_errors("{}"), "6:13", ""));
  EXPECT_TRUE(one_error(motion_errors("{position: [t, 't +* 2', 0]}"), "6:32", "is not a formula"));
  EXPECT_TRUE(one_error(motion_errors("{position: [t, x, 0]}"), "6:28", "`x` is not known"));
  EXPECT_TRUE(one_error(motion_errors("{position: [t, t]}"), "6:24", "2 entries"));
  EXPECT_TRUE(one_error(motion_errors("{position: [log(t), 0, 0]}"), "6:25", "no finite value"));
  EXPECT_TRUE(
      one_error(motion_errors("{position: [sqrt(t), 0, 0]}"), "6:25", "no finite derivative"));
  // Poles between the times at which formulas are tried: the first one is named.
  EXPECT_TRUE(one_error(motion_errors("{position: [tan(20*t), 0, 0]}"), "6:25",
                        "no finite value at t = 0.0785398163"));
  EXPECT_TRUE(one_error(motion_errors("{position: [1/(t-0.3)^2, 0, 0]}"), "6:25", "t = 0.3"));
  EXPECT_TRUE(one_error(motion_errors("{position: [sqrt(abs(t-0.3)), 0, 0]}"), "6:25", "t = 0.3"));
  EXPECT_TRUE(one_error(motion_errors("{position: [0, 'sin(1e9*t)', 0]}"), "6:28",
                        "swings about 2e+08 times within the duration"));
  EXPECT_TRUE(one_error(motion_errors("{rotation: {axis: [0, 0, 1], angle: 'cos(1e9*t)'}}"), "6:49",
                        "swings about"));
  EXPECT_TRUE(one_error(motion_errors("{rotation: {axis: [0, 0, 0], angle: t}}"), "6:31",
                        "must have a direction"));
  EXPECT_TRUE(one_error(motion_errors("{keyframes: []}"), "6:25", "at least 1"));
  EXPECT_TRUE(one_error(motion_errors("{keyframes: [{time: 1}, {time: 1}]}"), "6:44",
                        "after the previous keyframe's 1"));
  EXPECT_TRUE(one_error(motion_errors("{keyframes: [{position: [0, 0, 0]}]}"), "6:26",
                        "needs the key `time`"));
  EXPECT_TRUE(one_error(motion_errors("{keyframes: [{time: 1}], interpolation: cubik}"), "6:53",
                        "did you mean `cubic`?"));
  EXPECT_TRUE(
      one_error(motion_errors("{keyframe: [{time: 1}]}"), "6:14", "did you mean `keyframes`?"));
}

TEST(BuildMotion, TurnsThatAreTooFastToFollow) {
  const std::string start = "abut: 1\nduration: 2.5\nbodies:\n";
  const std::string spins =
      "  - name: b\n    shape: {box: {size: [1, 2, 3]}}\n    angular_velocity: [0, 1e9, 5]\n";
  // An ordinary spin may go on for as long as one likes.
  EXPECT_TRUE(
      errors("abut: 1\nduration: 1e9\nbodies:\n"
             "  - {name: b, shape: {box: {size: [1, 2, 3]}}, angular_velocity: [0, 9, 0]}\n")
          .empty());
  EXPECT_TRUE(one_error(errors(start + spins), "6:23", "2e+08 turns within 1 s"));
  const auto driven = [&](const std::string& more) {
    return errors(start + "  - {name: b, shape: {sphere: {radius: 1}}}\njoints:\n" +
                  "  - {type: hinge, bodies: [world, b], axis: [0, 0, 1], at: [0, 0, 0],\n" +
                  "     motor: {speed: 1e9" + more + "}}\n");
  };
  EXPECT_TRUE(one_error(driven(""), "7:21", "cannot be followed"));
  EXPECT_TRUE(driven(", max_torque: 2").empty());
}

// However large they become, and with kinks.
TEST(BuildMotion, FormulasWithoutPolesAreTaken) {
  for (const char* formula :
       {"1/(1e-6 + (t-0.3)^2)", "sin(1e6*t)", "abs(t-0.3)", "max(t, 0.3)", "exp(20*t)", "1e9*t",
        "1e9*t^2", "tan(t)", "t/(1 + t^2)", "sqrt(1 + sin(9*t)^2)"})
    EXPECT_TRUE(motion_errors(std::string("{position: ['") + formula + "', 0, 0]}").empty())
        << formula;
}
