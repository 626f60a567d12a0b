// What is told of contacts besides their forces: the features that touch, and whether the forces
// are the only possible ones.

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "support/scene_run.h"

namespace abut::integrate {
namespace {

using Kind = ContactFeature::Kind;

std::vector<ContactState> contacts_of(const std::string& bodies, const std::string& friction) {
  return test::run_of("abut: 1\nduration: 0.1\nmaterials: {m: {friction: " + friction +
                      "}}\nbodies:\n  - {name: floor, shape: {plane: {normal: [0, 0, 1], offset: "
                      "0}}, motion: fixed, material: m}\n" +
                      bodies)
      .sink.frames.back()
      .contacts;
}

const std::string ball =
    "  - {name: ball, shape: {sphere: {radius: 0.5}}, position: [0, 0, 0.5], material: m}\n";
const std::string box =
    "  - {name: box, shape: {box: {size: [1, 1, 1]}}, position: [0, 0, 0.5], material: m}\n";
// Three legs: the least that stands, and no more.
const std::string tripod =
    "  - name: tripod\n    material: m\n    position: [0, 0, 0.1]\n    shapes:\n"
    "      - {sphere: {radius: 0.1}, position: [0.5, 0, 0]}\n"
    "      - {sphere: {radius: 0.1}, position: [-0.3, 0.4, 0]}\n"
    "      - {sphere: {radius: 0.1}, position: [-0.3, -0.4, 0]}\n";

TEST(ContactReport, ABallTouchesWithItsSurface) {
  for (const char* friction : {"0", "0.5"}) {
    const auto contacts = contacts_of(ball, friction);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_TRUE(contacts[0].unique);
    EXPECT_EQ(contacts[0].feature_a.kind, Kind::face);
    EXPECT_EQ(contacts[0].feature_b.kind, Kind::smooth);
  }
}

// Four forces in three equations: of the height and of two tilts.
TEST(ContactReport, ABoxStandsOnFourCornersInManyWays) {
  for (const char* friction : {"0", "0.5"}) {
    const auto contacts = contacts_of(box, friction);
    ASSERT_EQ(contacts.size(), 4u);
    std::set<int> corners;
    for (const ContactState& contact : contacts) {
      EXPECT_FALSE(contact.unique);
      EXPECT_EQ(contact.feature_a.kind, Kind::face);
      EXPECT_EQ(contact.feature_b.kind, Kind::vertex);
      corners.insert(contact.feature_b.index);
    }
    EXPECT_EQ(corners.size(), 4u);
  }
}

TEST(ContactReport, ATripodStandsInOneWayUnlessItSticks) {
  const auto smooth = contacts_of(tripod, "0");
  ASSERT_EQ(smooth.size(), 3u);
  std::set<int> parts;
  for (const ContactState& contact : smooth) {
    EXPECT_TRUE(contact.unique);
    parts.insert(contact.feature_b.part);
  }
  EXPECT_EQ(parts, (std::set<int>{0, 1, 2}));
  // Nine unknown forces, six equations.
  for (const ContactState& contact : contacts_of(tripod, "0.5")) EXPECT_FALSE(contact.unique);
}

}  // namespace
}  // namespace abut::integrate
