// The contacts that regions become: every point of the region, at its gap, on its features.

#include <gtest/gtest.h>

#include <random>

#include "contact/contact.h"
#include "math/rotation.h"
#include "narrow/body_shape.h"
#include "support/seeds.h"
#include "support/sizes.h"
#include "toi/core.h"
#include "unit/contact/contact_testing.h"

namespace abut::contact {
namespace {

using body::RigidMotion;
using test::at;
using test::turn;

/// All contacts of two bodies, found and made at the given poses of their frames.
struct Found {
  std::vector<ContactRegion> regions;
  std::vector<Contact> contacts;
  std::vector<const ContactPoint*> points;  // by contact
  RigidMotion a, b;

  Found(const model::Body& body_a, const Pose& pose_a, const model::Body& body_b,
        const Pose& pose_b) {
    regions = test::regions(body_a, pose_a, body_b, pose_b);
    const narrow::BodyShape shape_a(body_a), shape_b(body_b);
    for (const ContactRegion& region : regions) {
      const auto made = contacts_of(region, body_a, shape_a, pose_a, body_b, shape_b, pose_b);
      EXPECT_EQ(made.size(), region.points.size());
      contacts.insert(contacts.end(), made.begin(), made.end());
      for (const ContactPoint& point : region.points) points.push_back(&point);
    }
    a.pose = motion_pose(body_a, pose_a);
    b.pose = motion_pose(body_b, pose_b);
  }
  static Pose motion_pose(const model::Body& body, const Pose& pose) {
    const Pose frame = toi::motion_frame(body);
    return {pose.position + pose.orientation * frame.position,
            pose.orientation * frame.orientation};
  }
  ContactNow now(std::size_t i) const { return evaluate(contacts[i], a, b); }

  /// Each contact is where its point is, with its gap and normal, and within its guards.
  void expect_consistent(double tolerance) const {
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      SCOPED_TRACE(i);
      const ContactNow n = now(i);
      EXPECT_EQ(contacts[i].label, points[i]->label);
      EXPECT_NEAR(n.row.value, points[i]->gap, tolerance);
      EXPECT_NEAR((place_of(contacts[i], n) - points[i]->position).norm(), 0, 10 * tolerance);
      EXPECT_GT(support_margin(contacts[i], n, a, b), -1e-9);
      for (const Guard& guard : contacts[i].guards) EXPECT_NEAR(guard.inward.norm(), 1, 1e-12);
    }
  }
};

TEST(MakeContacts, ABoxOnTheGroundStandsOnItsCorners) {
  const Found found(test::box(2, 1, 1), at(3, 4, 0.5 + 2e-10), test::ground(), {});
  ASSERT_EQ(found.contacts.size(), 4u);
  found.expect_consistent(1e-14);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(found.contacts[i].kind, GapKind::point_plane);
    EXPECT_EQ(found.contacts[i].point_side, 0);
    EXPECT_TRUE(found.contacts[i].guards.empty());  // the ground has no border
    EXPECT_EQ(found.now(i).normal, Vec3::UnitZ());
  }
}

TEST(MakeContacts, TheGroundMayBeTheFirstBody) {
  const Found found(test::ground(), {}, test::box(2, 1, 1), at(3, 4, 0.5 + 2e-10));
  ASSERT_EQ(found.contacts.size(), 4u);
  found.expect_consistent(1e-14);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(found.contacts[i].point_side, 1);
    EXPECT_EQ(found.now(i).normal, -Vec3::UnitZ());
  }
}

// Two corners of each face, and four crossings of edges, where a brick lies across another.
TEST(MakeContacts, CrossedBricksTouchWhereTheirEdgesCross) {
  const Found found(test::box(4, 1, 1), at(0, 0, 1 + 2e-10), test::box(1, 4, 1), at(0, 0, 0));
  ASSERT_EQ(found.contacts.size(), 4u);
  found.expect_consistent(1e-14);
  for (const Contact& contact : found.contacts) EXPECT_FALSE(contact.guards.empty());
}

TEST(MakeContacts, CrossingEdgesMeasureTheirOwnDistance) {
  const Quat on_edge = turn(Vec3::UnitX(), M_PI / 4), across = turn(Vec3::UnitY(), M_PI / 4);
  const double half = std::sqrt(0.5);
  const Found found(test::box(3, 1, 1), at(0.1, 0.2, 2 * half + 2e-10, on_edge), test::box(1, 3, 1),
                    at(0, 0, 0, across));
  ASSERT_EQ(found.contacts.size(), 1u);
  found.expect_consistent(1e-14);
  const Contact& contact = found.contacts[0];
  EXPECT_EQ(contact.kind, GapKind::edge_edge);
  EXPECT_NEAR((found.now(0).normal - Vec3::UnitZ()).norm(), 0, 1e-14);
  // The upper edge reaches from x = -1.4 to 1.6, the lower one from y = -1.5 to 1.5.
  EXPECT_NEAR(support_margin(contact, found.now(0), found.a, found.b), 1.3, 1e-12);
}

TEST(MakeContacts, ASphereOnAFaceAnEdgeAndACorner) {
  const model::Body ball = test::sphere(0.5), box = test::box(2, 2, 2);
  const Found face(ball, at(0.3, 0.2, 1.5 + 1e-10), box, {});
  ASSERT_EQ(face.contacts.size(), 1u);
  face.expect_consistent(1e-14);
  EXPECT_EQ(face.contacts[0].kind, GapKind::point_plane);
  EXPECT_NEAR(support_margin(face.contacts[0], face.now(0), face.a, face.b), 0.7, 1e-12);

  const double away = 1 + 0.5 * std::sqrt(0.5) + 1e-10;
  const Found edge(ball, at(0.3, away, away), box, {});
  ASSERT_EQ(edge.contacts.size(), 1u);
  edge.expect_consistent(1e-14);
  EXPECT_EQ(edge.contacts[0].kind, GapKind::point_line);
  EXPECT_EQ(edge.contacts[0].point_side, 0);
  EXPECT_NEAR((edge.now(0).normal - Vec3(0, 1, 1).normalized()).norm(), 0, 1e-14);
  // As far to the faces at the edge as the sphere's centre is beyond it.
  EXPECT_NEAR(support_margin(edge.contacts[0], edge.now(0), edge.a, edge.b), away - 1, 1e-12);

  const double diagonal = 1 + 0.5 / std::sqrt(3.0) + 1e-10;
  const Found corner(box, {}, ball, at(diagonal, diagonal, diagonal));
  ASSERT_EQ(corner.contacts.size(), 1u);
  corner.expect_consistent(1e-14);
  EXPECT_EQ(corner.contacts[0].kind, GapKind::point_point);
  EXPECT_NEAR(support_margin(corner.contacts[0], corner.now(0), corner.a, corner.b), diagonal - 1,
              1e-12);
}

TEST(MakeContacts, ACapsuleLiesOnTwoPointsAndCrossesAnotherAtOne) {
  const Quat lying = turn(Vec3::UnitY(), M_PI / 2), across = turn(Vec3::UnitX(), M_PI / 2);
  const Found on_ground(test::capsule(0.2, 1), at(0, 0, 0.2 + 1e-10, lying), test::ground(), {});
  ASSERT_EQ(on_ground.contacts.size(), 2u);
  on_ground.expect_consistent(1e-14);
  for (const Contact& contact : on_ground.contacts) {
    EXPECT_EQ(contact.kind, GapKind::point_plane);
    EXPECT_EQ(contact.rounding_of[0], 0.2);
  }
  const Found crossed(test::capsule(0.2, 1), at(0.1, 0, 0.5 + 1e-10, lying), test::capsule(0.3, 2),
                      at(0, 0, 0, across));
  ASSERT_EQ(crossed.contacts.size(), 1u);
  crossed.expect_consistent(1e-14);
  EXPECT_EQ(crossed.contacts[0].kind, GapKind::edge_edge);
  EXPECT_NEAR(support_margin(crossed.contacts[0], crossed.now(0), crossed.a, crossed.b), 0.4,
              1e-12);

  const Found end(test::capsule(0.2, 1), at(0, 0, 1 + 1e-10), test::sphere(0.3), {});
  ASSERT_EQ(end.contacts.size(), 1u);
  end.expect_consistent(1e-14);
  EXPECT_EQ(end.contacts[0].kind, GapKind::point_point);
}

// What touches where does not depend on how the bodies' frames stand to their mass.
TEST(MakeContacts, MotionFramesMayDifferFromBodyFrames) {
  model::Body box = test::box(2, 1, 1);
  box.parts[0].pose = at(0.4, -0.3, 0.2, turn(Vec3::UnitZ(), 0.3));
  box.mass = body::mass_from({});
  box.mass.mass = 1;
  box.mass.principal = Vec3(1, 2, 3);
  box.mass.central = at(0.6, 0.1, -0.7, turn(Vec3(1, 2, 3), 1.1));
  const Found found(box, at(1, 2, 0.3 + 2e-10), test::ground(), {});
  ASSERT_EQ(found.contacts.size(), 4u);
  found.expect_consistent(1e-14);
}

// Random hulls pushed together along a random direction until they touch.
TEST(MakeContacts, RandomHullsTouchWhereTheirContactsSay) {
  std::mt19937_64 random(test::seed(11));
  std::normal_distribution<double> normal;
  int by_kind[4] = {};
  for (int round = 0; round < test::cases(300); ++round) {
    SCOPED_TRACE(round);
    const auto points = [&] {
      std::vector<Vec3> all;
      for (int i = 0; i < 8; ++i) all.emplace_back(normal(random), normal(random), normal(random));
      return all;
    };
    const model::Body a = test::hull(points()), b = test::hull(points());
    const Quat qa = test::random_turn(random), qb = test::random_turn(random);
    Pose pose_a{Vec3(normal(random), normal(random), normal(random)).normalized() * 10, qa};
    const Pose pose_b{Vec3::Zero(), qb};
    narrow::PairQuery query(a, b);
    // Approaching along the normal closes the gap by no more than itself: it never overlaps.
    for (int i = 0; i < 200; ++i) {
      const narrow::Separation now = query.separation(pose_a, pose_b);
      if (now.gap < 5e-10) break;
      pose_a.position -= (now.gap - 2e-10) * now.normal;
    }
    const double gap = query.separation(pose_a, pose_b).gap;
    ASSERT_LT(gap, 1e-9);
    const Found found(a, pose_a, b, pose_b);
    ASSERT_FALSE(found.contacts.empty());
    found.expect_consistent(1e-12);
    double smallest = 1;
    for (std::size_t i = 0; i < found.contacts.size(); ++i) {
      smallest = std::min(smallest, found.now(i).row.value);
      ++by_kind[static_cast<int>(found.contacts[i].kind)];
    }
    EXPECT_NEAR(smallest, gap, 1e-13);
  }
  EXPECT_GT(by_kind[static_cast<int>(GapKind::point_plane)], 0);
  EXPECT_GT(by_kind[static_cast<int>(GapKind::edge_edge)], 0);
}

// Edges that lie along each other, and corners on corners, say nothing about where the faces beside
// them are: once they have left each other aside, these have to be asked.
TEST(MakeContacts, EdgesOnEdgesAndCornersOnCornersAreLeftAside) {
  for (const double lean : {0.02, -0.02}) {
    // One box stands on the other with an edge over its edge; leaning, it stands on that alone.
    const Quat turned = turn(Vec3::UnitY(), lean);
    const Vec3 edge(lean > 0 ? 0.5 : -0.5, 0, 0.5);
    const Vec3 centre = edge + Vec3(0, 0, 2e-10) - turned * Vec3(edge.x(), 0, -0.5);
    Found found(test::box(1, 1, 1), {centre, turned}, test::box(1, 1, 1), at(0, 0, 0));
    ASSERT_EQ(found.contacts.size(), 2u);
    found.expect_consistent(1e-14);
    for (const Vec3& aside : {Vec3(1e-6, 0, 0), Vec3(-1e-6, 0, 0)}) {
      Found moved = found;
      moved.a.pose.position += aside;
      for (std::size_t i = 0; i < 2; ++i)
        EXPECT_LT(support_margin(moved.contacts[i], moved.now(i), moved.a, moved.b), -9e-7);
    }
    // Along the edges nothing changes.
    found.a.pose.position.y() += 1e-3;
    for (std::size_t i = 0; i < 2; ++i)
      EXPECT_GT(support_margin(found.contacts[i], found.now(i), found.a, found.b), -1e-9);
  }
}

}  // namespace
}  // namespace abut::contact
