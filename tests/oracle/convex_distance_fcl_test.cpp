// Distances of random hulls against those of FCL, which finds them with libccd's vectors and its
// own GJK: other code by other people.

#include <gtest/gtest.h>

#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/detail/gjk_solver_libccd.h>

#include <cmath>
#include <memory>

#include "geometry/convex_distance.h"
#include "support/models.h"
#include "support/random_hulls.h"
#include "support/seeds.h"

using namespace abut;
using namespace abut::test;

namespace {

fcl::Convexd convex_of(const geometry::ConvexPolyhedron& p) {
  auto faces = std::make_shared<std::vector<int>>();
  for (const auto& face : p.faces()) {
    const std::size_t count_at = faces->size();
    faces->push_back(0);
    int h = face.first;
    do {
      faces->push_back(p.half_edges()[h].origin);
      ++(*faces)[count_at];
      h = p.half_edges()[h].next;
    } while (h != face.first);
  }
  const std::vector<Vec3> vertices(p.vertices().begin(), p.vertices().end());
  return {std::make_shared<const std::vector<Vec3>>(vertices), p.face_count(), faces};
}

}  // namespace

// FCL stops when an iteration gains less than an absolute length, and its precision decays with the
// ratio of sizes to that, so it is given bodies that are about 1 m large and clearly apart; Abut is
// given the same from 1 mm to 1 km large. Distances are held to 1e-10 of that.
TEST(ConvexDistance, AgreesWithFcl) {
  Random random(abut::test::seed(41, abut::test::few_rounds));
  const auto pool = hull_pool(random, 60);
  fcl::detail::GJKSolver_libccd<double> solver;
  solver.distance_tolerance = 1e-13;
  solver.max_distance_iterations = 10000;
  int compared = 0;
  const int count = full_size() ? 100'000 : 2000;
  for (int i = 0; i < count; ++i) {
    const geometry::PolygonMesh& mesh_a = pool[random() % 60];
    const geometry::PolygonMesh& mesh_b = pool[random() % 60];
    const auto a = geometry::ConvexPolyhedron::from_hull(mesh_a);
    const auto b = geometry::ConvexPolyhedron::from_hull(mesh_b);
    const double size = std::pow(10, uniform(random, -3, 3));
    geometry::RelativePose pose;
    pose.rotation = random_rotation(random).toRotationMatrix();
    pose.translation = uniform(random, 0.5, 4) * random_direction(random);
    geometry::ConvexSearch search;
    const double gap =
        geometry::convex_distance(geometry::ConvexPolyhedron::from_hull(scaled(mesh_a, size)),
                                  geometry::ConvexPolyhedron::from_hull(scaled(mesh_b, size)),
                                  {pose.rotation, size * pose.translation}, search)
            .gap /
        size;
    if (gap < 1e-3) continue;
    ++compared;
    fcl::Transform3d a_in_b = fcl::Transform3d::Identity();
    a_in_b.linear() = pose.rotation;
    a_in_b.translation() = pose.translation;
    double theirs = 0;
    solver.shapeDistance(convex_of(a), a_in_b, convex_of(b),
                         fcl::Transform3d(fcl::Transform3d::Identity()), &theirs);
    ASSERT_NEAR(gap, theirs, 1e-10) << i;
  }
  EXPECT_GT(compared, count / 2);
}
