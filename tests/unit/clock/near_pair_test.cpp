#include "clock/near_pair.h"

#include <gtest/gtest.h>

namespace abut::clock {
namespace {

StepContact contact_with(const Vec3& normal, double gap) {
  StepContact contact;
  contact.normal = normal;
  contact.gap = gap;
  contact.kept = 1e-4;
  return contact;
}

TEST(FitToPlay, ContactsThatFaceEachOtherShareThePlay) {
  std::vector<StepContact> contacts = {contact_with(Vec3::UnitX(), 1e-5),
                                       contact_with(-Vec3::UnitX(), 3e-5),
                                       contact_with(Vec3::UnitZ(), 0)};
  fit_to_play(contacts, 1e-8);
  EXPECT_NEAR(contacts[0].kept, 1e-5, 1e-18);
  EXPECT_NEAR(contacts[1].kept, 1e-5, 1e-18);
  EXPECT_EQ(contacts[2].kept, 1e-4);
}

TEST(FitToPlay, LeavesContactsAloneThatHaveRoom) {
  std::vector<StepContact> contacts = {contact_with(Vec3::UnitX(), 1e-3),
                                       contact_with(-Vec3::UnitX(), 0),
                                       contact_with(Vec3::UnitX(), 2e-3)};
  fit_to_play(contacts, 1e-8);
  for (const StepContact& contact : contacts) EXPECT_EQ(contact.kept, 1e-4);
}

TEST(FitToPlay, AlwaysWantsTheLeast) {
  std::vector<StepContact> contacts = {contact_with(Vec3::UnitY(), 0),
                                       contact_with(-Vec3::UnitY(), 0)};
  fit_to_play(contacts, 1e-8);
  for (const StepContact& contact : contacts) EXPECT_EQ(contact.kept, 1e-8);
}

// A pin that leans in its hole: at its top it touches one wall, at its foot the other one.
TEST(FitToPlay, LeavesRoomToWhatCanStandUp) {
  std::vector<StepContact> contacts = {contact_with(Vec3::UnitX(), 0),
                                       contact_with(-Vec3::UnitX(), 0)};
  contacts[0].arms[0] = Vec3(-0.005, 0, 0.1);
  contacts[1].arms[0] = Vec3(0.005, 0, -0.1);
  fit_to_play(contacts, 1e-8, Quat::Identity());
  for (const StepContact& contact : contacts) EXPECT_EQ(contact.kept, 1e-4);
  // What is just opposite is not opened by turning; nor is anything where a joint holds it.
  contacts[1].arms[0].z() = 0.099;
  fit_to_play(contacts, 1e-8, Quat::Identity());
  for (const StepContact& contact : contacts) EXPECT_EQ(contact.kept, 1e-8);
  contacts = {contact_with(Vec3::UnitX(), 0), contact_with(-Vec3::UnitX(), 0)};
  contacts[0].arms[0].z() = 0.1;
  fit_to_play(contacts, 1e-8);
  for (const StepContact& contact : contacts) EXPECT_EQ(contact.kept, 1e-8);
}

}  // namespace
}  // namespace abut::clock
