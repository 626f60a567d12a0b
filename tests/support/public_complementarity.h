#pragma once
// The public test problems of Siconos, linear, mixed linear and with friction, if they lie beside
// the checkout.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "lcp/cone_problem.h"
#include "lcp/lcp.h"
#include "support/complementarity.h"

namespace abut::test {

struct NamedProblem {
  std::string name;
  std::filesystem::path path;
  lcp::Problem problem;
};

namespace public_complementarity {

inline Eigen::Index read_count(std::istream& in) {
  Eigen::Index count = 0;
  in >> count;
  return count;
}

inline std::vector<Eigen::Index> read_counts(std::istream& in, Eigen::Index size) {
  std::vector<Eigen::Index> counts(static_cast<std::size_t>(size));
  for (Eigen::Index& count : counts) in >> count;
  return counts;
}

/// Numbers column by column.
inline lcp::Matrix read_columns(std::istream& in, Eigen::Index rows, Eigen::Index columns) {
  lcp::Matrix matrix(rows, columns);
  for (Eigen::Index k = 0; k < columns; ++k) {
    for (Eigen::Index i = 0; i < rows; ++i) in >> matrix(i, k);
  }
  return matrix;
}

/// Kind, rows, columns; then for kind 0 a dense matrix, for kind 1 a compressed one of dense
/// blocks.
inline lcp::Matrix read_matrix(std::istream& in) {
  const Eigen::Index kind = read_count(in);
  const Eigen::Index rows = read_count(in), columns = read_count(in);
  if (kind == 0) {
    read_counts(in, 2);  // the same again
    return read_columns(in, rows, columns);
  }
  const Eigen::Index blocks = read_count(in);
  const Eigen::Index block_rows = read_count(in), block_columns = read_count(in);
  std::vector<Eigen::Index> row_ends = read_counts(in, block_rows);
  std::vector<Eigen::Index> column_ends = read_counts(in, block_columns);
  row_ends.insert(row_ends.begin(), 0);
  column_ends.insert(column_ends.begin(), 0);
  const Eigen::Index starts_count = read_count(in), places_count = read_count(in);
  const std::vector<Eigen::Index> starts = read_counts(in, starts_count);
  const std::vector<Eigen::Index> places = read_counts(in, places_count);
  lcp::Matrix matrix = lcp::Matrix::Zero(rows, columns);
  for (Eigen::Index block = 0; block < blocks; ++block) {
    const auto number = static_cast<std::size_t>(read_count(in));
    std::size_t i = 0;
    while (starts[i + 1] <= static_cast<Eigen::Index>(number)) ++i;
    const auto k = static_cast<std::size_t>(places[number]);
    const Eigen::Index height = row_ends[i + 1] - row_ends[i];
    const Eigen::Index width = column_ends[k + 1] - column_ends[k];
    matrix.block(row_ends[i], column_ends[k], height, width) = read_columns(in, height, width);
  }
  return matrix;
}

inline lcp::Problem read_linear(std::istream& in) {
  const Eigen::Index size = read_count(in);
  lcp::Matrix a = read_matrix(in);
  return lcp::Problem::complementarity(std::move(a), read_columns(in, size, 1));
}

/// Equalities come first. The file holds M and q, and the same in blocks; of one problem M and q do
/// not fit together, hence the blocks, which are written row by row.
inline lcp::Problem read_mixed(std::istream& in) {
  read_counts(in, 2);
  const Eigen::Index n = read_count(in), m = read_count(in);
  read_counts(in, 3 + 2);
  const lcp::Matrix whole = read_matrix(in);
  read_columns(in, whole.cols(), 1);
  lcp::Matrix matrix(n + m, n + m);
  matrix.topLeftCorner(n, n) = read_columns(in, n, n).transpose();
  matrix.bottomRightCorner(m, m) = read_columns(in, m, m).transpose();
  matrix.topRightCorner(n, m) = read_columns(in, m, n).transpose();
  matrix.bottomLeftCorner(m, n) = read_columns(in, n, m).transpose();
  lcp::Problem problem =
      lcp::Problem::complementarity(std::move(matrix), read_columns(in, n + m, 1));
  problem.lower.head(n).setConstant(-infinite);
  return problem;
}

/// Contacts in space or in the plane: dimension, number of contacts, A, b, and the coefficients.
inline lcp::SparseConeProblem read_friction(std::istream& in) {
  const Eigen::Index dimension = read_count(in), contacts = read_count(in);
  lcp::SparseConeProblem problem;
  problem.a = read_matrix(in).sparseView();
  problem.b = read_columns(in, dimension * contacts, 1);
  const lcp::Vector friction = read_columns(in, contacts, 1);
  for (const double mu : friction) {
    problem.blocks.push_back(dimension == 3 ? lcp::ConeBlock::contact(mu)
                                            : lcp::ConeBlock::planar_contact(mu));
  }
  return problem;
}

}  // namespace public_complementarity

struct NamedConeProblem {
  std::string name;
  std::filesystem::path path;
  lcp::SparseConeProblem problem;
};

/// All problems with friction of a folder, by name; none if the data are not there.
inline std::vector<NamedConeProblem> public_friction_problems(const std::filesystem::path& folder) {
  std::vector<NamedConeProblem> problems;
  if (!std::filesystem::is_directory(folder)) return problems;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream in(entry.path());
    problems.push_back(
        {entry.path().stem(), entry.path(), public_complementarity::read_friction(in)});
  }
  std::sort(problems.begin(), problems.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return problems;
}

/// All problems of a folder, by name; none if the data are not there.
inline std::vector<NamedProblem> public_problems(const std::filesystem::path& folder, bool mixed) {
  std::vector<NamedProblem> problems;
  if (!std::filesystem::is_directory(folder)) return problems;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream in(entry.path());
    problems.push_back(
        {entry.path().stem(), entry.path(),
         mixed ? public_complementarity::read_mixed(in) : public_complementarity::read_linear(in)});
  }
  std::sort(problems.begin(), problems.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return problems;
}

}  // namespace abut::test
