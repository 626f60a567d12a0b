// What a body in free flight costs, and how that grows with their number.
//
// One simulated second of tumbling boxes at tolerance 1e-9, one thread, recorded at the start and
// at the end only. `per_body` is the time per body and simulated second; it must not depend on the
// number of bodies.

#include <benchmark/benchmark.h>

#include <cmath>

#include "loop/run.h"
#include "no_sink.h"
#include "shape/moments.h"

namespace abut {
namespace {

model::Model flying_boxes(int count) {
  model::Model model;
  model.duration = 1;
  model.record.rate = 1;
  model.solver.tolerance = 1e-9;
  model::Body body;
  body.parts.push_back({shape::Box{Vec3(1, 2, 3)}, {}, 1000, 0});
  body.mass = body::mass_from(shape::moments_of(body.parts));
  body.bounding_radius = shape::bounding_radius(body.parts, body.mass.central.position);
  for (int i = 0; i < count; ++i) {
    body.name = std::to_string(i);
    body.pose.position = Vec3(10.0 * i, 0, 0);
    body.velocity = Vec3(std::sin(i), std::cos(i), 5);
    body.angular_velocity = Vec3(2 * std::sin(3.0 * i), 4, 2 * std::cos(5.0 * i));
    model.bodies.push_back(body);
  }
  return model;
}

void free_flight(benchmark::State& state) {
  const int count = static_cast<int>(state.range(0));
  const model::Model model = flying_boxes(count);
  loop::RunOptions options;
  options.threads = 1;
  NoSink sink;
  long steps = 0;
  for (auto _ : state) steps = loop::run(model, sink, options).steps;
  state.counters["per_body"] = benchmark::Counter(
      count, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["steps_per_body"] = static_cast<double>(steps) / count;
  state.SetComplexityN(count);
}
BENCHMARK(free_flight)
    ->RangeMultiplier(10)
    ->Range(1, 100000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();

}  // namespace
}  // namespace abut
