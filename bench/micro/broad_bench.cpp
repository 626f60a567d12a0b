// The broad phase against Bullet's two, on the same moving boxes in the same run.
//
// Boxes of edge 0.25 to 0.75, one per unit of volume, drift by up to 0.02 per step and turn back at
// the walls. A step moves every box and asks for the overlapping pairs. Times are of the processor,
// since other programs disturb those of the wall. `per_box` is the time per box and step, `growth`
// the exponent of the number of boxes that leads from the row above to this one. Bullet keeps boxes
// in single precision, and its tree reports pairs of boxes that it has fattened.

#include <BulletCollision/BroadphaseCollision/btAxisSweep3.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <benchmark/benchmark.h>

#include <cmath>
#include <ctime>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "broad/sweep_and_prune.h"

namespace abut {
namespace {

// Until the structures have found their shape.
constexpr int warm_up_steps = 10;

enum class Scene { alike, one_huge, spread_sizes };

class DriftingBoxes {
 public:
  DriftingBoxes(int count, Scene scene) : side_(std::cbrt(count)) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> unit(0, 1);
    const auto vector = [&] { return Vec3(unit(random), unit(random), unit(random)); };
    for (int i = 0; i < count; ++i) {
      centres_.push_back(side_ * vector());
      velocities_.push_back(0.02 * (2 * vector() - Vec3::Ones()));
      halves_.push_back(Vec3::Constant(0.125) + 0.25 * vector());
      // From a quarter to four times as large, few large ones: the volume is spread evenly.
      if (scene == Scene::spread_sizes) {
        halves_.back() *= std::min(4.0, std::pow(unit(random), -1.0 / 3) / 4);
      }
    }
    if (scene == Scene::one_huge) {  // a floor under all of them that reaches into the lowest layer
      centres_[0] = Vec3(side_ / 2, side_ / 2, -side_ / 2);
      halves_[0] = Vec3(side_, side_, side_ / 2 + 0.5);
      velocities_[0].setZero();
    }
  }

  int count() const { return static_cast<int>(centres_.size()); }
  void advance() {
    for (std::size_t i = 0; i < centres_.size(); ++i) {
      for (int k = 0; k < 3; ++k) {
        double& v = velocities_[i][k];
        const double next = centres_[i][k] + v;
        if ((next < 0 && v < 0) || (next > side_ && v > 0)) v = -v;
        centres_[i][k] += v;
      }
    }
  }
  geometry::Aabb box(int i) const {
    const auto k = static_cast<std::size_t>(i);
    return {centres_[k] - halves_[k], centres_[k] + halves_[k]};
  }

 private:
  double side_;
  std::vector<Vec3> centres_, velocities_, halves_;
};

/// Moves the boxes and times `step`, again and again.
template <class Step>
void measure(benchmark::State& state, DriftingBoxes& boxes, const std::string& name, Step step) {
  for (int i = 0; i < warm_up_steps; ++i) {
    boxes.advance();
    step();
  }
  double total = 0;
  for (auto _ : state) {
    boxes.advance();
    const std::clock_t start = std::clock();
    step();
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    state.SetIterationTime(seconds);
    total += seconds;
  }
  static std::map<std::string, std::map<int, double>> times;
  std::map<int, double>& mine = times[name];
  const auto row = mine.insert_or_assign(boxes.count(), total / state.iterations()).first;
  if (row != mine.begin()) {
    const auto above = std::prev(row);
    state.counters["growth"] = std::log(row->second / above->second) /
                               std::log(static_cast<double>(row->first) / above->first);
  }
  state.counters["per_box"] = benchmark::Counter(
      boxes.count(), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void abut_broad(benchmark::State& state, Scene scene, const std::string& name) {
  DriftingBoxes boxes(static_cast<int>(state.range(0)), scene);
  broad::BroadPhase broad;
  for (int i = 0; i < boxes.count(); ++i) broad.insert(i, boxes.box(i));
  measure(state, boxes, "abut_" + name, [&] {
    for (int i = 0; i < boxes.count(); ++i) broad.update(i, boxes.box(i));
    benchmark::DoNotOptimize(broad.find_pairs().data());
  });
  const broad::Statistics& last = broad.statistics();
  state.counters["pairs"] = static_cast<double>(last.pairs);
  state.counters["tests"] = static_cast<double>(last.tests);
  state.counters["swaps"] = static_cast<double>(last.swaps);
  state.counters["moved"] = static_cast<double>(last.relocations);
  state.counters["levels"] = static_cast<double>(last.levels);
}

btVector3 bullet(const Vec3& v) {
  return {static_cast<btScalar>(v.x()), static_cast<btScalar>(v.y()), static_cast<btScalar>(v.z())};
}

using Proxies = std::vector<btBroadphaseProxy*>;

Proxies bullet_broad(benchmark::State& state, Scene scene, const std::string& name,
                     btBroadphaseInterface& broad) {
  DriftingBoxes boxes(static_cast<int>(state.range(0)), scene);
  Proxies proxies;
  std::vector<int> bodies(static_cast<std::size_t>(boxes.count()));
  for (int i = 0; i < boxes.count(); ++i) {
    const geometry::Aabb box = boxes.box(i);
    proxies.push_back(broad.createProxy(bullet(box.lower), bullet(box.upper), 0,
                                        &bodies[static_cast<std::size_t>(i)], 1, 1, nullptr));
  }
  measure(state, boxes, name, [&] {
    for (int i = 0; i < boxes.count(); ++i) {
      const geometry::Aabb box = boxes.box(i);
      broad.setAabb(proxies[static_cast<std::size_t>(i)], bullet(box.lower), bullet(box.upper),
                    nullptr);
    }
    broad.calculateOverlappingPairs(nullptr);
  });
  state.counters["pairs"] = broad.getOverlappingPairCache()->getNumOverlappingPairs();
  return proxies;
}

void bullet_dbvt(benchmark::State& state, Scene scene, const std::string& name) {
  btDbvtBroadphase broad;
  for (btBroadphaseProxy* proxy : bullet_broad(state, scene, "dbvt_" + name, broad)) {
    broad.destroyProxy(proxy, nullptr);
  }
}

void bullet_sweep_and_prune(benchmark::State& state, Scene scene, const std::string& name) {
  const double side = std::cbrt(static_cast<double>(state.range(0)));
  bt32BitAxisSweep3 broad(bullet(Vec3::Constant(-side - 2)), bullet(Vec3::Constant(2 * side + 2)),
                          static_cast<unsigned>(state.range(0)) + 2);
  // It frees its boxes as a whole; one by one takes too long.
  bullet_broad(state, scene, "sweep_and_prune_" + name, broad);
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->Arg(1000)->Arg(10000)->Arg(100000)->UseManualTime()->Unit(benchmark::kMillisecond);
}
// The time that sweep and prune takes to enter boxes one by one grows with the square of their
// number, to minutes for 100,000; hence the lower end, and a fixed number of steps lest they be
// entered several times.
void fewer_sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->Arg(1000)->Arg(10000)->Arg(20000)->Iterations(20)->UseManualTime()->Unit(
      benchmark::kMillisecond);
}

BENCHMARK_CAPTURE(abut_broad, alike, Scene::alike, "alike")->Apply(sizes);
BENCHMARK_CAPTURE(bullet_dbvt, alike, Scene::alike, "alike")->Apply(sizes);
BENCHMARK_CAPTURE(bullet_sweep_and_prune, alike, Scene::alike, "alike")->Apply(fewer_sizes);
BENCHMARK_CAPTURE(abut_broad, one_huge, Scene::one_huge, "one_huge")->Apply(sizes);
BENCHMARK_CAPTURE(bullet_dbvt, one_huge, Scene::one_huge, "one_huge")->Apply(sizes);
BENCHMARK_CAPTURE(abut_broad, spread_sizes, Scene::spread_sizes, "spread_sizes")->Apply(sizes);
BENCHMARK_CAPTURE(bullet_dbvt, spread_sizes, Scene::spread_sizes, "spread_sizes")->Apply(sizes);

}  // namespace
}  // namespace abut
