#include "scene/overrides.h"

#include <gtest/gtest.h>

#include "unit/scene/scene_testing.h"

using namespace scene_testing;
using abut::Vec3;

namespace {

const std::string scene = header +
                          "materials: {rubber: {friction: 0.6}}\nbodies:\n"
                          "  - {name: ball, shape: {sphere: {radius: 0.5}}, velocity: [1, 2, 3]}\n"
                          "  - {name: box, shape: {box: {size: [1, 1, 1]}}, material: rubber}\n";

/// The only error of an override, without the option in front.
std::string refusal(const std::string& change) {
  const auto lines = errors(scene, {change});
  if (lines.size() != 1) return std::to_string(lines.size()) + " errors";
  const std::string option = "--set " + change + ": ";
  return lines[0].rfind(option, 0) == 0 ? lines[0].substr(option.size()) : "not at " + lines[0];
}

}  // namespace

TEST(Overrides, KeysNamesAndIndices) {
  const auto model =
      load(scene,
           {"solver.tolerance=1e-6", "bodies.ball.position=[0, 0, 2]", "bodies[0].velocity[2]=30",
            "duration=2 min", "materials.rubber.friction=0.1", "bodies.ball.shape.sphere.radius=2",
            "bodies[1].shape={sphere: {radius: 3 mm}}", "name=New name"});
  EXPECT_EQ(model.solver.tolerance, 1e-6);
  EXPECT_EQ(model.bodies[0].pose.position, Vec3(0, 0, 2));
  EXPECT_EQ(model.bodies[0].velocity, Vec3(1, 2, 30));
  EXPECT_EQ(model.duration, 120);
  EXPECT_EQ(model.materials[0].friction.static_coefficient, 0.1);
  EXPECT_EQ(std::get<abut::shape::Sphere>(model.bodies[0].parts[0].geometry).radius, 2);
  EXPECT_EQ(std::get<abut::shape::Sphere>(model.bodies[1].parts[0].geometry).radius, 0.003);
  EXPECT_EQ(model.name, "New name");
}

TEST(Overrides, LaterOnesWin) {
  EXPECT_EQ(load(scene, {"duration=2", "duration=3"}).duration, 3);
}

TEST(Overrides, AreRecordedWithTheSource) {
  EXPECT_EQ(load(scene, {"duration=2"}).source, scene + "# --set duration=2\n");
}

// Whatever the scene's own comments look like, and whether or not overrides follow.
TEST(Overrides, CommentsOfTheSceneAreComments) {
  for (const std::string end :
       {"# --set duration=99\n", "# --set nonsense", "# --set a\n# --set b"}) {
    for (const auto& overrides : {std::vector<std::string>{}, {"duration=2"}}) {
      const auto first = load(scene + end, overrides);
      const auto again = abut::scene::load_recorded_scene(first.source, "test.yaml", {}).model;
      EXPECT_EQ(again.duration, first.duration) << end;
    }
  }
}

TEST(Overrides, AreAppliedAgainFromTheRecordedSource) {
  for (const std::string& text : {scene, scene.substr(0, scene.size() - 1)}) {
    for (const auto& overrides :
         {std::vector<std::string>{}, {"duration=2"}, {"duration=2", "name=New", "duration=3"}}) {
      const auto first = load(text, overrides);
      const auto again = abut::scene::load_recorded_scene(first.source, "test.yaml", {}).model;
      EXPECT_EQ(again.duration, first.duration);
      EXPECT_EQ(again.name, first.name);
    }
  }
}

TEST(Overrides, ErrorsNameTheOption) {
  EXPECT_TRUE(mentions(refusal("bodies.bal.position=[0, 0, 1]"),
                       "no body is named `bal`; did you mean `ball`?"));
  EXPECT_TRUE(mentions(refusal("solver.tolerence=1"), "did you mean `tolerance`?"));
  EXPECT_TRUE(mentions(refusal("solver.tolerance=1"), "tolerance is 1, but must be"));
  EXPECT_TRUE(mentions(refusal("bodies[2].position=[0, 0, 1]"), "no [2]"));
  EXPECT_TRUE(mentions(refusal("duration[0]=1"), "not a list"));
  EXPECT_TRUE(mentions(refusal("duration.x=1"), "has no key `x`"));
  EXPECT_TRUE(mentions(refusal("duration"), "path=value"));
  EXPECT_TRUE(mentions(refusal("=3"), "path=value"));
  EXPECT_TRUE(mentions(refusal("bodies..x=3"), "path=value"));
  EXPECT_TRUE(mentions(refusal("bodies[x]=3"), "path=value"));
  EXPECT_TRUE(mentions(refusal("duration="), "value is missing"));
  EXPECT_TRUE(mentions(refusal("gravity=[0, 0"), "not valid YAML"));
  EXPECT_TRUE(mentions(refusal("bodies.ball.material=ruber"), "did you mean `rubber`?"));
}

TEST(Overrides, MendASceneThatLacksAKey) {
  EXPECT_EQ(load("abut: 1\n", {"duration=4"}).duration, 4);
}
