// Which events a contact event is told as: a ball that lands on a floor, contact events made by
// hand.

#include "loop/event_report.h"

#include "support/models.h"

namespace abut::loop {
namespace {

constexpr double ball_radius = 0.5;

contact::Contact on_the_floor() {
  contact::Contact contact;
  contact.bodies = {0, 1};
  contact.point_side = 1;
  contact.rounding_of = {0, ball_radius};
  return contact;
}

struct Landing {
  model::Model model = test::empty_model(1);
  integrate::Scripts scripts;
  ContactEvent contact_event;
  Outcome outcome;

  explicit Landing(double speed) {
    model.gravity = Vec3(0, 0, -9.81);
    model::Body floor;
    floor.name = "floor";
    floor.parts.push_back({shape::Plane{Vec3::UnitZ(), 0}, {}, 1000, 0});
    floor.motion = model::Fixed{};
    model.bodies = {floor, test::body_of(shape::Sphere{ball_radius})};
    model.bodies[1].pose.position = Vec3(0.25, 0, ball_radius + 2e-10);
    model.bodies[1].velocity = Vec3(0, 0, -speed);
    scripts = integrate::make_scripts(model);
  }
  /// The contact event of the ball and the floor on these paths.
  EventReport report(const Paths& paths) {
    contact_event.bodies = {1};
    contact_event.states = {paths.state_of(1, contact_event.time)};
    contact_event.active.contacts = {on_the_floor()};
    outcome = settle(model, scripts, contact_event);
    return report_of(model, paths, contact_event, outcome);
  }
};

TEST(EventReport, AnImpactHasItsImpulseAndPlace) {
  Landing landing(2);
  Paths paths(landing.model, landing.scripts);
  paths.begin();
  const EventReport report = landing.report(paths);
  EXPECT_TRUE(report.has_impact);
  ASSERT_EQ(report.events.size(), 1u);
  const Event& event = report.events[0];
  EXPECT_EQ(event.kind, EventKind::impact);
  EXPECT_EQ(event.body_a, 0);
  EXPECT_EQ(event.body_b, 1);
  const double momentum = 2 * landing.model.bodies[1].mass.mass;
  EXPECT_NEAR(event.normal_impulse, momentum, 1e-12 * momentum);
  EXPECT_NEAR((event.impulse - Vec3(0, 0, -momentum)).norm(), 0, 1e-12 * momentum);  // on the floor
  EXPECT_NEAR((event.point - Vec3(0.25, 0, 0)).norm(), 0, 1e-9);
}

TEST(EventReport, AContactAtRestIsATouchOnceAndASeparationAtItsEnd) {
  Landing landing(0);
  Paths paths(landing.model, landing.scripts);
  paths.begin();
  EventReport report = landing.report(paths);
  EXPECT_FALSE(report.has_impact);
  ASSERT_EQ(report.events.size(), 1u);
  EXPECT_EQ(report.events[0].kind, EventKind::touch);
  EXPECT_EQ(report.events[0].normal_impulse, 0);
  paths.replace(landing.contact_event, landing.outcome);
  ASSERT_EQ(resting_contacts(paths, {1}).size(), 1u);

  EXPECT_TRUE(landing.report(paths).events.empty());  // it rests still

  landing.contact_event.outside_impulses = {{1, Vec3(0, 0, 20), Vec3(0.25, 0, 0)}};
  report = landing.report(paths);
  ASSERT_EQ(report.events.size(), 2u);
  EXPECT_EQ(report.events[0].kind, EventKind::impulse);
  EXPECT_EQ(report.events[0].impulse, Vec3(0, 0, 20));
  EXPECT_EQ(report.events[1].kind, EventKind::separate);
  EXPECT_NEAR((report.events[1].point - Vec3(0.25, 0, 0)).norm(), 0, 1e-9);
}

}  // namespace
}  // namespace abut::loop
