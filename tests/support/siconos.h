#pragma once
// Solvers of Siconos for linear complementarity problems, called on ours.

#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <fcntl.h>
#include <lcp_cst.h>
#include <unistd.h>

#include <cstdio>

#include "lcp/lcp.h"

namespace abut::test {

struct SiconosSolver {
  int id;
  const char* name;
};

// Left out: enumeration (exponential), those that need licences (PATH, GAMS) or QP libraries, and
// the ones that want the diagonal or a relaxation parameter tuned to the problem (Latin).
inline constexpr SiconosSolver siconos_solvers[] = {
    {SICONOS_LCP_LEMKE, "lemke"},
    {SICONOS_LCP_PIVOT, "pivot"},
    {SICONOS_LCP_BARD, "bard"},
    {SICONOS_LCP_MURTY, "murty"},
    {SICONOS_LCP_PATHSEARCH, "pathsearch"},
    {SICONOS_LCP_AVI_CAOFERRIS, "avi_caoferris"},
    {SICONOS_LCP_NEWTON_FB_FBLSA, "newton_fb"},
    {SICONOS_LCP_NEWTON_MIN_FBLSA, "newton_min"},
    {SICONOS_LCP_NEWTONMIN, "newtonmin"},
    {SICONOS_LCP_CPG, "cpg"},
    {SICONOS_LCP_PGS, "pgs"},
    {SICONOS_LCP_RPGS, "rpgs"},
    {SICONOS_LCP_PSOR, "psor"},
    {SICONOS_LCP_CONVEXQP_PG, "convexqp_pg"},
};

/// Sends the standard output nowhere for a while.
class Silence {
 public:
  Silence() : kept_(dup(STDOUT_FILENO)) {
    std::fflush(stdout);
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;
  ~Silence() {
    std::fflush(stdout);
    dup2(kept_, STDOUT_FILENO);
    close(kept_);
  }

 private:
  int kept_;
};

/// One problem as Siconos holds it, and one solver. Whether z is a solution is for us to check.
class SiconosRun {
 public:
  SiconosRun(const lcp::Problem& problem, int solver)
      : a_(problem.a),
        b_(problem.b),
        z(lcp::Vector::Zero(problem.size())),
        w_(lcp::Vector::Zero(problem.size())),
        options_(solver_options_create(solver)) {
    matrix_ = NM_create_from_data(NM_DENSE, static_cast<int>(a_.rows()),
                                  static_cast<int>(a_.cols()), a_.data());
    problem_.size = static_cast<int>(problem.size());
    problem_.M = matrix_;
    problem_.q = b_.data();
  }
  SiconosRun(const SiconosRun&) = delete;
  SiconosRun& operator=(const SiconosRun&) = delete;
  ~SiconosRun() {
    solver_options_delete(options_);
    matrix_->matrix0 = nullptr;  // ours
    NM_free(matrix_);
  }

  void set_limits(double tolerance, int iterations) {
    options_->dparam[SICONOS_DPARAM_TOL] = tolerance;
    options_->iparam[SICONOS_IPARAM_MAX_ITER] = iterations;
  }

  /// What Siconos says: 0 for success. It prints, see Silence.
  int solve() {
    z.setZero();
    w_.setZero();
    return linearComplementarity_driver(&problem_, z.data(), w_.data(), options_);
  }

  LinearComplementarityProblem& problem() { return problem_; }

 private:
  lcp::Matrix a_;  // some solvers write to it
  lcp::Vector b_;

 public:
  lcp::Vector z;

 private:
  lcp::Vector w_;
  SolverOptions* options_;
  NumericsMatrix* matrix_ = nullptr;
  LinearComplementarityProblem problem_{};
};

}  // namespace abut::test
