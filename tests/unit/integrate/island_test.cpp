#include "integrate/island.h"

#include "support/models.h"

namespace abut::integrate {
namespace {

model::Model spheres(int count) {
  model::Model model = test::empty_model(1);
  for (int i = 0; i < count; ++i) model.bodies.push_back(test::body_of(shape::Sphere{0.1}));
  return model;
}

model::Spring spring(BodyIndex a, BodyIndex b) {
  model::Spring s;
  s.ends[0].body = a;
  s.ends[1].body = b;
  return s;
}

TEST(Island, BodiesWithoutForcesAreAlone) {
  const auto islands = find_islands(spheres(3));
  ASSERT_EQ(islands.size(), 3u);
  EXPECT_EQ(islands[2].bodies, std::vector<BodyIndex>{2});
}

TEST(Island, SpringsJoinDynamicBodiesTransitively) {
  model::Model model = spheres(5);
  model.forces = {spring(4, 2), spring(2, 0), model::Impulse{3, 0.5}, spring(1, world)};
  const auto islands = find_islands(model);
  ASSERT_EQ(islands.size(), 3u);
  EXPECT_EQ(islands[0].bodies, (std::vector<BodyIndex>{0, 2, 4}));
  EXPECT_EQ(islands[0].forces, (std::vector<int>{0, 1}));
  EXPECT_EQ(islands[1].bodies, std::vector<BodyIndex>{1});
  EXPECT_EQ(islands[1].forces, std::vector<int>{3});
  EXPECT_EQ(islands[2].impulses, std::vector<int>{2});
  EXPECT_TRUE(islands[2].forces.empty());
}

TEST(Island, FixedBodiesDoNotJoin) {
  model::Model model = spheres(3);
  model.bodies[1].motion = model::Fixed{};
  model.forces = {spring(0, 1), spring(1, 2)};
  const auto islands = find_islands(model);
  ASSERT_EQ(islands.size(), 2u);
  EXPECT_EQ(islands[0].bodies, std::vector<BodyIndex>{0});
  EXPECT_EQ(islands[1].bodies, std::vector<BodyIndex>{2});
}

// Who knows what acts on the bodies gets the same islands without looking at the rest.
TEST(Island, WhatIsAttachedIsEnoughToKnow) {
  model::Model model = spheres(6);
  model.forces = {spring(4, 2), spring(5, 0), model::Impulse{2, 0.5}, spring(1, world)};
  model.joints.resize(3);
  model.joints[0].bodies = {0, 1};
  model.joints[1].bodies = {2, 3};
  model.joints[2].bodies = {3, world};
  const std::vector<BodyIndex> bodies = {2, 3, 4};
  ActiveConstraints active;
  active.broken = {false, true, false};
  const auto all = find_islands(model, bodies, active);
  const auto some = find_islands(model, bodies, active, {{0, 2}, {1, 2}});
  ASSERT_EQ(all.size(), 2u);
  ASSERT_EQ(some.size(), 2u);
  for (const int i : {0, 1}) {
    EXPECT_EQ(some[i].bodies, all[i].bodies);
    EXPECT_EQ(some[i].forces, all[i].forces);
    EXPECT_EQ(some[i].impulses, all[i].impulses);
    EXPECT_EQ(some[i].joints, all[i].joints);
  }
  EXPECT_EQ(some[0].bodies, (std::vector<BodyIndex>{2, 4}));
  EXPECT_EQ(some[1].joints, std::vector<JointIndex>{2});
}

}  // namespace
}  // namespace abut::integrate
