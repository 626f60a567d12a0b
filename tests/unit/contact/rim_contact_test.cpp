// Contacts of cylinders and cones: their gaps against the distances of the narrow phase, and their
// rates and second derivatives against differences of these.

#include <gtest/gtest.h>

#include <functional>

#include "contact/contact.h"
#include "math/rotation.h"
#include "support/sizes.h"
#include "unit/contact/contact_testing.h"
#include "unit/contact/random_motions.h"

namespace abut::contact {
namespace {

using body::RigidMotion;
using test::RandomMotions;

/// A motion with constant accelerations in the coordinates of its start.
struct Motion {
  RigidMotion start;
  Vec3 acceleration = Vec3::Zero(), turning = Vec3::Zero();

  Pose at(double t) const {
    const Vec3 angle = t * start.angular_velocity + 0.5 * t * t * turning;
    return {start.pose.position + t * start.velocity + 0.5 * t * t * acceleration,
            math::rotation_exp(angle) * start.pose.orientation};
  }
};

struct Two {
  model::Body a, b;
  Motion motion_a, motion_b;
  narrow::PairQuery query;

  Two(const model::Body& one, const model::Body& other) : a(one), b(other), query(one, other) {}

  narrow::Separation at(double t) { return query.separation(motion_a.at(t), motion_b.at(t)); }
  /// Moves a until it is `gap` from b.
  void set_gap(double gap) {
    for (int i = 0; i < 200; ++i) {
      const narrow::Separation now = at(0);
      motion_a.start.pose.position += (gap - now.gap) * now.normal;
    }
  }
};

// Central differences of step h and h/2, extrapolated: errors of order h^4 and eps / h^2. Where
// rims are nearly parallel higher derivatives are large: what half the step changes tells the
// error.
constexpr double step = 4e-4;

struct Difference {
  double value = 0, error = 0;
};
Difference extrapolated(const std::function<double(double)>& d) {
  const auto at = [&](double h) { return (4 * d(h / 2) - d(h)) / 3; };
  return {at(step), 4 * std::abs(at(step) - at(step / 2))};
}
Difference first_difference(const std::function<double(double)>& f) {
  return extrapolated([&](double h) { return (f(h) - f(-h)) / (2 * h); });
}
Difference second_difference(const std::function<double(double)>& f) {
  return extrapolated([&](double h) { return (f(h) - 2 * f(0) + f(-h)) / (h * h); });
}

/// Whether the same features are nearest all through the differences.
bool keeps_features(Two& two) {
  const narrow::Separation now = two.at(0);
  for (const double t : {-step, -step / 2, step / 2, step}) {
    const narrow::Separation then = two.at(t);
    if (!(then.feature_a == now.feature_a) || !(then.feature_b == now.feature_b)) return false;
  }
  return true;
}

/// Where bodies touch and may overlap a moment later, the narrow phase does not tell what the
/// contact measures; but its own value still has the derivatives it says.
void expect_consistent_at_touch(const Contact& contact, const Two& two, const ContactNow& apart) {
  Motion a = two.motion_a;
  a.start.pose.position -= (apart.row.value - 2e-10) * apart.normal;
  const ContactNow now = evaluate(contact, a.start, two.motion_b.start);
  EXPECT_NEAR(now.row.value, 2e-10, 1e-13);
  const auto gap_at = [&](double t) {
    return evaluate(contact, {a.at(t), Vec3::Zero(), Vec3::Zero()},
                    {two.motion_b.at(t), Vec3::Zero(), Vec3::Zero()})
        .row.value;
  };
  const auto [rate, rate_error] = first_difference(gap_at);
  const auto [second, second_error] = second_difference(gap_at);
  const double formula = now.row.bias + now.row.sides[0](a.acceleration, a.turning) +
                         now.row.sides[1](two.motion_b.acceleration, two.motion_b.turning);
  // A rim and a corner have no radius of curvature between them but the gap.
  const auto is_corner = [](const Feature& f) { return f.kind == FeatureKind::vertex; };
  const auto is_rim = [](const Feature& f) { return f.kind == FeatureKind::edge; };
  if ((is_corner(contact.label.a) && is_rim(contact.label.b)) ||
      (is_rim(contact.label.a) && is_corner(contact.label.b)))
    return;
  const auto name = [&] { return name_of(contact.label.a) + " on " + name_of(contact.label.b); };
  // Places on sharp features run off fast where these are nearly parallel.
  if (std::abs(second) > 300) return;
  EXPECT_NEAR(now.row.rate, rate, 1e-7 * (1 + std::abs(rate) + std::abs(second)) + rate_error)
      << name();
  EXPECT_NEAR(formula, second, 1e-4 * (1 + std::abs(second)) + second_error) << name();
}

/// Tries random poses; how many were looked at.
int attack(const model::Body& a, const model::Body& b, double gap, std::uint64_t seed,
           const std::function<void(Two&)>& prepare = {}) {
  RandomMotions random(seed);
  int looked_at = 0;
  for (int round = 0; round < test::cases(20); ++round) {
    SCOPED_TRACE(round);
    Two two(a, b);
    two.motion_a = {random.motion(), random.vector(), random.vector()};
    two.motion_b = {random.motion(), random.vector(), random.vector()};
    const bool has_plane = std::holds_alternative<shape::Plane>(b.parts.front().geometry);
    const Vec3 away =
        has_plane ? Vec3(two.motion_b.start.pose.orientation * Vec3::UnitZ()) : random.direction();
    two.motion_a.start.pose.position = two.motion_b.start.pose.position + 4 * away;
    if (prepare) prepare(two);
    two.set_gap(gap);
    if (!keeps_features(two)) continue;
    const Pose pose_a = two.motion_a.at(0), pose_b = two.motion_b.at(0);
    const auto found = find_regions(two.query, pose_a, pose_b, 2 * gap);
    // Rings and bowls touch at several places, all of them within twice the gap now and then.
    const narrow::BodyShape shape_a(a), shape_b(b);
    if (shape_a.solids().front().is_convex() && shape_b.solids().front().is_convex()) {
      EXPECT_EQ(found.size(), 1u);
    }
    if (found.size() != 1 || found.front().points.size() != 1) continue;
    const auto contacts = contacts_of(found.front(), a, shape_a, pose_a, b, shape_b, pose_b);
    // An apex on an edge or corner is taken for a corner on the plane of the region, which is true
    // at contact only.
    const ContactLabel& label = contacts.front().label;
    if (contacts.front().kind == GapKind::point_plane && label.a.kind != FeatureKind::face &&
        label.b.kind != FeatureKind::face)
      continue;
    const ContactNow now = evaluate(contacts.front(), two.motion_a.start, two.motion_b.start);
    const auto gap_at = [&](double t) { return two.at(t).gap; };
    EXPECT_NEAR(now.row.value, gap_at(0), 1e-12);
    const auto [rate, rate_error] = first_difference(gap_at);
    EXPECT_NEAR(now.row.rate, rate,
                1e-8 * (1 + std::abs(rate) + std::abs(now.row.bias)) + rate_error);
    const auto [second, second_error] = second_difference(gap_at);
    const double formula = now.row.bias +
                           now.row.sides[0](two.motion_a.acceleration, two.motion_a.turning) +
                           now.row.sides[1](two.motion_b.acceleration, two.motion_b.turning);
    EXPECT_NEAR(formula, second, 1e-5 * (1 + std::abs(second)) + second_error)
        << name_of(contacts.front().label.a) << " on " << name_of(contacts.front().label.b);
    expect_consistent_at_touch(contacts.front(), two, now);
    ++looked_at;
  }
  return looked_at;
}

const model::Body cylinder = test::single(shape::Cylinder{0.4, 1.1});
const model::Body cone = test::single(shape::Cone{0.5, 0.9});
const model::Body disc = test::single(shape::Cylinder{0.7, 0.1});
const model::Body ring = test::single(shape::Torus{0.6, 0.15});
const model::Body egg = test::single(shape::Ellipsoid{Vec3(0.3, 0.5, 0.8), false});
const model::Body box = test::box(0.7, 0.9, 1.2);

// Cases that must have been looked at.
constexpr int few = test::sanitized ? 0 : 5;

TEST(RimContact, OnAPlane) {
  EXPECT_GT(attack(cylinder, test::ground(), 0.02, 1), few);
  EXPECT_GT(attack(cone, test::ground(), 0.02, 2), few);
  EXPECT_GT(attack(disc, test::ground(), 0.2, 3), few);
}

TEST(RimContact, AgainstRoundBodies) {
  for (const model::Body& round : {test::sphere(0.3), test::capsule(0.2, 0.7), egg}) {
    EXPECT_GT(attack(cylinder, round, 0.02, 4), few);
    EXPECT_GT(attack(cone, round, 1e-2, 5), few);
    EXPECT_GT(attack(round, disc, 0.02, 6), few);
  }
}

TEST(RimContact, AgainstABox) {
  EXPECT_GT(attack(cylinder, box, 0.2, 7), few);
  EXPECT_GT(attack(box, cone, 0.2, 8), few);
  EXPECT_GT(attack(disc, box, 0.2, 9), few);
}

TEST(RimContact, AgainstEachOther) {
  EXPECT_GT(attack(cylinder, cylinder, 0.02, 10), few);
  EXPECT_GT(attack(cylinder, cone, 0.02, 11), few);
  EXPECT_GT(attack(cone, disc, 0.02, 12), few);
}

// A rim that passes over another one onto its flat end: the gap goes on smoothly until the contact
// is left, which its margin tells.
TEST(RimContact, PassesOverARimOntoTheFlatEnd) {
  constexpr double slant = 0.6, speed = 1, beside = 2e-3;
  Two two(cylinder, disc);
  two.motion_a.start.pose.orientation = test::turn(Vec3(1, 0.2, 0.1), slant);
  two.motion_b.start.pose.position = Vec3(0.2, 0.3, 0.4);
  // The lowest place of a is beside the rim of b.
  const Quat& turned = two.motion_a.start.pose.orientation;
  const Vec3 axis = turned * Vec3::UnitZ();
  const Vec3 lowest = -0.55 * axis + 0.4 * (axis * axis.z() - Vec3::UnitZ()).normalized();
  two.motion_a.start.pose.position =
      two.motion_b.start.pose.position + Vec3(0.7 + beside, 0, 0.06) - lowest;
  two.motion_a.start.velocity = Vec3(-speed, 0.1, 0);
  two.set_gap(2e-10);
  const Pose pose_a = two.motion_a.at(0), pose_b = two.motion_b.at(0);
  const auto found = find_regions(two.query, pose_a, pose_b, 4e-10);
  ASSERT_EQ(found.size(), 1u);
  const Contact contact = contacts_of(found.front(), cylinder, narrow::BodyShape(cylinder), pose_a,
                                      disc, narrow::BodyShape(disc), pose_b)
                              .front();
  ASSERT_EQ(contact.label.a.kind, FeatureKind::edge);
  ASSERT_EQ(contact.label.b.kind, FeatureKind::edge);
  const auto at = [&](double t) {
    const RigidMotion a{two.motion_a.at(t), two.motion_a.start.velocity, Vec3::Zero()};
    const ContactNow now = evaluate(contact, a, two.motion_b.start);
    return std::pair(now, support_margin(contact, now, a, two.motion_b.start));
  };
  constexpr double h = 1e-4;
  const double over = beside / speed;  // when the lowest place is over the rim
  for (double t = 0; t < 2 * over; t += 0.0731 * over) {
    SCOPED_TRACE(t);
    const auto [now, margin] = at(t);
    EXPECT_EQ(margin > 0, t < over);
    const double before = at(t - h).first.row.value, after = at(t + h).first.row.value;
    EXPECT_NEAR(now.row.rate, (after - before) / (2 * h), 1e-6);
    EXPECT_NEAR(now.row.bias, (after - 2 * now.row.value + before) / (h * h), 1e-3);
  }
}

// With sides, rims, flat ends and apexes.
TEST(RimContact, AgainstRings) {
  EXPECT_GT(attack(ring, cylinder, 0.02, 21), few);
  EXPECT_GT(attack(cone, ring, 0.02, 22), few);
  EXPECT_GT(attack(ring, disc, 0.02, 23), few);
  // A ring around a cylinder, hanging on it.
  const auto around = [](Two& two) {
    two.motion_b.start.pose = {Vec3(1, 2, 3), test::turn(Vec3(0.1, 1, 0), M_PI / 2 + 0.3)};
    two.motion_a.start.pose = {Vec3(1.1, 2.02, 2.9), test::turn(Vec3(0, 1, 0.2), M_PI / 2 - 0.1)};
  };
  EXPECT_GT(attack(ring, test::single(shape::Cylinder{0.2, 3}), 0.02, 24, around), few);
}

// Rims and the apex.
TEST(RimContact, InBowls) {
  const auto inside = [](Two& two) {
    two.motion_a.start.pose.position = two.motion_b.start.pose.position + Vec3(0.1, 0.2, -0.1);
  };
  const model::Body egg_shaped = test::single(shape::Ellipsoid{Vec3(2, 2.3, 2.6), true});
  EXPECT_GT(attack(cylinder, egg_shaped, 0.02, 25, inside), few);
  EXPECT_GT(attack(cone, egg_shaped, 0.02, 26, inside), few);
  EXPECT_GT(attack(disc, egg_shaped, 0.02, 27, inside), few);
}

// Faces, round edges and round corners.
TEST(RimContact, OfRoundedHulls) {
  const model::Body rounded = test::prism(5, 0.4, 0.7, 0.1);
  EXPECT_GT(attack(rounded, test::ground(), 0.05, 31), few);
  EXPECT_GT(attack(rounded, box, 0.05, 32), few);
  EXPECT_GT(attack(rounded, test::prism(4, 0.3, 0.6, 0.2), 0.05, 33), few);
  EXPECT_GT(attack(egg, rounded, 0.02, 34), few);
  EXPECT_GT(attack(rounded, cylinder, 0.02, 35), few);
  EXPECT_GT(attack(cone, rounded, 0.02, 36), few);
  EXPECT_GT(attack(ring, rounded, 0.02, 37), few);
}

// Sides that cross: bodies one above the other, their axes nearly level.
TEST(RimContact, SidesThatCross) {
  const auto crossed = [](Two& two) {
    two.motion_b.start.pose = {Vec3::Zero(), test::turn(Vec3(0, 1, 0.1), M_PI / 2 + 0.2)};
    two.motion_a.start.pose = {Vec3(0.03, 0.02, 2), test::turn(Vec3(1, 0.1, 0), M_PI / 2 - 0.1)};
    two.motion_a.start.velocity *= 0.1;
    two.motion_b.start.velocity *= 0.1;
  };
  const int rounds = test::cases(20);
  EXPECT_EQ(attack(cylinder, cylinder, 0.02, 13, crossed), rounds);
  EXPECT_EQ(attack(cylinder, cone, 0.02, 14, crossed), rounds);
  EXPECT_EQ(attack(cone, cone, 0.02, 15, crossed), rounds);
  EXPECT_EQ(attack(test::capsule(0.2, 1), cone, 0.02, 16, crossed), rounds);
}

}  // namespace
}  // namespace abut::contact
