// Time per query of moving contact, by what the query is like.
//
// `free` and `hits` are random motions in a unit cube, `grazing` are touches that do not lead
// through (the worst case: they use up the limit of work), `apart` are pairs that a box test would
// discard. `public` are the public sample queries, with the number of missed contacts and the share
// of needless hits among the pairs that stay apart.

#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "geometry/moving_contact.h"
#include "support/public_queries.h"

namespace abut::geometry {
namespace {

using FourPoints = std::array<MovingPoint, 4>;

MovingContact answer(const FourPoints& p, bool edges) {
  return edges ? edge_meets_edge({p[0], p[1]}, {p[2], p[3]})
               : point_meets_triangle(p[0], {p[1], p[2], p[3]});
}

/// Random motions, shifted by `offset` for the first point (or edge), of which the answer is `hit`.
std::vector<FourPoints> random_queries(bool edges, bool hit, double offset) {
  constexpr std::size_t count = 1000;
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> real(-1, 1);
  const auto point = [&] { return Vec3(real(random), real(random), real(random)); };
  std::vector<FourPoints> queries;
  while (queries.size() < count) {
    FourPoints p;
    for (MovingPoint& x : p) x = {point(), point()};
    for (std::size_t i = 0; i < (edges ? 2u : 1u); ++i) {
      p[i].start.x() += offset;
      p[i].end.x() += offset;
    }
    if (answer(p, edges).hit == hit) queries.push_back(p);
  }
  return queries;
}

void run(benchmark::State& state, const std::vector<FourPoints>& queries, bool edges) {
  std::size_t next = 0;
  long intervals = 0;
  for (auto _ : state) {
    const MovingContact result = answer(queries[next], edges);
    benchmark::DoNotOptimize(result.earliest);
    intervals += result.intervals;
    next = next + 1 == queries.size() ? 0 : next + 1;
  }
  state.counters["intervals"] =
      static_cast<double>(intervals) / static_cast<double>(state.iterations());
}

void moving_contact(benchmark::State& state, bool edges, bool hit, double offset) {
  run(state, random_queries(edges, hit, offset), edges);
}
BENCHMARK_CAPTURE(moving_contact, point_triangle_apart, false, false, 3.0);
BENCHMARK_CAPTURE(moving_contact, point_triangle_free, false, false, 0.0);
BENCHMARK_CAPTURE(moving_contact, point_triangle_hits, false, true, 0.0);
BENCHMARK_CAPTURE(moving_contact, edge_edge_apart, true, false, 3.0);
BENCHMARK_CAPTURE(moving_contact, edge_edge_free, true, false, 0.0);
BENCHMARK_CAPTURE(moving_contact, edge_edge_hits, true, true, 0.0);

/// A plane that tilts away under a point, which touches it half way through.
void moving_contact_grazing(benchmark::State& state) {
  const auto corner = [](double x, double y) { return MovingPoint{{x, y, -x}, {x, y, x}}; };
  const FourPoints touch{MovingPoint{{-1, 0, 0}, {1, 0, 0}}, corner(-3, -3), corner(3, -3),
                         corner(0, 3)};
  run(state, {touch}, false);
}
BENCHMARK(moving_contact_grazing);

void moving_contact_public(benchmark::State& state) {
  const auto queries = test::public_queries(ABUT_PUBLIC_DATA_DIR "/ccd-queries");
  if (queries.empty()) {
    state.SkipWithError("the public queries do not lie beside the checkout");
    return;
  }
  int misses = 0, needless = 0, apart = 0;
  for (const test::PublicQuery& query : queries) {
    const bool hit = test::answer(query).hit;
    misses += query.hit && !hit ? 1 : 0;
    needless += !query.hit && hit ? 1 : 0;
    apart += query.hit ? 0 : 1;
  }
  for (auto _ : state)
    for (const test::PublicQuery& query : queries)
      benchmark::DoNotOptimize(test::answer(query).earliest);
  const auto count = static_cast<double>(queries.size());
  state.counters["misses"] = misses;
  state.counters["needless"] = static_cast<double>(needless) / apart;
  state.counters["per_query"] = benchmark::Counter(
      count, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(moving_contact_public)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace abut::geometry
