// Distances of curved solids against alternating projections, and against their own proof.

#include "geometry/curved_distance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "math/rotation.h"
#include "support/random_hulls.h"
#include "support/seeds.h"
#include "support/sizes.h"

namespace abut::geometry {
namespace {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double number(double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(engine_);
  }
  /// Evenly distributed over the decades.
  double size(double from, double to) { return std::exp(number(std::log(from), std::log(to))); }
  Vec3 direction() {
    std::normal_distribution<double> normal;
    return Vec3(normal(engine_), normal(engine_), normal(engine_)).normalized();
  }
  Mat3 rotation() { return math::rotation_exp(number(0, 3) * direction()).toRotationMatrix(); }
  Vec3 sizes(double from, double to) { return {size(from, to), size(from, to), size(from, to)}; }

 private:
  std::mt19937_64 engine_;
};

/// The point of an ellipsoid (radii along the axes) nearest to p outside of it: x = r^2 p / (r^2 +
/// t) with the t > 0 at which x is on the surface, by bisection.
Vec3 onto_ellipsoid(const Vec3& radii, const Vec3& p) {
  const Vec3 squares = radii.cwiseProduct(radii);
  const auto at = [&](double t) -> Vec3 {
    return squares.cwiseProduct(p).cwiseQuotient(squares + Vec3::Constant(t));
  };
  double low = 0, high = p.norm() * radii.maxCoeff() + 1;
  while (at(high).cwiseQuotient(radii).norm() > 1) high *= 2;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (at(middle).cwiseQuotient(radii).norm() > 1 ? low : high) = middle;
  }
  return at(low);
}

struct PlacedEllipsoid {
  Vec3 radii;
  Mat3 rotation;
  Vec3 position;

  Vec3 nearest(const Vec3& p) const {
    return position + rotation * onto_ellipsoid(radii, rotation.transpose() * (p - position));
  }
};

struct PlacedBox {
  Vec3 half;
  Mat3 rotation;
  Vec3 position;

  Vec3 nearest(const Vec3& p) const {
    const Vec3 local = rotation.transpose() * (p - position);
    return position + rotation * Vec3(local.cwiseMax(-half).cwiseMin(half));
  }
};

/// Alternating projections onto two convex sets converge to a pair of nearest points.
template <class A, class B>
double alternating_distance(const A& a, const B& b) {
  Vec3 x = a.nearest(b.position), y = b.nearest(x);
  for (int i = 0; i < 20000; ++i) {
    const Vec3 next = a.nearest(y);
    y = b.nearest(next);
    const bool still = (next - x).norm() < 1e-12;
    x = next;
    if (still) break;
  }
  return (x - y).norm();
}

/// A solid beyond another one, at a random place that leaves a gap between their bounding balls, or
/// that closes it to a part of their size, at least `least`. Alternating projections are slow where
/// that is small.
template <class Distance>
Vec3 placed_beside(Random& random, double reach, double least, const Distance& distance) {
  const Vec3 d = random.direction();
  if (random.number(0, 1) < 0.5) return random.number(1.05, 2) * reach * d;
  double far = 1.1 * reach, near = 0;
  const double wanted = random.size(least, 0.3) * reach;
  for (int i = 0; i < 24; ++i) {
    const double middle = 0.5 * (near + far);
    (distance(middle * d) > wanted ? far : near) = middle;
  }
  return far * d;
}

TEST(CurvedDistance, OfEllipsoidsIsThatOfAlternatingProjections) {
  Random random(test::seed(1, test::few_rounds));
  CurvedSearchStatistics statistics;
  for (int round = 0; round < test::cases(60); ++round) {
    SCOPED_TRACE(round);
    const Vec3 ra = random.sizes(0.1, 1), rb = random.sizes(0.1, 1);
    const ConvexSurface sa = ConvexSurface::ellipsoid(ra), sb = ConvexSurface::ellipsoid(rb);
    PlacedConvex a{&sa, nullptr, random.rotation(), Vec3::Zero()};
    PlacedConvex b{&sb, nullptr, random.rotation(), Vec3::Zero()};
    a.position =
        placed_beside(random, sa.outer_radius() + sb.outer_radius(), 0.02, [&](const Vec3& p) {
          a.position = p;
          return curved_distance(a, b, statistics).gap;
        });
    const CurvedDistance found = curved_distance(a, b, statistics);
    ASSERT_TRUE(found.converged);
    ASSERT_GT(found.gap, 0);
    const double expected = alternating_distance(PlacedEllipsoid{ra, a.rotation, a.position},
                                                 PlacedEllipsoid{rb, b.rotation, b.position});
    EXPECT_NEAR(found.gap, expected, 1e-10);
    EXPECT_NEAR((found.a - found.b).norm(), found.gap, 1e-13);
  }
}

TEST(CurvedDistance, OfAnEllipsoidFromABoxIsThatOfAlternatingProjections) {
  Random random(test::seed(2, test::few_rounds));
  CurvedSearchStatistics statistics;
  for (int round = 0; round < test::cases(60); ++round) {
    SCOPED_TRACE(round);
    const Vec3 ra = random.sizes(0.1, 1), size = random.sizes(0.2, 2);
    const ConvexSurface sa = ConvexSurface::ellipsoid(ra);
    const ConvexPolyhedron box = ConvexPolyhedron::from_box(size);
    PlacedConvex a{&sa, nullptr, random.rotation(), Vec3::Zero()};
    PlacedConvex b{nullptr, &box, random.rotation(), Vec3::Zero()};
    a.position = placed_beside(random, sa.outer_radius() + box.radius(), 0.02, [&](const Vec3& p) {
      a.position = p;
      return curved_distance(a, b, statistics).gap;
    });
    const CurvedDistance found = curved_distance(a, b, statistics);
    ASSERT_TRUE(found.converged);
    const double expected = alternating_distance(PlacedEllipsoid{ra, a.rotation, a.position},
                                                 PlacedBox{0.5 * size, b.rotation, b.position});
    EXPECT_NEAR(found.gap, expected, 1e-10);
  }
}

/// A superellipsoid by the closed form of its support function: the norm that is dual to
/// | (|(x/a, y/b)| in the norm of 2/e2, z/c) | in the norm of 2/e1.
struct DualSolid {
  Vec3 radii;
  double e1, e2;
  Mat3 rotation;
  Vec3 position;

  static double dual_norm(double x, double y, double exponent) {
    const double q = 2 / (2 - exponent), most = std::max(std::abs(x), std::abs(y));
    if (most == 0) return 0;
    return most *
           std::pow(std::pow(std::abs(x) / most, q) + std::pow(std::abs(y) / most, q), 1 / q);
  }
  double height(const Vec3& m) const {
    const Vec3 scaled = radii.cwiseProduct(rotation.transpose() * m);
    return m.dot(position) + dual_norm(dual_norm(scaled.x(), scaled.y(), e2), scaled.z(), e1);
  }
};

/// The largest value of a function with a single peak on (-pi/2, pi/2), by golden sections.
template <class F>
double peak(const F& f) {
  const double section = 0.5 * (std::sqrt(5.0) - 1);
  double low = -M_PI / 2, high = M_PI / 2;
  double x = high - section * (high - low), y = low + section * (high - low);
  double fx = f(x), fy = f(y);
  while (high - low > 1e-9) {
    if (fx > fy) {
      high = y;
      y = x;
      fy = fx;
      fx = f(x = high - section * (high - low));
    } else {
      low = x;
      x = y;
      fx = fy;
      fy = f(y = low + section * (high - low));
    }
  }
  return std::max(fx, fy);
}

/// The distance as the widest slab between the solids: the largest s(m) / |m| over all m, with
/// s(m) = -h_a(-m) - h_b(m), which is concave. A slab also separates the middles of the solids, so
/// every m lies before the plane m . d = 1, d the direction from one middle to the other, or on it
/// after scaling. On that plane s(m) / |m| where s > 0, and s elsewhere, has convex sets above
/// every level, so golden sections of its lines, and of the largest value on each line, find the
/// peak.
double widest_slab(const DualSolid& a, const DualSolid& b) {
  const Vec3 d = (a.position - b.position).normalized();
  const Vec3 across = d.unitOrthogonal(), up = d.cross(across);
  return peak([&](double alpha) {
    const Vec3 foot = d + std::tan(alpha) * across;
    return peak([&](double beta) {
      const Vec3 m = foot + foot.norm() * std::tan(beta) * up;
      const double slab = -a.height(-m) - b.height(m);
      return slab > 0 ? slab / m.norm() : slab;
    });
  });
}

TEST(CurvedDistance, OfThinSolidsIsTheWidestSlab) {
  Random random(test::seed(8, test::few_rounds));
  CurvedSearchStatistics statistics;
  const int rounds = test::full_size() ? 10000 : test::cases(60);
  int unproven = 0;
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE(round);
    std::vector<DualSolid> solids;
    for (const bool is_ellipsoid : {round % 3 == 0, round % 3 < 2}) {
      const auto exponent = [&] { return is_ellipsoid ? 1 : random.number(0.3, 1.7); };
      solids.push_back(
          {random.sizes(0.01, 1), exponent(), exponent(), random.rotation(), Vec3::Zero()});
    }
    const auto surface = [](const DualSolid& solid) {
      return ConvexSurface::superellipsoid(solid.radii, solid.e1, solid.e2);
    };
    const ConvexSurface sa = surface(solids[0]), sb = surface(solids[1]);
    PlacedConvex a{&sa, nullptr, solids[0].rotation, Vec3::Zero()};
    const PlacedConvex b{&sb, nullptr, solids[1].rotation, Vec3::Zero()};
    a.position = placed_beside(random, a.size() + b.size(), 1e-4, [&](const Vec3& p) {
      a.position = p;
      return curved_distance(a, b, statistics).gap;
    });
    solids[0].position = a.position;
    const CurvedDistance found = curved_distance(a, b, statistics);
    unproven += found.converged ? 0 : 1;
    EXPECT_NEAR(found.gap, widest_slab(solids[0], solids[1]), 1e-10) << found.converged;
  }
  // Where a solid is nearly flat its nearest point is known to fewer digits than its distance: then
  // the bounds disagree by more than rounding, and the lower one, compared above, is told.
  EXPECT_LE(unproven, rounds / 1000);
}

/// What a distance proves by itself: the points are in the solids (a support point is), and the
/// slab between them is empty.
void expect_proof(const PlacedConvex& a, const PlacedConvex& b, const CurvedDistance& found) {
  const double scale = (a.position - b.position).norm() + a.size() + b.size();
  EXPECT_TRUE(found.converged);
  EXPECT_NEAR(found.normal.norm(), 1, 1e-14);
  EXPECT_NEAR((found.a - found.b).norm(), found.gap, 1e-12 * scale);
  EXPECT_LE((found.a - found.b - found.gap * found.normal).norm(), 1e-7 * scale);
  EXPECT_NEAR(-a.height(-found.normal) - b.height(found.normal), found.gap, 1e-14 * scale);
  for (const auto& [side, point, sign] :
       {std::tuple(&a, found.a, -1.0), std::tuple(&b, found.b, 1.0)}) {
    // In the solid: no direction in which the point is beyond the support plane.
    Random random(test::seed(7, test::few_rounds));
    for (int i = 0; i < 50; ++i) {
      const Vec3 d = random.direction();
      EXPECT_LE(d.dot(point), side->height(d) + 1e-13 * scale);
    }
    EXPECT_NEAR(sign * found.normal.dot(point), side->height(sign * found.normal), 1e-13 * scale);
  }
}

struct Zoo {
  explicit Zoo(Random& random, double aspect) {
    const auto radii = [&] { return random.sizes(1 / aspect, 1); };
    const auto exponent = [&] { return random.number(0.3, 1.7); };
    surfaces.push_back(ConvexSurface::ellipsoid(radii()));
    surfaces.push_back(ConvexSurface::superellipsoid(radii(), exponent(), exponent()));
    surfaces.push_back(
        ConvexSurface::cylinder(random.size(1 / aspect, 1), random.size(1 / aspect, 1)));
    surfaces.push_back(ConvexSurface::cone(random.size(1 / aspect, 1), random.size(1 / aspect, 1)));
    polyhedra.push_back(ConvexPolyhedron::from_point());
    polyhedra.push_back(ConvexPolyhedron::from_segment(random.number(0.1, 2)));
    polyhedra.push_back(ConvexPolyhedron::from_box(radii()));
  }
  std::vector<ConvexSurface> surfaces;
  std::vector<ConvexPolyhedron> polyhedra;
};

void prove_all(double aspect, std::uint64_t seed, int rounds) {
  Random random(seed);
  CurvedSearchStatistics statistics;
  for (int round = 0; round < test::cases(rounds); ++round) {
    const Zoo zoo(random, aspect);
    for (std::size_t i = 0; i < zoo.surfaces.size(); ++i)
      for (std::size_t j = 0; j < zoo.surfaces.size() + zoo.polyhedra.size(); ++j) {
        SCOPED_TRACE(testing::Message() << "round " << round << " pair " << i << " " << j);
        const bool curved = j < zoo.surfaces.size();
        PlacedConvex a{&zoo.surfaces[i], nullptr, random.rotation(), Vec3::Zero()};
        PlacedConvex b{curved ? &zoo.surfaces[j] : nullptr,
                       curved ? nullptr : &zoo.polyhedra[j - zoo.surfaces.size()],
                       random.rotation(), Vec3::Zero()};
        a.position = placed_beside(random, a.size() + b.size(), 1e-6, [&](const Vec3& p) {
          a.position = p;
          return curved_distance(a, b, statistics).gap;
        });
        const CurvedDistance found = curved_distance(a, b, statistics);
        expect_proof(a, b, found);
        // A little later the cells are mostly the same: then the answer is the same as from
        // scratch.
        a.position += 1e-4 * random.direction();
        const CurvedDistance anew = curved_distance(a, b, statistics);
        if (const auto near = curved_distance_near(a, b, found, statistics)) {
          EXPECT_NEAR(near->gap, anew.gap, 1e-13 * (a.size() + b.size()));
        }
      }
  }
}

TEST(CurvedDistance, OfAllKindsProvesItself) {
  prove_all(5, 3, 5);
}

TEST(CurvedDistance, OfNeedlesAndDiscsProvesItself) {
  prove_all(100, 4, 5);
}

// An edge that lies all but flat over a disc is nearest to one end of their chord. With the edge
// along x, its lean about y, and the disc across z, the heights at the ends differ by lean times
// the chord, and the lower one is the distance; an edge that ends over the disc has its own end.
TEST(CurvedDistance, OfAnEdgeOverADiscIsThatOfOneEndOfTheirChord) {
  CurvedSearchStatistics statistics;
  const double radius = 0.1, rise = 0.1 * std::sqrt(2.0);
  const ConvexSurface disc = ConvexSurface::cylinder(radius, 0.05);
  const PlacedConvex a{&disc, nullptr, Mat3::Identity(), Vec3(0, 0, 0.025)};
  Random random(test::seed(11));
  for (int round = 0; round < test::cases(60); ++round) {
    SCOPED_TRACE(round);
    const bool ends_above = round % 2 == 0;
    const double lean = std::pow(10, random.number(-11, -4)) * (round % 4 < 2 ? 1 : -1);
    const double aside = random.number(-0.09, 0.09), gap = random.number(1e-10, 1e-8);
    const double half = ends_above ? 0.02 : 0.5;
    const ConvexPolyhedron box = ConvexPolyhedron::from_box(Vec3(2 * half, 0.2, 0.2));
    // Its upper edge is at the height -gap where x = 0.
    const Mat3 turned = math::rotation_exp(Vec3(0, lean, 0)).toRotationMatrix() *
                        math::rotation_exp(Vec3(M_PI / 4, 0, 0)).toRotationMatrix();
    const Vec3 up = math::rotation_exp(Vec3(0, lean, 0)) * Vec3(0, 0, rise);
    const PlacedConvex b{nullptr, &box, turned, Vec3(0, aside, -gap) - up};
    const double reach = ends_above ? half : std::sqrt(radius * radius - aside * aside);
    const double nearest = gap - std::abs(lean) * reach;
    if (!(nearest > 1e-12)) continue;
    const CurvedDistance found = curved_distance(a, b, statistics);
    EXPECT_TRUE(found.converged);
    EXPECT_NEAR(found.gap, nearest, 1e-15 + 1e-4 * std::abs(lean) * std::abs(lean));
    EXPECT_NEAR(found.b.x(), (lean > 0 ? -1 : 1) * reach, 1e-3 * reach);
  }
}

// Over a flat spot the nearest place follows a point, and a line, as over any other place, up to
// what a rounding of the normal leaves uncertain of it: the cube root of that at the spot itself.
TEST(CurvedDistance, FollowsAPointOverAFlatSpot) {
  const SupportAtom flat = SupportAtom::superellipsoid(Vec3(0.4, 0.3, 0.5), 0.5, 0.5);
  const Mat3 turned = math::rotation_exp(Vec3(0.3, -0.7, 0.2)).toRotationMatrix();
  Random random(test::seed(3));
  for (int round = 0; round < test::cases(60); ++round) {
    SCOPED_TRACE(round);
    // Beside a circle of flat places, nearly above it.
    const double aside = std::pow(10, random.number(-7, -2.5)) * (round % 2 == 0 ? 1 : -1);
    const Vec3 m = Vec3(0, random.number(-1, 1), 1).normalized();
    const Vec3 above = flat.support(m) + 0.05 * m + Vec3(aside, 0, 0);
    const AtomPair pair{{&SupportAtom::origin(), Mat3::Identity(), turned * above},
                        {&flat, turned, Vec3::Zero()}};
    const Vec3 start = turned * Vec3(0.1, 0.05, 1).normalized();
    const Extremum free = extremal_normal(pair, start);
    const double uncertain = std::abs(aside) > 1e-4 ? 1e-8 : 1e-5;
    EXPECT_LT(((free.a - free.b) - free.gap * free.normal).norm(), uncertain);
    EXPECT_LT(free.iterations, 20);
    // A line through the point, across which the normal stays.
    const Vec3 line = turned * Vec3(0.2, 1, -m.y() / m.z()).normalized();
    const Extremum bound = extremal_normal_on(pair, {line, 0}, start);
    EXPECT_LT(std::abs((bound.a - bound.b).dot(line.cross(bound.normal))), uncertain);
    EXPECT_LT(bound.iterations, 20);
  }
}

TEST(CurvedDistance, OfSolidsThatOverlapIsTheShortestWayOut) {
  CurvedSearchStatistics statistics;
  const ConvexSurface flat = ConvexSurface::ellipsoid(Vec3(1, 1, 0.2));
  const ConvexSurface ball = ConvexSurface::ellipsoid(Vec3::Constant(0.3));
  PlacedConvex a{&ball, nullptr, Mat3::Identity(), Vec3(0, 0, 0.1)};
  const PlacedConvex b{&flat, nullptr, Mat3::Identity(), Vec3::Zero()};
  EXPECT_NEAR(curved_distance(a, b, statistics).gap, 0.1 - 0.5, 1e-12);
  a.position = Vec3(0, 0, 0.5 - 1e-10);
  EXPECT_NEAR(curved_distance(a, b, statistics).gap, -1e-10, 1e-15);
}

/// The widest slab along directions that are spread evenly over the sphere, m.
double widest_slab(const ConvexPair& pair, int directions) {
  double widest = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < directions; ++i) {
    const double z = 1 - (2 * i + 1.0) / directions, angle = i * M_PI * (3 - std::sqrt(5.0));
    const double r = std::sqrt(1 - z * z);
    widest = std::max(widest, pair.gap_along(Vec3(r * std::cos(angle), r * std::sin(angle), z)));
  }
  return widest;
}

TEST(CurvedDistance, OfSolidsWithinBoxesIsTheShortestWayOut) {
  Random random(test::seed(31, test::few_rounds));
  for (int i = 0; i < test::cases(60); ++i) {
    const ConvexPolyhedron box = ConvexPolyhedron::from_box(random.sizes(0.5, 5));
    const double radius = random.size(0.3, 2), height = random.size(0.3, 3);
    const ConvexSurface solid = i % 3 == 0   ? ConvexSurface::cone(radius, height)
                                : i % 3 == 1 ? ConvexSurface::cylinder(radius, height)
                                             : ConvexSurface::ellipsoid(random.sizes(0.3, 2));
    const PlacedConvex a{nullptr, &box, random.rotation(), Vec3::Zero()};
    const PlacedConvex b{&solid, nullptr, random.rotation(),
                         random.number(0, 1) * random.direction()};
    const ConvexPair pair(a, b);
    const double widest = widest_slab(pair, 20000);
    if (widest > 0) continue;
    CurvedSearchStatistics statistics;
    const CurvedDistance found = curved_distance(a, b, statistics);
    EXPECT_NEAR(found.gap, pair.gap_along(found.normal), 1e-12) << i;
    // Climbs begin at a few places: another way may be shorter by a little.
    EXPECT_GT(found.gap, 1.01 * widest) << i;
    // The points are as far apart as the solids are deep, along the normal.
    EXPECT_NEAR((found.a - found.b).dot(found.normal), found.gap, 1e-9) << i;
  }
}

TEST(CurvedDistance, OfAConeWithinABoxIsNoDistance) {
  const ConvexPolyhedron box =
      ConvexPolyhedron::from_box(Vec3(11.575380660734314, 7.9079278632239589, 8.4874387503510089));
  const ConvexSurface cone = ConvexSurface::cone(1.1164477338593948, 4.4346115543409717);
  const Quat box_turn(0.094494639030080804, 0.58354705357179493, -0.65822266881145586,
                      0.46614001944155781);
  const Quat cone_turn(-0.17418032733844491, -0.27941817156653243, 0.085134095684099784,
                       -0.9403929416572302);
  const PlacedConvex b{nullptr, &box, box_turn.toRotationMatrix(),
                       Vec3(-5.0931926485806605, 7.0419937475568233, 4.4629981892719739)};
  for (const Vec3& place : {Vec3(-5.72, 6.13, 5.005),
                            Vec3(-4.6551103118017938, 6.6101993242961576, 4.863494295187043)}) {
    const PlacedConvex a{&cone, nullptr, cone_turn.toRotationMatrix(), place};
    CurvedSearchStatistics statistics;
    const CurvedDistance found = curved_distance(a, b, statistics);
    EXPECT_LT(found.gap, 0);
    EXPECT_GT(found.gap, 1.01 * widest_slab({a, b}, 20000));
  }
}

}  // namespace
}  // namespace abut::geometry
