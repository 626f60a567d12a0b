#include "lcp/cone_system.h"

#include <cmath>
#include <numeric>

#include "base/limits.h"

namespace abut::lcp {
namespace {

double balancing_scale(double mean_diagonal) {
  if (!(mean_diagonal > 0) || !std::isfinite(mean_diagonal)) return 1;
  return std::exp2(-std::round(0.5 * std::log2(mean_diagonal)));
}

}  // namespace

void ConeSystem::lay_out(const Vector& diagonal, const Vector& b) {
  b_ = b;
  first_rows_.reserve(blocks_.size());
  scales_.reserve(blocks_.size());
  Index row = 0;
  for (ConeBlock& block : blocks_) {
    const double scale = balancing_scale(diagonal.segment(row, block.rows).cwiseAbs().mean());
    first_rows_.push_back(row);
    scales_.push_back(scale);
    block.lower /= scale;
    block.upper /= scale;
    b_.segment(row, block.rows) *= scale;
    row += block.rows;
  }
}

ConeSystem::ConeSystem(const ConeProblem& problem) : blocks_(problem.blocks) {
  lay_out(problem.a.diagonal(), problem.b);
  couplings_.reserve(blocks_.size() * blocks_.size());
  starts_.push_back(0);
  for (Index i = 0; i < block_count(); ++i) {
    for (Index k = 0; k < block_count(); ++k) {
      const auto part = problem.a.block(first_row(i), first_row(k), block(i).rows, block(k).rows);
      if (i != k && (part.array() == 0).all()) continue;
      PartMatrix a = PartMatrix::Zero();
      a.topLeftCorner(block(i).rows, block(k).rows) = scale(i) * scale(k) * part;
      couplings_.push_back({k, a});
    }
    starts_.push_back(couplings_.size());
  }
  find_units();
}

ConeSystem::ConeSystem(const SparseConeProblem& problem)
    : blocks_(problem.blocks), bodies_(problem.bodies) {
  lay_out(problem.a.diagonal(), problem.b);
  std::vector<Index> block_of_row;
  for (Index i = 0; i < block_count(); ++i)
    block_of_row.insert(block_of_row.end(), static_cast<std::size_t>(block(i).rows), i);
  starts_.push_back(0);
  constexpr std::size_t none = std::size_t(-1);
  std::vector<std::size_t> place(blocks_.size(), none);  // of a column in the present block row
  for (Index i = 0; i < block_count(); ++i) {
    const auto find = [&](Index k) -> PartMatrix& {
      std::size_t& at = place[static_cast<std::size_t>(k)];
      if (at == none || at < starts_.back()) {
        at = couplings_.size();
        couplings_.push_back({k, PartMatrix::Zero()});
      }
      return couplings_[at].a;
    };
    find(i);
    for (int row = 0; row < block(i).rows; ++row) {
      for (SparseMatrix::InnerIterator entry(problem.a, first_row(i) + row); entry; ++entry) {
        const Index k = block_of_row[static_cast<std::size_t>(entry.col())];
        if (entry.value() == 0) continue;
        find(k)(row, entry.col() - first_row(k)) = scale(i) * scale(k) * entry.value();
      }
    }
    starts_.push_back(couplings_.size());
  }
  find_units();
  scale_body_rows();
}

void ConeSystem::scale_body_rows() {
  if (!bodies_.is_known()) return;
  for (Index i = 0; i < block_count(); ++i)
    for (Index row = first_row(i); row < first_row(i) + block(i).rows; ++row)
      for (const int side : {0, 1}) {
        bodies_.rows[at(row)].along[at(side)] *= scale(i);
        bodies_.rows[at(row)].answers[at(side)] *= scale(i);
      }
}

void ConeSystem::find_units() {
  diagonals_.reserve(blocks_.size());
  units_.reserve(blocks_.size());
  for (Index i = 0; i < block_count(); ++i) {
    PartMatrix diagonal = PartMatrix::Zero();
    for (const Coupling& coupling : couplings(i)) {
      if (coupling.column == i) diagonal = coupling.a;
    }
    diagonals_.push_back(diagonal);
    const double normal = std::abs(diagonal(0, 0));
    const double tangential =
        block(i).is_contact() ? diagonal.diagonal().tail<2>().cwiseAbs().sum() / (block(i).rows - 1)
                              : 0;
    units_.push_back({normal > 0 ? 1 / normal : 1, tangential > 0 ? 1 / tangential : 1});
  }
}

std::vector<std::vector<Index>> ConeSystem::components() const {
  std::vector<Index> parent(blocks_.size());
  std::iota(parent.begin(), parent.end(), Index(0));
  const auto root = [&](Index i) {
    while (parent[static_cast<std::size_t>(i)] != i) {
      Index& up = parent[static_cast<std::size_t>(i)];
      up = parent[static_cast<std::size_t>(up)];
      i = up;
    }
    return i;
  };
  for (Index i = 0; i < block_count(); ++i) {
    for (const Coupling& coupling : couplings(i)) {
      const Index a = root(i), b = root(coupling.column);
      // The smallest block is the root, so that components come in the order of their first blocks.
      parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
  }
  std::vector<std::vector<Index>> result;
  std::vector<std::size_t> number(blocks_.size());
  for (Index i = 0; i < block_count(); ++i) {
    const Index r = root(i);
    if (r == i) {
      number[static_cast<std::size_t>(i)] = result.size();
      result.emplace_back();
    }
    result[number[static_cast<std::size_t>(r)]].push_back(i);
  }
  return result;
}

ConeSystem ConeSystem::only(std::span<const Index> blocks) const {
  ConeSystem part;
  std::vector<Index> number(blocks_.size(), -1);
  Index rows = 0;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const Index i = blocks[k];
    number[static_cast<std::size_t>(i)] = static_cast<Index>(k);
    part.blocks_.push_back(block(i));
    part.first_rows_.push_back(rows);
    part.scales_.push_back(scale(i));
    part.units_.push_back(units(i));
    part.diagonals_.push_back(diagonal(i));
    rows += block(i).rows;
  }
  part.b_.resize(rows);
  part.starts_.push_back(0);
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const Index i = blocks[k];
    part.b_.segment(part.first_rows_[k], block(i).rows) = b_.segment(first_row(i), block(i).rows);
    for (const Coupling& coupling : couplings(i)) {
      const Index column = number[static_cast<std::size_t>(coupling.column)];
      if (column >= 0) part.couplings_.push_back({column, coupling.a});
    }
    part.starts_.push_back(part.couplings_.size());
  }
  part.bodies_ = body_rows_of(blocks);
  return part;
}

BodyRows ConeSystem::body_rows_of(std::span<const Index> blocks) const {
  BodyRows part;
  if (!knows_bodies()) return part;
  std::vector<int> number(at(body_count()), -1);
  for (const Index i : blocks)
    for (Index row = first_row(i); row < first_row(i) + block(i).rows; ++row) {
      part.rows.push_back(body_row(row));
      for (int& body : part.rows.back().bodies) {
        if (body < 0) continue;
        int& renumbered = number[at(body)];
        if (renumbered < 0) renumbered = part.bodies++;
        body = renumbered;
      }
    }
  return part;
}

/// lower <= z <= upper with w is z >= lower with w + x, and x >= 0 with upper - z.
ConeSystem ConeSystem::with_single_bounds() const {
  ConeSystem result = *this;
  result.couplings_.clear();
  result.starts_ = {0};
  result.bodies_ = {};
  const PartMatrix one = Part::UnitX().asDiagonal();
  std::vector<double> uppers;
  std::vector<Index> bounded;
  for (Index i = 0; i < block_count(); ++i) {
    result.couplings_.insert(result.couplings_.end(), couplings(i).begin(), couplings(i).end());
    const double upper = block(i).upper;
    if (!block(i).is_contact() && std::isfinite(block(i).lower) && std::isfinite(upper)) {
      result.couplings_.push_back({block_count() + static_cast<Index>(bounded.size()), one});
      result.blocks_[static_cast<std::size_t>(i)].upper = infinity;
      bounded.push_back(i);
      uppers.push_back(upper);
    }
    result.starts_.push_back(result.couplings_.size());
  }
  for (const Index i : bounded) {
    result.first_rows_.push_back(size() +
                                 static_cast<Index>(result.blocks_.size() - blocks_.size()));
    result.blocks_.push_back(ConeBlock::bounded(0, infinity));
    result.scales_.push_back(1);
    result.units_.push_back({});
    result.diagonals_.push_back(PartMatrix::Zero());
    result.couplings_.push_back({i, -one});
    result.couplings_.push_back(
        {static_cast<Index>(result.blocks_.size()) - 1, PartMatrix::Zero()});
    result.starts_.push_back(result.couplings_.size());
  }
  result.b_.conservativeResize(size() + static_cast<Index>(bounded.size()));
  result.b_.tail(static_cast<Index>(bounded.size())) =
      Eigen::Map<const Vector>(uppers.data(), static_cast<Index>(uppers.size()));
  return result;
}

Part ConeSystem::motion(Index i, const Vector& z) const {
  Part w = part(b_, i);
  for (const Coupling& coupling : couplings(i)) w += coupling.a * part(z, coupling.column);
  return w;
}

void ConeSystem::motion(const Vector& z, Vector& w) const {
  w.resize(size());
  for (Index i = 0; i < block_count(); ++i) set_part(w, i, motion(i, z));
}

}  // namespace abut::lcp
