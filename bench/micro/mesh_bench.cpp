// Meshes that are not convex: the distance of two linked rings of quadrangles that nearly touch at
// one place, and what the boundary of a large mesh takes.
//
// `coherent`: the rings turn against each other in steps of 1 ms, with what was nearest remembered.
// `cold`: the same poses with nothing remembered. The argument is the number of triangles of each.

#include <benchmark/benchmark.h>
#include <malloc.h>

#include <cmath>
#include <memory>

#include "geometry/mesh_boundary.h"
#include "math/rotation.h"
#include "narrow/body_shape.h"
#include "narrow/pair.h"

namespace abut {
namespace {

constexpr double radius = 1, tube = 0.2, gap = 1e-3;

// About z, as triangles: twice as many around as across.
std::shared_ptr<const geometry::PolygonMesh> ring(long triangles) {
  const int across = static_cast<int>(std::lround(std::sqrt(static_cast<double>(triangles) / 4)));
  const int around = 2 * across;
  auto mesh = std::make_shared<geometry::PolygonMesh>();
  const auto at = [&](int i, int j) { return (i % around) * across + j % across; };
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      const double a = 2 * M_PI * i / around, b = 2 * M_PI * j / across;
      const double r = radius + tube * std::cos(b);
      mesh->vertices.emplace_back(r * std::cos(a), r * std::sin(a), tube * std::sin(b));
      mesh->faces.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh->faces.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return mesh;
}

std::shared_ptr<const narrow::BodyShape> shape_of(
    const std::shared_ptr<const geometry::PolygonMesh>& mesh) {
  model::Body body;
  body.parts.push_back({shape::Mesh{mesh}, {}, 1000, 0});
  return std::make_shared<const narrow::BodyShape>(body);
}

// The second ring stands upright in the first one and touches it from inside, or nearly.
Pose pose_at(int step) {
  const Quat upright = math::rotation_exp(Vec3(0.5 * M_PI, 0, 0));
  const Quat turned = math::rotation_exp(Vec3(0, 1e-3 * step, 0));
  return {Vec3(2 * (radius - tube) - gap, 0, 0), turned * upright};
}

void distance(benchmark::State& state, bool is_coherent) {
  const auto shape = shape_of(ring(state.range(0)));
  narrow::PairQuery query(shape, shape);
  benchmark::DoNotOptimize(query.separation({}, pose_at(0)).gap);
  int step = 0;
  for (auto _ : state) {
    const Pose pose = pose_at(++step % 1000);
    if (is_coherent) {
      benchmark::DoNotOptimize(query.separation({}, pose).gap);
    } else {
      narrow::PairQuery fresh(shape, shape);
      benchmark::DoNotOptimize(fresh.separation({}, pose).gap);
    }
  }
}

void coherent_distance(benchmark::State& state) {
  distance(state, true);
}
void cold_distance(benchmark::State& state) {
  distance(state, false);
}

void boundary(benchmark::State& state) {
  const auto mesh = ring(state.range(0));
  for (auto _ : state) {
    const std::size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
    const geometry::MeshBoundary made(*mesh);
    const std::size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
    state.counters["bytes_per_triangle"] =
        static_cast<double>(after - before) / static_cast<double>(mesh->faces.size());
    benchmark::DoNotOptimize(made.cell_count());
  }
}

BENCHMARK(coherent_distance)->Arg(500)->Arg(5000)->Arg(50000)->Unit(benchmark::kMicrosecond);
BENCHMARK(cold_distance)->Arg(500)->Arg(5000)->Arg(50000)->Unit(benchmark::kMicrosecond);
BENCHMARK(boundary)->Arg(10000)->Arg(1000000)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace abut
