#pragma once
// Reader of public sample queries for moving contact, if they lie next to the checkout. Eight rows
// make a query: four points at the start, then at the end; coordinates are fractions, and the last
// column is the true answer.

#include <gmpxx.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "geometry/moving_contact.h"

namespace abut::test {

struct PublicQuery {
  std::array<geometry::MovingPoint, 4> points;  ///< edge a, edge b; or point, triangle
  bool is_edge_edge = false;
  bool hit = false;
  bool representable = true;  ///< all coordinates are doubles, so that the answer is for these
};

inline void read_queries(const std::filesystem::path& file, std::vector<PublicQuery>& queries) {
  const bool is_edge_edge = file.parent_path().filename() == "edge-edge";
  std::ifstream in(file);
  std::string line;
  for (int row = 0; std::getline(in, line); ++row) {
    if (row % 8 == 0) queries.emplace_back().is_edge_edge = is_edge_edge;
    PublicQuery& query = queries.back();
    geometry::MovingPoint& point = query.points[static_cast<std::size_t>(row % 4)];
    std::stringstream fields(line);
    std::string top, bottom;
    for (int k = 0; k < 3; ++k) {
      std::getline(fields, top, ',');
      std::getline(fields, bottom, ',');
      mpq_class value{mpz_class(top), mpz_class(bottom)};
      value.canonicalize();
      const double rounded = value.get_d();
      query.representable = query.representable && mpq_class(rounded) == value;
      (row % 8 < 4 ? point.start : point.end)[k] = rounded;
    }
    std::getline(fields, top, ',');
    query.hit = std::stoi(top) == 1;
  }
}

/// All queries found; none if the data are not there.
inline std::vector<PublicQuery> public_queries(const std::filesystem::path& folder) {
  std::vector<PublicQuery> queries;
  if (!std::filesystem::is_directory(folder)) return queries;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".csv") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) read_queries(file, queries);
  return queries;
}

inline geometry::MovingContact answer(const PublicQuery& q) {
  const auto& p = q.points;
  return q.is_edge_edge ? geometry::edge_meets_edge({p[0], p[1]}, {p[2], p[3]})
                        : geometry::point_meets_triangle(p[0], {p[1], p[2], p[3]});
}

}  // namespace abut::test
