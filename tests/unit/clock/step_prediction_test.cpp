#include "clock/step_prediction.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/scene_run.h"

namespace abut::clock {
namespace {

// A box that slides towards the edge of a tile, 3 mm ahead and 0.6 mm lower, as an island.
struct Sliding {
  model::Model model = test::scene(
      "abut: 1\nduration: 1\ngravity: [0, 0, 0]\nsolver: {clock: step}\nbodies:\n"
      "  - {name: box, shape: {box: {size: [1, 1, 1]}}, velocity: [2, 0, 0], "
      "position: [-1.003, 0, 1.0006]}\n"
      "  - {name: tile, shape: {box: {size: [1, 1, 1]}}, motion: fixed}\n");
  integrate::Scripts scripts = integrate::make_scripts(model);
  std::vector<int> slot_of = {0, -1};
  std::vector<SteppedBody> bodies;
  std::vector<double> coordinates;
  std::vector<JointStep> joint_steps;
  StepScene scene{model, scripts, slot_of, bodies, coordinates, joint_steps};
  NearPair pair{model, 0, 1, std::make_shared<const narrow::BodyShape>(model.bodies[0]),
                std::make_shared<const narrow::BodyShape>(model.bodies[1])};
  IslandAccount account;

  Sliding() {
    const integrate::Island island{{0}, {}, {}, {}, {}, {}, {}, {}};
    SteppedBody box;
    box.state = integrate::start_of(model, island).states.front();
    box.radius = model.bodies[0].bounding_radius;
    bodies.push_back(box);
  }

  /// What could be reached within a step of length h, which was `tried` (s) long at first.
  std::vector<StepContact> contacts_within(double h, double tried) {
    const IslandMembers island(scene, {0}, {&pair}, {}, {}, {});
    Attempt attempt(island, account, 0, tried);
    predict(attempt);
    collect_contacts(attempt);
    if (h < tried) shorten(attempt, h);
    return attempt.contacts[0];
  }
};

// In a whole step the box gets over the tile, and what counts is its face; in a quarter of one it
// does not, and what counts is the edge, whatever was tried before.
TEST(StepPrediction, WhatIsPassedBelongsToTheStepThatIsTaken) {
  Sliding sliding;
  const double whole = 1.0 / 240;
  const auto leans = [](const StepContact& contact) { return contact.normal.z() < 0.9; };
  const std::vector<StepContact> over = sliding.contacts_within(whole, whole);
  ASSERT_FALSE(over.empty());
  EXPECT_TRUE(std::none_of(over.begin(), over.end(), leans));
  const std::vector<StepContact> fresh = sliding.contacts_within(whole / 4, whole / 4);
  ASSERT_FALSE(fresh.empty());
  EXPECT_TRUE(std::all_of(fresh.begin(), fresh.end(), leans));
  const std::vector<StepContact> shortened = sliding.contacts_within(whole / 4, whole);
  ASSERT_EQ(shortened.size(), fresh.size());
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    EXPECT_TRUE(shortened[i].label == fresh[i].label) << i;
    EXPECT_NEAR(shortened[i].gap, fresh[i].gap, 1e-15) << i;
  }
}

}  // namespace
}  // namespace abut::clock
