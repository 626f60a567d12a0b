#include "clock/bent_matrix.h"

#include <algorithm>
#include <set>

namespace abut::clock {
namespace {

using flexible::ColumnPair;
using flexible::Columns;

// Pairs of columns that the mass or the elasticity couples, first <= second.
std::vector<ColumnPair> coupled(const flexible::BendingBody& body) {
  std::set<std::pair<int, int>> found;
  for (const ColumnPair& pair : body.elasticity->pairs()) found.insert({pair.first, pair.second});
  for (int k = 0; k < body.columns(); ++k)
    for (int l = k; l < (body.mass.is_diagonal() ? k + 1 : body.columns()); ++l)
      found.insert({k, l});
  std::vector<ColumnPair> pairs;
  pairs.reserve(found.size());
  for (const auto& [first, second] : found) pairs.push_back({first, second});
  return pairs;
}

}  // namespace

BentMatrix::BentMatrix(const flexible::BendingBody& body, const std::vector<bool>& held)
    : body_(body),
      springs_(dynamic_cast<const flexible::SpringElasticity*>(body.elasticity.get())),
      held_(held),
      pairs_(coupled(body)) {
  const std::vector<ColumnPair>& elastic = body.elasticity->pairs();
  std::vector<std::array<int, 2>> apart;
  for (const ColumnPair& pair : pairs_) {
    const auto at = std::lower_bound(elastic.begin(), elastic.end(), pair);
    elastic_.push_back(at != elastic.end() && *at == pair ? static_cast<int>(at - elastic.begin())
                                                          : -1);
    if (pair.first != pair.second) apart.push_back({pair.first, pair.second});
  }
  if (body.is_sheet()) nodes_ = math::NodeMatrix(body.columns(), std::move(apart));
}

bool BentMatrix::assemble(const Columns& columns, double stiff, double damp) {
  if (springs_ != nullptr) {
    springs_->step_blocks(columns, stiff, damp, stiffness_, elastic_blocks_);
  } else {
    body_.elasticity->stiffness(columns, stiffness_, true);
    body_.elasticity->damping(columns, elastic_blocks_);
    for (std::size_t i = 0; i < stiffness_.size(); ++i)
      elastic_blocks_[i] = stiff * stiffness_[i] + damp * elastic_blocks_[i];
  }
  blocks_.resize(pairs_.size());
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const auto& [k, l] = pairs_[i];
    if (elastic_[i] >= 0)
      blocks_[i] = elastic_blocks_[elastic_[i]];
    else
      blocks_[i].setZero();
    blocks_[i].diagonal().array() += body_.mass(k, l);
  }
  return body_.is_sheet() ? assemble_nodes() : factorise();
}

bool BentMatrix::assemble_nodes() {
  int number = 0;
  bool is_finite = true;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const auto& [k, l] = pairs_[i];
    is_finite = is_finite && blocks_[i].allFinite();
    if (k == l)
      nodes_.diagonal(k) = math::NodeBlock(blocks_[i]);
    else
      nodes_.pair(number++) =
          held_[k] || held_[l] ? math::NodeBlock() : math::NodeBlock(blocks_[i]);
  }
  nodes_.prepare_sweeps();
  return is_finite;
}

bool BentMatrix::factorise() {
  Eigen::MatrixXd whole = Eigen::MatrixXd::Identity(size(), size());
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const auto& [k, l] = pairs_[i];
    if (held_[k] || held_[l]) continue;
    whole.block<3, 3>(3 * l, 3 * k) = blocks_[i].transpose();
  }
  factors_.compute(whole);
  return factors_.info() == Eigen::Success;
}

Columns BentMatrix::times(const Columns& x) const {
  Columns y = Columns::Zero(3, x.cols());
  flexible::add_product(pairs_, blocks_, 1, x, y);
  return y;
}

Columns BentMatrix::stiffness_times(const Columns& x) const {
  Columns y = Columns::Zero(3, x.cols());
  flexible::add_product(body_.elasticity->pairs(), stiffness_, 1, x, y);
  return y;
}

Eigen::VectorXd BentMatrix::scaled(const Columns& force) const {
  Eigen::VectorXd u = Eigen::VectorXd::Zero(6 * slots());
  for (int k = 0; k < force.cols(); ++k)
    if (!held_[k]) u.segment<3>(3 * k) = force.col(k);
  auto inner = u.head(size());
  factors_.matrixL().solveInPlace(inner);
  return u;
}

Columns BentMatrix::rates(const Eigen::VectorXd& u) const {
  Eigen::VectorXd v = u.head(size());
  factors_.matrixU().solveInPlace(v);
  Columns found = Eigen::Map<const Columns>(v.data(), 3, body_.columns());
  for (int k = 0; k < found.cols(); ++k)
    if (held_[k]) found.col(k).setZero();
  return found;
}

std::vector<BentMatrix::SlotRows> BentMatrix::rows_of(flexible::Weights weights) const {
  Eigen::MatrixX3d x = Eigen::MatrixX3d::Zero(6 * slots(), 3);
  for (const flexible::ColumnWeight& w : weights)
    if (!held_[w.column]) x.middleRows<3>(3 * w.column) = w.weight * Mat3::Identity();
  auto inner = x.topRows(size());
  factors_.matrixL().solveInPlace(inner);
  std::vector<SlotRows> found;
  for (int slot = 0; slot < slots(); ++slot) {
    const Eigen::Matrix<double, 6, 3> j = x.middleRows<6>(6 * slot);
    if (!j.isZero(0)) found.push_back({slot, j});
  }
  return found;
}

}  // namespace abut::clock
