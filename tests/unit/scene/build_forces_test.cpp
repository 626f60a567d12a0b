// Materials, contacts, forces, pairs that do not collide.
#include <gtest/gtest.h>

#include <cmath>

#include "unit/scene/scene_testing.h"

using namespace scene_testing;
using abut::Vec3;
namespace model = abut::model;

namespace {

/// Lines 1 to 8; a is dynamic and turned, b dynamic, wall fixed, arm scripted.
const std::string bodies =
    header +
    "bodies:\n"
    "  - {name: a, shape: {sphere: {radius: 0.5}}, position: [1, 0, 0], orientation: [0, 0, 0, "
    "1]}\n"
    "  - {name: b, shape: {sphere: {radius: 0.5}}, position: [4, 4, 0], com: [0, 0, 0.1]}\n"
    "  - {name: wall, shape: {box: {size: [1, 1, 1]}}, motion: fixed}\n"
    "  - {name: arm, shape: {box: {size: [1, 1, 1]}}, motion: {position: [5, t, 0]}}\n"
    "forces:\n";

template <class Kind>
Kind force(const std::string& entry) {
  const auto scene = load(bodies + "  - " + entry + "\n");
  if (scene.forces.size() != 1) return {};
  return std::get<Kind>(scene.forces[0]);
}

std::vector<std::string> force_errors(const std::string& entry) {
  return errors(bodies + "  - " + entry + "\n");
}

}  // namespace

TEST(BuildForces, SpringBetweenBodies) {
  const auto spring =
      force<model::Spring>("{type: spring, bodies: [a, b], stiffness: 2 N/mm, damping: 3}");
  EXPECT_EQ(spring.ends[0].body, 0);
  EXPECT_EQ(spring.ends[1].body, 1);
  EXPECT_EQ(spring.ends[0].point, Vec3(0, 0, 0));
  EXPECT_DOUBLE_EQ(spring.length, 5);
  EXPECT_EQ(spring.stiffness, 2000);
  EXPECT_EQ(spring.damping, 3);
}

TEST(BuildForces, SpringAnchorsMoveIntoTheBodyFrame) {
  // a is turned by half a turn about z, so world +x is its -x.
  const auto both = force<model::Spring>(
      "{type: spring, bodies: [a, world], at: [[1.5, 0, 0], [1.5, 0, 3]], length: 1, stiffness: "
      "1}");
  EXPECT_LT((both.ends[0].point - Vec3(-0.5, 0, 0)).norm(), 1e-15);
  EXPECT_EQ(both.ends[1].body, abut::world);
  EXPECT_EQ(both.ends[1].point, Vec3(1.5, 0, 3));
  EXPECT_EQ(both.length, 1);
  const auto one =
      force<model::Spring>("{type: spring, bodies: [a, b], at: [1, 4, 0], stiffness: 1}");
  EXPECT_LT((one.ends[0].point - Vec3(0, -4, 0)).norm(), 1e-15);
  EXPECT_DOUBLE_EQ(one.length, 3);
}

TEST(BuildForces, SpringMistakes) {
  EXPECT_TRUE(one_error(force_errors("{type: spring, bodies: [a, world], stiffness: 1}"), "9:32",
                        "has no place"));
  EXPECT_TRUE(one_error(force_errors("{type: spring, bodies: [a, a], stiffness: 1}"), "9:28",
                        "with itself"));
  EXPECT_TRUE(one_error(force_errors("{type: spring, bodies: [wall, arm], stiffness: 1}"), "9:28",
                        "neither end"));
  EXPECT_TRUE(one_error(
      force_errors("{type: spring, bodies: [a, b], at: [[1, 0, 0], [1, 0, 0]], stiffness: 1}"),
      "9:5", "add `length`"));
  EXPECT_TRUE(one_error(force_errors("{type: spring, bodies: [a, b]}"), "9:5",
                        "needs the key `stiffness`"));
  EXPECT_TRUE(
      one_error(force_errors("{type: spring, bodies: [a], stiffness: 1}"), "9:28", "1 entry"));
  EXPECT_TRUE(one_error(force_errors("{type: spring, bodies: [a, c], stiffness: 1}"), "9:32",
                        "no body is named `c`"));
  EXPECT_TRUE(one_error(force_errors("{type: spring, bodies: [a, b], stiffness: -1}"), "9:47",
                        "stiffness is -1"));
  // A fixed or scripted partner is what springs are for.
  EXPECT_TRUE(force_errors("{type: spring, bodies: [a, wall], stiffness: 1}").empty());
  EXPECT_TRUE(force_errors("{type: spring, bodies: [arm, b], stiffness: 1, name: s}").empty());
}

TEST(BuildForces, DragConstantAndImpulse) {
  const auto drag = force<model::Drag>(
      "{type: drag, body: b, linear: 1, quadratic: 2, angular: 3 N m s/rad, wind: [4, 5, 6]}");
  EXPECT_EQ(drag.body, 1);
  EXPECT_EQ(drag.linear, 1);
  EXPECT_EQ(drag.quadratic, 2);
  EXPECT_EQ(drag.angular, 3);
  EXPECT_EQ(drag.wind, Vec3(4, 5, 6));
  const auto push = force<model::ConstantForce>("{type: constant, body: b, force: [1, 0, 2 kN]}");
  EXPECT_EQ(push.at.point, Vec3(0, 0, 0.1));  // the centre of mass
  EXPECT_EQ(push.force, Vec3(1, 0, 2000));
  const auto twist =
      force<model::ConstantForce>("{type: constant, body: a, torque: [0, 0, 1], at: [2, 0, 0]}");
  EXPECT_LT((twist.at.point - Vec3(-1, 0, 0)).norm(), 1e-15);
  EXPECT_EQ(twist.torque, Vec3(0, 0, 1));
  const auto outside =
      force<model::Impulse>("{type: impulse, body: a, time: 0.5, impulse: [1, 2, 3]}");
  EXPECT_TRUE(outside.at_centre);
  EXPECT_EQ(outside.time, 0.5);
  const auto hit =
      force<model::Impulse>("{type: impulse, body: a, time: 0, impulse: [1, 2, 3], at: [9, 8, 7]}");
  EXPECT_FALSE(hit.at_centre);
  EXPECT_EQ(hit.at, Vec3(9, 8, 7));
}

TEST(BuildForces, ForcesNeedBodiesThatYield) {
  EXPECT_TRUE(one_error(force_errors("{type: drag, body: wall, linear: 1}"), "9:24", "is fixed"));
  EXPECT_TRUE(one_error(force_errors("{type: constant, body: arm, force: [1, 0, 0]}"), "9:28",
                        "follows a script"));
  EXPECT_TRUE(one_error(force_errors("{type: impulse, body: world, time: 0, impulse: [1, 0, 0]}"),
                        "9:27", "cannot act on `world`"));
  EXPECT_TRUE(one_error(force_errors("{type: drag, body: wal, linear: 1}"), "9:24",
                        "did you mean `wall`?"));
  EXPECT_TRUE(one_error(force_errors("{type: sprin}"), "9:12", "did you mean `spring`?"));
  EXPECT_TRUE(one_error(force_errors("{body: a}"), "9:5", "the key `type`"));
  EXPECT_TRUE(one_error(force_errors("{type: drag, body: a, linaer: 1}"), "9:27",
                        "did you mean `linear`?"));
  EXPECT_TRUE(one_error(force_errors("{type: impulse, body: a, time: -1, impulse: [1, 0, 0]}"),
                        "9:36", "time is -1"));
}

TEST(BuildForces, WarnsOfForcesWithoutEffect) {
  const auto scene = abut::scene::load_scene_text(
      bodies +
          "  - {type: drag, body: a}\n  - {type: constant, body: a}\n"
          "  - {type: impulse, body: a, time: 7, impulse: [1, 0, 0]}\n",
      "test.yaml");
  ASSERT_EQ(scene.warnings.size(), 3u);
  EXPECT_EQ(scene.warnings[0].location.line, 9);
  EXPECT_EQ(scene.warnings[2].location.line, 11);
  EXPECT_NE(scene.warnings[2].message.find("never acts"), std::string::npos);
}

TEST(BuildMaterials, FrictionAndRestitution) {
  const auto scene =
      load(header +
           "materials:\n  rubber: {density: 1100, friction: 0.6, restitution: 0.8}\n"
           "  ice: {friction: {static: 0.1, dynamic: 0.02}}\n  rough: {friction: 1e9}\n");
  ASSERT_EQ(scene.materials.size(), 3u);
  EXPECT_EQ(scene.materials[0].name, "rubber");
  EXPECT_EQ(scene.materials[0].friction.dynamic_coefficient, 0.6);
  EXPECT_EQ(scene.materials[0].restitution, 0.8);
  EXPECT_EQ(scene.materials[1].density, 1000);
  EXPECT_EQ(scene.materials[1].friction.static_coefficient, 0.1);
  EXPECT_EQ(scene.materials[1].friction.dynamic_coefficient, 0.02);
  const auto material_errors = [](const std::string& text) {
    return errors(header + "materials: {m: {" + text + "}}\n");
  };
  EXPECT_TRUE(one_error(material_errors("friction: -0.1"), "3:27", "friction is -0.1"));
  EXPECT_TRUE(one_error(material_errors("friction: 2e9"), "3:27", "1e+09"));
  EXPECT_TRUE(one_error(material_errors("friction: {static: 0.1, dynamic: 0.2}"), "3:50",
                        "dynamic friction is 0.2"));
  EXPECT_TRUE(one_error(material_errors("friction: {static: 0.1}"), "3:27", "`dynamic`"));
  EXPECT_TRUE(one_error(material_errors("friction: [1]"), "3:27", "{static: number"));
  EXPECT_TRUE(one_error(material_errors("restitution: 1.1"), "3:30", "between 0 and 1"));
  EXPECT_TRUE(one_error(material_errors("density: 0"), "3:26", "positive"));
}

TEST(BuildMaterials, MisspeltMaterial) {
  EXPECT_TRUE(
      one_error(errors(header + "materials: {rubber: {}}\nbodies:\n"
                                "  - {name: b, shape: {sphere: {radius: 1}}, material: ruber}\n"),
                "5:55", "did you mean `rubber`?"));
}

TEST(BuildContacts, PairsOfMaterialsOrBodies) {
  const std::string start = header +
                            "materials: {m: {}, n: {}}\nbodies:\n"
                            "  - {name: a, shape: {sphere: {radius: 1}}}\n"
                            "  - {name: b, shape: {sphere: {radius: 1}}}\ncontacts:\n";
  const auto scene = load(start +
                          "  - {between: [m, n], friction: 0.4, restitution: 0.5}\n"
                          "  - {between: [m, m], restitution: 0.1}\n"
                          "  - {between: [a, b], friction: {static: 2, dynamic: 1}}\n");
  ASSERT_EQ(scene.contacts.size(), 3u);
  EXPECT_EQ(scene.contacts[0].between[1], "n");
  EXPECT_EQ(scene.contacts[0].restitution, 0.5);
  EXPECT_FALSE(scene.contacts[1].friction);
  EXPECT_EQ(scene.contacts[2].friction->static_coefficient, 2);
  EXPECT_TRUE(one_error(errors(start + "  - {between: [m, a], friction: 1}\n"), "8:15",
                        "a body and a material"));
  EXPECT_TRUE(one_error(errors(start + "  - {between: [m, x], friction: 1}\n"), "8:19",
                        "no material or body is named `x`"));
  EXPECT_TRUE(
      one_error(errors(start + "  - {between: [a, a], friction: 1}\n"), "8:15", "same body"));
  EXPECT_TRUE(one_error(errors(start + "  - {between: [m, n], friction: 1}\n"
                                       "  - {between: [n, m], friction: 2}\n"),
                        "9:15", "given twice"));
}

TEST(BuildNoCollide, Pairs) {
  const std::string start = header +
                            "bodies:\n  - {name: a, shape: {sphere: {radius: 1}}}\n"
                            "  - {name: ball, shape: {sphere: {radius: 1}}}\n";
  const auto scene = load(start + "no_collide: [[a, ball]]\n");
  ASSERT_EQ(scene.no_collide.size(), 1u);
  EXPECT_EQ(scene.no_collide[0], std::make_pair(0, 1));
  EXPECT_TRUE(
      one_error(errors(start + "no_collide: [[a, bal]]\n"), "6:18", "did you mean `ball`?"));
  EXPECT_TRUE(one_error(errors(start + "no_collide: [[a, a]]\n"), "6:14", "with itself"));
  const auto flat = errors(start + "no_collide: [a, ball]\n");  // the inner brackets are missing
  ASSERT_EQ(flat.size(), 2u);
  EXPECT_NE(flat[0].find("no_collide[0] is `a`, but must be a list of 2"), std::string::npos);
}
