// What Taylor's theorem cannot tell of points that are accelerated along a plane.

#include "toi/height_proof.h"

#include <gtest/gtest.h>

#include "unit/toi/moving_bodies.h"

namespace abut::toi {
namespace {

using motion::BodyPath;

constexpr double lowest = 1e-9, clearance = 0.5e-9;  // m

// Corners of a plate that spins on a floor, which is body b.
HeldPlane floor_below_plate() {
  HeldPlane plane;
  plane.watched[0] = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, 0, 1}};
  return plane;
}

BodyPath floor_path() {
  return BodyPath::resting(0, 1, Pose{});
}

TEST(HeightProof, ABodyThatSpinsOnAPlaneStaysAboveIt) {
  const BodyPath plate =
      test::thrown(Vec3(0, 0, lowest), Vec3(2, 0, 0), Vec3(0, -3, 0), 0.1, Vec3(0, 0, 10));
  const HeldPlane plane = floor_below_plate();
  EXPECT_EQ(proven_above(plane, plate, floor_path(), 0, 1e-6, 0.1, clearance), 0.1);
  EXPECT_EQ(free_interval(plane, plate, floor_path(), 0, 0.1, clearance).until, 0.1);
}

TEST(HeightProof, WhatComesDownIsNotProven) {
  // Down to the clearance at 0.05 s.
  const double speed = (lowest - clearance) / 0.05;
  const BodyPath plate =
      test::thrown(Vec3(0, 0, lowest), Vec3(2, 0, -speed), Vec3::Zero(), 0.1, Vec3(0, 0, 10));
  const double until =
      proven_above(floor_below_plate(), plate, floor_path(), 0, 1e-6, 0.1, clearance);
  EXPECT_LT(until, 0.05);
  EXPECT_GT(until, 0.01);
}

TEST(HeightProof, BothBodiesMayMove) {
  const Vec3 spin(0, 0, 3);
  const BodyPath table = test::thrown(Vec3::Zero(), Vec3(0, 0, 1), Vec3(0, 0, -2), 0.1, spin);
  const BodyPath plate =
      test::thrown(Vec3(0, 0, lowest), Vec3(0, 0, 1), Vec3(0, 0, -2), 0.1, -spin);
  EXPECT_EQ(proven_above(floor_below_plate(), plate, table, 0, 1e-6, 0.1, clearance), 0.1);
}

TEST(HeightProof, OnlyPointsAboveCarriedPlanesAreProven) {
  const BodyPath still = BodyPath::resting(0, 1, Pose{Vec3(0, 0, 1), Quat::Identity()});
  HeldPlane plane = floor_below_plate();
  plane.motion = PlaneMotion::edges;
  EXPECT_EQ(proven_above(plane, still, floor_path(), 0, 1e-6, 0.1, clearance), 1e-6);
  plane = floor_below_plate();
  plane.watched[1] = {Vec3::Zero()};
  EXPECT_EQ(proven_above(plane, still, floor_path(), 0, 1e-6, 0.1, clearance), 1e-6);
}

}  // namespace
}  // namespace abut::toi
