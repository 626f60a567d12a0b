#include "force/contact_spring.h"

#include <gtest/gtest.h>

#include <cmath>

namespace abut::force {
namespace {

constexpr double creep = 1e-3;

ContactSpring spring_of(double stiffness, double restitution, SpringPhase phase) {
  ContactSpring spring;
  spring.stiffness = stiffness;
  spring.contact.restitution = restitution;
  spring.phase = phase;
  spring.rest_speed = creep;
  return spring;
}

TEST(ContactSpring, PushesByItsPhase) {
  const double k = 100, e = 0.5, depth = 0.02;
  const auto push = [&](SpringPhase phase, double rate) {
    return force_of(spring_of(k, e, phase), -depth, rate, Vec3::Zero(), creep).normal;
  };
  EXPECT_DOUBLE_EQ(push(SpringPhase::loading, -1), k * depth);
  EXPECT_DOUBLE_EQ(push(SpringPhase::unloading, 1), k * e * e * depth);
  EXPECT_DOUBLE_EQ(push(SpringPhase::resting, -1), k * depth);
  EXPECT_DOUBLE_EQ(push(SpringPhase::resting, 0), k * depth);
  EXPECT_DOUBLE_EQ(push(SpringPhase::resting, creep), k * e * e * depth);
  EXPECT_DOUBLE_EQ(push(SpringPhase::resting, creep / 2), k * depth * (1 - 0.75 * (1 - e * e)));
}

TEST(ContactSpring, DoesNothingApart) {
  ContactSpring spring = spring_of(100, 0.5, SpringPhase::loading);
  spring.contact.friction = {0.5, 0.5};
  for (const double gap : {0.0, 1e-12, 1.0}) {
    const SpringForce force = force_of(spring, gap, -1, Vec3::UnitX(), creep);
    EXPECT_EQ(force.normal, 0);
    EXPECT_EQ(force.friction, Vec3::Zero());
    EXPECT_EQ(energy_of(spring, gap), 0);
  }
}

// Whatever it does, a spring gives no energy that was not put in: f chi' = -(k d^2 / 2)' - spent.
TEST(ContactSpring, PowerIsStoredOrSpent) {
  for (const SpringPhase phase :
       {SpringPhase::loading, SpringPhase::unloading, SpringPhase::resting})
    for (const double rate : {-2.0, -1e-4, 0.0, 2e-4, 5e-4, 3.0}) {
      const ContactSpring spring = spring_of(300, 0.3, phase);
      const double depth = 0.01;
      const SpringForce force = force_of(spring, -depth, rate, Vec3::Zero(), creep);
      const double stored = -spring.stiffness * depth * rate;
      EXPECT_NEAR(force.normal * rate, -stored - force.spent, 1e-15);
      const bool fits = (phase == SpringPhase::unloading) == (rate > 0);
      EXPECT_TRUE(force.spent >= 0 || !fits);
    }
}

TEST(ContactSpring, FrictionIsCoulombsBeyondTheCreep) {
  const model::Friction friction{0.6, 0.4};
  EXPECT_EQ(regularised_friction(friction, 0, creep), 0);
  EXPECT_DOUBLE_EQ(regularised_friction(friction, creep, creep), 0.6);
  EXPECT_DOUBLE_EQ(regularised_friction(friction, 2 * creep, creep), 0.4);
  EXPECT_DOUBLE_EQ(regularised_friction(friction, 1, creep), 0.4);
  EXPECT_DOUBLE_EQ(regularised_friction(friction, 0.5 * creep, creep), 0.75 * 0.6);
  // A rough contact is as stiff as one with a coefficient of 1.
  const double slow = 1e-6 * creep;
  EXPECT_NEAR(regularised_friction({1e9, 1e9}, slow, creep) / slow, 2 / creep, 1e-6 / creep);
}

TEST(ContactSpring, FrictionOpposesTheSlip) {
  ContactSpring spring = spring_of(100, 1, SpringPhase::loading);
  spring.contact.friction = {0.5, 0.5};
  const Vec3 slip(3, -4, 0);
  const SpringForce force = force_of(spring, -0.1, 0, slip, creep);
  EXPECT_LT((force.friction - Vec3(-3, 4, 0)).norm(), 1e-14);
  EXPECT_NEAR(force.rubbed, 25, 1e-13);
}

}  // namespace
}  // namespace abut::force
