// Bodies that bend: elastic solids and sheets.
#include <gtest/gtest.h>

#include <cmath>

#include "flexible/make.h"
#include "unit/scene/scene_testing.h"

using namespace scene_testing;
using abut::Mat3;
using abut::Quat;
using abut::Vec3;
using namespace abut::flexible;

namespace {

const std::string unit_cube = "    shape: {box: {size: [1, 1, 1]}}\n";
const std::string jelly = unit_cube + "    flexible: {young: 10 kPa}\n";
const std::string jelly2 = unit_cube + "    flexible: {order: 2, young: 10 kPa, damping: 2 ms}\n";

std::string cloth(const std::string& more = "") {
  return "    shape: {sheet: {size: [2, 1], cells: [4, 2], stretch: 100, shear: 20, bend: 1" +
         more + "}}\n";
}

}  // namespace

TEST(BuildBending, OrdersAndMaterials) {
  const auto affine = body(jelly + "    position: [1, 2, 3]\n    velocity: [0, 0, 4]\n");
  ASSERT_TRUE(affine.bends());
  EXPECT_EQ(affine.bending->body->kind, Kind::affine);
  EXPECT_EQ(affine.bending->body->columns(), 4);
  EXPECT_NEAR(affine.bending->body->mass.total(), 1000, 1e-9);
  EXPECT_EQ(Vec3(affine.bending->initial.columns.col(3)), Vec3(1, 2, 3));
  EXPECT_EQ(Vec3(affine.bending->initial.rates.col(3)), Vec3(0, 0, 4));
  const auto quadratic = body(jelly2 + "    mass: 3\n    boundary: {cells: [3, 3, 5]}\n");
  ASSERT_TRUE(quadratic.bends());
  EXPECT_EQ(quadratic.bending->body->kind, Kind::quadratic);
  EXPECT_NEAR(quadratic.bending->body->mass.total(), 3, 1e-12);
  EXPECT_EQ(quadratic.bending->body->boundary.triangles().size(), 156U);
  EXPECT_FALSE(body(unit_cube).bends());
}

TEST(BuildBending, DeformationReplacesOrientation) {
  const auto b = body(jelly2 +
                      "    position: [0, 0, 5]\n"
                      "    deformation: [[0, -2, 0], [1, 0, 0], [0, 0, 1]]\n"
                      "    deformation_rate: [[0, 0, 0.5], [0, 0, 0], [0, 0, 0]]\n"
                      "    velocity: [0, 0, 1]\n");
  ASSERT_TRUE(b.bends());
  const auto& state = b.bending->initial;
  Mat3 f;
  f << 0, -2, 0, 1, 0, 0, 0, 0, 1;
  EXPECT_EQ(deformation_at(Kind::quadratic, state.columns, Vec3(0.1, 0.2, 0.3)), f);
  EXPECT_EQ(Vec3(state.columns.col(9)), Vec3(0, 0, 5));
  EXPECT_EQ(state.rates(0, 8), 0.5);
  EXPECT_EQ(Vec3(state.rates.col(9)), Vec3(0, 0, 1));
  // The polar rotation: a quarter turn about z.
  const double h = std::sqrt(0.5);
  EXPECT_NEAR(std::abs(b.pose.orientation.dot(Quat(h, 0, 0, h))), 1, 1e-14);
}

TEST(BuildBending, AllOfRMayBeGiven) {
  const auto b = body(jelly2 +
                      "    deformation:\n"
                      "      - [0.1, 0, 0, 0, 0, 0, 1, 0, 0, 7]\n"
                      "      - [0, 0.1, 0, 0, 0, 0, 0, 1, 0, 8]\n"
                      "      - [0, 0, 0, 0.2, 0, 0, 0, 0, 1, 9]\n");
  ASSERT_TRUE(b.bends());
  const Columns& r = b.bending->initial.columns;
  EXPECT_EQ(r(0, 0), 0.1);
  EXPECT_EQ(r(2, 3), 0.2);
  EXPECT_EQ(Vec3(r.col(9)), Vec3(7, 8, 9));
  EXPECT_EQ(b.pose.position, Vec3(7, 8, 9));
}

TEST(BuildBending, KeysMayStandInFlexible) {
  const auto b = body(unit_cube +
                      "    flexible: {order: 2, young: 1e4, boundary: {edge: 0.4}, "
                      "deformation: [[2, 0, 0], [0, 1, 0], [0, 0, 1]]}\n");
  ASSERT_TRUE(b.bends());
  EXPECT_EQ(b.bending->initial.columns(0, 6), 2);
  EXPECT_EQ(b.bending->body->boundary.triangles().size(), 6U * 2 * 16);
}

TEST(BuildBending, AngularVelocityTurnsTheDeformedBody) {
  const auto b = body(jelly +
                      "    angular_velocity: [0, 0, 2]\n    deformation: [[3, 0, 0], [0, 1, "
                      "0], [0, 0, 1]]\n");
  ASSERT_TRUE(b.bends());
  EXPECT_NEAR((Vec3(b.bending->initial.rates.col(0)) - Vec3(0, 6, 0)).norm(), 0, 1e-14);
}

TEST(BuildBending, GridsOfThem) {
  const auto model = load(header + "bodies:\n  - name: j\n" + jelly +
                          "    repeat: {count: [2, 1, 1], spacing: [3, 1, 1]}\n");
  ASSERT_EQ(model.bodies.size(), 2U);
  EXPECT_EQ(Vec3(model.bodies[1].bending->initial.columns.col(3)), Vec3(3, 0, 0));
  EXPECT_EQ(Vec3(model.bodies[0].bending->initial.columns.col(3)), Vec3(0, 0, 0));
}

TEST(BuildBending, MaterialMistakes) {
  const auto flexible = [](const std::string& keys) {
    return body_errors(unit_cube + "    flexible: {" + keys + "}\n");
  };
  EXPECT_TRUE(one_error(flexible("young: -5"), "6:23", "young is -5"));
  EXPECT_TRUE(one_error(flexible("order: 1"), "6:15", "needs the key `young`"));
  EXPECT_TRUE(one_error(flexible("young: 1e5, poisson: 0.5"), "6:37", "less than 0.5"));
  EXPECT_TRUE(one_error(flexible("young: 1e5, poisson: -1"), "6:37", "poisson"));
  EXPECT_TRUE(one_error(flexible("young: 1e5, damping: -1 ms"), "6:37", "damping"));
  EXPECT_TRUE(one_error(flexible("young: 1e5, order: 3"), "6:35", "order"));
}

TEST(BuildBending, WhatCannotBend) {
  const std::string flexible = "    flexible: {young: 1e5}\n";
  EXPECT_TRUE(one_error(body_errors(unit_cube + flexible + "    motion: fixed\n"), "6:15",
                        "the body is fixed"));
  EXPECT_TRUE(one_error(body_errors(unit_cube + flexible + "    motion: {position: ['t', 0, 0]}\n"),
                        "6:15", "follows a script"));
  EXPECT_TRUE(
      mentions(body_errors("    shape: {plane: {}}\n" + flexible + "    motion: fixed\n")[0],
               "the body is fixed"));
  EXPECT_TRUE(mentions(
      body_errors("    shape: {convex: {points: [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], rounding: "
                  "0.1}}\n" +
                  flexible)[0],
      "leave the rounding out"));
  EXPECT_TRUE(
      one_error(body_errors(jelly + "    com: [0, 0, 0]\n"), "7:10", "follows from its shape"));
  EXPECT_TRUE(one_error(body_errors(unit_cube + "    boundary: {edge: 0.1}\n"), "6:15", "rigid"));
  EXPECT_TRUE(
      one_error(body_errors(unit_cube + "    deformation: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\n"),
                "6:18", "rigid"));
}

TEST(BuildBending, BoundaryMistakes) {
  EXPECT_TRUE(one_error(body_errors(jelly + "    boundary: {edge: 0.1, cells: [1, 1, 1]}\n"),
                        "7:22", "keep one"));
  EXPECT_TRUE(one_error(body_errors(jelly + "    boundary: {edge: 1e-4}\n"), "7:22", "at least"));
  EXPECT_TRUE(one_error(body_errors("    shape: {sphere: {radius: 1}}\n    flexible: {young: "
                                    "1e5}\n    boundary: {cells: [2, 2, 2]}\n"),
                        "7:23", "cells divide boxes only"));
}

TEST(BuildBending, DeformationMistakes) {
  const std::string identity = "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]\n";
  EXPECT_TRUE(
      one_error(body_errors(jelly + "    orientation: [1, 0, 0, 0]\n    deformation: " + identity),
                "7:18", "both `orientation` and `deformation`"));
  EXPECT_TRUE(one_error(body_errors(jelly +
                                    "    angular_velocity: [1, 0, 0]\n"
                                    "    deformation_rate: " +
                                    identity),
                        "7:23", "both `angular_velocity` and `deformation_rate`"));
  EXPECT_TRUE(
      one_error(body_errors(jelly + "    deformation: [[-1, 0, 0], [0, 1, 0], [0, 0, 1]]\n"),
                "7:18", "inside out: its determinant is -1"));
  EXPECT_TRUE(one_error(
      body_errors(jelly + "    deformation: [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]\n"), "7:18",
      "3 rows of 3 numbers each"));
  EXPECT_TRUE(mentions(
      body_errors(jelly2 + "    deformation: [[3, 0, 0, 0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 0, 0, 0, "
                           "0, 1, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 1, 0]]\n")[0],
      "inside out"));
}

TEST(BuildBending, ClockOfEventsIsRefused) {
  EXPECT_TRUE(one_error(errors("abut: 1\nduration: 1\nsolver: {clock: event}\nbodies:\n"
                               "  - name: j\n" +
                               jelly),
                        "3:17", "body j bends"));
}

TEST(BuildSheet, NodesMassesAndHolds) {
  const auto model = load(header +
                          "bodies:\n"
                          "  - name: flag\n" +
                          cloth(", pins: [[0, 0], [0, 2]], attach: [{node: [4, 1], body: pole}], "
                                "thickness: 4 mm") +
                          "    density: 0.3\n    position: [0, 0, 2]\n"
                          "    orientation: {axis: [1, 0, 0], angle: 90 deg}\n"
                          "  - name: pole\n" +
                          unit_cube + "    motion: fixed\n");
  ASSERT_EQ(model.bodies.size(), 2U);
  const auto& flag = model.bodies[0];
  ASSERT_TRUE(flag.bends());
  const auto& sheet = *flag.bending->body;
  EXPECT_TRUE(sheet.is_sheet());
  EXPECT_EQ(sheet.columns(), 15);
  EXPECT_NEAR(sheet.mass.total(), 0.6, 1e-14);
  EXPECT_NEAR(flag.mass.mass, 0.6, 1e-14);
  EXPECT_EQ(sheet.half_thickness, 0.002);
  EXPECT_EQ(sheet.boundary.triangles().size(), 16U);
  // Node (4, 2) is at (1, 0.5) of the sheet; turned about x, its y is the world's z.
  EXPECT_NEAR(
      (Vec3(flag.bending->initial.columns.col(sheet.grid.node(4, 2))) - Vec3(1, 0, 2.5)).norm(), 0,
      1e-14);
  ASSERT_EQ(flag.bending->holds.size(), 3U);
  EXPECT_EQ(flag.bending->holds[1].name, "flag.pin[0,2]");
  EXPECT_EQ(flag.bending->holds[1].column, sheet.grid.node(0, 2));
  EXPECT_EQ(flag.bending->holds[2].name, "flag.attach[4,1]");
  EXPECT_EQ(flag.bending->holds[2].body, 1);
}

TEST(BuildSheet, MassInThreeWays) {
  EXPECT_NEAR(body(cloth()).mass.mass, 0.4, 1e-14);
  EXPECT_NEAR(body(cloth(", density: 150 g/m^2")).mass.mass, 0.3, 1e-14);
  EXPECT_NEAR(body(cloth() + "    mass: 5\n").mass.mass, 5, 1e-13);
  EXPECT_TRUE(one_error(body_errors(cloth(", density: 1") + "    mass: 5\n"), "6:11", "keep one"));
}

TEST(BuildSheet, Mistakes) {
  EXPECT_TRUE(one_error(body_errors(cloth(", pins: [[5, 0]]")), "5:91", "no node [5, 0]"));
  EXPECT_TRUE(one_error(body_errors(cloth(", pins: [[1, 0], [1, 0]]")), "5:99", "held twice"));
  EXPECT_TRUE(mentions(body_errors(cloth(", attach: [{node: [0, 0], body: nobody}]"))[0],
                       "no body is named `nobody`"));
  EXPECT_TRUE(mentions(body_errors(cloth(", attach: [{node: [0, 0], body: world}]"))[0], "pins"));
  EXPECT_TRUE(mentions(body_errors(cloth() + "    motion: fixed\n")[0], "pins"));
  EXPECT_TRUE(mentions(body_errors(cloth() + "    flexible: {young: 1e5}\n")[0], "by itself"));
  EXPECT_TRUE(
      mentions(body_errors("    shape: {sheet: {size: [1, 1], cells: [2, 2], stretch: -1}}\n")[0],
               "stretch"));
  EXPECT_TRUE(mentions(
      body_errors("    shapes:\n      - sheet: {size: [1, 1], cells: [2, 2], stretch: 1}\n")[0],
      "part of a union"));
  EXPECT_TRUE(mentions(body_errors(cloth() + "    density: 0\n")[0], "density"));
}
