#include "loop/exclusions.h"

#include "support/models.h"

namespace abut::loop {
namespace {

joint::Joint joint_of(BodyIndex a, BodyIndex b, bool collide = false) {
  joint::Joint joint;
  joint.bodies = {a, b};
  joint.collide = collide;
  return joint;
}

TEST(Exclusions, AreWhatTheModelLists) {
  model::Model model = test::empty_model(1);
  model.bodies.resize(4);
  model.no_collide = {{3, 0}};
  model.joints = {joint_of(2, 1), joint_of(world, 2), joint_of(2, 3, true)};
  const Exclusions exclusions(model);
  EXPECT_TRUE(exclusions.contains(0, 3));
  EXPECT_TRUE(exclusions.contains(1, 2));
  EXPECT_FALSE(exclusions.contains(2, 3));
  EXPECT_FALSE(exclusions.contains(0, 1));
  EXPECT_TRUE(exclusions.parting().empty());
}

TEST(Exclusions, APairIsExcludedAsLongAsThereIsAReason) {
  model::Model model = test::empty_model(1);
  model.bodies.resize(3);
  model.no_collide = {{0, 2}};
  model.joints = {joint_of(1, 0), joint_of(0, 1), joint_of(0, 2)};
  Exclusions exclusions(model);
  exclusions.break_joint(model.joints[0]);
  exclusions.break_joint(model.joints[2]);
  EXPECT_TRUE(exclusions.parting().empty());  // another joint, and no_collide
  exclusions.break_joint(model.joints[1]);
  EXPECT_EQ(exclusions.parting(), (std::vector<Exclusions::Pair>{{0, 1}}));
  EXPECT_TRUE(exclusions.contains(0, 1));
  exclusions.let_touch({0, 1});
  EXPECT_TRUE(exclusions.parting().empty());
  EXPECT_FALSE(exclusions.contains(0, 1));
  EXPECT_TRUE(exclusions.contains(0, 2));
}

}  // namespace
}  // namespace abut::loop
