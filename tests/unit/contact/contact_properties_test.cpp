// Properties of contact regions over random scenes: independence of frame, order and scale, labels
// that persist, and agreement with clipping one polygon by another.

#include <set>

#include "contact/contact_set.h"
#include "support/models.h"
#include "support/seeds.h"
#include "unit/contact/contact_testing.h"

using namespace abut;
using namespace abut::test;
using contact::ContactLabel;
using contact::ContactRegion;

namespace {

/// A pair of bodies that touch: the shapes, sizes and poses of random kind.
struct Touching {
  model::Body a, b;
  Pose pose_a, pose_b;
};

double uniform(std::mt19937_64& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

model::Body random_body(std::mt19937_64& random, double size) {
  const auto length = [&] { return size * uniform(random, 0.3, 1); };
  switch (random() % 5) {
    case 0:
      return box(length(), length(), length());
    case 1:
      return prism(3 + static_cast<int>(random() % 6), length(), length());
    case 2:
      return prism(3 + static_cast<int>(random() % 6), length(), length(), 0.2 * length());
    case 3:
      return capsule(0.4 * length(), length());
    default:
      return sphere(0.5 * length());
  }
}

/// Quarter turns about x and y, and any angle about z: flat sides stay horizontal.
Quat upright(std::mt19937_64& random) {
  const auto quarter = [&] { return M_PI / 2 * static_cast<double>(random() % 4); };
  return turn(Vec3::UnitZ(), uniform(random, 0, 6)) * turn(Vec3::UnitX(), quarter()) *
         turn(Vec3::UnitY(), quarter());
}

/// a is lowered onto b by its distance, which moves it until the gap is zero.
Touching touching_pair(std::mt19937_64& random, double size) {
  Touching pair{random_body(random, size), random_body(random, size), {}, {}};
  const bool any = random() % 2 == 0;
  pair.pose_a.orientation = any ? random_turn(random) : upright(random);
  pair.pose_b.orientation = any ? random_turn(random) : upright(random);
  pair.pose_a.position = size * Vec3(uniform(random, -0.2, 0.2), uniform(random, -0.2, 0.2), 3);
  narrow::PairQuery query(pair.a, pair.b);
  for (int i = 0; i < 30; ++i) {
    const auto separation = query.separation(pair.pose_a, pair.pose_b);
    // Never farther than the distance, so a never passes b.
    pair.pose_a.position -= separation.gap * separation.normal;
    if (std::abs(separation.gap) <= 1e-15 * size) break;
  }
  return pair;
}

std::vector<ContactRegion> regions_of(const Touching& pair) {
  return regions(pair.a, pair.pose_a, pair.b, pair.pose_b);
}

Pose moved(const Pose& motion, const Pose& pose) {
  return {motion.position + motion.orientation * pose.position,
          (motion.orientation * pose.orientation).normalized()};
}

/// Random tilts are zero or far from 1e-9, so rounding decides neither dimensions nor labels.
std::set<ContactLabel> labels(const ContactRegion& region) {
  std::set<ContactLabel> result{region.label};
  for (const auto& point : region.points) result.insert(point.label);
  return result;
}

ContactLabel swapped(const ContactLabel& label) {
  return {label.part_b, label.b, label.part_a, label.a};
}

/// Where a corner touches a corner or an edge, any normal of a cone separates.
bool has_one_normal(const ContactLabel& label) {
  using contact::FeatureKind;
  const auto [low, high] = std::minmax(label.a.kind, label.b.kind);
  return !(low == FeatureKind::vertex && high <= FeatureKind::edge);
}

constexpr double sizes[] = {1e-3, 0.1, 1, 30, 1e3};

}  // namespace

TEST(ContactProperties, SwappingTheBodiesFlipsTheNormalAndKeepsThePoints) {
  std::mt19937_64 random(abut::test::seed(1));
  int seen[3] = {0, 0, 0}, told_otherwise = 0;
  for (int run = 0; run < cases(2000); ++run) {
    SCOPED_TRACE(run);
    const double size = sizes[run % 5];
    const Touching pair = touching_pair(random, size);
    const auto one = regions_of(pair);
    const auto other = regions(pair.b, pair.pose_b, pair.a, pair.pose_a);
    ASSERT_EQ(one.size(), 1U);
    ASSERT_EQ(other.size(), 1U);
    ++seen[one[0].dimension];
    EXPECT_EQ(one[0].dimension, other[0].dimension);
    if (has_one_normal(one[0].label)) {
      EXPECT_LT((one[0].normal + other[0].normal).norm(), 1e-9);
    }
    EXPECT_LT(mismatch(positions(one[0]), positions(other[0])), 4e-9);
    std::set<ContactLabel> back;
    for (const ContactLabel& label : labels(other[0])) back.insert(swapped(label));
    told_otherwise += labels(one[0]) != back;
  }
  // Within a touching distance of where features meet either is right: on bodies of a millimetre
  // that is a millionth of an edge.
  EXPECT_LE(told_otherwise, cases(2000) / 1000);
  for (const int count : seen) EXPECT_GT(count, cases(100));
}

TEST(ContactProperties, RigidMotionMovesTheRegionAlong) {
  std::mt19937_64 random(abut::test::seed(2));
  for (int run = 0; run < cases(2000); ++run) {
    SCOPED_TRACE(run);
    const double size = sizes[run % 5];
    Touching pair = touching_pair(random, size);
    const auto before = regions_of(pair);
    const Pose motion{size * Vec3(uniform(random, -9, 9), uniform(random, -9, 9), 5),
                      random_turn(random)};
    pair.pose_a = moved(motion, pair.pose_a);
    pair.pose_b = moved(motion, pair.pose_b);
    const auto after = regions_of(pair);
    ASSERT_EQ(before.size(), 1U);
    ASSERT_EQ(after.size(), 1U);
    EXPECT_EQ(before[0].dimension, after[0].dimension);
    EXPECT_EQ(labels(before[0]), labels(after[0]));
    std::vector<Vec3> expected;
    for (const Vec3& p : positions(before[0])) {
      expected.push_back(motion.position + motion.orientation * p);
    }
    EXPECT_LT(mismatch(positions(after[0]), expected), 4e-9);
  }
}

TEST(ContactProperties, EveryPointLiesBetweenSurfacesThatTouch) {
  std::mt19937_64 random(abut::test::seed(3));
  for (int run = 0; run < cases(1000); ++run) {
    SCOPED_TRACE(run);
    const Touching pair = touching_pair(random, sizes[run % 5]);
    const auto found = regions_of(pair);
    ASSERT_EQ(found.size(), 1U);
    // A tiny ball at each point finds both bodies close by.
    const model::Body probe = sphere(1e-12);
    for (const auto& point : found[0].points) {
      for (const auto& [body, pose] : {std::pair(&pair.a, &pair.pose_a), {&pair.b, &pair.pose_b}}) {
        narrow::PairQuery query(probe, *body);
        EXPECT_LT(std::abs(query.separation({point.position, Quat::Identity()}, *pose).gap), 3e-9);
      }
      EXPECT_LT(point.gap, 2 * touching);
    }
  }
}

/// Sliding in the plane by far less than any feature's size changes no label.
TEST(ContactProperties, LabelsPersistUnderSmallMotion) {
  std::mt19937_64 random(abut::test::seed(4));
  for (int run = 0; run < cases(500); ++run) {
    SCOPED_TRACE(run);
    const model::Body a = prism(3 + run % 5, 1, 1);
    const model::Body b = prism(3 + run % 4, 1.1, 1);
    const double start = uniform(random, 0, 6);
    const Vec3 offset(uniform(random, -0.3, 0.3), uniform(random, -0.3, 0.3), 1);
    narrow::PairQuery query(a, b);
    std::set<ContactLabel> first;
    for (int step = 0; step < 20; ++step) {
      const double s = 1e-8 * step;
      const Pose pose{offset + Vec3(s, -s, 1e-11 * step), turn(Vec3::UnitZ(), start + s)};
      const auto found = contact::find_regions(query, pose, {}, touching);
      ASSERT_EQ(found.size(), 1U);
      if (step == 0) first = labels(found[0]);
      EXPECT_EQ(labels(found[0]), first);
    }
  }
}

namespace {

/// Clips a convex polygon by the half-planes of another, one after the other.
std::vector<Vec3> clipped(std::vector<Vec3> polygon, const std::vector<Vec3>& by) {
  for (std::size_t i = 0; i < by.size(); ++i) {
    const Vec3 start = by[i];
    const Vec3 side = by[(i + 1) % by.size()] - start;
    const auto inside = [&](const Vec3& p) { return side.cross(p - start).z(); };
    std::vector<Vec3> rest;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const Vec3& p = polygon[k];
      const Vec3& q = polygon[(k + 1) % polygon.size()];
      if (inside(p) >= 0) rest.push_back(p);
      if ((inside(p) < 0) != (inside(q) < 0)) {
        rest.push_back(p + inside(p) / (inside(p) - inside(q)) * (q - p));
      }
    }
    polygon = rest;
  }
  return polygon;
}

std::vector<Vec3> polygon(int corners, double radius, double angle, const Vec3& centre) {
  std::vector<Vec3> result;
  for (int i = 0; i < corners; ++i) {
    const double t = angle + 2 * M_PI * i / corners;
    result.emplace_back(centre + radius * Vec3(std::cos(t), std::sin(t), 0));
  }
  return result;
}

}  // namespace

TEST(ContactProperties, PrismsOnPrismsAgreeWithClipping) {
  std::mt19937_64 random(abut::test::seed(5));
  for (int run = 0; run < cases(1000); ++run) {
    SCOPED_TRACE(run);
    const double size = sizes[run % 5];
    const int n = 3 + static_cast<int>(random() % 10);
    const int m = 3 + static_cast<int>(random() % 10);
    const double angle = uniform(random, 0, 6);
    const Vec3 offset = size * Vec3(uniform(random, -0.9, 0.9), uniform(random, -0.9, 0.9), 0);
    const Vec3 middle = Vec3(0, 0, size / 2);
    const auto expected =
        clipped(polygon(n, size, angle, offset + middle), polygon(m, 0.8 * size, 0, middle));
    if (expected.empty()) continue;
    const auto found =
        regions(prism(n, size, size), {offset + Vec3(0, 0, size), turn(Vec3::UnitZ(), angle)},
                prism(m, 0.8 * size, size), {});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].dimension, 2);
    EXPECT_LT(mismatch(positions(found[0]), expected), 1e-8 * std::max(size, 1.0));
  }
}

/// A box leans in any direction by a tiny angle and overhangs another one. Its four lower corners
/// and the crossings with the rim of the other are known; the region holds those, and only those,
/// whose gap exceeds the smallest by no more than the tolerance.
TEST(ContactProperties, TinyTiltsSelectTheCornersWithinTheTolerance) {
  std::mt19937_64 random(abut::test::seed(6));
  const model::Body top = box(1, 1, 1);
  const model::Body base = box(4, 4, 1);
  for (int run = 0; run < cases(2000); ++run) {
    const double angle = std::pow(10, uniform(random, -12, -6));
    const double heading = uniform(random, 0, 6.28);
    SCOPED_TRACE(testing::Message() << run << " angle " << angle << " heading " << heading);
    // To first order, which is all at these angles, the height of the lower face is linear:
    // slope . (x, y). The upper box sticks out over the side x = 2 of the base.
    const Vec3 axis(std::cos(heading), std::sin(heading), 0);
    const Eigen::Vector2d slope(-angle * axis.y(), angle * axis.x());
    const double overhang = uniform(random, 0.1, 0.9);
    const double left = 2 + overhang - 1;
    const double y = uniform(random, -1, 1);
    std::vector<Vec3> places;
    for (const double py : {y - 0.5, y + 0.5}) {
      places.emplace_back(left, py, 0.5);
      places.emplace_back(2, py, 0.5);
    }
    const Vec3 centre(left + 0.5, y, 1);
    std::vector<double> heights;
    for (const Vec3& p : places) heights.push_back(slope.dot((p - centre).head<2>()));
    const double lowest = *std::min_element(heights.begin(), heights.end());
    bool is_marginal = false;
    std::vector<Vec3> expected;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const double excess = heights[i] - lowest;
      is_marginal = is_marginal || std::abs(excess - touching) < 1e-14;
      if (excess <= touching) expected.push_back(places[i]);
    }
    if (is_marginal) continue;
    const Pose pose{centre - Vec3(0, 0, lowest), turn(axis, angle)};
    const auto found = regions(top, pose, base, {});
    ASSERT_EQ(found.size(), 1U);
    // Three of four corners: the region is their triangle.
    EXPECT_EQ(found[0].dimension, std::min<int>(2, static_cast<int>(expected.size()) - 1));
    EXPECT_LT(mismatch(positions(found[0]), expected), 2e-6);
  }
}
