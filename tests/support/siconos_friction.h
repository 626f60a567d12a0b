#pragma once
// Solvers of Siconos for contacts with friction, called on ours.

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <fc3d_compute_error.h>

#include <algorithm>
#include <filesystem>

#include "lcp/cone_problem.h"
#include "support/siconos.h"

// Its header for the plane does not compile as C++.
extern "C" int fc2d_compute_error(FrictionContactProblem* problem, double* z, double* w,
                                  double tolerance, double norm, double* error);

namespace abut::test {

// Left out: those that crash or hang on some of the public problems (Panagiotopoulos, convex QP
// with a fixed point, hyperplane projection, SOCLCP), and those that need licences (GAMS).
inline constexpr SiconosSolver siconos_friction_solvers[] = {
    {SICONOS_FRICTION_3D_NSGS, "nsgs"},     {SICONOS_FRICTION_3D_PROX, "prox"},
    {SICONOS_FRICTION_3D_NSN_AC, "nsn_ac"}, {SICONOS_FRICTION_3D_NSN_AC_TEST, "nsn_ac_test"},
    {SICONOS_FRICTION_3D_NSN_FB, "nsn_fb"}, {SICONOS_FRICTION_3D_NSN_NM, "nsn_nm"},
    {SICONOS_FRICTION_3D_TFP, "tfp"},       {SICONOS_FRICTION_3D_DSFP, "dsfp"},
    {SICONOS_FRICTION_3D_VI_EG, "vi_eg"},   {SICONOS_FRICTION_3D_EG, "eg"},
    {SICONOS_FRICTION_3D_ADMM, "admm"},
};

inline constexpr SiconosSolver siconos_planar_solvers[] = {
    {SICONOS_FRICTION_2D_NSGS, "nsgs"},
    {SICONOS_FRICTION_2D_CPG, "cpg"},
    {SICONOS_FRICTION_2D_LEMKE, "lemke"},
};

/// A problem of a file, or one of ours, as Siconos holds it.
class SiconosFriction {
 public:
  explicit SiconosFriction(const std::filesystem::path& path)
      : problem_(frictionContact_new_from_filename(path.c_str())) {
    forces.setZero(size());
    motion.setZero(size());
  }
  /// All blocks must be contacts in space.
  explicit SiconosFriction(const lcp::ConeProblem& problem)
      : problem_(frictionContactProblem_new()) {
    const auto n = static_cast<int>(problem.size());
    problem_->dimension = 3;
    problem_->numberOfContacts = n / 3;
    problem_->M = NM_create(NM_DENSE, n, n);
    std::copy_n(problem.a.data(), n * n, problem_->M->matrix0);
    problem_->q = static_cast<double*>(std::malloc(sizeof(double) * static_cast<std::size_t>(n)));
    std::copy_n(problem.b.data(), n, problem_->q);
    problem_->mu =
        static_cast<double*>(std::malloc(sizeof(double) * static_cast<std::size_t>(n / 3)));
    std::transform(problem.blocks.begin(), problem.blocks.end(), problem_->mu,
                   [](const lcp::ConeBlock& block) { return block.friction; });
    forces.setZero(n);
    motion.setZero(n);
  }
  SiconosFriction(const SiconosFriction&) = delete;
  SiconosFriction& operator=(const SiconosFriction&) = delete;
  ~SiconosFriction() { frictionContactProblem_free(problem_); }

  bool is_planar() const { return problem_->dimension == 2; }
  Eigen::Index size() const { return problem_->dimension * problem_->numberOfContacts; }
  const FrictionContactProblem& problem() const { return *problem_; }

  /// What Siconos says: 0 for success. It prints, see Silence.
  int solve(SolverOptions* options) {
    forces.setZero();
    motion.setZero();
    return (is_planar() ? fc2d_driver : fc3d_driver)(problem_, forces.data(), motion.data(),
                                                     options);
  }

  /// Its measure of error for our forces: that of the projection on the cone, over |b|.
  double error(lcp::Vector z) {
    lcp::Vector w = lcp::Vector::Zero(z.size());
    const double norm = Eigen::Map<const lcp::Vector>(problem_->q, z.size()).norm();
    double error = 0;
    const Silence silence;
    if (is_planar()) {
      fc2d_compute_error(problem_, z.data(), w.data(), 1e-8, norm, &error);
    } else {
      SolverOptions* options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
      fc3d_compute_error(problem_, z.data(), w.data(), 1e-8, options, norm, &error);
      solver_options_delete(options);
    }
    return error;
  }

  lcp::Vector forces, motion;

 private:
  FrictionContactProblem* problem_;
};

}  // namespace abut::test
