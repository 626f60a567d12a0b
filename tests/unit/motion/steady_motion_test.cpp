#include "motion/steady_motion.h"

#include <gtest/gtest.h>

#include "math/rotation.h"
#include "motion/path.h"

namespace abut::motion {
namespace {

const SteadyMotion turning{1,
                           3,
                           {Vec3(1, 2, 3), math::rotation_exp(Vec3(0.1, 0.2, 0.3))},
                           Vec3(4, 5, 6),
                           Vec3(0.5, -1, 2)};

TEST(SteadyMotion, PlacesFollowFromTheVelocities) {
  const double h = 1e-5;
  const Vec3 local(0.3, -0.2, 0.7);
  const auto place = [&](double t) -> Vec3 {
    const Pose pose = turning.pose(t);
    return pose.position + pose.orientation * local;
  };
  for (const double t : {1.5, 2.0, 2.9}) {
    const Kinematics k = carried(turning.kinematics(t), local);
    EXPECT_LT(((place(t + h) - place(t - h)) / (2 * h) - k.velocity).norm(), 1e-8);
    EXPECT_LT(((place(t + h) - 2 * place(t) + place(t - h)) / (h * h) - k.acceleration).norm(),
              1e-4);
    EXPECT_LE(k.velocity.norm(), turning.speed_bound().at_radius(local.norm()));
    EXPECT_LE(k.acceleration.norm(), turning.acceleration_bound().at_radius(local.norm()));
  }
}

TEST(SteadyMotion, APathIsThatMotion) {
  const BodyPath path = BodyPath::steady(turning);
  EXPECT_EQ(path.begin(), 1);
  EXPECT_EQ(path.end(), 3);
  EXPECT_EQ(path.pose(2).position, turning.pose(2).position);
  EXPECT_EQ(path.speed_bound(1, 2).angular, turning.speed_bound().angular);
  EXPECT_EQ(path.acceleration_bound(1, 2).linear, 0);
}

}  // namespace
}  // namespace abut::motion
