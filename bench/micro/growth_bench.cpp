// How the cost of a run grows with the scene: with bodies that have nothing to do with each other,
// with the height of a stack, with the length of a chain. One thread; times are per body and
// simulated second (`per_body`), so that a column that stays the same means linear growth.

#include <benchmark/benchmark.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>

#include "joint/placement.h"
#include "loop/run.h"
#include "model/joints.h"
#include "no_sink.h"
#include "record/run_writer.h"
#include "shape/moments.h"

namespace abut {
namespace {

model::Body body_of(const shape::Geometry& geometry, const std::string& name, const Vec3& at) {
  model::Body body;
  body.name = name;
  body.parts.push_back({geometry, {}, 1000, 0});
  body.mass = body::mass_from(shape::moments_of(body.parts));
  body.bounding_radius = shape::bounding_radius(body.parts, body.mass.central.position);
  body.pose.position = at;
  return body;
}

model::Model empty_model(double restitution) {
  model::Model model;
  model.duration = 1;
  model.record.rate = 60;
  model.gravity = Vec3(0, 0, -9.81);
  model.materials.emplace_back();
  model.materials[0].restitution = restitution;
  return model;
}

model::Body floor_plane() {
  model::Body floor;
  floor.name = "floor";
  floor.parts.push_back({shape::Plane{Vec3::UnitZ(), 0}, {}, 1000, 0});
  floor.motion = model::Fixed{};
  floor.bounding_radius = std::numeric_limits<double>::infinity();
  return floor;
}

// Balls a metre apart, dropped from heights that are all different: every impact concerns one of
// them, so there are as many instants as impacts.
model::Model bouncing_balls(int count) {
  model::Model model = empty_model(0.8);
  model.bodies.push_back(floor_plane());
  const int side = static_cast<int>(std::ceil(std::sqrt(count)));
  for (int i = 0; i < count; ++i) {
    const double height = 0.15 + 0.1 * std::fmod(0.618033988749895 * (i + 1), 1);
    model.bodies.push_back(
        body_of(shape::Sphere{0.1}, std::to_string(i), Vec3(i % side, i / side, height)));
  }
  return model;
}

model::Model brick_stack(int count) {
  model::Model model = empty_model(0);
  model.bodies.push_back(floor_plane());
  for (int i = 0; i < count; ++i)
    model.bodies.push_back(
        body_of(shape::Box{Vec3(0.4, 0.2, 0.1)}, std::to_string(i), Vec3(0, 0, 0.05 + 0.1 * i)));
  return model;
}

// Links on ball joints, let go from the horizontal.
model::Model chain(int count) {
  model::Model model = empty_model(0);
  for (int i = 0; i < count; ++i) {
    model.bodies.push_back(
        body_of(shape::Capsule{0.02, 0.1}, std::to_string(i), Vec3(0.05 + 0.1 * i, 0, 0)));
    model.bodies.back().pose.orientation = Quat(Eigen::AngleAxisd(std::acos(0.0), Vec3::UnitY()));
    joint::Joint joint;
    joint.name = std::to_string(i);
    joint.type = joint::Type::ball;
    joint.bodies = {i - 1, i};  // the first one hangs on the world
    const Vec3 at(0.1 * i, 0, 0);
    joint::place(
        joint, {{at, at}, Vec3::UnitZ(), {}},
        {model::motion_frame_at_start(model, i - 1), model::motion_frame_at_start(model, i)});
    model.joints.push_back(joint);
  }
  return model;
}

void measure(benchmark::State& state, const model::Model& model, record::Sink& sink) {
  const int count = static_cast<int>(state.range(0));
  loop::RunOptions options;
  options.threads = 1;
  record::Summary summary;
  for (auto _ : state) summary = loop::run(model, sink, options);
  state.counters["per_body"] =
      benchmark::Counter(count * model.duration, benchmark::Counter::kIsIterationInvariantRate |
                                                     benchmark::Counter::kInvert);
  state.counters["events_per_body"] = static_cast<double>(summary.events) / count;
  state.counters["steps"] = static_cast<double>(summary.steps);
  state.SetComplexityN(count);
}

void bouncing_apart(benchmark::State& state) {
  NoSink sink;
  measure(state, bouncing_balls(static_cast<int>(state.range(0))), sink);
}
BENCHMARK(bouncing_apart)
    ->RangeMultiplier(10)
    ->Range(1, 1000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();

// The same into a file: all bodies are recorded at every impact, so this grows with the square.
void bouncing_apart_recorded(benchmark::State& state) {
  const auto path = std::filesystem::temp_directory_path() / "abut-growth-bench.h5";
  const model::Model model = bouncing_balls(static_cast<int>(state.range(0)));
  loop::RunOptions options;
  options.threads = 1;
  for (auto _ : state) {
    record::RunWriter writer(path);
    loop::run(model, writer, options);
  }
  state.counters["file_bytes"] = static_cast<double>(std::filesystem::file_size(path));
  std::filesystem::remove(path);
  state.SetComplexityN(state.range(0));
}
BENCHMARK(bouncing_apart_recorded)
    ->RangeMultiplier(10)
    ->Range(1, 1000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();

void stack_height(benchmark::State& state) {
  NoSink sink;
  model::Model model = brick_stack(static_cast<int>(state.range(0)));
  model.duration = 0.1;
  measure(state, model, sink);
}
BENCHMARK(stack_height)
    ->Arg(10)
    ->Arg(20)
    ->Arg(50)
    ->Arg(100)
    ->Arg(200)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();

void chain_length(benchmark::State& state) {
  NoSink sink;
  model::Model model = chain(static_cast<int>(state.range(0)));
  model.duration = 0.02;
  measure(state, model, sink);
}
BENCHMARK(chain_length)
    ->Arg(10)
    ->Arg(30)
    ->Arg(100)
    ->Arg(300)
    ->Arg(1000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();

}  // namespace
}  // namespace abut
