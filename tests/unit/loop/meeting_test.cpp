// Meetings made by hand, against closed forms.

#include "loop/meeting.h"

#include <gtest/gtest.h>

#include "abut/diagnostics.h"
#include "support/constants.h"
#include "support/models.h"

namespace abut::loop {
namespace {

using abut::test::g;
constexpr double landing_radius = 0.5;

/// A ball over a floor, falling at the given speed, and everything that touches.
struct MeetingLanding {
  model::Model model = test::empty_model(1);
  integrate::Scripts scripts = integrate::Scripts(2);
  Meeting meeting;

  MeetingLanding(double speed, double restitution, double gap = 2e-10) {
    model.gravity = Vec3(0, 0, -g);
    model::Body floor;
    floor.name = "floor";
    floor.parts.push_back({shape::Plane{Vec3::UnitZ(), 0}, {}, 1000, 0});
    floor.motion = model::Fixed{};
    model.bodies = {floor, test::body_of(shape::Sphere{landing_radius})};
    meeting.time = 3;
    meeting.bodies = {1};
    body::RigidState state;
    state.centre = Vec3(0.3, 0, landing_radius + gap);
    state.velocity = Vec3(1, 0, -speed);
    meeting.states = {state};
    contact::Contact contact;
    contact.bodies = {0, 1};
    contact.point_side = 1;
    contact.rounding_of = {0, landing_radius};
    contact.restitution = restitution;
    meeting.bonds.contacts = {contact};
  }
  double mass() const { return model.bodies[1].mass.mass; }
  Outcome settled() const { return settle(model, scripts, meeting); }
};

TEST(Meeting, AnInelasticImpactEndsAtRestOnTheFloor) {
  const MeetingLanding landing(2, 0);
  const Outcome outcome = landing.settled();
  EXPECT_TRUE(outcome.collided);
  EXPECT_NEAR((outcome.states[0].velocity - Vec3(1, 0, 0)).norm(), 0, 1e-13);
  EXPECT_NEAR(outcome.impulses[0], 2 * landing.mass(), 1e-9);
  EXPECT_NEAR(outcome.approach[0], -2, 1e-15);
  EXPECT_NEAR(outcome.energy_lost, 0.5 * landing.mass() * 4, 1e-9);
  EXPECT_NEAR(outcome.work, 0, 1e-9);
  EXPECT_TRUE(outcome.lasts[0]);
  EXPECT_EQ(outcome.bonds.contacts.size(), 1u);
  EXPECT_TRUE(outcome.last_impacts.empty());
}

// What rounding leaves of the rates of contacts that are held is no approach.
TEST(Meeting, RoundingIsNoImpact) {
  EXPECT_FALSE(MeetingLanding(1e-14, 0).settled().collided);
  EXPECT_TRUE(MeetingLanding(1e-11, 0).settled().collided);
}

TEST(Meeting, ABounceDoesNotLast) {
  const MeetingLanding landing(2, 0.25);
  const Outcome outcome = landing.settled();
  EXPECT_NEAR(outcome.states[0].velocity.z(), 0.5, 1e-13);
  EXPECT_NEAR(outcome.energy_lost, 0.5 * landing.mass() * (4 - 0.25), 1e-9);
  EXPECT_FALSE(outcome.lasts[0]);
  EXPECT_TRUE(outcome.bonds.contacts.empty());
}

// The impacts that would follow the last one take 2 e u / g, 2 e^2 u / g, ...: their sum is known.
TEST(Meeting, TheLimitOfASequenceOfImpactsIsTold) {
  const double speed = 0.9e-3, e = 0.8;  // under the rest speed
  const MeetingLanding landing(speed, e);
  const Outcome outcome = landing.settled();
  EXPECT_NEAR(outcome.states[0].velocity.z(), 0, 1e-16);
  EXPECT_TRUE(outcome.lasts[0]);
  ASSERT_EQ(outcome.last_impacts.size(), 1u);
  EXPECT_NEAR(outcome.last_impacts[0].limit_time, 3 + 2 * e * speed / (g * (1 - e)), 1e-15);
}

TEST(Meeting, GapsBelowTheRestGapAreOpenedToIt) {
  for (const double gap : {-5e-10, 0.0, 1e-10}) {
    const MeetingLanding landing(0, 0, gap);
    const Outcome outcome = landing.settled();
    const double rest_gap = model::rest_gap(landing.model.solver);
    EXPECT_NEAR(outcome.states[0].centre.z() - landing_radius, rest_gap, 1e-15) << gap;
    EXPECT_TRUE(outcome.lasts[0]);
  }
}

TEST(Meeting, ContactsThatLastComeToTheRestGap) {
  const MeetingLanding landing(0, 0, 7e-10);
  const double lowered =
      landing.meeting.states[0].centre.z() - landing.settled().states[0].centre.z();
  EXPECT_NEAR(lowered, 7e-10 - model::rest_gap(landing.model.solver), 1e-15);
}

TEST(Meeting, GapsOfContactsThatLeaveAreLeftAlone) {
  const MeetingLanding landing(-1e-3, 0, 7e-10);
  EXPECT_EQ(landing.settled().states[0].centre, landing.meeting.states[0].centre);
}

TEST(Meeting, WhatLeavesIsNotHeld) {
  const MeetingLanding landing(-1e-3, 0);
  const Outcome outcome = landing.settled();
  EXPECT_FALSE(outcome.lasts[0]);
  EXPECT_EQ(outcome.states[0].velocity, landing.meeting.states[0].velocity);
  EXPECT_EQ(outcome.impulses[0], 0);
}

// At rest on the floor, but pulled up: the contact opens by acceleration.
TEST(Meeting, WhatIsPulledAwayIsNotHeld) {
  MeetingLanding landing(0, 0);
  landing.model.gravity = Vec3(0, 0, 1);
  EXPECT_FALSE(landing.settled().lasts[0]);
}

// A floor that comes up as a piston: what the ball gains beyond what is lost is the piston's work.
TEST(Meeting, AMovingSupportDoesWork) {
  MeetingLanding landing(1, 0.5);
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
struct MeetingSlipping : MeetingLanding {
  explicit MeetingSlipping(double speed) : MeetingLanding(0, 0) {
    meeting.states[0].velocity = Vec3(speed, 0, 0);
    meeting.bonds.contacts[0].friction = {mu, mu};
    meeting.bonds.contacts[0].first_normal = -Vec3::UnitZ();
  }
  static constexpr double mu = 0.3;
};

// Friction slows the slip of a ball by 7 mu g / 2. What it stops within a moment is taken out: the
// ball rolls at 5/7 of its speed. Faster slip goes on.
TEST(Meeting, SlipThatStopsWithinAMomentIsTakenOut) {
  const double stops = 3.5 * MeetingSlipping::mu * g * force::creep_time;
  const double slow = 0.2 * stops, fast = 2 * stops;
  const Outcome stopped = MeetingSlipping(slow).settled();
  EXPECT_EQ(stopped.grips[0].grip, force::Grip::sticks);
  EXPECT_NEAR(stopped.states[0].velocity.x(), 5.0 / 7 * slow, 1e-9 * slow);
  EXPECT_NEAR(stopped.energy_lost, 0.5 * MeetingSlipping(slow).mass() * 2 / 7 * slow * slow,
              1e-9 * slow * slow);
  const Outcome sliding = MeetingSlipping(fast).settled();
  EXPECT_EQ(sliding.grips[0].grip, force::Grip::slides);
  EXPECT_EQ(sliding.states[0].velocity.x(), fast);
}

}  // namespace
}  // namespace abut::loop
