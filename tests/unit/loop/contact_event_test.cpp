// Contact events made by hand, against closed forms.

#include "loop/contact_event.h"

#include <gtest/gtest.h>

#include "abut/diagnostics.h"
#include "support/constants.h"
#include "support/models.h"

namespace abut::loop {
namespace {

using abut::test::g;
constexpr double landing_radius = 0.5;

/// A ball over a floor, falling at the given speed, and everything that touches.
struct ContactEventLanding {
  model::Model model = test::empty_model(1);
  integrate::Scripts scripts = integrate::Scripts(2);
  ContactEvent contact_event;

  ContactEventLanding(double speed, double restitution, double gap = 2e-10) {
    model.gravity = Vec3(0, 0, -g);
    model::Body floor;
    floor.name = "floor";
    floor.parts.push_back({shape::Plane{Vec3::UnitZ(), 0}, {}, 1000, 0});
    floor.motion = model::Fixed{};
    model.bodies = {floor, test::body_of(shape::Sphere{landing_radius})};
    contact_event.time = 3;
    contact_event.bodies = {1};
    body::RigidState state;
    state.centre = Vec3(0.3, 0, landing_radius + gap);
    state.velocity = Vec3(1, 0, -speed);
    contact_event.states = {state};
    contact::Contact contact;
    contact.bodies = {0, 1};
    contact.point_side = 1;
    contact.rounding_of = {0, landing_radius};
    contact.restitution = restitution;
    contact_event.active.contacts = {contact};
  }
  double mass() const { return model.bodies[1].mass.mass; }
  Outcome settled() const { return settle(model, scripts, contact_event); }
};

TEST(ContactEvent, AnInelasticImpactEndsAtRestOnTheFloor) {
  const ContactEventLanding landing(2, 0);
  const Outcome outcome = landing.settled();
  EXPECT_TRUE(outcome.collided);
  EXPECT_NEAR((outcome.states[0].velocity - Vec3(1, 0, 0)).norm(), 0, 1e-13);
  EXPECT_NEAR(outcome.impulses[0], 2 * landing.mass(), 1e-9);
  EXPECT_NEAR(outcome.approach[0], -2, 1e-15);
  EXPECT_NEAR(outcome.energy_lost, 0.5 * landing.mass() * 4, 1e-9);
  EXPECT_NEAR(outcome.work, 0, 1e-9);
  EXPECT_TRUE(outcome.lasts[0]);
  EXPECT_EQ(outcome.active.contacts.size(), 1u);
  EXPECT_TRUE(outcome.last_impacts.empty());
}

// What rounding leaves of the rates of contacts that are held is no approach.
TEST(ContactEvent, RoundingIsNoImpact) {
  EXPECT_FALSE(ContactEventLanding(1e-14, 0).settled().collided);
  EXPECT_TRUE(ContactEventLanding(1e-11, 0).settled().collided);
}

TEST(ContactEvent, ABounceDoesNotLast) {
  const ContactEventLanding landing(2, 0.25);
  const Outcome outcome = landing.settled();
  EXPECT_NEAR(outcome.states[0].velocity.z(), 0.5, 1e-13);
  EXPECT_NEAR(outcome.energy_lost, 0.5 * landing.mass() * (4 - 0.25), 1e-9);
  EXPECT_FALSE(outcome.lasts[0]);
  EXPECT_TRUE(outcome.active.contacts.empty());
}

// The impacts that would follow the last one take 2 e u / g, 2 e^2 u / g, ...: their sum is known.
TEST(ContactEvent, TheLimitOfASequenceOfImpactsIsTold) {
  const double speed = 0.9e-3, e = 0.8;  // under the rest speed
  const ContactEventLanding landing(speed, e);
  const Outcome outcome = landing.settled();
  EXPECT_NEAR(outcome.states[0].velocity.z(), 0, 1e-16);
  EXPECT_TRUE(outcome.lasts[0]);
  ASSERT_EQ(outcome.last_impacts.size(), 1u);
  EXPECT_NEAR(outcome.last_impacts[0].limit_time, 3 + 2 * e * speed / (g * (1 - e)), 1e-15);
}

TEST(ContactEvent, GapsBelowTheRestGapAreOpenedToIt) {
  for (const double gap : {-5e-10, 0.0, 1e-10}) {
    const ContactEventLanding landing(0, 0, gap);
    const Outcome outcome = landing.settled();
    const double rest_gap = model::rest_gap(landing.model.solver);
    EXPECT_NEAR(outcome.states[0].centre.z() - landing_radius, rest_gap, 1e-15) << gap;
    EXPECT_TRUE(outcome.lasts[0]);
  }
}

TEST(ContactEvent, ContactsThatLastComeToTheRestGap) {
  const ContactEventLanding landing(0, 0, 7e-10);
  const double lowered =
      landing.contact_event.states[0].centre.z() - landing.settled().states[0].centre.z();
  EXPECT_NEAR(lowered, 7e-10 - model::rest_gap(landing.model.solver), 1e-15);
}

TEST(ContactEvent, GapsOfContactsThatLeaveAreLeftAlone) {
  const ContactEventLanding landing(-1e-3, 0, 7e-10);
  EXPECT_EQ(landing.settled().states[0].centre, landing.contact_event.states[0].centre);
}

TEST(ContactEvent, WhatLeavesIsNotHeld) {
  const ContactEventLanding landing(-1e-3, 0);
  const Outcome outcome = landing.settled();
  EXPECT_FALSE(outcome.lasts[0]);
  EXPECT_EQ(outcome.states[0].velocity, landing.contact_event.states[0].velocity);
  EXPECT_EQ(outcome.impulses[0], 0);
}

// At rest on the floor, but pulled up: the contact opens by acceleration.
TEST(ContactEvent, WhatIsPulledAwayIsNotHeld) {
  ContactEventLanding landing(0, 0);
  landing.model.gravity = Vec3(0, 0, 1);
  EXPECT_FALSE(landing.settled().lasts[0]);
}

// A floor that comes up as a piston: what the ball gains beyond what is lost is the piston's work.
TEST(ContactEvent, AMovingSupportDoesWork) {
  ContactEventLanding landing(1, 0.5);
  const auto formula = [](const char* text) {
    return std::get<math::Expression>(math::Expression::parse(text, "t"));
  };
  body::ExpressionScript script;
  script.position = {formula("0"), formula("0"), formula("2*(t - 3)")};
  landing.model.bodies[0].motion = body::Script(script);
  landing.scripts[0] = motion::make_script_motion(script);
  const Outcome outcome = landing.settled();
  const double m = landing.mass();
  EXPECT_NEAR(outcome.states[0].velocity.z(), 3.5, 1e-12);  // 3 together becomes 1.5 apart
  EXPECT_NEAR(outcome.energy_lost, 0.5 * m * (9 - 2.25), 1e-9);
  EXPECT_NEAR(outcome.work, 0.5 * m * (3.5 * 3.5 - 1) + outcome.energy_lost, 1e-9);
  EXPECT_NEAR(outcome.work, 2 * outcome.impulses[0], 1e-9);  // force times the piston's way
}

/// A ball that slips on a rough floor at a speed.
struct ContactEventSlipping : ContactEventLanding {
  explicit ContactEventSlipping(double speed) : ContactEventLanding(0, 0) {
    contact_event.states[0].velocity = Vec3(speed, 0, 0);
    contact_event.active.contacts[0].friction = {mu, mu};
    contact_event.active.contacts[0].first_normal = -Vec3::UnitZ();
  }
  static constexpr double mu = 0.3;
};

// Friction slows the slip of a ball by 7 mu g / 2. What it stops within a moment is taken out: the
// ball rolls at 5/7 of its speed. Faster slip goes on.
TEST(ContactEvent, SlipThatStopsWithinAMomentIsTakenOut) {
  const double stops = 3.5 * ContactEventSlipping::mu * g * force::creep_time;
  const double slow = 0.2 * stops, fast = 2 * stops;
  const Outcome stopped = ContactEventSlipping(slow).settled();
  EXPECT_EQ(stopped.modes[0].mode, force::FrictionMode::sticks);
  EXPECT_NEAR(stopped.states[0].velocity.x(), 5.0 / 7 * slow, 1e-9 * slow);
  EXPECT_NEAR(stopped.energy_lost, 0.5 * ContactEventSlipping(slow).mass() * 2 / 7 * slow * slow,
              1e-9 * slow * slow);
  const Outcome sliding = ContactEventSlipping(fast).settled();
  EXPECT_EQ(sliding.modes[0].mode, force::FrictionMode::slides);
  EXPECT_EQ(sliding.states[0].velocity.x(), fast);
}

}  // namespace
}  // namespace abut::loop
