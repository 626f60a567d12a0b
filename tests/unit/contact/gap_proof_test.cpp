// The proof must hold where the gap is above the bound, and must not where it is below anywhere in
// the step: compared with gaps that are looked at closely.

#include "contact/gap_proof.h"

#include <algorithm>
#include <random>

#include "base/limits.h"
#include "contact/smooth_gap.h"
#include "support/surfaces.h"
#include "unit/contact/smooth_sides.h"

namespace abut::contact {
namespace {

constexpr int looks = 2000;

struct Step {
  motion::PolynomialMotion::CentreCoefficients centre;
  motion::PolynomialMotion::QuaternionCoefficients quaternion;
  motion::PolynomialMotion motion;
  FrameOverStep frame;

  // About these poses, and moving from one to the other with some swerve.
  Step(std::mt19937& random, const Pose& from, const Pose& to) {
    std::uniform_real_distribution<double> number(-1, 1);
    for (int i = 0; i < 8; ++i) {
      const double s = i / 7.0;
      centre.col(i) = (1 - s) * from.position + s * to.position +
                      0.003 * Vec3(number(random), number(random), number(random));
      quaternion.col(i) = (1 - s) * from.orientation.coeffs() + s * to.orientation.coeffs();
      for (double& q : quaternion.col(i)) q += 0.003 * number(random);
    }
    motion = motion::PolynomialMotion(0, 1, centre, quaternion);
    frame = FrameOverStep::moving(centre, quaternion);
  }

  // Straight from one pose to the other, or at rest.
  Step(const Pose& from, const Pose& to) {
    for (int i = 0; i < 8; ++i) {
      const double s = i / 7.0;
      centre.col(i) = (1 - s) * from.position + s * to.position;
      quaternion.col(i) = (1 - s) * from.orientation.coeffs() + s * to.orientation.coeffs();
    }
    motion = motion::PolynomialMotion(0, 1, centre, quaternion);
    frame = FrameOverStep::moving(centre, quaternion);
  }
  explicit Step(const Pose& pose) : Step(pose, pose) {}

  FrameOverStep part(double begin, double end) const {
    return FrameOverStep::moving(math::bernstein_restricted<3, 8>(centre, begin, end),
                                 math::bernstein_restricted<4, 8>(quaternion, begin, end));
  }
};

ContactNow at(const Contact& contact, const Step& a, const Step& b, double t) {
  return evaluate(contact, {a.motion.pose(t), {}, {}}, {b.motion.pose(t), {}, {}});
}

std::pair<double, double> range_of(const Contact& contact, const Step& a, const Step& b) {
  double least = infinity, most = -infinity;
  for (int i = 0; i <= looks; ++i) {
    const double gap = at(contact, a, b, double(i) / looks).row.value;
    least = std::min(least, gap);
    most = std::max(most, gap);
  }
  return {least, most};
}

// `sharpness`: how far from the truth a bound must be to be shown, m.
void expect_sharp(const Contact& contact, const Step& a, const Step& b, double sharpness,
                  bool has_upper) {
  const auto [least, most] = range_of(contact, a, b);
  ASSERT_GT(least, 0);
  std::vector<Vec3> normals;
  for (int i = 0; i < proof_instants; ++i)
    normals.push_back(at(contact, a, b, double(i) / (proof_instants - 1)).normal);
  const auto proof = [&](double lowest, double highest) {
    return prove_gap(contact, a.frame, b.frame, lowest, highest, normals);
  };
  EXPECT_EQ(proof(least - sharpness, infinity), GapProof::holds);
  EXPECT_EQ(proof(least + 1e-9, infinity), GapProof::fails);
  if (!has_upper) return;
  EXPECT_EQ(proof(least - sharpness, most + sharpness), GapProof::holds);
  EXPECT_EQ(proof(least - sharpness, most - 1e-9), GapProof::fails);
}

// The same where proofs are for parts of a step: places that have no closed form are followed as
// far as series go. Bounds are above zero.
void expect_sharp_in_parts(const Contact& contact, const Step& a, const Step& b, double sharpness) {
  constexpr int parts = 16;
  const double least = range_of(contact, a, b).first;
  ASSERT_GT(least, 0);
  const auto all_hold = [&](double lowest) {
    for (int k = 0; k < parts; ++k) {
      const double begin = double(k) / parts, end = double(k + 1) / parts;
      std::vector<Vec3> normals;
      for (int i = 0; i < proof_instants; ++i)
        normals.push_back(
            at(contact, a, b, begin + (end - begin) * i / (proof_instants - 1)).normal);
      if (prove_gap(contact, a.part(begin, end), b.part(begin, end), lowest, infinity, normals) !=
          GapProof::holds)
        return false;
    }
    return true;
  };
  EXPECT_TRUE(all_hold(least - std::min(sharpness, 0.5 * least)));
  EXPECT_FALSE(all_hold(least + 1e-9));
}

// Of a part of the step, or of its halves, and so on: as steps are proven where something is not
// smooth.
bool holds_by_halves(const Contact& contact, const Step& a, const Step& b, double lowest,
                     double begin, double end, int halvings) {
  std::vector<Vec3> normals;
  for (int i = 0; i < proof_instants; ++i)
    normals.push_back(at(contact, a, b, begin + (end - begin) * i / (proof_instants - 1)).normal);
  if (prove_gap(contact, a.part(begin, end), b.part(begin, end), lowest, infinity, normals) ==
      GapProof::holds)
    return true;
  const double middle = 0.5 * (begin + end);
  return halvings > 0 && holds_by_halves(contact, a, b, lowest, begin, middle, halvings - 1) &&
         holds_by_halves(contact, a, b, lowest, middle, end, halvings - 1);
}

class GapProofs : public testing::TestWithParam<unsigned> {
 protected:
  std::mt19937 random{GetParam()};
  std::uniform_real_distribution<double> number{-1, 1};

  Vec3 vector() { return Vec3(number(random), number(random), number(random)); }
  Quat rotation(double angle) {
    return Quat(Eigen::AngleAxisd(angle, vector().normalized())).normalized();
  }
  // Above the origin by about 1 m.
  Step above(double height = 1) {
    const Vec3 from = Vec3(0, 0, height) + 0.05 * vector(), to = from + 0.02 * vector();
    const Quat q = rotation(0.3);
    return {random, {from, q}, {to, (rotation(0.05) * q).normalized()}};
  }
  Step below() {
    const Quat q = rotation(0.1);
    return {random, {0.05 * vector(), q}, {0.05 * vector(), (rotation(0.05) * q).normalized()}};
  }
};

TEST_P(GapProofs, PointOnPlane) {
  Contact contact;
  contact.features[0].point = 0.3 * vector();
  contact.features[1] = {0.1 * vector(), Vec3::UnitZ()};
  contact.rounding_of = {0.1, 0};
  expect_sharp(contact, above(), below(), 1e-4, true);
}

TEST_P(GapProofs, PlaneUnderAPoint) {
  Contact contact;
  contact.point_side = 1;
  contact.features[1].point = 0.3 * vector();
  contact.features[0] = {0.1 * vector(), -Vec3::UnitZ()};
  expect_sharp(contact, above(), below(), 1e-4, true);
}

TEST_P(GapProofs, PointOnPoint) {
  Contact contact;
  contact.kind = GapKind::point_point;
  contact.features[0].point = 0.1 * vector();
  contact.features[1].point = 0.1 * vector();
  contact.rounding_of = {0.2, 0.1};
  expect_sharp(contact, above(), below(), 1e-4, true);
}

TEST_P(GapProofs, PointOnLine) {
  Contact contact;
  contact.kind = GapKind::point_line;
  contact.features[0].point = 0.1 * vector();
  contact.features[1] = {0.1 * vector(), Vec3(1, 0.2, 0).normalized()};
  contact.rounding_of = {0.2, 0.1};
  expect_sharp(contact, above(), below(), 1e-4, true);
}

TEST_P(GapProofs, EdgeOnEdge) {
  for (const double rounding : {0.0, 0.1}) {
    Contact contact;
    contact.kind = GapKind::edge_edge;
    contact.features[0] = {0.1 * vector(), Vec3(1, 0, 0.1).normalized()};
    contact.features[1] = {0.1 * vector(), Vec3(0, 1, 0.1).normalized()};
    contact.rounding_of = {rounding, rounding};
    // Without rounding the sine of the angle between them is taken to be its largest.
    expect_sharp(contact, above(), below(), rounding > 0 ? 1e-4 : 0.05, rounding > 0);
  }
}

Contact smooth_contact(const SmoothSide& a, const SmoothSide& b) {
  Contact contact;
  contact.kind = GapKind::smooth;
  auto pair = std::make_shared<SmoothPair>();
  pair->sides = {a, b};
  contact.smooth = pair;
  return contact;
}

SmoothSide ellipsoid(const Vec3& radii) {
  SmoothSide side;
  side.surface.surface =
      std::make_shared<const geometry::ConvexSurface>(geometry::ConvexSurface::ellipsoid(radii));
  return side;
}

// Polynomials that stand for roots lie above them by a hundredth of the gap.
TEST_P(GapProofs, EllipsoidsAndPlanes) {
  SmoothSide plane;
  plane.kind = SmoothSideKind::plane;
  plane.feature = {0.1 * vector(), Vec3::UnitZ()};
  expect_sharp(smooth_contact(ellipsoid({0.2, 0.3, 0.4}), plane), above(), below(), 0.03, false);
}

TEST_P(GapProofs, EllipsoidsAndBalls) {
  SmoothSide ball;
  ball.kind = SmoothSideKind::point;
  ball.feature.point = 0.1 * vector();
  ball.rounding = 0.2;
  expect_sharp(smooth_contact(ellipsoid({0.2, 0.3, 0.4}), ball), above(), below(), 0.03, false);
}

TEST_P(GapProofs, EllipsoidsAndEllipsoids) {
  expect_sharp(smooth_contact(ellipsoid({0.2, 0.3, 0.4}), ellipsoid({0.4, 0.2, 0.3})), above(),
               below(), 0.03, false);
}

// In the middle of an octant their support functions are smooth.
TEST_P(GapProofs, SuperellipsoidsAndPlanes) {
  SmoothSide plane, pillow;
  plane.kind = SmoothSideKind::plane;
  plane.feature = {0.1 * vector(), Vec3::UnitZ()};
  for (const auto& [e1, e2] : {std::pair(0.5, 0.5), std::pair(0.7, 0.4), std::pair(1.4, 0.8)}) {
    pillow.surface.surface = std::make_shared<const geometry::ConvexSurface>(
        geometry::ConvexSurface::superellipsoid({0.2, 0.3, 0.4}, e1, e2));
    pillow.surface.rotation =
        Quat::FromTwoVectors(Vec3(1, 1.2, 0.9), Vec3::UnitZ()).toRotationMatrix();
    expect_sharp(smooth_contact(pillow, plane), above(), below(), 0.03, false);
  }
}

// A surface that only a formula tells.
SmoothSide by_formula(const std::string& formula) {
  SmoothSide side;
  side.surface.surface =
      std::make_shared<const geometry::ConvexSurface>(geometry::ConvexSurface::of_surface(
          test::implicit(formula, Vec3::Constant(-0.6), Vec3::Constant(0.6)).surface));
  return side;
}

// In the middle of an octant its normal is told by the place, and the place by the normal.
SmoothSide pillow() {
  SmoothSide side = by_formula("x^4 + y^4 + 2*z^4 - 0.03");
  side.surface.rotation = Quat::FromTwoVectors(Vec3(1, 1.2, 0.9), Vec3::UnitZ()).toRotationMatrix();
  return side;
}

TEST_P(GapProofs, FormulasAndPlanes) {
  SmoothSide plane;
  plane.kind = SmoothSideKind::plane;
  plane.feature = {0.1 * vector(), Vec3::UnitZ()};
  expect_sharp_in_parts(smooth_contact(pillow(), plane), above(), below(), 1e-7);
}

// Polynomials that stand for the roots of the ellipsoid give more away.
TEST_P(GapProofs, FormulasAndEllipsoids) {
  expect_sharp_in_parts(smooth_contact(pillow(), ellipsoid({0.2, 0.3, 0.4})), above(), below(),
                        0.03);
}

// Each is seen from its own side: they are not symmetric.
TEST_P(GapProofs, FormulasAndFormulas) {
  const SmoothSide round = by_formula("x^2 + y^2/0.8 + z^2*(1 + 0.2*z) - 0.09");
  expect_sharp_in_parts(smooth_contact(round, round), above(), below(), 1e-7);
}

SmoothSide line_along(const Vec3& point, const Vec3& direction, double rounding) {
  SmoothSide side;
  side.kind = SmoothSideKind::line;
  side.feature = {point, direction.normalized()};
  side.rounding = rounding;
  return side;
}

TEST_P(GapProofs, EllipsoidsAndEdges) {
  const SmoothSide edge = line_along(0.1 * vector(), {1, 0.2, 0}, 0);
  expect_sharp(smooth_contact(ellipsoid({0.2, 0.3, 0.4}), edge), above(), below(), 0.03, false);
}

TEST_P(GapProofs, CylindersThatCross) {
  const SmoothSide a = line_along(0.1 * vector(), {1, 0, 0.1}, 0.2);
  const SmoothSide b = line_along(0.1 * vector(), {0, 1, 0.1}, 0.1);
  expect_sharp(smooth_contact(a, b), above(), below(), 1e-3, false);
}

// The lines of a cone whose apex is far from what touches them, and which leans that way.
SmoothSide lines_of_cone(double slope) {
  SmoothSide side;
  side.kind = SmoothSideKind::line;
  side.feature = {Vec3(0.5, 0, -0.1), Vec3(1, 0, -0.5 * slope).normalized()};
  side.level = std::sin(std::atan(slope));
  return side;
}

TEST_P(GapProofs, ConesAndBalls) {
  SmoothSide ball;
  ball.kind = SmoothSideKind::point;
  ball.feature.point = 0.1 * vector();
  ball.rounding = 0.2;
  expect_sharp(smooth_contact(ball, lines_of_cone(0.4)), above(), below(), 0.01, false);
}

TEST_P(GapProofs, ConesAndEllipsoids) {
  expect_sharp(smooth_contact(ellipsoid({0.2, 0.3, 0.4}), lines_of_cone(0.3)), above(), below(),
               0.03, false);
}

TEST_P(GapProofs, ConesAndEdges) {
  const SmoothSide edge = line_along(0.1 * vector(), {0, 1, 0.1}, 0.05);
  expect_sharp(smooth_contact(edge, lines_of_cone(0.3)), above(), below(), 0.01, false);
}

TEST_P(GapProofs, ConesThatCross) {
  SmoothSide other = lines_of_cone(0.3);
  other.feature = {Vec3(0, 0.5, 0.1), Vec3(0.1, 1, 0.2).normalized()};
  expect_sharp(smooth_contact(other, lines_of_cone(0.4)), above(), below(), 0.01, false);
}

// A ring as what surrounds it.
TEST_P(GapProofs, RingsAndPlanes) {
  SmoothSide ring, plane;
  ring.kind = SmoothSideKind::ring;
  ring.circle = 0.4;
  ring.rounding = 0.1;
  plane.kind = SmoothSideKind::plane;
  plane.feature = {0.1 * vector(), Vec3::UnitZ()};
  expect_sharp(smooth_contact(ring, plane), above(), below(), 0.03, false);
}

// A ball on the inner side of a ring that it does not fit through.
TEST_P(GapProofs, BallsInRings) {
  SmoothSide ring, ball;
  ring.kind = SmoothSideKind::ring;
  ring.circle = 0.8;
  ring.rounding = 0.1;
  ball.kind = SmoothSideKind::point;
  ball.feature.point = 0.02 * vector();
  ball.rounding = 0.3;
  expect_sharp(smooth_contact(ring, ball), above(0.6), below(), 0.03, false);
  expect_sharp(smooth_contact(ball, ring), above(0.6), below(), 0.03, false);
}

SmoothSide bowl(const Vec3& radii) {
  SmoothSide side = ellipsoid(radii);
  side.kind = SmoothSideKind::bowl;
  return side;
}

TEST_P(GapProofs, BallsInBowls) {
  SmoothSide ball;
  ball.kind = SmoothSideKind::point;
  ball.feature.point = 0.1 * vector();
  ball.rounding = 0.2;
  expect_sharp(smooth_contact(ball, bowl({1.6, 1.6, 1.6})), above(), below(), 1e-3, false);
  expect_sharp(smooth_contact(bowl({1.6, 1.6, 1.6}), ball), below(), above(), 1e-3, false);
}

// By a larger ball that rolls in the bowl and touches it along the same normal, nearly.
TEST_P(GapProofs, BallsInEllipsoids) {
  SmoothSide ball;
  ball.kind = SmoothSideKind::point;
  ball.feature.point = 0.1 * vector();
  ball.rounding = 0.2;
  const Vec3 at = 0.05 * vector();
  const Step still(Pose{at, rotation(0.3)});
  expect_sharp_in_parts(smooth_contact(ball, bowl({1.5, 1.6, 1.7})), above(), still, 1e-7);
  expect_sharp_in_parts(smooth_contact(bowl({1.5, 1.6, 1.7}), ball), still, above(), 1e-7);
  // One that is flatter than the wall anywhere may touch it elsewhere.
  const Contact flat = smooth_contact(ball, bowl({0.3, 1.6, 1.7}));
  EXPECT_EQ(prove_gap(flat, above().frame, below().frame, 1e-3, infinity,
                      std::vector<Vec3>(proof_instants, Vec3::UnitZ())),
            GapProof::no_way);
}

// By a ball around what is in it, too.
TEST_P(GapProofs, EllipsoidsInBowls) {
  const SmoothSide inside = ellipsoid({0.2, 0.25, 0.3});
  expect_sharp_in_parts(smooth_contact(inside, bowl({1.5, 1.6, 1.7})), above(), below(), 1e-7);
  expect_sharp_in_parts(smooth_contact(bowl({1.6, 1.6, 1.6}), inside), below(), above(), 1e-7);
  // One that is flatter than the wall would have to be looked at more closely.
  const Contact flat = smooth_contact(ellipsoid({1.2, 1.2, 0.5}), bowl({1.5, 1.6, 1.7}));
  EXPECT_EQ(prove_gap(flat, above().frame, below().frame, 1e-3, infinity,
                      std::vector<Vec3>(proof_instants, Vec3::UnitZ())),
            GapProof::no_way);
}

TEST_P(GapProofs, RimsInEllipsoids) {
  SmoothSide rim;
  rim.surface.surface =
      std::make_shared<const geometry::ConvexSurface>(geometry::ConvexSurface::cylinder(0.2, 0.3));
  rim.surface.rotation = Quat::FromTwoVectors(Vec3(1, 0.3, 0.8), Vec3::UnitZ()).toRotationMatrix();
  expect_sharp_in_parts(smooth_contact(rim, bowl({1.5, 1.6, 1.7})), above(), below(), 1e-7);
}

TEST_P(GapProofs, BallsAndCornersInSuperellipsoids) {
  SmoothSide wall = bowl({1.5, 1.6, 1.7}), ball;
  wall.surface.surface = std::make_shared<const geometry::ConvexSurface>(
      geometry::ConvexSurface::superellipsoid({1.5, 1.6, 1.7}, 0.8, 0.9));
  wall.surface.rotation = Quat::FromTwoVectors(Vec3(1, 1.2, 0.9), Vec3::UnitZ()).toRotationMatrix();
  ball.kind = SmoothSideKind::point;
  ball.feature.point = 0.1 * vector();
  for (const double radius : {0.0, 0.2}) {
    ball.rounding = radius;
    expect_sharp_in_parts(smooth_contact(ball, wall), above(1.47 - radius), below(), 1e-7);
  }
}

// A ball or corner passes the middle of a flat side, where neither the place nor the normal is a
// smooth function of time.
TEST_P(GapProofs, BallsOnFlatSidesOfSuperellipsoids) {
  SmoothSide wall = bowl({1.5, 1.6, 1.7}), ball;
  wall.surface.surface = std::make_shared<const geometry::ConvexSurface>(
      geometry::ConvexSurface::superellipsoid({1.5, 1.6, 1.7}, 0.8, 0.7));
  ball.kind = SmoothSideKind::point;
  const Step still(Pose{});
  for (const double radius : {0.0, 0.2}) {
    ball.rounding = radius;
    // The wall falls by 1e-4 m along the way.
    const Vec3 middle(0.01 * number(random), 0.01 * number(random), 1.7 - radius - 5e-4);
    const Vec3 way(0.04 * number(random), 0.04, 0);
    const Step past({middle - way, Quat::Identity()}, {middle + way, Quat::Identity()});
    const Contact contact = smooth_contact(ball, wall);
    const double least = range_of(contact, past, still).first;
    ASSERT_GT(least, 1e-5);
    EXPECT_TRUE(holds_by_halves(contact, past, still, least - 1e-9, 0, 1, 20));
    EXPECT_FALSE(holds_by_halves(contact, past, still, least + 1e-9, 0, 1, 3));
  }
}

TEST_P(GapProofs, RingsInSpheres) {
  SmoothSide ring;
  ring.kind = SmoothSideKind::ring;
  ring.surface.rotation = rotation(1).toRotationMatrix();
  ring.circle = 0.3;
  ring.rounding = 0.05;
  expect_sharp(smooth_contact(ring, bowl({1.8, 1.8, 1.8})), above(), below(), 0.03, false);
}

// The smallest half axis stands for the distance of parallel planes, which may be the largest.
TEST_P(GapProofs, CornersInBowls) {
  SmoothSide corner;
  corner.kind = SmoothSideKind::point;
  corner.feature.point = 0.1 * vector();
  expect_sharp(smooth_contact(corner, bowl({1.5, 1.6, 1.7})), above(), below(), 0.1, false);
}

// Gaps that contacts are held at are a ten-thousandth of a micrometre, of bodies of metres: a body
// that turns about the point that it stands on keeps its gap to every digit of that.
TEST_P(GapProofs, TellsTinyGapsOfBodiesThatTurn) {
  const Vec3 point = 0.5 * vector();
  const Quat from = rotation(0.4), to = (rotation(0.2) * from).normalized();
  motion::PolynomialMotion::CentreCoefficients centre;
  motion::PolynomialMotion::QuaternionCoefficients quaternion;
  constexpr double gap = 2e-10;
  // A quaternion that moves on a line, and the centre that keeps the point: a rational curve, which
  // seven digits of a step follow.
  Eigen::Matrix<double, 3, 8> places;
  Eigen::Matrix<double, 8, 8> basis;
  for (int i = 0; i < 8; ++i) {
    const double s = i / 7.0;
    quaternion.col(i) = (1 - s) * from.coeffs() + s * to.coeffs();
    const Quat q(Eigen::Vector4d(quaternion.col(i)));
    places.col(i) = Vec3(10, 20, gap) - q.normalized() * point;
    basis.row(i) = math::bernstein_basis<7>(s).transpose();
  }
  centre = (basis.inverse() * places.transpose()).transpose();
  const FrameOverStep body = FrameOverStep::moving(centre, quaternion);
  const FrameOverStep floor = FrameOverStep::resting({Vec3(10, 20, 0), Quat::Identity()});
  Contact contact;
  contact.features[0].point = point;
  contact.features[1] = {Vec3(3, 4, 0), Vec3::UnitZ()};
  const motion::PolynomialMotion motion(0, 1, centre, quaternion);
  double least = infinity;
  for (int i = 0; i <= looks; ++i) {
    const Pose pose = motion.pose(double(i) / looks);
    least = std::min(least, (pose.position + pose.orientation * point).z());
  }
  EXPECT_EQ(prove_gap(contact, body, floor, least - 1e-11, infinity, {}), GapProof::holds);
  EXPECT_NE(prove_gap(contact, body, floor, least + 1e-11, infinity, {}), GapProof::holds);
}

INSTANTIATE_TEST_SUITE_P(Seeds, GapProofs, testing::Range(1u, 13u));

// A ball rests on a table that a script shakes and tilts, and keeps a gap that the proof can show:
// by as much as the script may be off its polynomials it shows less.
TEST(GapProof, HoldsOnScriptedBodies) {
  motion::ScriptPiece piece;
  for (int i = 0; i < 13; ++i) {
    const double s = i / 12.0;
    piece.centre.col(i) = Vec3(0.1 * s, 0.01 * s * s, -0.02 * s);
    piece.quaternion.col(i) << 0, 0, 0, 1;
  }
  motion::PolynomialMotion::CentreCoefficients centre;
  motion::PolynomialMotion::QuaternionCoefficients quaternion;
  constexpr double radius = 0.3, gap = 1e-9;
  for (int i = 0; i < 8; ++i) {
    centre.col(i) = Vec3(0.05, 0.1, radius + gap - 0.02 * i / 7.0);
    quaternion.col(i) << 0.1, 0, 0.2, 1;
  }
  Contact contact;
  contact.kind = GapKind::point_plane;
  contact.point_side = 0;
  contact.rounding_of = {radius, 0};
  contact.features[1].direction = Vec3::UnitZ();
  const FrameOverStep ball = FrameOverStep::moving(centre, quaternion);
  ASSERT_EQ(contact.rounding(), radius);
  // Coefficients that are linear in their number are those of a straight motion: the gap is even.
  const auto proof = [&](double lowest, double highest) {
    return prove_gap(contact, ball, FrameOverStep::scripted(piece), lowest, highest, {});
  };
  EXPECT_EQ(proof(gap - 1e-12, gap + 1e-12), GapProof::holds);
  EXPECT_NE(proof(gap + 1e-12, infinity), GapProof::holds);
  piece.centre_error = 1e-10;
  EXPECT_EQ(proof(gap - 1.1e-10, gap + 1.1e-10), GapProof::holds);
  EXPECT_NE(proof(gap - 0.9e-10, infinity), GapProof::holds);
  EXPECT_NE(proof(0.5 * gap, gap + 0.9e-10), GapProof::holds);
  piece.centre_error = 0;
  piece.quaternion_error = 1e-10;  // half a metre away that is more than the gap
  EXPECT_NE(proof(gap - 1e-11, infinity), GapProof::holds);
  EXPECT_EQ(proof(0.5 * gap, infinity), GapProof::holds);
}

}  // namespace
}  // namespace abut::contact
