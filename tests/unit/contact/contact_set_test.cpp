#include "contact/contact_set.h"

#include "support/dense.h"
#include "support/seeds.h"
#include "unit/contact/contact_testing.h"

using namespace abut;
using namespace abut::test;
using contact::ContactRegion;
using contact::Feature;
using contact::FeatureKind;

namespace {

const Vec3 up = Vec3::UnitZ();
const double root2 = std::sqrt(2.0);

/// Turns a cube so that a space diagonal is vertical: a corner points down.
Quat on_a_corner() {
  return test::turn_between(Vec3(-1, -1, -1), -up);
}

}  // namespace

TEST(ContactSet, StackedBoxesShareARectangle) {
  // Footprints [-0.7, 1.3] x [-0.6, 1.4] and [-1, 1] x [-0.5, 0.5].
  const auto found = regions(box(2, 2, 1), at(0.3, 0.4, 1), box(2, 1, 1), at(0, 0, 0));
  expect_region(found, 2, up, {{-0.7, -0.5, 0.5}, {1, -0.5, 0.5}, {1, 0.5, 0.5}, {-0.7, 0.5, 0.5}});
  for (const auto& point : found[0].points) {
    EXPECT_NEAR(point.gap, 0, 1e-15);
    EXPECT_EQ(point.label.a.kind == FeatureKind::vertex, false);
  }
  EXPECT_EQ(found[0].label.a, (Feature{FeatureKind::face, 4}));
  EXPECT_EQ(found[0].label.b, (Feature{FeatureKind::face, 5}));
}

TEST(ContactSet, EqualBoxesShareTheWholeFaceAndItsCorners) {
  for (const double size : {1e-3, 1.0, 1e3}) {
    const double h = size / 2;
    const auto found = regions(box(size, size, size), at(0, 0, size), box(size, size, size), {});
    expect_region(found, 2, up, {{-h, -h, h}, {h, -h, h}, {h, h, h}, {-h, h, h}}, 1e-12 * size);
    for (const auto& point : found[0].points) {
      EXPECT_EQ(point.label.a.kind, FeatureKind::vertex);
      EXPECT_EQ(point.label.b.kind, FeatureKind::vertex);
      EXPECT_EQ(point.label.a.index + 4, point.label.b.index);  // bottom corners on top ones
    }
  }
}

TEST(ContactSet, PointsTurnCounterClockwiseAboutTheNormal) {
  const auto found = regions(box(2, 2, 1), at(0.3, 0.4, 1), box(2, 1, 1), {});
  ASSERT_EQ(found.size(), 1U);
  const auto p = positions(found[0]);
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vec3& q = p[(i + 1) % p.size()];
    const Vec3& r = p[(i + 2) % p.size()];
    EXPECT_GT((q - p[i]).cross(r - q).dot(found[0].normal), 0);
  }
}

TEST(ContactSet, CornerOnFace) {
  const auto found = regions(box(1, 1, 1), at(0.2, 0.1, 0.5 + std::sqrt(3.0) / 2, on_a_corner()),
                             box(4, 4, 1), {});
  expect_region(found, 0, up, {{0.2, 0.1, 0.5}});
  EXPECT_EQ(found[0].label.a, (Feature{FeatureKind::vertex, 0}));
  EXPECT_EQ(found[0].label.b, (Feature{FeatureKind::face, 5}));
  EXPECT_EQ(found[0].label, found[0].points[0].label);
}

TEST(ContactSet, CrossingEdges) {
  // Both cubes stand on edges: the lower edge of a along x, the upper one of b along y.
  const Quat turned_x = turn(Vec3::UnitX(), M_PI / 4);
  const Quat turned_y = turn(Vec3::UnitY(), M_PI / 4);
  const auto found =
      regions(box(2, 1, 1), at(0.3, 0.2, root2, turned_x), box(1, 2, 1), at(0, 0, 0, turned_y));
  expect_region(found, 0, up, {{0, 0.2, root2 / 2}});
  EXPECT_EQ(found[0].label.a.kind, FeatureKind::edge);
  EXPECT_EQ(found[0].label.b.kind, FeatureKind::edge);
}

TEST(ContactSet, ParallelEdges) {
  const Quat turned = turn(Vec3::UnitX(), M_PI / 4);
  const auto found =
      regions(box(2, 1, 1), at(0.5, 0, root2, turned), box(2, 1, 1), at(0, 0, 0, turned));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].dimension, 1);
  EXPECT_LT(mismatch(positions(found[0]), {{-0.5, 0, root2 / 2}, {1, 0, root2 / 2}}), 1e-12);
  EXPECT_EQ(found[0].label.a.kind, FeatureKind::edge);
  EXPECT_EQ(found[0].label.b.kind, FeatureKind::edge);
}

// Boxes of the same width stand on each other and tip a little, so that only one end of their faces
// is within the touching distance. Their sides lie above each other but for rounding, which would
// say that they cross anywhere.
TEST(ContactSet, EdgesThatRunAlongEachOtherDoNotCross) {
  const double gap_at_far_end = 2.5e-9;
  std::mt19937 random(abut::test::seed(7));
  std::uniform_real_distribution<double> part(-1, 1);
  for (int k = 0; k < 200; ++k) {
    const Quat turned = turn(up, 1e-12 * part(random)) * turn(-Vec3::UnitY(), gap_at_far_end);
    const auto found =
        regions(box(1, 1, 1), at(0, 1e-13 * part(random), 1 + gap_at_far_end / 2, turned),
                box(1, 1, 1), {});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_LT(mismatch(positions(found[0]), {{-0.5, -0.5, 0.5}, {-0.5, 0.5, 0.5}}), 1e-8) << k;
  }
}

// A corner of an edge that lies flat is beyond the edge below it, by a little more than what tells
// places apart. Another edge of that corner crosses the one below at the same place, and higher.
TEST(ContactSet, OfCrossingsAtOnePlaceTheNearestOneStands) {
  const double gap = 2e-10, beyond = 6e-9, slope = 0.08;
  for (const double aside : {-0.1, 0.1}) {
    const auto upper = hull({{0, 0, 0}, {-1, aside, 0}, {-1, -aside, slope}, {-0.5, 0, 1}});
    const auto found = regions(upper, at(1 + beyond, 0, gap), box(2, 2, 1), at(0, 0, -0.5));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_LT(mismatch(positions(found[0]), {{1, 0, 0}, {0, aside, 0}}), 1e-8) << aside;
    for (const auto& point : found[0].points) EXPECT_NEAR(point.gap, gap, 1e-15) << aside;
  }
}

// A pyramid upside down, its apex lower than its corners by less than what counts as touching.
TEST(ContactSet, WhatIsNearerThanTheCornersOfAHullIsTold) {
  const double gap = 2e-10, drop = 5e-10;
  const auto upper =
      hull({{-1, -1, drop}, {1, -1, drop}, {1, 1, drop}, {-1, 1, drop}, {0, 0, 0}, {0, 0, 1}});
  const auto found = regions(upper, at(0, 0, gap), ground(), {});
  ASSERT_EQ(found.size(), 1U);
  const auto nearest = std::min_element(found[0].points.begin(), found[0].points.end(),
                                        [](const auto& x, const auto& y) { return x.gap < y.gap; });
  EXPECT_NEAR(nearest->gap, gap, 1e-15);
  EXPECT_LT(nearest->position.norm(), 1e-8);
}

// A rounded end faces all that is near: what is beside the end of an edge is not on it.
TEST(ContactSet, EdgesThatOverlapAtTheirEndsWhereOneIsRounded) {
  const double length = 1e-3, radius = 3e-4, rounding = 1e-4, overlap = 7e-8;
  const model::Body round = prism(8, radius, length, rounding), sharp = prism(8, radius, length);
  const Quat lying = turn(Vec3::UnitY(), M_PI / 2);
  const auto found = regions(round, at(length - overlap, 0, 2 * radius + rounding, lying), sharp,
                             at(0, 0, 0, lying));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].dimension, 1);
  ASSERT_EQ(found[0].points.size(), 2U);
  for (const auto& point : found[0].points) {
    const auto kinds = std::minmax(point.label.a.kind, point.label.b.kind);
    EXPECT_EQ(kinds.first, FeatureKind::vertex);
    EXPECT_EQ(kinds.second, FeatureKind::edge);
    EXPECT_NE(point.label.a.kind, found[0].points[&point == &found[0].points[0]].label.a.kind);
  }
  EXPECT_EQ(found[0].label.a.kind, FeatureKind::edge);
  EXPECT_EQ(found[0].label.b.kind, FeatureKind::edge);
}

TEST(ContactSet, EdgeOnFaceIsCutAtTheRim) {
  const Quat turned = turn(Vec3::UnitX(), M_PI / 4);
  const auto found =
      regions(box(3, 1, 1), at(1, 0, 0.5 + root2 / 2, turned), box(2, 2, 1), at(0, 0, 0));
  expect_region(found, 1, up, {{-0.5, 0, 0.5}, {1, 0, 0.5}});
  EXPECT_EQ(found[0].label.a.kind, FeatureKind::edge);
  EXPECT_EQ(found[0].label.b, (Feature{FeatureKind::face, 5}));
}

/// A box that leans by a tiny angle on one bottom edge touches with its face while the wedge stays
/// within the touching distance, and with the edge beyond.
TEST(ContactSet, LeaningBoxTouchesWithFaceOrEdge) {
  for (const double angle : {0.0, 1e-14, 1e-12, 1e-10, 0.9e-9, 1.1e-9, 1e-8, 1e-7, 1e-6}) {
    SCOPED_TRACE(angle);
    // The low edge, at x = -0.5, stays where it is.
    const Quat q = turn(Vec3::UnitY(), -angle);
    const Vec3 pivot(-0.5, 0, 0.5);
    const Pose pose{pivot - q * Vec3(-0.5, 0, -0.5), q};
    const auto found = regions(box(1, 1, 1), pose, box(4, 4, 1), {});
    const bool is_face = angle < touching;
    if (is_face) {
      expect_region(found, 2, up,
                    {{-0.5, -0.5, 0.5}, {0.5, -0.5, 0.5}, {0.5, 0.5, 0.5}, {-0.5, 0.5, 0.5}}, 2e-9);
      double widest = 0;
      for (const auto& point : found[0].points) widest = std::max(widest, point.gap);
      EXPECT_NEAR(widest, angle, 1e-15 + 1e-3 * angle);
    } else {
      expect_region(found, 1, up, {{-0.5, -0.5, 0.5}, {-0.5, 0.5, 0.5}}, 1e-12);
    }
  }
}

/// What counts is the wedge over the region: a small overlap tolerates a larger angle.
TEST(ContactSet, WedgeIsMeasuredWhereTheBodiesAreOverEachOther) {
  const double angle = 1e-8;
  const Quat q = turn(Vec3::UnitY(), -angle);
  const Pose pose{Vec3(-0.5, 0, 0.5) - q * Vec3(-0.5, 0, -0.5), q};
  // The lower box ends at x = -0.45: the wedge over 0.05 m opens to 5e-10 m.
  const auto found = regions(box(1, 1, 1), pose, box(4, 4, 1), at(-2.45, 0, 0));
  expect_region(found, 2, up,
                {{-0.5, -0.5, 0.5}, {-0.45, -0.5, 0.5}, {-0.45, 0.5, 0.5}, {-0.5, 0.5, 0.5}}, 1e-9);
}

TEST(ContactSet, BoxOnPlane) {
  expect_region(regions(box(1, 2, 3), at(5, 6, 1.5), ground(), {}), 2, up,
                {{4.5, 5, 0}, {5.5, 5, 0}, {5.5, 7, 0}, {4.5, 7, 0}});
  expect_region(
      regions(box(2, 1, 1), at(0, 0, root2 / 2, turn(Vec3::UnitX(), M_PI / 4)), ground(), {}), 1,
      up, {{-1, 0, 0}, {1, 0, 0}});
  expect_region(regions(box(1, 1, 1), at(0, 0, std::sqrt(3.0) / 2, on_a_corner()), ground(), {}), 0,
                up, {{0, 0, 0}});
}

TEST(ContactSet, SphereOnFaceEdgeAndCorner) {
  const model::Body ball = sphere(0.5);
  const model::Body cube = box(2, 2, 2);
  auto found = regions(ball, at(0.25, 0.5, 1.5), cube, {});
  expect_region(found, 0, up, {{0.25, 0.5, 1}});
  EXPECT_EQ(found[0].label.b.kind, FeatureKind::face);
  EXPECT_EQ(found[0].label.a, (Feature{FeatureKind::smooth, 0}));

  const Vec3 slanted = Vec3(0, 3, 4) / 5;
  found = regions(ball, {Vec3(0.25, 1, 1) + 0.5 * slanted, Quat::Identity()}, cube, {});
  expect_region(found, 0, slanted, {{0.25, 1, 1}});
  EXPECT_EQ(found[0].label.b.kind, FeatureKind::edge);

  const Vec3 diagonal = Vec3(1, 2, 2) / 3;
  found = regions(ball, {Vec3(1, 1, 1) + 0.5 * diagonal, Quat::Identity()}, cube, {});
  expect_region(found, 0, diagonal, {{1, 1, 1}});
  EXPECT_EQ(found[0].label.b, (Feature{FeatureKind::vertex, 7}));
}

TEST(ContactSet, CapsuleLyingAndStanding) {
  const Quat lying = turn(Vec3::UnitY(), M_PI / 2);  // z to x
  const model::Body rod = capsule(0.25, 2);
  auto found = regions(rod, at(0, 0, 0.25, lying), ground(), {});
  expect_region(found, 1, up, {{-1, 0, 0}, {1, 0, 0}});
  EXPECT_EQ(found[0].label.a, (Feature{FeatureKind::smooth, 0}));

  found = regions(rod, at(0, 0, 1.25), ground(), {});
  expect_region(found, 0, up, {{0, 0, 0}});
  EXPECT_EQ(found[0].label.a, (Feature{FeatureKind::smooth, 1}));

  found = regions(rod, at(0.5, 0, 0.75, lying), box(2, 2, 1), {});
  expect_region(found, 1, up, {{-0.5, 0, 0.5}, {1, 0, 0.5}});
  EXPECT_EQ(found[0].label.b.kind, FeatureKind::face);

  found = regions(rod, at(0.5, 0, 1.75), box(2, 2, 1), {});
  expect_region(found, 0, up, {{0.5, 0, 0.5}});

  // Above the rim of the box, along it.
  found = regions(rod, at(0.5, 1, 0.75, lying), box(2, 2, 1), {});
  expect_region(found, 1, up, {{-0.5, 1, 0.5}, {1, 1, 0.5}});
}

TEST(ContactSet, CapsulesCrossingAndParallel) {
  const Quat along_x = turn(Vec3::UnitY(), M_PI / 2);
  const Quat along_y = turn(Vec3::UnitX(), M_PI / 2);
  const model::Body rod = capsule(0.25, 2);
  expect_region(regions(rod, at(0.5, 0.1, 0.5, along_x), rod, at(0, 0, 0, along_y)), 0, up,
                {{0, 0.1, 0.25}});
  expect_region(regions(rod, at(0.5, 0, 0.5, along_x), rod, at(0, 0, 0, along_x)), 1, up,
                {{-0.5, 0, 0.25}, {1, 0, 0.25}});
  const auto end_on = regions(sphere(0.5), at(0, 0, 1.75), rod, {});
  expect_region(end_on, 0, up, {{0, 0, 1.25}});
  EXPECT_EQ(end_on[0].label.b, (Feature{FeatureKind::smooth, 2}));
}

TEST(ContactSet, TetrahedronOnItsFace) {
  const std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.2, 1}};
  const auto found = regions(hull(points), {}, box(4, 4, 2), at(0, 0, -1));
  expect_region(found, 2, up, {points[0], points[1], points[2]});
}

TEST(ContactSet, HexagonsTurnedByThirtyDegreesShareADodecagon) {
  // Two hexagons of circumradius 1, turned by 30 degrees: their sides are at distance cos 30 in the
  // directions k 30 degrees, so the common part is the regular dodecagon with that inner radius.
  const auto found =
      regions(prism(6, 1, 1), at(0, 0, 1, turn(up, M_PI / 6)), prism(6, 1, 1), at(0, 0, 0));
  std::vector<Vec3> expected;
  const double radius = std::cos(M_PI / 6) / std::cos(M_PI / 12);
  for (int k = 0; k < 12; ++k) {
    const double angle = (k + 0.5) * M_PI / 6;
    expected.emplace_back(radius * std::cos(angle), radius * std::sin(angle), 0.5);
  }
  expect_region(found, 2, up, expected);
  for (const auto& point : found[0].points) EXPECT_EQ(point.label.a.kind, FeatureKind::edge);
}

TEST(ContactSet, EachPairOfPartsHasItsRegion) {
  model::Body table = box(2, 2, 0.1);
  table.parts[0].pose.position = Vec3(0, 0, 1);
  table.parts.push_back({shape::Box{Vec3(0.1, 0.1, 1)}, at(-0.8, 0, 0.45), 1000, 0});
  table.parts.push_back({shape::Capsule{0.1, 0.75}, at(0.8, 0, 0.425), 1000, 0});
  const auto found = regions(table, at(0, 0, 0.05), ground(), {});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].dimension, 2);
  EXPECT_EQ(found[0].label.part_a, 1);
  EXPECT_EQ(found[1].dimension, 0);
  EXPECT_EQ(found[1].label.part_a, 2);
}

namespace {

/// Boxes of a metre side by side along x: their top is at z = 0, a seam at x = 0.
model::Body flush_boxes() {
  model::Body body = box(1, 1, 1);
  body.parts[0].pose.position = Vec3(-0.5, 0, -0.5);
  body.parts.push_back({shape::Box{Vec3(1, 1, 1)}, at(0.5, 0, -0.5), 1000, 0});
  return body;
}

}  // namespace

TEST(ContactSet, SeamOfFlushPartsIsNoEdge) {
  std::mt19937_64 random(abut::test::seed(6));
  for (const double depth : {-5e-10, -1e-12, 0.0, 1e-13, 1e-12, 1e-10}) {
    for (const double across : {-5e-10, -1e-11, 0.0, 1e-14, 1e-13, 1e-11, 5e-10}) {
      SCOPED_TRACE(testing::Message() << depth << " " << across);
      // Right side at x = across.
      const Pose pose = at(-0.25 + across, 0, 0.25 - depth);
      const Quat q = random_turn(random);
      const auto found =
          regions(box(0.5, 0.5, 0.5), {q * pose.position, q}, flush_boxes(), {Vec3::Zero(), q});
      ASSERT_EQ(found.size(), 2U);
      EXPECT_EQ(found[0].dimension, 2);
      for (const ContactRegion& region : found) {
        EXPECT_LT((region.normal - q * up).norm(), 1e-9)
            << (q.inverse() * region.normal).transpose();
      }
    }
  }
}

TEST(ContactSet, EdgeAtTheFootOfAWallKeepsTheWallsNormal) {
  model::Body corner = box(2, 2, 1);
  corner.parts[0].pose.position = Vec3(1, 0, -0.5);
  corner.parts.push_back({shape::Box{Vec3(1, 2, 3)}, at(-0.5, 0, 0.5), 1000, 0});
  // A wedge on the floor whose lower left edge is at the foot of the wall.
  const auto found = regions(
      hull({{0, -0.5, 0}, {0, 0.5, 0}, {1, -0.5, 0}, {1, 0.5, 0}, {1, -0.5, 1}, {1, 0.5, 1}}), {},
      corner, {});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].dimension, 2);
  EXPECT_LT((found[0].normal - up).norm(), 1e-12);
  EXPECT_EQ(found[1].dimension, 1);
  EXPECT_LT((found[1].normal - Vec3::UnitX()).norm(), 1e-12);
}

/// Sizes at both ends of what is legal, and far from the origin.
TEST(ContactSet, ExtremeSizesAndPlaces) {
  for (const double size : {1e-8, 1e-6, 1e6}) {
    SCOPED_TRACE(size);
    const double h = size / 2;
    const auto found = regions(box(size, size, size), at(h / 2, 0, size), box(size, size, size), {},
                               std::min(touching, size / 10));
    expect_region(found, 2, up, {{-h / 2, -h, h}, {h, -h, h}, {h, h, h}, {-h / 2, h, h}},
                  1e-9 * std::max(size, 1e-9));
  }
  const Vec3 far(1e6, -1e6, 1e6);
  const auto found = regions(box(1, 1, 1), {far + Vec3(0.25, 0, 1), Quat::Identity()}, box(1, 1, 1),
                             {far, Quat::Identity()});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_LT(mismatch(positions(found[0]), {far + Vec3(-0.25, -0.5, 0.5), far + Vec3(0.5, -0.5, 0.5),
                                           far + Vec3(0.5, 0.5, 0.5), far + Vec3(-0.25, 0.5, 0.5)}),
            1e-9);
}

TEST(ContactSet, BodiesApartDoNotTouch) {
  EXPECT_TRUE(regions(box(1, 1, 1), at(0, 0, 1 + 2e-9), box(1, 1, 1), {}).empty());
  EXPECT_EQ(regions(box(1, 1, 1), at(0, 0, 1 + 2e-9), box(1, 1, 1), {}, 3e-9).size(), 1U);
}

TEST(ContactSet, OverlapHasTheRegionOfItsWayOut) {
  const auto found = regions(box(1, 1, 1), at(0.5, 0.5, 0.99), box(1, 1, 1), {});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].dimension, 2);
  EXPECT_LT((found[0].normal - up).norm(), 1e-12);
  EXPECT_LT(mismatch(positions(found[0]),
                     {{0, 0, 0.495}, {0.5, 0, 0.495}, {0.5, 0.5, 0.495}, {0, 0.5, 0.495}}),
            1e-12);
  for (const auto& point : found[0].points) EXPECT_NEAR(point.gap, -0.01, 1e-14);
}

TEST(ContactSet, NamesOfFeatures) {
  EXPECT_EQ(contact::name_of({FeatureKind::vertex, 0}), "vertex 1");
  EXPECT_EQ(contact::name_of({FeatureKind::edge, 4}), "edge 5");
  EXPECT_EQ(contact::name_of({FeatureKind::face, 2}), "face 3");
  EXPECT_EQ(contact::name_of({FeatureKind::smooth, 0}), "surface");
  EXPECT_EQ(contact::name_of({FeatureKind::smooth, 2}), "cap 2");
}
