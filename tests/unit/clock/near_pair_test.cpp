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

}  // namespace
}  // namespace abut::clock
