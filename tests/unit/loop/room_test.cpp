// Gaps that a contact event leaves, made by hand.

#include "loop/room.h"

#include "support/models.h"

namespace abut::loop {
namespace {

struct Slot {
  model::Model model = test::empty_model(1);
  integrate::Scripts scripts;
  ContactEvent contact_event;
  Outcome outcome;

  /// A ball of radius 0.5 between planes at x = -0.5 - left and x = 0.5 + right.
  Slot(double left, double right) {
    const auto wall = [](const char* name, const Vec3& normal, double offset) {
      model::Body body;
      body.name = name;
      body.parts.push_back({shape::Plane{normal, offset}, {}, 1000, 0});
      body.motion = model::Fixed{};
      return body;
    };
    model.bodies = {wall("left", Vec3::UnitX(), -0.5 - left),
                    wall("right", -Vec3::UnitX(), -0.5 - right), test::body_of(shape::Sphere{0.5})};
    model.bodies[2].name = "ball";
    scripts = integrate::make_scripts(model);
    contact_event.bodies = {2};
    outcome.states = {body::RigidState{}};
    for (const int side : {0, 1}) {
      contact::Contact contact;
      contact.bodies = {side, 2};
      contact.point_side = 1;
      contact.rounding_of = {0, 0.5};
      const auto& plane = std::get<shape::Plane>(model.bodies[side].parts[0].geometry);
      contact.features[0] = {plane.offset * plane.normal, plane.normal};
      contact_event.active.contacts.push_back(contact);
    }
    outcome.lasts = {true, true};
  }
  Room room() const { return room_of(model, scripts, contact_event, outcome); }
};

TEST(Room, IsEnoughForTwoRestGaps) {
  const Slot slot(2e-10, 2e-10);
  EXPECT_TRUE(slot.room().is_enough());
  EXPECT_NEAR(slot.room().least_gap, 1, 1e-5);
}

TEST(Room, TheBodiesWithoutItAreNamed) {
  const Slot slot(2e-10, 0.5e-10);
  EXPECT_FALSE(slot.room().is_enough());
  EXPECT_NEAR(slot.room().least_gap, 0.25, 1e-5);
  EXPECT_EQ(slot.room().bodies, "left, right and ball");
  const std::string complaint = slot.room().complaint(slot.model.solver);
  for (const char* told : {"no room", "left, right and ball", "2e-10 m"})
    EXPECT_NE(complaint.find(told), std::string::npos) << told << ": " << complaint;
}

TEST(Room, TheJointThatHoldsThemIsNamed) {
  Slot slot(2e-10, 0.5e-10);
  EXPECT_FALSE(slot.room().is_held());
  joint::Joint rail;
  rail.name = "rail";
  rail.bodies = {world, 2};
  slot.model.joints = {rail};
  slot.contact_event.joints = {0};
  EXPECT_TRUE(slot.room().is_held());
  EXPECT_EQ(slot.room().joints, "rail");
  const std::string complaint = slot.room().complaint(slot.model.solver);
  EXPECT_NE(complaint.find("held by the joint rail"), std::string::npos) << complaint;
}

TEST(Room, ContactsThatOpenNeedNone) {
  Slot slot(0, 0);
  slot.outcome.lasts = {false, false};
  EXPECT_TRUE(slot.room().is_enough());
}

}  // namespace
}  // namespace abut::loop
