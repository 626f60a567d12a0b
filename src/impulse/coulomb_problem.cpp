#include "impulse/coulomb_problem.h"

#include <utility>

#include "impulse/equalities.h"

namespace abut::impulse {
namespace {

std::vector<int> rows_of(const std::vector<CoulombBlock>& blocks) {
  std::vector<int> rows;
  for (const CoulombBlock& block : blocks) {
    rows.push_back(block.row);
    if (block.tangent >= 0) rows.insert(rows.end(), {block.tangent, block.tangent + 1});
  }
  return rows;
}

// A force counts as being on the boundary of its cone from this fraction of the way there on
// (dimensionless): a guess only, to start from.
constexpr double boundary_of_cone = 1 - 1e-9;

// Up to this many rows dense matrices are handled faster than sparse ones.
constexpr std::size_t most_dense_rows = 150;

lcp::Mode mode_at(const CoulombBlock& block, const Vector& z) {
  if (block.tangent >= 0 && z[block.row] <= 0) return lcp::Mode::open;
  if (block.tangent >= 0)
    return z.segment<2>(block.tangent).norm() < boundary_of_cone * block.friction * z[block.row]
               ? lcp::Mode::stick
               : lcp::Mode::slip;
  if (z[block.row] <= block.lower) return lcp::Mode::lower;
  return z[block.row] < block.upper ? lcp::Mode::between : lcp::Mode::upper;
}

lcp::ConeStart start_of(const CoulombProblem& problem, const std::vector<int>& rows) {
  if (problem.start.size() == 0 && problem.modes.empty()) return {};
  if (problem.start.size() == 0)
    return {Vector::Zero(static_cast<Eigen::Index>(rows.size())), problem.modes, 0};
  lcp::ConeStart start{gathered(problem.start, rows), problem.modes, problem.enough,
                       problem.from_inside};
  if (start.modes.empty())
    for (const CoulombBlock& block : problem.blocks)
      start.modes.push_back(mode_at(block, problem.start));
  return start;
}

lcp::BodyRow::Motion joined(const Vec3& linear, const Vec3& angular) {
  lcp::BodyRow::Motion motion;
  motion << linear, angular;
  return motion;
}

lcp::BodyRows body_rows(const RowSystem& system, const std::vector<int>& rows) {
  lcp::BodyRows result{system.slot_count(), {}};
  for (const int i : rows) {
    lcp::BodyRow row{system[i].slots, {}, {}};
    for (const int side : {0, 1}) {
      row.along[side] = joined(system[i].row.sides[side].linear, system[i].row.sides[side].angular);
      row.answers[side] = joined(system.answer(i, side).linear, system.answer(i, side).angular);
    }
    result.rows.push_back(row);
  }
  return result;
}

// What is left for the rows of blocks if the equalities hold: where there are none, most rows of a
// large problem do not meet.
lcp::ConeSolution solved(const CoulombProblem& problem, const Equalities& equalities,
                         const std::vector<int>& rows) {
  std::vector<lcp::ConeBlock> blocks;
  for (const CoulombBlock& block : problem.blocks)
    blocks.push_back(block.tangent >= 0 ? lcp::ConeBlock::contact(block.friction)
                                        : lcp::ConeBlock::bounded(block.lower, block.upper));
  const lcp::ConeStart start = start_of(problem, rows);
  const lcp::ConeStart* known = start.z.size() > 0 ? &start : nullptr;
  if (equalities.rows().empty() && rows.size() > most_dense_rows)
    return lcp::solve_cones(
        lcp::SparseConeProblem{problem.system->sparse_matrix(rows, rows), gathered(problem.b, rows),
                               std::move(blocks), body_rows(*problem.system, rows)},
        known);
  Equalities::Reduced small = equalities.reduced(rows, problem.b);
  return lcp::solve_cones(
      lcp::ConeProblem{std::move(small.a), std::move(small.b), std::move(blocks)}, known);
}

}  // namespace

CoulombSolution solve(const CoulombProblem& problem) {
  const Equalities equalities(*problem.system, problem.equalities);
  CoulombSolution solution;
  solution.z = Vector::Zero(problem.system->size());
  solution.equalities = equalities.rows();
  if (!problem.blocks.empty()) {
    const std::vector<int> rows = rows_of(problem.blocks);
    const lcp::ConeSolution found = solved(problem, equalities, rows);
    solution.status = found.status;
    solution.modes = found.modes;
    solution.residual = found.residual;
    solution.iterations = found.iterations;
    for (std::size_t i = 0; i < rows.size(); ++i)
      solution.z[rows[i]] = found.z[static_cast<Eigen::Index>(i)];
  }
  equalities.complete(problem.b, solution.z);
  solution.w = problem.system->along(problem.system->response(solution.z)) + problem.b;
  if (!equalities.rows().empty())
    solution.equality_residual = equalities.residuals(problem.b, solution.z).of_terms;
  return solution;
}

}  // namespace abut::impulse
