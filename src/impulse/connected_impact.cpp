#include "impulse/connected_impact.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "impulse/accuracy.h"

namespace abut::impulse {
namespace {

using Eigen::Index;

// The factor of restitution is found to this accuracy, or until as little energy is lost as
// rounding may gain (dimensionless). Where the energy jumps with the factor it takes bisection all
// the way.
constexpr double factor_accuracy = 1e-10;
constexpr int factor_rounds = 60;

// Residuals are relative to the terms that velocities are made of. In a solution they are also this
// small relative to the velocities themselves (dimensionless): impulses that press bodies against
// each other without moving them could be so large that the velocities drown in their errors.
constexpr double velocity_accuracy = 1e-8;

// Where bodies are jammed, impulses without effect exceed those that would stop the velocities by
// more than this; and contacts whose impulses exceed the given part of the largest take part in the
// jam, ordinary ones being smaller (dimensionless).
constexpr double least_squeeze = 1e4;
constexpr double jammed_part = 1e-3;

// Impulses that are not determined are shared alike only in problems of up to this many rows: it
// takes a dense factorisation, and beyond that would take longer than all the rest.
constexpr Index most_shared_rows = 3000;

// Rates before that count as none, relative to the largest (dimensionless): a guess only.
constexpr double still_fraction = 1e-9;

struct Attempt {
  double factor = 0;
  std::vector<lcp::ConeBlock> blocks;  // with the coefficients that were used
  lcp::ConeSolution solution;
  lcp::Vector after;    // u+
  double gain = 0;      // of energy
  double rounding = 0;  // of that

  bool is_solved() const { return solution.status == lcp::Status::solved; }
  bool is_allowed() const { return is_solved() && gain <= rounding; }
};

// An impact whose blocks depend on each other.
class ConnectedImpact {
 public:
  explicit ConnectedImpact(const ConeImpact& impact)
      : impact_(impact), first_rows_(first_rows(impact.blocks)) {
    problem_.a = impact.matrix;
    for (std::size_t i = 0; i < impact.blocks.size(); ++i) {
      problem_.blocks.push_back(impact.blocks[i].law);
      const bool approaches = impact.before[first_rows_[i]] < 0;
      restitution_.push_back(approaches ? impact.blocks[i].restitution : 0);
    }
  }

  ConeImpactResult run() {
    Attempt full = attempt(1, nullptr);
    while (!full.is_solved() && frees_jam(full.solution)) full = attempt(1, nullptr);
    const bool is_newton = impact_.law == model::RestitutionLaw::newton;
    if ((is_newton && full.is_allowed()) || !bounces()) return result(full);
    Attempt plain = attempt(0, full.is_solved() ? &full : nullptr);
    if (!full.is_solved() || !plain.is_solved()) return result(plain);
    full = owed_restitution(plain, std::move(full));
    owed_factor_ = full.factor;
    if (full.is_allowed()) return result(full);
    return result(most_restitution(std::move(plain), std::move(full)));
  }

 private:
  bool bounces() const {
    return std::any_of(restitution_.begin(), restitution_.end(), [](double e) { return e > 0; });
  }

  // All restitutions multiplied by a factor.
  void pose(double factor) {
    problem_.b = impact_.before;
    for (std::size_t i = 0; i < restitution_.size(); ++i) {
      problem_.b[first_rows_[i]] *= 1 + factor * restitution_[i];
      const ConeImpactBlock& block = impact_.blocks[i];
      problem_.blocks[i].friction = std::max(block.law.friction, block.static_friction);
    }
  }

  // Gives contacts that slip their dynamic coefficient; whether any had another one.
  bool lets_slip(const lcp::ConeSolution& solution) {
    bool changed = false;
    for (std::size_t i = 0; i < impact_.blocks.size(); ++i) {
      const double dynamic = impact_.blocks[i].law.friction;
      if (solution.modes[i] != lcp::Mode::slip || problem_.blocks[i].friction == dynamic) continue;
      problem_.blocks[i].friction = dynamic;
      changed = true;
    }
    return changed;
  }

  // The largest term that the velocities after are made of, relative to those before.
  double squeeze(const lcp::Vector& r) const {
    const lcp::Vector terms = impact_.matrix.cwiseAbs() * r.cwiseAbs();
    return terms.maxCoeff() / impact_.before.lpNorm<Eigen::Infinity>();
  }

  // Takes their restitution from contacts that are jammed; whether there were any. The impulses of
  // the jam are those of the proof that there is no solution, or else the way in which the solver
  // has lost itself.
  bool frees_jam(const lcp::ConeSolution& failed) {
    const lcp::Vector& y = failed.refutation.size() > 0 ? failed.refutation : failed.z;
    if (failed.refutation.size() == 0 && !(squeeze(y) > least_squeeze)) return false;
    const lcp::Vector diagonal = impact_.matrix.diagonal();
    const lcp::Vector weights = y.cwiseAbs().cwiseProduct(diagonal.cwiseSqrt());
    bool changed = false;
    for (std::size_t i = 0; i < restitution_.size(); ++i) {
      const bool is_jammed = weights[first_rows_[i]] > jammed_part * weights.maxCoeff();
      if (restitution_[i] == 0 || !is_jammed) continue;
      restitution_[i] = 0;
      changed = true;
    }
    return changed;
  }

  Attempt attempt(double factor, const Attempt* near) {
    pose(factor);
    Attempt attempt;
    attempt.factor = factor;
    lcp::ConeStart start = near ? near->solution.as_start() : as_before();
    do {
      attempt.solution = lcp::solve_cones(problem_, start.z.size() > 0 ? &start : nullptr);
      ++solves_;
      iterations_ += attempt.solution.iterations;
      const double error = attempt.solution.residual * squeeze(attempt.solution.z);
      if (attempt.is_solved() && error > velocity_accuracy)
        attempt.solution.status = lcp::Status::not_converged;
      if (!attempt.is_solved()) return attempt;
      start = attempt.solution.as_start();
    } while (lets_slip(attempt.solution));
    attempt.blocks = problem_.blocks;
    const lcp::Vector& r = attempt.solution.z;
    attempt.after = impact_.before + impact_.matrix * r;
    attempt.gain = 0.5 * r.dot(impact_.before + attempt.after);
    attempt.rounding = 0.5 * accuracy_of_many *
                       r.cwiseAbs().dot(impact_.before.cwiseAbs() + attempt.after.cwiseAbs());
    return attempt;
  }

  // What is tried first: contacts that touch go on as they are, those that slip in the direction of
  // their slip. Where there are several solutions, what is symmetric finds one that is.
  lcp::ConeStart as_before() const {
    lcp::ConeStart start{lcp::Vector::Zero(problem_.b.size()), {}, 0};
    const double none = still_fraction * problem_.b.lpNorm<Eigen::Infinity>();
    for (std::size_t i = 0; i < problem_.blocks.size(); ++i) {
      const lcp::ConeBlock& block = problem_.blocks[i];
      const auto rates = problem_.b.segment(first_rows_[i], block.rows);
      if (!block.is_contact())
        start.modes.push_back(block.lower == 0 && rates[0] > none ? lcp::Mode::lower
                                                                  : lcp::Mode::between);
      else if (rates[0] > none)
        start.modes.push_back(lcp::Mode::open);
      else
        start.modes.push_back(rates.tail(block.rows - 1).norm() > none ? lcp::Mode::slip
                                                                       : lcp::Mode::stick);
    }
    return start;
  }

  // What restitution owes, and what it has given in an attempt, by the law: works or impulses of
  // the contacts that bounce, since the end of compression.
  struct Account {
    double owed = 0, given = 0;
  };
  Account account(const Attempt& plain, const Attempt& at) const {
    Account sum;
    for (std::size_t i = 0; i < restitution_.size(); ++i) {
      const Index row = first_rows_[i];
      const double e = restitution_[i], spent = plain.solution.z[row];
      if (e == 0) continue;
      const double more = at.solution.z[row] - spent;
      if (impact_.law == model::RestitutionLaw::poisson) {
        sum.owed += e * spent;
        sum.given += more;
      } else {
        const double stopped = plain.after[row];
        sum.owed -= e * e * 0.5 * spent * (impact_.before[row] + stopped);
        sum.given += 0.5 * more * (stopped + at.after[row]);
      }
    }
    return sum;
  }

  // The attempt with the factor for which restitution gives what it owes. While no contact changes
  // its mode, impulses since compression are proportional to the factor, and works to its square.
  Attempt owed_restitution(const Attempt& plain, Attempt at) {
    if (impact_.law == model::RestitutionLaw::newton) return at;
    const bool is_work = impact_.law == model::RestitutionLaw::energetic;
    double low = 0, high = std::numeric_limits<double>::infinity();
    for (int round = 0; round < factor_rounds; ++round) {
      const Account sum = account(plain, at);
      if (!(sum.given > 0)) return at;
      const double ratio = sum.owed / sum.given;
      if (std::abs(ratio - 1) <= accuracy_of_many) return at;
      (ratio > 1 ? low : high) = at.factor;
      if (high - low <= factor_accuracy * high) return at;
      double factor = at.factor * (is_work ? std::sqrt(ratio) : ratio);
      if (!(factor > low && factor < high) || round % 4 == 3)
        factor = std::isfinite(high) ? 0.5 * (low + high) : 2 * low;
      Attempt next = attempt(factor, &at);
      if (!next.is_solved()) return at;
      at = std::move(next);
    }
    return at;
  }

  // `low` gains nothing and `high` does, or has no solution. Regula falsi after Illinois, with
  // bisection every third time: the gain is a continuous function of the factor only while the
  // solution is.
  Attempt most_restitution(Attempt low, Attempt high) {
    double low_weight = 1, high_weight = 1;
    for (int round = 0; round < factor_rounds; ++round) {
      if (high.factor - low.factor <= factor_accuracy || -low.gain <= low.rounding) break;
      const double below = -low.gain * low_weight, above = high.gain * high_weight;
      const bool bisects = round % 3 == 2 || !high.is_solved() || !(above > 0);
      const double share = bisects ? 0.5 : below / (below + above);
      Attempt next = attempt(low.factor + share * (high.factor - low.factor), &low);
      const bool is_low = next.is_allowed();
      low_weight = is_low ? 1 : 0.5 * low_weight;
      high_weight = is_low ? 0.5 * high_weight : 1;
      (is_low ? low : high) = std::move(next);
    }
    return low;
  }

  // Of all impulses with the same effect those of least norm: corners that land together share
  // alike.
  lcp::Vector shared(const Attempt& attempt) const {
    const lcp::ConeSolution& solution = attempt.solution;
    if (!attempt.is_solved() || solution.z.size() > most_shared_rows) return solution.z;
    if (attempt.blocks.empty()) return solution.z;  // no solution of the laws
    const lcp::Vector b = solution.w - impact_.matrix * solution.z;
    return lcp::least_norm({impact_.matrix, b, attempt.blocks}, solution).z;
  }

  ConeImpactResult result(const Attempt& attempt) const {
    ConeImpactResult result;
    result.status = attempt.solution.status;
    result.impulse = shared(attempt);
    result.after = impact_.before + impact_.matrix * result.impulse;
    result.modes = attempt.solution.modes;
    for (const double e : restitution_)
      result.restitution.push_back(attempt.factor / owed_factor_ * e);
    result.energy_gained = 0.5 * result.impulse.dot(impact_.before + result.after);
    result.residual = attempt.solution.residual;
    result.solves = solves_;
    result.iterations = iterations_;
    return result;
  }

  const ConeImpact& impact_;
  std::vector<Index> first_rows_;
  std::vector<double> restitution_;  // by block
  lcp::SparseConeProblem problem_;
  double owed_factor_ = 1;  // what the law of restitution asks for
  long solves_ = 0;
  long iterations_ = 0;
};

}  // namespace

std::vector<Index> first_rows(const std::vector<ConeImpactBlock>& blocks) {
  std::vector<Index> rows = {0};
  for (const ConeImpactBlock& block : blocks) rows.push_back(rows.back() + block.law.rows);
  return rows;
}

ConeImpactResult connected_impact(const ConeImpact& impact) {
  return ConnectedImpact(impact).run();
}

}  // namespace abut::impulse
