// Complementarity problems with symmetric positive semidefinite matrices, next to the solvers of
// Siconos on the same problems in the same run.
//
//   full    A = J J^T of full rank, b random
//   half    A = J J^T of half the rank, b in its range: twice as many contacts as freedoms
//   wall    a wall of bricks
// Cold starts. `residual` is that of lcp/lcp.h for all solvers; those of Siconos are asked for
// 1e-12. A solver that ends with a residual above 1e-9 has failed. A solver that failed or took
// more than a second is not tried on larger problems of the kind, and no benchmark is repeated
// that takes long. Times are of the processor. `abut_warm` starts from the right active set.

#include <benchmark/benchmark.h>

#include <ctime>
#include <map>
#include <string>
#include <vector>

#include "lcp/lcp.h"
#include "support/complementarity.h"
#include "support/siconos.h"

namespace abut {
namespace {

using test::SiconosRun;

constexpr double failed_residual = 1e-9;
constexpr double patience_seconds = 1;

// Enough for relaxation on these problems; pivoting takes a few per unknown.
constexpr int siconos_iterations = 20000;
constexpr double siconos_tolerance = 1e-12;

lcp::Problem make_problem(const std::string& kind, int size) {
  test::RandomProblems random(static_cast<std::uint64_t>(size));
  if (kind == "full") {
    const lcp::Matrix j = random.matrix(size, size + 2);
    return lcp::Problem::complementarity(j * j.transpose(), random.vector(size));
  }
  if (kind == "half") {
    const int freedoms = size / 2;
    const lcp::Matrix j = random.matrix(size, freedoms);
    return lcp::Problem::complementarity(j * j.transpose(), j * random.vector(freedoms));
  }
  return test::brick_wall(size / 100, size % 100);
}

/// The problems are made once.
const lcp::Problem& problem(const std::string& kind, int size) {
  static std::map<std::pair<std::string, int>, lcp::Problem> problems;
  auto [place, is_new] = problems.try_emplace({kind, size});
  if (is_new) place->second = make_problem(kind, size);
  return place->second;
}

void report(benchmark::State& state, const lcp::Problem& p, const lcp::Vector& z) {
  const double residual = lcp::residual(p, z);
  state.counters["unknowns"] = static_cast<double>(p.size());
  state.counters["residual"] = residual;
  if (!(residual <= failed_residual)) state.SkipWithError("failed");
}

void abut_cold(benchmark::State& state, const std::string& kind) {
  const lcp::Problem& p = problem(kind, static_cast<int>(state.range(0)));
  lcp::Solution solution;
  for (auto _ : state) solution = lcp::solve_psd(p);
  report(state, p, solution.z);
  state.counters["pivots"] = static_cast<double>(solution.pivots);
}

void abut_warm(benchmark::State& state, const std::string& kind) {
  const lcp::Problem& p = problem(kind, static_cast<int>(state.range(0)));
  const lcp::Solution before = lcp::solve_psd(p);
  lcp::Solution solution;
  for (auto _ : state) solution = lcp::solve_psd(p, &before.places);
  report(state, p, solution.z);
  state.counters["pivots"] = static_cast<double>(solution.pivots);
}

void abut_lemke(benchmark::State& state, const std::string& kind) {
  const lcp::Problem& p = problem(kind, static_cast<int>(state.range(0)));
  lcp::Solution solution;
  for (auto _ : state) solution = lcp::solve_lemke(p);
  report(state, p, solution.z);
}

void siconos(benchmark::State& state, const std::string& kind, int solver) {
  static std::map<std::pair<std::string, int>, bool> given_up;
  bool& has_given_up = given_up[{kind, solver}];
  if (has_given_up) {
    state.SkipWithError("failed or slow on a smaller problem");
    return;
  }
  const lcp::Problem& p = problem(kind, static_cast<int>(state.range(0)));
  SiconosRun run(p, solver);
  run.set_limits(siconos_tolerance, siconos_iterations);
  const std::clock_t start = std::clock();
  {
    const test::Silence silence;
    for (auto _ : state) run.solve();
  }
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  has_given_up = !(lcp::residual(p, run.z) <= failed_residual) ||
                 seconds > patience_seconds * static_cast<double>(state.iterations());
  report(state, p, run.z);
}

void register_benchmarks() {
  const std::map<std::string, std::vector<int>> sizes = {
      {"full", {4, 10, 30, 100, 300, 1000, 2000}},
      {"half", {4, 10, 30, 100, 300, 1000, 2000}},
      {"wall", {101, 202, 303, 504, 806, 1010, 1414}},  // bricks per course, courses
  };
  for (const auto& [kind, all] : sizes) {
    const auto add = [&, kind = kind](const std::string& name, int size, auto function) {
      benchmark::RegisterBenchmark(("lcp/" + kind + "/" + name).c_str(), function)
          ->Arg(size)
          ->Unit(benchmark::kMicrosecond);
    };
    for (const int size : all) {
      add("abut", size, [kind = kind](auto& state) { abut_cold(state, kind); });
      add("abut_warm", size, [kind = kind](auto& state) { abut_warm(state, kind); });
      if (size <= 300 || kind == "wall") {
        add("abut_lemke", size, [kind = kind](auto& state) { abut_lemke(state, kind); });
      }
      for (const test::SiconosSolver& solver : test::siconos_solvers) {
        add(std::string("siconos_") + solver.name, size,
            [kind = kind, id = solver.id](auto& state) { siconos(state, kind, id); });
      }
    }
  }
}

const int registered = (register_benchmarks(), 0);

}  // namespace
}  // namespace abut
