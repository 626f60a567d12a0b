// When the limits of sequences of impacts are told, and when they are dropped.

#include "loop/impact_limits.h"

#include "support/models.h"

namespace abut::loop {
namespace {

constexpr double radius = 0.5;

contact::Contact on_the_floor(BodyIndex ball) {
  contact::Contact contact;
  contact.bodies = {0, ball};
  contact.point_side = 1;
  contact.rounding_of = {0, radius};
  return contact;
}

struct Balls {
  model::Model model = test::empty_model(10);
  integrate::Scripts scripts;

  Balls() {
    model.gravity = Vec3(0, 0, -9.81);
    model::Body floor;
    floor.parts.push_back({shape::Plane{Vec3::UnitZ(), 0}, {}, 1000, 0});
    floor.motion = model::Fixed{};
    model.bodies = {floor, test::body_of(shape::Sphere{radius}),
                    test::body_of(shape::Sphere{radius})};
    for (const int i : {1, 2}) model.bodies[i].pose.position = Vec3(3 * i, 0, radius + 2e-10);
    scripts = integrate::make_scripts(model);
  }
  /// A ball rests on the floor, and a sequence of its impacts has this limit.
  static Outcome rest(BodyIndex ball, double limit) {
    Outcome outcome;
    outcome.active.contacts = {on_the_floor(ball)};
    outcome.last_impacts = {{on_the_floor(ball), limit}};
    return outcome;
  }
  ContactEvent contact_event_of(BodyIndex ball, const Paths& paths) const {
    ContactEvent contact_event;
    contact_event.bodies = {ball};
    contact_event.states = {paths.state_of(ball, 0)};
    return contact_event;
  }
};

TEST(ImpactLimits, AreToldInTheOrderOfTimeUpToTheEnd) {
  const Balls balls;
  Paths paths(balls.model, balls.scripts);
  paths.begin();
  ImpactLimits limits(5);
  EXPECT_EQ(limits.next_time(), std::numeric_limits<double>::infinity());
  limits.update(paths, balls.contact_event_of(1, paths), Balls::rest(1, 3));
  limits.update(paths, balls.contact_event_of(2, paths), Balls::rest(2, 2));
  limits.update(paths, balls.contact_event_of(2, paths), Balls::rest(2, 5.5));
  EXPECT_EQ(limits.next_time(), 2);
  EXPECT_TRUE(limits.take_until(1.9, paths).empty());
  const std::vector<Event> events = limits.take_until(2, paths);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, EventKind::rest);
  EXPECT_EQ(events[0].body_b, 2);
  EXPECT_EQ(events[0].time, 2);
  EXPECT_NEAR((events[0].point - Vec3(6, 0, 0)).norm(), 0, 1e-9);
  EXPECT_EQ(limits.next_time(), 3);
  EXPECT_EQ(limits.take_until(100, paths).size(), 1u);
  EXPECT_EQ(limits.next_time(), std::numeric_limits<double>::infinity());
}

TEST(ImpactLimits, AContactThatOpensHasNone) {
  const Balls balls;
  Paths paths(balls.model, balls.scripts);
  paths.begin();
  ImpactLimits limits(5);
  const ContactEvent contact_event = balls.contact_event_of(1, paths);
  Outcome outcome = Balls::rest(1, 3);
  outcome.states = contact_event.states;
  limits.update(paths, contact_event, outcome);
  paths.replace(contact_event, outcome);
  limits.update(paths, contact_event, Outcome{});
  EXPECT_EQ(limits.next_time(), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace abut::loop
