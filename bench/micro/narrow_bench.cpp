// Distance queries of two convex hulls with 12, 50 and 200 vertices, against FCL, libccd and
// Bullet (double precision) on the same poses in the same run.
//
// `cold`: unrelated poses, about half an extent apart. `coherent`: two bodies that tumble near each
// other in steps of 1 ms, each library with its own means of remembering: witnesses here, a cached
// direction in Bullet; FCL's distance and libccd have none. libccd answers only whether the bodies
// overlap. `items_per_second` are queries per second.

#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <benchmark/benchmark.h>
#include <ccd/ccd.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/detail/gjk_solver_libccd.h>

#include <memory>
#include <random>
#include <vector>

#include "geometry/convex_distance.h"
#include "geometry/convex_hull.h"
#include "math/rotation.h"
#include "narrow/witness.h"

namespace abut {
namespace {

using geometry::ConvexPolyhedron;
using geometry::RelativePose;

constexpr int pose_count = 10000;

Vec3 random_direction(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  return Vec3(normal(random), normal(random), normal(random)).normalized();
}

struct Scene {
  geometry::PolygonMesh a, b;
  std::vector<RelativePose> poses;
};

geometry::PolygonMesh hull(std::mt19937_64& random, long vertices) {
  std::vector<Vec3> points;
  for (long i = 0; i < vertices; ++i) points.push_back(random_direction(random));
  geometry::PolygonMesh mesh = geometry::convex_hull(points);
  const Vec3 centre = ConvexPolyhedron::from_hull(mesh).centre();
  for (Vec3& v : mesh.vertices) v -= centre;
  return mesh;
}

Scene cold_scene(long vertices) {
  std::mt19937_64 random(7);
  Scene scene{hull(random, vertices), hull(random, vertices), {}};
  std::normal_distribution<double> normal;
  for (int i = 0; i < pose_count; ++i) {
    const Quat q =
        Quat(normal(random), normal(random), normal(random), normal(random)).normalized();
    scene.poses.push_back({q.toRotationMatrix(), 2.5 * random_direction(random)});
  }
  return scene;
}

Scene coherent_scene(long vertices) {
  std::mt19937_64 random(7);
  Scene scene{hull(random, vertices), hull(random, vertices), {}};
  for (int i = 0; i < pose_count; ++i) {
    const double time = 1e-3 * i;
    const Mat3 turn_a = math::rotation_exp(time * Vec3(0.7, -0.4, 0.3)).toRotationMatrix();
    const Mat3 turn_b = math::rotation_exp(time * Vec3(-0.2, 0.5, 0.6)).toRotationMatrix();
    const double distance = 2.15 + 0.02 * (1 - std::cos(2 * time));
    scene.poses.push_back({turn_b.transpose() * turn_a, turn_b.transpose() * Vec3(distance, 0, 0)});
  }
  return scene;
}

Scene scene_of(const benchmark::State& state) {
  return state.range(1) == 0 ? cold_scene(state.range(0)) : coherent_scene(state.range(0));
}

void abut_scratch(benchmark::State& state) {
  const Scene scene = scene_of(state);
  const auto a = ConvexPolyhedron::from_hull(scene.a);
  const auto b = ConvexPolyhedron::from_hull(scene.b);
  for (auto _ : state) {
    for (const RelativePose& pose : scene.poses) {
      geometry::ConvexSearch search;
      benchmark::DoNotOptimize(geometry::convex_distance(a, b, pose, search));
    }
  }
  state.SetItemsProcessed(state.iterations() * pose_count);
}

/// The search alone, without the proof and the features.
void abut_gjk(benchmark::State& state) {
  const Scene scene = scene_of(state);
  const auto a = ConvexPolyhedron::from_hull(scene.a);
  const auto b = ConvexPolyhedron::from_hull(scene.b);
  for (auto _ : state) {
    for (const RelativePose& pose : scene.poses) {
      benchmark::DoNotOptimize(geometry::gjk(a, b, pose));
    }
  }
  state.SetItemsProcessed(state.iterations() * pose_count);
}

void abut_witness(benchmark::State& state) {
  const Scene scene = scene_of(state);
  const auto a = ConvexPolyhedron::from_hull(scene.a);
  const auto b = ConvexPolyhedron::from_hull(scene.b);
  narrow::PairStatistics statistics;
  for (auto _ : state) {
    narrow::Witness witness;
    for (const RelativePose& pose : scene.poses) {
      benchmark::DoNotOptimize(witness.distance(a, b, pose, statistics));
    }
  }
  state.SetItemsProcessed(state.iterations() * pose_count);
  state.counters["hit_rate"] = static_cast<double>(statistics.witness_hits) /
                               static_cast<double>(state.iterations() * pose_count);
}

fcl::Convexd fcl_convex(const geometry::PolygonMesh& mesh) {
  auto faces = std::make_shared<std::vector<int>>();
  for (const std::vector<int>& face : mesh.faces) {
    faces->push_back(static_cast<int>(face.size()));
    faces->insert(faces->end(), face.begin(), face.end());
  }
  return {std::make_shared<const std::vector<Vec3>>(mesh.vertices),
          static_cast<int>(mesh.faces.size()), faces};
}

void fcl_distance(benchmark::State& state) {
  const Scene scene = scene_of(state);
  const fcl::Convexd a = fcl_convex(scene.a);
  const fcl::Convexd b = fcl_convex(scene.b);
  fcl::detail::GJKSolver_libccd<double> solver;
  std::vector<fcl::Transform3d> poses;
  for (const RelativePose& pose : scene.poses) {
    fcl::Transform3d transform = fcl::Transform3d::Identity();
    transform.linear() = pose.rotation;
    transform.translation() = pose.translation;
    poses.push_back(transform);
  }
  const fcl::Transform3d identity = fcl::Transform3d::Identity();
  for (auto _ : state) {
    for (const fcl::Transform3d& pose : poses) {
      double distance = 0;
      solver.shapeDistance(a, pose, b, identity, &distance);
      benchmark::DoNotOptimize(distance);
    }
  }
  state.SetItemsProcessed(state.iterations() * pose_count);
}

struct CcdHull {
  const std::vector<Vec3>* vertices;
  RelativePose pose;
};

void ccd_support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* result) {
  const auto& hull = *static_cast<const CcdHull*>(object);
  const Vec3 d =
      hull.pose.rotation.transpose() * Vec3(direction->v[0], direction->v[1], direction->v[2]);
  const Vec3* best = hull.vertices->data();
  double height = d.dot(*best);
  for (const Vec3& v : *hull.vertices) {
    const double h = d.dot(v);
    if (h > height) {
      height = h;
      best = &v;
    }
  }
  const Vec3 x = hull.pose * *best;
  ccdVec3Set(result, x.x(), x.y(), x.z());
}

void libccd_overlap(benchmark::State& state) {
  const Scene scene = scene_of(state);
  CcdHull a{&scene.a.vertices, {}};
  const CcdHull b{&scene.b.vertices, {}};
  ccd_t ccd;
  CCD_INIT(&ccd);
  ccd.support1 = ccd_support;
  ccd.support2 = ccd_support;
  ccd.max_iterations = 100;
  for (auto _ : state) {
    for (const RelativePose& pose : scene.poses) {
      a.pose = pose;
      benchmark::DoNotOptimize(ccdGJKIntersect(&a, &b, &ccd));
    }
  }
  state.SetItemsProcessed(state.iterations() * pose_count);
}

btConvexHullShape bullet_hull(const geometry::PolygonMesh& mesh) {
  btConvexHullShape result;
  for (const Vec3& v : mesh.vertices) result.addPoint(btVector3(v.x(), v.y(), v.z()), false);
  result.recalcLocalAabb();
  result.setMargin(0);
  return result;
}

void bullet_distance(benchmark::State& state) {
  const Scene scene = scene_of(state);
  const btConvexHullShape a = bullet_hull(scene.a);
  const btConvexHullShape b = bullet_hull(scene.b);
  btVoronoiSimplexSolver simplex;
  btGjkEpaPenetrationDepthSolver penetration;
  btGjkPairDetector detector(&a, &b, &simplex, &penetration);
  std::vector<btTransform> poses;
  for (const RelativePose& pose : scene.poses) {
    const Mat3& r = pose.rotation;
    const Vec3& t = pose.translation;
    poses.emplace_back(btMatrix3x3(r(0, 0), r(0, 1), r(0, 2), r(1, 0), r(1, 1), r(1, 2), r(2, 0),
                                   r(2, 1), r(2, 2)),
                       btVector3(t.x(), t.y(), t.z()));
  }
  btGjkPairDetector::ClosestPointInput input;
  input.m_transformB.setIdentity();
  for (auto _ : state) {
    for (const btTransform& pose : poses) {
      input.m_transformA = pose;
      btPointCollector result;
      detector.getClosestPoints(input, result, nullptr);
      benchmark::DoNotOptimize(result.m_distance);
    }
  }
  state.SetItemsProcessed(state.iterations() * pose_count);
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"vertices", "coherent"})
      ->ArgsProduct({{12, 50, 200}, {0, 1}})
      ->Unit(benchmark::kMillisecond);
}

BENCHMARK(abut_scratch)->Apply(sizes);
BENCHMARK(abut_gjk)->Apply(sizes);
BENCHMARK(abut_witness)->Apply(sizes);
BENCHMARK(fcl_distance)->Apply(sizes);
BENCHMARK(libccd_overlap)->Apply(sizes);
BENCHMARK(bullet_distance)->Apply(sizes);

}  // namespace
}  // namespace abut
