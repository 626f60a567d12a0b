// What is told of contacts besides their forces: the features that touch, and whether the forces
// are the only possible ones.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <sstream>
#include <string>

#include "support/constants.h"
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

// Four feet on an arc of a few millimetres, all but in line, and a load of a hundred thousand times
// the weight between them but outside of their chords. What is reported of the feet must be what
// tips the body.
TEST(ContactReport, ForcesOfFeetAllButInLineTipTheBodyAsItTips) {
  constexpr double load = 1e8, mass = 40;
  for (const double apart : {1e-3, 4e-3, 1e-2}) {
    SCOPED_TRACE(apart);
    std::ostringstream feet;
    feet.precision(17);
    for (const double angle : {-2 * apart, -apart, apart, 2 * apart})
      feet << "      - {sphere: {radius: 1e-4}, position: [" << 0.5 * std::cos(angle) << ", "
           << 0.5 * std::sin(angle) << ", 1e-4]}\n";
    const record::Frame frame =
        test::run_of(
            "abut: 1\nduration: 1e-7\nmaterials: {m: {friction: 0, density: 1000}}\nbodies:\n"
            "  - {name: floor, shape: {plane: {normal: [0, 0, 1], offset: 0}}, motion: fixed, "
            "material: m}\n"
            "  - name: body\n    material: m\n    shapes:\n"
            "      - {box: {size: [1, 0.2, 0.2]}, position: [0, 0, 0.2]}\n" +
            feet.str() +
            "forces:\n  - {type: constant, body: body, force: [0, 0, -1e8], at: [0.5, 0, 0.1]}\n")
            .sink.frames.back();
    ASSERT_GE(frame.contacts.size(), 2u);
    double sum = 0;
    for (const ContactState& contact : frame.contacts) {
      EXPECT_GE(contact.normal_force, 0);
      sum += contact.normal_force;
    }
    EXPECT_NEAR(sum - load, mass * (frame.bodies[1].acceleration.z() + test::g), 1e-9 * load);
  }
}

// A ball rolls over a light table until that tips. The table rests till then: what its contacts do
// to it together stays the same, though one of them bears less and less and the others must do
// without it from an instant on.
TEST(ContactReport, ForcesBalanceUpToWhereAContactLeaves) {
  const test::Ran run = test::run_of(std::string(
      "abut: 1\nduration: 0.35\n"
      "materials: {light: {friction: 0.6, density: 300}, heavy: {friction: 0.6, density: 1000}}\n"
      "bodies:\n"
      "  - {name: floor, shape: {plane: {normal: [0, 0, 1], offset: 0}}, motion: fixed, "
      "material: heavy}\n"
      "  - name: table\n    material: light\n    shape: {convex: {points: [[0.3, 0.35, 0], "
      "[-0.3, 0.3, 0], [0.1, -0.4, 0], [1, 1, 0.4], [-1, 1, 0.4], [1, -1, 0.4], [-1, -1, "
      "0.4]]}}\n"
      "  - {name: ball, shape: {sphere: {radius: 0.4}}, position: [0, 0, 0.8], "
      "velocity: [1.5, 1, 0], angular_velocity: [-2.5, 3.75, 0], material: heavy}\n"));
  const std::vector<Event> leaving = run.events(EventKind::separate);
  ASSERT_FALSE(leaving.empty());
  EXPECT_GT(leaving.front().time, 0.3);
  std::optional<std::array<Vec3, 2>> first;
  for (const record::Frame& frame : run.sink.frames) {
    if (frame.time <= 0 || frame.time >= leaving.front().time) continue;
    std::array<Vec3, 2> sum = {Vec3::Zero(), Vec3::Zero()};  // force and torque on the table
    for (const ContactState& contact : frame.contacts) {
      const double sign = contact.body_a == 1 ? 1 : -1;
      const Vec3 force = sign * (contact.normal_force * contact.normal + contact.friction_force);
      sum[0] += force;
      sum[1] += contact.point.cross(force);
    }
    if (!first) first = sum;
    for (const int k : {0, 1})
      EXPECT_LT((sum[k] - (*first)[k]).norm(), 1e-8 * (*first)[0].norm()) << frame.time;
  }
}

}  // namespace
}  // namespace abut::integrate
