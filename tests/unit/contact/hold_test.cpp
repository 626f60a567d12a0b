// The planes that contacts hold: every one lies between the parts, and together with the contacts
// it accounts for every corner.

#include "contact/hold.h"

#include <gtest/gtest.h>

#include "math/rotation.h"
#include "support/seeds.h"
#include "support/sizes.h"
#include "toi/core.h"
#include "unit/contact/contact_testing.h"

namespace abut::contact {
namespace {

using motion::BodyPath;
using test::at;
using test::turn;
using toi::HeldPlane;
using toi::PlaneMotion;

constexpr double gap = 0.2 * test::touching;

/// Two bodies that touch, and what their contacts hold.
struct Held {
  Pose a, b;  // of the motion frames
  std::vector<Contact> contacts;
  std::vector<toi::PartHold> holds;

  Held(const model::Body& body_a, const Pose& pose_a, const model::Body& body_b,
       const Pose& pose_b) {
    a = motion_pose(body_a, pose_a);
    b = motion_pose(body_b, pose_b);
    const narrow::BodyShape shape_a(body_a), shape_b(body_b);
    for (const ContactRegion& region : test::regions(body_a, pose_a, body_b, pose_b)) {
      const auto made = contacts_of(region, body_a, shape_a, pose_a, body_b, shape_b, pose_b);
      contacts.insert(contacts.end(), made.begin(), made.end());
    }
    const body::RigidMotion still_a{a, Vec3::Zero(), Vec3::Zero()};
    const body::RigidMotion still_b{b, Vec3::Zero(), Vec3::Zero()};
    holds = holds_of(contacts, body_a, shape_a, still_a, body_b, shape_b, still_b);
  }
  static Pose motion_pose(const model::Body& body, const Pose& pose) {
    const Pose frame = toi::motion_frame(body);
    return {pose.position + pose.orientation * frame.position,
            pose.orientation * frame.orientation};
  }
  const std::vector<HeldPlane>& planes() const { return holds.front().planes; }
  /// Of the lowest watched point above the plane, at the poses given.
  double height(const HeldPlane& plane) const {
    return toi::lowest_height(plane, BodyPath::resting(0, 1, a), BodyPath::resting(0, 1, b), 0);
  }
  Vec3 in_world(const Vec3& point_of_a) const { return a.position + a.orientation * point_of_a; }
};

TEST(Hold, AFaceOnAPlaneLeavesTheCornersAboveIt) {
  const Held held(test::box(2, 2, 1), at(0, 0, 0.5 + gap), test::ground(), at(0, 0, 0));
  ASSERT_EQ(held.contacts.size(), 4u);
  ASSERT_EQ(held.holds.size(), 1u);
  ASSERT_FALSE(held.planes().empty());
  for (const HeldPlane& plane : held.planes()) {
    EXPECT_EQ(plane.motion, PlaneMotion::carried);
    EXPECT_EQ(plane.carrier, 1);
    EXPECT_EQ(plane.watched[0].size(), 4u);
    EXPECT_TRUE(plane.watched[1].empty());
    EXPECT_NEAR(held.height(plane), 1, 1e-8);
  }
}

TEST(Hold, AnEdgeOnAPlaneLeavesAllOtherCorners) {
  const double tilt = 0.4;
  const double height = std::sin(tilt) + 0.5 * std::cos(tilt);  // of the centre: half edges 1, 0.5
  const Held held(test::box(2, 2, 1), at(0, 0, height + gap, turn(Vec3::UnitY(), tilt)),
                  test::ground(), at(0, 0, 0));
  ASSERT_EQ(held.contacts.size(), 2u);
  ASSERT_EQ(held.holds.size(), 1u);
  ASSERT_FALSE(held.planes().empty());
  for (const HeldPlane& plane : held.planes()) {
    EXPECT_EQ(plane.watched[0].size(), 6u);
    EXPECT_NEAR(held.height(plane), std::min(2 * std::sin(tilt), std::cos(tilt)), 1e-8);
  }
}

TEST(Hold, ABallOnAPlaneHasNothingToWatch) {
  const Held held(test::sphere(0.5), at(0, 0, 0.5 + gap), test::ground(), at(0, 0, 0));
  ASSERT_EQ(held.holds.size(), 1u);
  ASSERT_FALSE(held.planes().empty());
  for (const HeldPlane& plane : held.planes()) {
    EXPECT_TRUE(plane.watched[0].empty());
    EXPECT_TRUE(plane.watched[1].empty());
  }
}

TEST(Hold, ACapsuleOnItsEndKeepsTheOtherEndInSight) {
  const double tilt = 0.3, length = 1, radius = 0.2;
  const double height = radius + 0.5 * length * std::cos(tilt);
  const Held held(test::capsule(radius, length), at(0, 0, height + gap, turn(Vec3::UnitX(), tilt)),
                  test::ground(), at(0, 0, 0));
  ASSERT_EQ(held.contacts.size(), 1u);
  ASSERT_EQ(held.holds.size(), 1u);
  ASSERT_FALSE(held.planes().empty());
  for (const HeldPlane& plane : held.planes()) {
    ASSERT_EQ(plane.watched[0].size(), 1u);
    EXPECT_NEAR(held.in_world(plane.watched[0][0]).z(), radius + length * std::cos(tilt), 1e-8);
    EXPECT_NEAR(held.height(plane), length * std::cos(tilt), 1e-8);
  }
}

// Two boxes on edge across each other: the plane is spanned by the edges, and of eight corners each
// has six beyond it.
TEST(Hold, CrossingEdgesSpanThePlane) {
  const double half = std::sqrt(0.5);  // of the diagonal of a square of edge 1
  const Quat on_edge_x = turn(Vec3::UnitX(), M_PI / 4), on_edge_y = turn(Vec3::UnitY(), M_PI / 4);
  const Held held(test::box(4, 1, 1), at(0, 0, 2 * half + gap, on_edge_x), test::box(1, 4, 1),
                  at(0, 0, 0, on_edge_y));
  ASSERT_EQ(held.contacts.size(), 1u);
  ASSERT_EQ(held.holds.size(), 1u);
  ASSERT_EQ(held.planes().size(), 1u);
  const HeldPlane& plane = held.planes().front();
  EXPECT_EQ(plane.motion, PlaneMotion::edges);
  EXPECT_EQ(plane.watched[0].size(), 6u);
  EXPECT_EQ(plane.watched[1].size(), 6u);
  EXPECT_NEAR(held.height(plane), half, 1e-8);
}

TEST(Hold, EachPairOfPartsHasItsOwn) {
  model::Body table = test::box(1, 1, 1);
  table.parts = {{shape::Box{Vec3(0.2, 0.2, 1)}, {Vec3(-1, 0, 0), Quat::Identity()}, 1000, 0},
                 {shape::Sphere{0.5}, {Vec3(1, 0, 0), Quat::Identity()}, 1000, 0}};
  const Held held(table, at(0, 0, 0.5 + gap), test::ground(), at(0, 0, 0));
  ASSERT_EQ(held.contacts.size(), 5u);
  ASSERT_EQ(held.holds.size(), 2u);
  for (int part = 0; part < 2; ++part) {
    EXPECT_EQ(held.holds[part].part_a, part);
    EXPECT_EQ(held.holds[part].part_b, 0);
    EXPECT_FALSE(held.holds[part].planes.empty());
  }
  EXPECT_EQ(held.holds[0].planes[0].watched[0].size(), 4u);
  EXPECT_TRUE(held.holds[1].planes[0].watched[0].empty());
}

// A box on a face, an edge or a corner of its own, turned at random, on the ground or on the top of
// another box: some plane leaves room below everything that is watched, and what is not watched is
// at the height of the contacts.
TEST(Hold, SomePlaneSeparatesWhateverTouches) {
  std::mt19937_64 random(test::seed(4));
  std::uniform_real_distribution<double> angle(0.1, 0.6), spin(0, 6);
  for (int i = 0; i < test::cases(100); ++i) {
    SCOPED_TRACE(i);
    const Vec3 half(0.5, 0.3, 0.2);
    const Quat tilts[3] = {Quat::Identity(), turn(Vec3::UnitX(), angle(random)),
                           turn(Vec3::UnitX(), angle(random)) * turn(Vec3::UnitY(), angle(random))};
    const Quat q = turn(Vec3::UnitZ(), spin(random)) * tilts[i % 3];
    double lowest = 0;
    for (int corner = 0; corner < 8; ++corner)
      lowest =
          std::min(lowest, (q * half.cwiseProduct(Vec3(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1,
                                                       corner & 4 ? 1 : -1)))
                               .z());
    const bool on_ground = i % 2 == 0;
    const model::Body below = on_ground ? test::ground() : test::box(4, 4, 1);
    const Held held(test::box(1, 0.6, 0.4), at(0, 0, gap - lowest, q), below,
                    at(0, 0, on_ground ? 0 : -0.5));
    const std::size_t touching = i % 3 == 0 ? 4 : i % 3 == 1 ? 2 : 1;
    ASSERT_EQ(held.contacts.size(), touching);
    ASSERT_EQ(held.holds.size(), 1u);
    double best = 0;
    for (const HeldPlane& plane : held.planes()) {
      best = std::max(best, held.height(plane));
      if (plane.motion != PlaneMotion::carried || plane.carrier != 1) continue;
      EXPECT_EQ(plane.watched[0].size(), 8 - touching);
      for (const Vec3& p : plane.watched[0]) EXPECT_GT(held.in_world(p).z(), 0.01);
    }
    EXPECT_GT(best, 0.01);
  }
}

// An edge of a box lies across the side of a cylinder or cone; then the box turns somehow. The
// plane that was held turns with both: it still has the edge's direction in it and still touches
// the side along a line, and heights are those above it. One that stayed behind would let the edge
// dip below it, and with it what lies between the edge and a corner that is still above.
TEST(Hold, AnEdgeAcrossASideSpansAPlaneThatTurns) {
  std::mt19937_64 random(test::seed(5));
  std::uniform_real_distribution<double> part(-1, 1);
  for (int i = 0; i < test::cases(50); ++i) {
    SCOPED_TRACE(i);
    const bool is_cone = i % 2 == 1;
    const double radius = 0.3, height = 1.2;
    const double slope = is_cone ? std::atan2(radius, height) : 0;  // of the lines to the axis
    // The topmost line of the side lies along x, half way up the solid at the origin.
    const Quat lying = turn(Vec3::UnitY(), M_PI / 2 - slope);
    const double top = is_cone ? 0.5 * radius * std::cos(slope) : radius;
    const model::Body side = is_cone ? test::single(shape::Cone{radius, height})
                                     : test::single(shape::Cylinder{radius, height});
    const model::Body box = test::box(0.8, 0.2, 0.2);
    // The lower edge at -y, -z of the box, along its x axis.
    const Quat q = turn(Vec3::UnitZ(), 0.9 + 0.4 * part(random)) *
                   turn(Vec3::UnitX(), 0.8 + 0.3 * part(random));
    const Vec3 edge(0.2 * part(random), -0.1, -0.1);
    const Vec3 place = Vec3(0, 0, top + gap) - q * edge;
    const Held held(box, {place, q}, side, at(0, 0, 0, lying));
    ASSERT_EQ(held.contacts.size(), 1u);
    ASSERT_EQ(held.planes().size(), 1u);
    const HeldPlane& plane = held.planes().front();
    EXPECT_EQ(plane.watched[0].size(), 6u);
    EXPECT_TRUE(plane.watched[1].empty());

    const Quat turned = math::rotation_exp(0.1 * Vec3(part(random), part(random), part(random))) *
                        held.a.orientation;
    const Vec3 moved = held.a.position + 0.01 * Vec3(part(random), part(random), part(random));
    // The normal, up, across the edge and at the angle of the side's normals to the axis.
    const Vec3 e = turned * Vec3::UnitX(), axis = lying * Vec3::UnitZ();
    const double level = std::sin(slope);
    const double cosine = axis.dot(e), square = 1 - cosine * cosine;
    Vec3 across = axis.cross(e).normalized();
    if (across.z() < 0) across = -across;
    const Vec3 n =
        level / square * (axis - cosine * e) + std::sqrt(1 - level * level / square) * across;
    const Vec3 rim = lying * Vec3(0, 0, -0.5 * height);
    double lowest = std::numeric_limits<double>::infinity();
    for (const Vec3& x : plane.watched[0])
      lowest = std::min(lowest, n.dot(moved + turned * x - rim) - radius * std::cos(slope));
    EXPECT_NEAR(toi::lowest_height(plane, BodyPath::resting(0, 1, {moved, turned}),
                                   BodyPath::resting(0, 1, held.b), 0),
                lowest, 1e-14);
  }
}

// What a ring touches already is told by the gap it is kept at: also the apex of a cone. Watched as
// if it were about to touch, it would let proofs reach no farther than microseconds.
TEST(Hold, ARingIsHeldByTheApexOfACone) {
  const model::Body ring = test::single(shape::Torus{0.5, 0.1});
  const model::Body cone = test::single(shape::Cone{0.3, 0.8});
  const double apex = 0.4;  // half of its height
  const Held held(ring, at(0, 0, 0.1 + apex + gap), cone, at(0.5, 0, 0));
  ASSERT_EQ(held.contacts.size(), 1u);
  EXPECT_EQ(held.contacts.front().label.b.kind, FeatureKind::vertex);
  ASSERT_EQ(held.holds.size(), 1u);
  EXPECT_EQ(held.holds.front().places.gaps.size(), 1u);
  EXPECT_TRUE(held.holds.front().places.points.empty());
}

// A can that lies across a face touches it at two places of its border. The face lies in the plane,
// so that no corner of it may be watched: it would be about to touch for ever.
TEST(Hold, ALineAcrossAFaceLeavesNothingOfTheFace) {
  const model::Body can = test::single(shape::Cylinder{0.2, 1});
  const Quat lying = turn(Vec3::UnitX(), M_PI / 2);
  const double top = 0.5 + 0.2 + gap;
  for (const double aslant : {0.0, 0.3, std::atan2(0.5, 0.6)}) {  // the last one over two corners
    SCOPED_TRACE(aslant);
    const Quat q = turn(Vec3::UnitZ(), aslant) * lying;
    const Held held(test::box(0.6, 0.5, 1), at(0, 0, 0), can, {Vec3(0, 0, top), q});
    ASSERT_EQ(held.contacts.size(), 2u);
    ASSERT_EQ(held.planes().size(), 1u);
    EXPECT_EQ(held.planes().front().motion, PlaneMotion::carried);
    EXPECT_GT(held.height(held.planes().front()), 0.1);
  }
  // Along an edge it does not hold the face.
  const double slope = 0.3;
  const Quat leaning = turn(Vec3::UnitY(), slope);
  const Vec3 edge = leaning * Vec3(-0.3, 0, 0.5);
  const Held beside(test::box(0.6, 0.5, 1), {Vec3::Zero(), leaning}, can,
                    {edge + Vec3(0, 0, 0.2 + gap), lying});
  ASSERT_EQ(beside.contacts.size(), 2u);
  EXPECT_LT(beside.height(beside.planes().front()), 0.6 * std::sin(slope) + 2 * gap);
}

// A capsule or the edge of a box lies across a flat end and rises from one end of the chord: what
// is left to touch again is that end. Before, all of the rim was watched, with the place that
// touches: nothing but its gap was left, and proofs reached no farther than picoseconds.
TEST(Hold, ALineThatRisesFromOneEndOfAChordLeavesThatEnd) {
  const double radius = 0.4, tilt = 1e-6;
  const model::Body capsule = test::capsule(0.1, 2), box = test::box(2, 0.3, 0.3);
  const Quat along_x = turn(Vec3::UnitY(), M_PI / 2), on_edge = turn(Vec3::UnitX(), M_PI / 4);
  for (const bool is_capsule : {true, false})
    for (const bool is_cone : {true, false})
      for (const double aside : {0.05, 0.3}) {
        SCOPED_TRACE(testing::Message() << is_capsule << is_cone << aside);
        const model::Body end = is_cone ? test::single(shape::Cone{radius, 1})
                                        : test::single(shape::Cylinder{radius, 1});
        // The flat end is up: that of a cone is its lower one.
        const Pose standing = at(0, 0, -0.5, turn(Vec3::UnitX(), is_cone ? M_PI : 0));
        const double height = is_capsule ? 0.1 : 0.15 * std::sqrt(2);
        Held held(is_capsule ? capsule : box,
                  at(0, aside, height + gap, is_capsule ? along_x : on_edge), end, standing);
        ASSERT_EQ(held.contacts.size(), 2u);
        for (const Contact& left : held.contacts) {
          const narrow::BodyShape shape_a(is_capsule ? capsule : box), shape_b(end);
          const body::RigidMotion a{held.a, Vec3::Zero(), Vec3::Zero()},
              b{held.b, Vec3::Zero(), Vec3::Zero()};
          const auto holds =
              holds_of({&left, 1}, is_capsule ? capsule : box, shape_a, a, end, shape_b, b);
          ASSERT_EQ(holds.front().planes.size(), 1u);
          // It turns about the end that is left.
          const Vec3 pivot = evaluate(left, a, b).points[1];
          const Quat up = turn(Vec3(0, pivot.x() > 0 ? 1 : -1, 0), tilt);
          const Pose risen{pivot + up * (held.a.position - pivot), up * held.a.orientation};
          const double chord = 2 * std::sqrt(radius * radius - aside * aside);
          EXPECT_NEAR(
              toi::lowest_height(holds.front().planes.front(), BodyPath::resting(0, 1, risen),
                                 BodyPath::resting(0, 1, held.b), 0),
              tilt * chord, 1e-3 * tilt * chord);
        }
      }
}

// What the planes say after the bodies have moved, with the contacts kept: none may vouch for parts
// that overlap by then.
void expect_no_plane_vouches(const Held& held, const Pose& a, const Pose& b) {
  const double turned = (held.a.orientation.conjugate() * held.b.orientation)
                            .angularDistance(a.orientation.conjugate() * b.orientation);
  ASSERT_FALSE(held.planes().empty());
  for (const HeldPlane& plane : held.planes()) {
    if (turned > plane.valid_turn) continue;
    EXPECT_LT(toi::lowest_height(plane, BodyPath::resting(0, 1, a), BodyPath::resting(0, 1, b), 0),
              0);
  }
}

TEST(Hold, CapsulesThatTurnToBeParallelAreLookedAtAgain) {
  const double radius = 0.05, length = 0.3;
  const Quat along_x = turn(Vec3::UnitY(), M_PI / 2);
  const Pose below = at(0, 0, 0, along_x);
  // One end stays 0.1 m from the middle of the other capsule, while the far end comes down.
  const auto above = [&](double angle) {
    const Quat q = turn(Vec3::UnitY(), -angle) * along_x;
    const Vec3 end(-0.1, 0, 2 * radius + gap);
    return Pose{end + q * Vec3(0, 0, length / 2), q};
  };
  const model::Body capsule = test::capsule(radius, length);
  for (const double angle : {0.01, 0.04, 0.06, 0.3, 1.0}) {
    const Held held(capsule, above(angle), capsule, below);
    ASSERT_EQ(held.contacts.size(), 1u) << angle;
    expect_no_plane_vouches(held, above(-1e-7), below);
  }
}

// Two cubes face to face that were about to close. Two contacts along an edge were kept at gaps of
// 2e-10 m and 4e-10 m, so that a corner beyond them was below the other one's face, beside it.
TEST(Hold, AFaceDoesNotVouchBesideACornerBelowIt) {
  const model::Body cube = test::box(1, 1, 1);
  const Held held(
      cube,
      {Vec3(-0.73796292855262224, 0.36365491784628373, 3.3583754335601324),
       Quat(-0.27611997420701828, 0.13036658689501074, -0.51553821695533908, 0.80061392676106435)},
      cube,
      {Vec3(-1.0843430753659165, 0.58079458616870838, 4.2773939425687724),
       Quat(-0.33674668886067349, -0.40222097127257694, 0.73795635507514734, 0.42454725981228614)});
  ASSERT_EQ(held.contacts.size(), 2u);
  expect_no_plane_vouches(
      held,
      {Vec3(-0.73829999875145891, 0.36388543826153064, 3.358205145117946),
       Quat(-0.27618193672947705, 0.13030839527671922, -0.51543229348558273, 0.80067022598380277)},
      {Vec3(-1.0848990277039006, 0.58117756406907362, 4.2771048281689126),
       Quat(-0.33670522878476533, -0.40225252114939969, 0.73802620380513562, 0.42442881692332235)});
}

}  // namespace
}  // namespace abut::contact
