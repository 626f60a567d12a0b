// Contacts with friction on the true cone, next to the solvers of Siconos on the same problems in
// the same run.
//
//   public  the test problems of Siconos, if they lie beside the checkout
//   wall    a wall of bricks on tilted ground, more contacts than freedoms
//   bodies  random bodies with as many contacts
// Cold starts, except `abut_warm`, which starts from the forces and modes of the same problem with
// b changed by a millionth. `error` is the measure of Siconos for all solvers, over |b|; those of
// Siconos are asked for 1e-8, and one that ends above has failed. Relaxation stops at
// 20000 iterations, which takes seconds. Problems of files are held by Siconos as its own
// reader stores them, by blocks.

#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "lcp/cone_problem.h"
#include "support/cones.h"
#include "support/public_complementarity.h"
#include "support/siconos_friction.h"

namespace abut {
namespace {

using test::NamedConeProblem;
using test::SiconosFriction;

constexpr double siconos_tolerance = 1e-8;
constexpr double failed_error = 1.5e-8;
constexpr int siconos_iterations = 20000;

struct Case {
  lcp::SparseConeProblem problem;
  std::unique_ptr<SiconosFriction> theirs;
};

void report(benchmark::State& state, Case& c, const lcp::Vector& z) {
  const double error = c.theirs->error(z);
  state.counters["contacts"] = static_cast<double>(c.problem.blocks.size());
  state.counters["error"] = error;
  if (!(error <= failed_error)) state.SkipWithError("failed");
}

void abut_cold(benchmark::State& state, Case& c) {
  lcp::ConeSolution solution;
  for (auto _ : state) solution = lcp::solve_cones(c.problem);
  report(state, c, solution.z);
  state.counters["iterations"] = static_cast<double>(solution.iterations);
}

void abut_warm(benchmark::State& state, Case& c) {
  lcp::SparseConeProblem before = c.problem;
  before.b *= 1 + 1e-6;
  const lcp::ConeStart start = lcp::solve_cones(before).as_start();
  lcp::ConeSolution solution;
  for (auto _ : state) solution = lcp::solve_cones(c.problem, &start);
  report(state, c, solution.z);
  state.counters["iterations"] = static_cast<double>(solution.iterations);
}

void siconos(benchmark::State& state, Case& c, int solver) {
  SolverOptions* options = solver_options_create(solver);
  options->dparam[SICONOS_DPARAM_TOL] = siconos_tolerance;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = siconos_iterations;
  {
    const test::Silence silence;
    for (auto _ : state) c.theirs->solve(options);
  }
  solver_options_delete(options);
  report(state, c, c.theirs->forces);
}

void register_case(const std::string& name, const std::shared_ptr<Case>& c) {
  const auto add = [&](const std::string& who, auto function) {
    benchmark::RegisterBenchmark(("cones/" + name + "/" + who).c_str(), function)
        ->Unit(benchmark::kMicrosecond);
  };
  add("abut", [c](auto& state) { abut_cold(state, *c); });
  add("abut_warm", [c](auto& state) { abut_warm(state, *c); });
  const auto add_peers = [&](const auto& solvers) {
    for (const test::SiconosSolver& solver : solvers) {
      add(std::string("siconos_") + solver.name,
          [c, id = solver.id](auto& state) { siconos(state, *c, id); });
    }
  };
  if (c->theirs->is_planar()) {
    add_peers(test::siconos_planar_solvers);
  } else {
    add_peers(test::siconos_friction_solvers);
  }
}

void register_made(const std::string& name, const lcp::ConeProblem& problem) {
  register_case(name,
                std::make_shared<Case>(Case{{problem.a.sparseView(), problem.b, problem.blocks},
                                            std::make_unique<SiconosFriction>(problem)}));
}

void register_benchmarks() {
  for (NamedConeProblem& p :
       test::public_friction_problems(ABUT_PUBLIC_DATA_DIR "/complementarity/friction")) {
    register_case("public/" + p.name,
                  std::make_shared<Case>(
                      Case{std::move(p.problem), std::make_unique<SiconosFriction>(p.path)}));
  }
  for (const auto& [bricks, courses] : {std::pair{1, 1}, {2, 2}, {3, 3}}) {
    register_made("wall/" + std::to_string(100 * bricks + courses),
                  test::rough_wall(bricks, courses, 0.6, 0.1));
  }
  for (const int contacts : {3, 10, 30, 60}) {
    test::RandomProblems random(static_cast<std::uint64_t>(contacts));
    register_made("bodies/" + std::to_string(contacts),
                  test::rough_bodies(random, {contacts, contacts, 10, 0.5, true}));
  }
}

const int registered = (register_benchmarks(), 0);

}  // namespace
}  // namespace abut
