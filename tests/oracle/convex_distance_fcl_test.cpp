// Distances of random hulls against those of FCL, which finds them with libccd's vectors and its
// own GJK: other code by other people.

#include <gtest/gtest.h>

#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/detail/gjk_solver_libccd.h>

#include <memory>

#include "geometry/convex_distance.h"
#include "support/models.h"
#include "support/random_hulls.h"

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
// ratio of sizes to that, so both bodies are about 1 m large here and clearly apart. Distances
// below are held to 1e-10.
TEST(ConvexDistance, AgreesWithFcl) {
  Random random(41);
  const auto pool = hull_pool(random, 60);
  fcl::detail::GJKSolver_libccd<double> solver;
  solver.distance_tolerance = 1e-13;
  solver.max_distance_iterations = 10000;
  int compared = 0;
  for (int i = 0; i < cases(2000); ++i) {
    const auto pick = [&] { return geometry::ConvexPolyhedron::from_hull(pool[random() % 60]); };
    const geometry::ConvexPolyhedron a = pick();
    const geometry::ConvexPolyhedron b = pick();
    geometry::RelativePose pose;
    pose.rotation = random_rotation(random).toRotationMatrix();
    pose.translation = uniform(random, 0.5, 4) * random_direction(random);
    geometry::ConvexSearch search;
    const double gap = geometry::convex_distance(a, b, pose, search).gap;
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
  EXPECT_GT(compared, cases(1000));
}
