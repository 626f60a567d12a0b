// Distances are compared with a proof by other means: for any unit n, the bodies are at least
// min_A n.x - max_B n.x apart, here the minimum over all vertices; and at most as far as two of
// their points. Depths are compared with the hull of all differences of vertices.

#include "geometry/convex_distance.h"

#include "abut/diagnostics.h"
#include "geometry/least_translation.h"
#include "support/models.h"
#include "support/random_hulls.h"
#include "support/seeds.h"

using namespace abut;
using namespace abut::geometry;
using namespace abut::test;

namespace {

/// What distances are held to, in the unit of the bodies' reach (dimensionless).
constexpr double promise = 1e-10;

double gap_by_vertices(const PlacedPair& pair, const Vec3& n) {
  double lowest = INFINITY;
  double highest = -INFINITY;
  for (const Vec3& v : pair.a.vertices()) lowest = std::min(lowest, n.dot(pair.a_in_b * v));
  for (const Vec3& v : pair.b.vertices()) highest = std::max(highest, n.dot(v));
  return lowest - highest;
}

/// How far a point is outside a polyhedron, or less.
double height_above(const ConvexPolyhedron& p, const Vec3& x) {
  double result = -INFINITY;
  for (const auto& face : p.faces()) result = std::max(result, face.normal.dot(x) - face.offset);
  return result;
}

ConvexDistance distance_of(const PlacedPair& pair) {
  ConvexSearch search;
  return convex_distance(pair.a, pair.b, pair.a_in_b, search);
}

/// The signed distance of the origin to the hull of all differences of vertices: positive outside,
/// where it is only a lower bound.
double gap_by_difference_hull(const PlacedPair& pair) {
  std::vector<Vec3> differences;
  for (const Vec3& v : pair.a.vertices()) {
    for (const Vec3& w : pair.b.vertices()) differences.push_back(pair.a_in_b * v - w);
  }
  const PolygonMesh hull = convex_hull(differences);
  double gap = -INFINITY;
  for (const auto& face : hull.faces) {
    Vec3 area = Vec3::Zero();
    const Vec3& origin = hull.vertices[face[0]];
    for (std::size_t i = 1; i + 1 < face.size(); ++i) {
      area += (hull.vertices[face[i]] - origin).cross(hull.vertices[face[i + 1]] - origin);
    }
    gap = std::max(gap, -area.normalized().dot(origin));
  }
  return gap;
}

}  // namespace

TEST(ConvexDistance, IsProvenByAllVerticesForRandomPairs) {
  Random random(abut::test::seed(1, abut::test::few_rounds));
  const auto pool = hull_pool(random, 60);
  int apart = 0;
  int overlapping = 0;
  for (int i = 0; i < cases(10000); ++i) {
    const PlacedPair pair = random_pair(random, pool);
    const double tolerance = promise * rounding_scale(pair.a, pair.b, pair.a_in_b);
    const ConvexDistance d = distance_of(pair);
    SCOPED_TRACE(std::string(pair.kind) + " " + std::to_string(i));
    ASSERT_TRUE(d.converged);
    ASSERT_NEAR(d.normal.norm(), 1, 1e-14);
    ASSERT_NEAR(d.gap, gap_by_vertices(pair, d.normal), tolerance);
    ASSERT_NEAR((d.a - d.b - d.gap * d.normal).norm(), 0, tolerance);
    if (d.gap <= 0) {
      ++overlapping;
      continue;
    }
    ++apart;
    const Vec3 in_a = pair.a_in_b.inverse() * d.a;
    ASSERT_LE(height_above(pair.a, in_a), tolerance);
    ASSERT_LE(height_above(pair.b, d.b), tolerance);
  }
  EXPECT_GT(apart, cases(3000));
  EXPECT_GT(overlapping, cases(3000));
}

TEST(ConvexDistance, DepthIsThatOfTheHullOfDifferences) {
  Random random(abut::test::seed(2));
  const auto pool = hull_pool(random, 60);
  int overlapping = 0;
  for (int i = 0; overlapping < cases(60); ++i) {
    const PlacedPair pair = random_pair(random, pool);
    // Similar sizes: Qhull merges facets that are small on the scale of the whole.
    const double ratio = pair.a.radius() / pair.b.radius();
    if (ratio > 10 || ratio < 0.1) continue;
    if (pair.a.vertex_count() * pair.b.vertex_count() > 1500) continue;
    const ConvexDistance d = distance_of(pair);
    if (d.gap >= 0) continue;
    ++overlapping;
    const double tolerance = promise * rounding_scale(pair.a, pair.b, pair.a_in_b);
    ASSERT_NEAR(d.gap, gap_by_difference_hull(pair), tolerance) << pair.kind << " " << i;
    // Moved by its depth along the normal, A touches.
    PlacedPair moved = pair;
    moved.a_in_b.translation -= d.gap * d.normal;
    ASSERT_NEAR(distance_of(moved).gap, 0, tolerance);
  }
}

TEST(ConvexDistance, OfBoxesInClosedForm) {
  PlacedPair pair{
      ConvexPolyhedron::from_box(Vec3(1, 1, 1)), ConvexPolyhedron::from_box(Vec3(2, 2, 2)), {}, ""};
  pair.a_in_b.translation = Vec3(1.5 + 0.25, 0.1, 0.2);  // face to face
  EXPECT_DOUBLE_EQ(distance_of(pair).gap, 0.25);
  EXPECT_TRUE(distance_of(pair).normal.isApprox(Vec3(1, 0, 0)));
  pair.a_in_b.translation = Vec3(1.5 + 3, 1.5 + 4, 0.2);  // parallel edges
  EXPECT_DOUBLE_EQ(distance_of(pair).gap, 5);
  EXPECT_TRUE(distance_of(pair).normal.isApprox(Vec3(0.6, 0.8, 0)));
  pair.a_in_b.translation = Vec3(1.5 + 2, 1.5 + 3, 1.5 + 6);  // corner to corner
  EXPECT_DOUBLE_EQ(distance_of(pair).gap, 7);
  pair.a_in_b.translation = Vec3(1.5, 0.1, 0.2);  // in touch
  EXPECT_EQ(distance_of(pair).gap, 0);
  EXPECT_TRUE(distance_of(pair).normal.isApprox(Vec3(1, 0, 0)));
  pair.a_in_b.translation = Vec3(0.1, 0.3, -0.2);  // inside: out through y
  EXPECT_DOUBLE_EQ(distance_of(pair).gap, -1.2);
  EXPECT_TRUE(distance_of(pair).normal.isApprox(Vec3(0, 1, 0)));
  pair.a_in_b.translation = Vec3::Zero();  // concentric
  EXPECT_DOUBLE_EQ(distance_of(pair).gap, -1.5);
}

TEST(ConvexDistance, OfCrossedEdgesInClosedForm) {
  // Two square bars, each standing on an edge, cross at a right angle.
  const double half_diagonal = std::sqrt(0.5);
  const auto bar = ConvexPolyhedron::from_box(Vec3(1, 1, 10));
  PlacedPair pair{bar, bar, {}, ""};
  // In the frame of b its edges are at (+-0.5, +-0.5); the way out is along (1, 1, 0).
  const Vec3 out = Vec3(1, 1, 0).normalized();
  const Vec3 side = Vec3(1, -1, 0).normalized();
  Mat3 rotation;
  // a's long axis along `side`, and one of its edges towards -out.
  rotation.col(2) = side;
  rotation.col(0) = (out + Vec3::UnitZ()).normalized();
  rotation.col(1) = rotation.col(2).cross(rotation.col(0));
  for (const double gap : {1e-9, 0.5, 0.0, -1e-9, -0.1}) {
    pair.a_in_b = {rotation, (2 * half_diagonal + gap) * out};
    const ConvexDistance d = distance_of(pair);
    EXPECT_NEAR(d.gap, gap, 1e-14);
    EXPECT_NEAR((d.normal - out).norm(), 0, 1e-14);
    EXPECT_EQ(d.feature_a.kind, FeatureKind::edge);
    EXPECT_EQ(d.feature_b.kind, FeatureKind::edge);
  }
}

TEST(ConvexDistance, OfPlatesNeedlesAndABlockIsProvenHoweverTheyLie) {
  Random random(abut::test::seed(6));
  const std::vector<ConvexPolyhedron> solids = {ConvexPolyhedron::from_box(Vec3(1, 1, 1e-6)),
                                                ConvexPolyhedron::from_box(Vec3(1e-6, 1e-6, 1)),
                                                ConvexPolyhedron::from_box(Vec3(1e3, 1e3, 1e3))};
  for (int i = 0; i < cases(5000); ++i) {
    PlacedPair pair{solids[random() % 3], solids[random() % 3], {}, ""};
    const double reach = pair.a.radius() + pair.b.radius();
    if (random() % 2 == 0) {
      pair.a_in_b.rotation = random_rotation(random).toRotationMatrix();
    } else if (random() % 2 == 0) {
      const double angle = std::pow(10, uniform(random, -16, -1));
      pair.a_in_b.rotation = Eigen::AngleAxisd(angle, random_direction(random)).toRotationMatrix();
    }
    const Vec3 side = Vec3::Unit(static_cast<int>(random() % 3));
    const double away = random() % 8 == 0 ? 0 : reach * std::pow(10, uniform(random, -15, 0.3));
    pair.a_in_b.translation = away * (random() % 2 == 0 ? side : random_direction(random));
    const ConvexDistance d = distance_of(pair);
    ASSERT_TRUE(d.converged) << i;
    ASSERT_NEAR(d.gap, gap_by_vertices(pair, d.normal), 1e-12 * reach) << i;
    if (d.gap <= 0) continue;
    ASSERT_NEAR((d.a - d.b).norm(), d.gap, 1e-11 * reach) << i;
    ASSERT_LE(height_above(pair.a, pair.a_in_b.inverse() * d.a), 1e-11 * reach) << i;
    ASSERT_LE(height_above(pair.b, d.b), 1e-11 * reach) << i;
  }
}

// Hulls down to the flattest and thinnest that count as solids, whose faces are slivers.
TEST(ConvexDistance, OfNearlyDegenerateHullsIsProven) {
  Random random(abut::test::seed(7));
  int refused = 0;  // points that have no hull in double precision
  const auto sliver = [&] {
    for (;; ++refused) {
      const Vec3 radii(1, std::pow(10, uniform(random, -6, 0)),
                       std::pow(10, uniform(random, -11, 0)));
      const int points = 6 + static_cast<int>(random() % 30);
      try {
        return ConvexPolyhedron::from_hull(round_hull(random, points, radii));
      } catch (const InputError&) {
      }
    }
  };
  for (int i = 0; i < cases(2000); ++i) {
    PlacedPair pair{sliver(), sliver(), {}, ""};
    const double away = std::pow(10, uniform(random, -14, 0.5));
    pair.a_in_b.translation = away * random_direction(random);
    if (random() % 3 != 0) pair.a_in_b.rotation = random_rotation(random).toRotationMatrix();
    const double tolerance = promise * rounding_scale(pair.a, pair.b, pair.a_in_b);
    const ConvexDistance d = distance_of(pair);
    ASSERT_TRUE(std::isfinite(d.gap) && d.normal.allFinite()) << i;
    ASSERT_NEAR(d.normal.norm(), 1, 1e-14) << i;
    ASSERT_LE(d.gap, gap_by_vertices(pair, d.normal) + tolerance) << i;
    ASSERT_TRUE(d.converged) << i;
    ASSERT_NEAR((d.a - d.b - d.gap * d.normal).norm(), 0, tolerance) << i;
    if (d.gap <= 0) continue;
    ASSERT_LE(height_above(pair.a, pair.a_in_b.inverse() * d.a), tolerance) << i;
    ASSERT_LE(height_above(pair.b, d.b), tolerance) << i;
  }
  EXPECT_LE(refused, cases(2000) / 100);
}

TEST(ConvexDistance, AnyStartOfTheSearchGivesTheSameDistance) {
  Random random(abut::test::seed(5));
  const auto pool = hull_pool(random, 60);
  for (int i = 0; i < cases(1000); ++i) {
    const PlacedPair pair = random_pair(random, pool);
    ConvexSearch warm;
    warm.start.count = 3;
    for (int k = 0; k < 3; ++k) {
      warm.start.corners[k].a = static_cast<int>(random() % pair.a.vertex_count());
      warm.start.corners[k].b = static_cast<int>(random() % pair.b.vertex_count());
    }
    warm.guess = random_direction(random);
    warm.overlap_expected = random() % 2 == 0;
    const double warm_gap = convex_distance(pair.a, pair.b, pair.a_in_b, warm).gap;
    const double scale = rounding_scale(pair.a, pair.b, pair.a_in_b);
    ASSERT_NEAR(warm_gap, distance_of(pair).gap, 1e-12 * scale) << pair.kind << " " << i;
  }
}

TEST(ConvexDistance, NonsenseEndsWithoutAnAnswerButEnds) {
  PlacedPair pair{
      ConvexPolyhedron::from_box(Vec3(1, 1, 1)), ConvexPolyhedron::from_box(Vec3(2, 2, 2)), {}, ""};
  pair.a_in_b.translation = Vec3(NAN, 0, 0);
  EXPECT_FALSE(distance_of(pair).gap > 0);
}
