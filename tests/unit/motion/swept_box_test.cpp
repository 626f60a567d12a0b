// Attacks the promise that a swept box contains its body, for every kind of path and shape.

#include "motion/swept_box.h"
#include "geometry/closed_surface.h"

#include <cmath>
#include <numbers>

#include "base/overloaded.h"
#include "body/mass.h"
#include "shape/moments.h"
#include "unit/motion/path_samples.h"
#include "unit/shape/shape_samples.h"

namespace abut::motion {
namespace {

using geometry::Aabb;
using samples::number;
using samples::vector;

constexpr double infinity = std::numeric_limits<double>::infinity();

// sign(c) |c|^e: the coordinates of superellipsoids.
double signed_power(double c, double e) {
  return std::copysign(std::pow(std::abs(c), e), c);
}

Vec3 on_circle(double radius, double z) {
  const double angle = number(0, 2 * std::numbers::pi);
  return Vec3(radius * std::cos(angle), radius * std::sin(angle), z);
}

// A random point of the surface, on its outermost features for polyhedra and rims.
Vec3 surface_point(const shape::Geometry& geometry) {
  const auto direction = [] {
    const Vec3 v = vector(1);
    return v.norm() > 0 ? Vec3(v.normalized()) : Vec3(Vec3::UnitX());
  };
  const auto corner = [](const geometry::PolygonMesh& mesh) {
    return mesh.vertices[static_cast<std::size_t>(
        *rc::gen::inRange(0, static_cast<int>(mesh.vertices.size())))];
  };
  const auto end = [] { return *rc::gen::element(-0.5, 0.5); };
  return std::visit(
      base::Overloaded{
          [&](const shape::Plane&) -> Vec3 { return Vec3::Zero(); },
          [&](const shape::Sphere& s) -> Vec3 { return s.radius * direction(); },
          [&](const shape::Ellipsoid& s) -> Vec3 { return s.radii.cwiseProduct(direction()); },
          [&](const shape::Superellipsoid& s) -> Vec3 {
            const double u = number(-1.5707, 1.5707), v = number(-3.1415, 3.1415);
            const double across = signed_power(std::cos(u), s.e1);
            return s.radii.cwiseProduct(Vec3(across * signed_power(std::cos(v), s.e2),
                                             across * signed_power(std::sin(v), s.e2),
                                             signed_power(std::sin(u), s.e1)));
          },
          [&](const shape::Capsule& s) -> Vec3 {
            return Vec3(0, 0, end() * s.height) + s.radius * direction();
          },
          [&](const shape::Cylinder& s) -> Vec3 { return on_circle(s.radius, end() * s.height); },
          [&](const shape::Cone& s) -> Vec3 {
            const double z = end();
            return on_circle(z < 0 ? s.radius : 0, z * s.height);
          },
          [&](const shape::Torus& s) -> Vec3 {
            const double angle = number(0, 2 * std::numbers::pi);
            return on_circle(s.radius + s.tube * std::cos(angle), s.tube * std::sin(angle));
          },
          [&](const shape::Box& s) -> Vec3 {
            return s.size.cwiseProduct(Vec3(end(), end(), end()));
          },
          [&](const shape::Convex& s) -> Vec3 { return corner(*s.hull); },
          [&](const shape::Mesh& s) -> Vec3 { return corner(*s.surface); },
          [&](const shape::UserSurface& s) -> Vec3 { return s.surface->centre(); }},
      geometry);
}

std::vector<shape::Part> random_parts() {
  const double unit = std::pow(10.0, *rc::gen::inRange(-3, 4));
  std::vector<shape::Part> parts;
  const int count = *rc::gen::inRange(1, 4);
  for (int i = 0; i < count; ++i) {
    const auto shapes = samples::bounded_shapes(unit);
    const auto which =
        static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(shapes.size())));
    parts.push_back({shapes[which], {2 * unit * vector(1), samples::orientation()}, 1000, 0});
  }
  return parts;
}

Vec3 placed(const Pose& pose, const Vec3& point) {
  return pose.position + pose.orientation * point;
}

// Samples points of the surface at dense instants of random sub-intervals, the ends included. No
// tolerance: the promise includes rounding.
void attack(const BodyPath& path, const std::vector<shape::Part>& parts, const Pose& frame) {
  const Outline outline(parts, frame);
  for (int round = 0; round < 3; ++round) {
    double from = path.begin(), to = path.end();
    if (round > 0) {
      from = number(path.begin(), path.end());
      to = from + (path.end() - from) * number(0, 1) * std::pow(10.0, -*rc::gen::inRange(0, 9));
    }
    const Aabb box = outline.swept_box(path, from, to);
    RC_ASSERT(box.is_bounded());
    for (const shape::Part& part : parts) {
      const Vec3 point = placed(part.pose, surface_point(part.geometry));
      const Vec3 carried = frame.orientation.conjugate() * (point - frame.position);
      for (int i = 0; i <= 64; ++i) {
        const double t = i == 64 ? to : from + (to - from) * i / 64;
        RC_ASSERT(box.contains(placed(path.pose(t), carried)));
      }
    }
  }
}

RC_GTEST_PROP(SweptBox, ContainsADynamicBody, ()) {
  const auto parts = random_parts();
  const Pose central = body::mass_from(shape::moments_of(parts)).central;
  attack(BodyPath::moving(samples::random_polynomial()), parts, central);
}

RC_GTEST_PROP(SweptBox, ContainsABodyOnKeyframes, ()) {
  const auto script = samples::random_keyframes();
  attack(BodyPath::scripted(script.keyframes.front().time - 0.5, script.keyframes.back().time + 0.5,
                            make_script_motion(script)),
         random_parts(), {});
}

RC_GTEST_PROP(SweptBox, ContainsABodyOnFormulas, ()) {
  attack(BodyPath::scripted(-1, 4, make_script_motion(samples::random_formulas())), random_parts(),
         {});
}

RC_GTEST_PROP(SweptBox, ContainsARestingBody, ()) {
  attack(BodyPath::resting(0, 1, {vector(1e4), samples::orientation()}), random_parts(), {});
}

// Large numbers that cancel: a small part far from the body's origin, which is as far from the
// world's on the other side. Every coordinate of the box is the rounding of larger ones.
RC_GTEST_PROP(SweptBox, ContainsABodyWhoseCoordinatesCancel, ()) {
  const Vec3 far = vector(1e6);
  const Quat turned = samples::orientation();
  const std::vector<shape::Part> parts = {
      {shape::Box{Vec3::Constant(1e-9)}, {far, samples::orientation()}, 1000, 0}};
  attack(BodyPath::resting(0, 1, {turned * -far, turned}), parts, {});
}

// Steady turning, where the bound on the angular speed is the speed itself: a small ball on a long
// arm leaves its place in the middle of the interval by the whole arc.
RC_GTEST_PROP(SweptBox, ContainsABallOnATurningArm, ()) {
  body::KeyframeScript script;
  script.interpolation = body::Interpolation::linear;
  script.keyframes = {{0, {}}, {1, {Vec3::Zero(), math::rotation_exp(vector(1))}}};
  const std::vector<shape::Part> parts = {
      {shape::Sphere{1e-6}, {vector(3), Quat::Identity()}, 1000, 0}};
  attack(BodyPath::scripted(0, 1, make_script_motion(script)), parts, {});
}

// p(t) = start + t * velocity without turning, as a polynomial of degree 7.
BodyPath straight(const Vec3& start, const Vec3& velocity, double duration) {
  PolynomialMotion::CentreCoefficients centre;
  PolynomialMotion::QuaternionCoefficients quaternion;
  for (int i = 0; i < 8; ++i) {
    centre.col(i) = start + i / 7.0 * duration * velocity;
    quaternion.col(i) = Quat::Identity().coeffs();
  }
  return BodyPath::moving(PolynomialMotion(0, duration, centre, quaternion));
}

std::vector<shape::Part> part(const shape::Geometry& geometry, const Pose& pose = {}) {
  return {{geometry, pose, 1000, 0}};
}

// Steady straight flight of a ball: the box of two balls, however long the way is.
TEST(SweptBox, IsTightForSteadyStraightMotion) {
  const Outline ball(part(shape::Sphere{0.5}));
  const Aabb box = ball.swept_box(straight(Vec3(1, 2, 3), Vec3(100, 0, -10), 1), 0, 1);
  EXPECT_TRUE(box.lower.isApprox(Vec3(0.5, 1.5, -7.5), 1e-4));
  EXPECT_TRUE(box.upper.isApprox(Vec3(101.5, 2.5, 3.5), 1e-4));
}

TEST(SweptBox, OfARestingBoxIsTheBox) {
  const double s = std::sqrt(0.5);
  const Pose turned{Vec3(1, 0, 0), Quat(s, 0, 0, s)};  // by 90 degrees about z
  const Aabb box =
      Outline(part(shape::Box{Vec3(2, 4, 6)})).swept_box(BodyPath::resting(0, 1, turned), 0, 1);
  EXPECT_TRUE(box.lower.isApprox(Vec3(-1, -1, -3), 1e-12));
  EXPECT_TRUE(box.upper.isApprox(Vec3(3, 1, 3), 1e-12));
}

// However fast it spins, a body stays within its reach about the origin of the motion frame.
TEST(SweptBox, OfASpinningBodyIsWithinItsReach) {
  body::KeyframeScript script;
  for (int i = 0; i < 40; ++i) {
    script.keyframes.push_back({0.1 * i, {Vec3::Zero(), math::rotation_exp(Vec3(0, 0, 2.0 * i))}});
  }
  const auto path = BodyPath::scripted(0, 3.9, make_script_motion(script));
  const Aabb box = Outline(part(shape::Box{Vec3(2, 2, 2)})).swept_box(path, 0, 3.9);
  EXPECT_TRUE(box.upper.isApprox(Vec3::Constant(std::sqrt(3)), 1e-9));
  EXPECT_TRUE(box.lower.isApprox(Vec3::Constant(-std::sqrt(3)), 1e-9));
}

TEST(SweptBox, AFloorIsBoundedFromAbove) {
  const auto floor = part(shape::Plane{Vec3::UnitZ(), 2}, {Vec3(0, 0, 1), Quat::Identity()});
  const BodyPath rest = BodyPath::resting(0, 1, {Vec3(0, 0, 4), Quat::Identity()});
  const Aabb box = Outline(floor).swept_box(rest, 0, 1);
  EXPECT_EQ(box.lower, Vec3::Constant(-infinity));
  EXPECT_EQ(box.upper.x(), infinity);
  EXPECT_GE(box.upper.z(), 7);
  EXPECT_LT(box.upper.z(), 7 + 1e-12);

  const auto ceiling = part(shape::Plane{-Vec3::UnitZ(), -5});
  body::KeyframeScript script;
  script.interpolation = body::Interpolation::linear;
  script.keyframes = {{0, {}}, {1, {Vec3(0, 0, -2), Quat::Identity()}}};
  const auto sinking = BodyPath::scripted(0, 1, make_script_motion(script));
  const Aabb above = Outline(ceiling).swept_box(sinking, 0, 1);
  EXPECT_EQ(above.upper, Vec3::Constant(infinity));
  EXPECT_LE(above.lower.z(), 3);
  EXPECT_GT(above.lower.z(), 3 - 1e-4);
}

TEST(SweptBox, ATiltedOrTurningPlaneAndABowlReachEverywhere) {
  const auto is_whole = [](const Aabb& box) {
    return box.lower == Aabb::whole().lower && box.upper == Aabb::whole().upper;
  };
  const BodyPath rest = BodyPath::resting(0, 1, {});
  const Vec3 tilted = Vec3(0, 1e-9, 1).normalized();
  EXPECT_TRUE(is_whole(Outline(part(shape::Plane{tilted, 0})).swept_box(rest, 0, 1)));
  EXPECT_TRUE(is_whole(Outline(part(shape::Sphere{1, true})).swept_box(rest, 0, 1)));
  body::KeyframeScript script;
  script.keyframes = {{0, {}}, {1, {Vec3::Zero(), math::rotation_exp(Vec3(1, 0, 0))}}};
  const auto turning = BodyPath::scripted(0, 1, make_script_motion(script));
  EXPECT_TRUE(is_whole(Outline(part(shape::Plane{})).swept_box(turning, 0, 1)));
}

TEST(SweptBox, OfNoPartsIsEmpty) {
  EXPECT_TRUE(Outline({}).swept_box(BodyPath::resting(0, 1, {}), 0, 1).is_empty());
}

// Where no bound on the speed is known, nothing is claimed about the place.
TEST(SweptBox, WithoutASpeedBoundReachesEverywhere) {
  const auto formula = [](const std::string& text) {
    return std::get<math::Expression>(math::Expression::parse(text, "t"));
  };
  body::ExpressionScript script;
  script.position = {formula("sqrt(t)"), formula("0"), formula("0")};
  script.angle = formula("0");
  const auto path = BodyPath::scripted(0, 1, make_script_motion(script));
  const Aabb box = Outline(part(shape::Sphere{1})).swept_box(path, 0, 1);
  EXPECT_EQ(box.upper.x(), infinity);
  EXPECT_EQ(box.lower.x(), -infinity);
}

// However far it travels by that.
TEST(SweptBox, OfABodyThatSwingsIsWhereItSwings) {
  const auto formula = [](const std::string& text) {
    return std::get<math::Expression>(math::Expression::parse(text, "t"));
  };
  body::ExpressionScript script;
  script.position = {formula("sin(1e6*t)"), formula("0"), formula("3")};
  script.angle = formula("0");
  const auto path = BodyPath::scripted(0, 1, make_script_motion(script));
  const Aabb box = Outline(part(shape::Sphere{1})).swept_box(path, 0, 1);
  EXPECT_TRUE(box.contains(Aabb{Vec3(-2, -1, 2), Vec3(2, 1, 4)}));
  EXPECT_TRUE(
      (Aabb{Vec3(-2, -1, 2), Vec3(2, 1, 4)})
          .contains(Aabb{box.lower + Vec3::Constant(1e-6), box.upper - Vec3::Constant(1e-6)}));
}

}  // namespace
}  // namespace abut::motion
