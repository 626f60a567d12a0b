#include "clock/sheet_flatness.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/limits.h"

namespace abut::clock {
namespace {

using Flat = Eigen::Vector2d;
using FlatTriangle = std::array<Flat, 3>;

// They follow each other in the boundary of a sheet, cell by cell and row by row.
constexpr int triangles_per_cell = 2;

FlatTriangle at_rest(const flexible::Boundary& boundary, int triangle) {
  FlatTriangle corners;
  for (int i = 0; i < 3; ++i)
    corners[i] = boundary.rest(boundary.triangles()[triangle][i]).head<2>();
  return corners;
}

// How far b is beyond a side of a, at most: no more than their distance.
double beyond_sides(const FlatTriangle& a, const FlatTriangle& b) {
  double farthest = -infinity;
  for (int i = 0; i < 3; ++i) {
    const Flat side = a[(i + 1) % 3] - a[i], third = a[(i + 2) % 3] - a[i];
    Flat out(side.y(), -side.x());
    if (out.dot(third) > 0) out = -out;
    double nearest = infinity;
    for (const Flat& corner : b) nearest = std::min(nearest, out.dot(corner - a[i]));
    farthest = std::max(farthest, nearest / out.norm());
  }
  return farthest;
}

}  // namespace

SheetFlatness::SheetFlatness(const flexible::BendingBody& sheet,
                             const std::vector<std::vector<int>>& groups,
                             const std::function<bool(int, int)>& may_touch)
    : sheet_(sheet) {
  const flexible::Grid& grid = sheet.grid;
  cell_ = (sheet.boundary.rest(grid.node(1, 1)) - sheet.boundary.rest(0)).head<2>().minCoeff();
  for (const std::vector<int>& group : groups) {
    cells_.emplace_back();
    for (const int k : group) {
      const int cell = k / triangles_per_cell;
      cells_.back().extend(Eigen::Vector2i(cell % grid.cells_x, cell / grid.cells_x));
    }
  }
  for (int k = 0; k < static_cast<int>(sheet.boundary.triangles().size()); ++k) {
    const FlatTriangle corners = at_rest(sheet.boundary, k);
    Eigen::Matrix2d sides;
    sides << corners[1] - corners[0], corners[2] - corners[0];
    inverses_.emplace_back(sides.inverse());
  }
  int columns = grid.cells_x, rows = grid.cells_y;
  while (true) {
    const std::size_t squares = static_cast<std::size_t>(columns) * rows;
    levels_.push_back({columns, rows, std::vector<Range>(squares), std::vector<double>(squares)});
    if (std::max(columns, rows) == 1) break;
    columns = (columns + 1) / 2;
    rows = (rows + 1) / 2;
  }
  least_apart_ = least_apart(may_touch);
}

// Of triangles of cells side by side, and one farther: others are apart by two cells.
double SheetFlatness::least_apart(const std::function<bool(int, int)>& may_touch) const {
  constexpr int n = triangles_per_cell, window = 2;
  const flexible::Grid& grid = sheet_.grid;
  double least = window * cell_;
  const auto look_at = [&](int cell, int other) {
    for (int k = n * cell; k < n * (cell + 1); ++k)
      for (int l = std::max(k + 1, n * other); l < n * (other + 1); ++l) {
        if (!may_touch(k, l)) continue;
        const FlatTriangle x = at_rest(sheet_.boundary, k), y = at_rest(sheet_.boundary, l);
        least = std::min(least, std::max(beyond_sides(x, y), beyond_sides(y, x)));
      }
  };
  for (int j = 0; j < grid.cells_y; ++j)
    for (int i = 0; i < grid.cells_x; ++i)
      for (int dj = 0; dj <= std::min(window, grid.cells_y - 1 - j); ++dj)
        for (int di = -std::min(window, i); di <= std::min(window, grid.cells_x - 1 - i); ++di)
          if (dj > 0 || di >= 0) look_at(i + j * grid.cells_x, i + di + (j + dj) * grid.cells_x);
  return least;
}

SheetFlatness::Slopes SheetFlatness::slopes(const std::vector<Vec3>& places, int triangle) const {
  const auto& [a, b, c] = sheet_.boundary.triangles()[triangle];
  const Eigen::Matrix2d& inverse = inverses_[triangle];
  const Vec3 first = places[b] - places[a], second = places[c] - places[a];
  Slopes slopes;
  for (const int i : {0, 1}) {
    slopes.segment<3>(4 * i) = inverse(0, i) * first + inverse(1, i) * second;
    slopes[4 * i + 3] = 0;
  }
  return slopes;
}

void SheetFlatness::fit_cells(const MovingSurface& surface, double h) {
  ends_.resize(surface.places.size());
  for (std::size_t v = 0; v < ends_.size(); ++v)
    ends_[v] = surface.places[v] + h * surface.velocities[v];
  std::vector<Range>& cells = levels_[0].squares;
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    const int first = triangles_per_cell * static_cast<int>(cell);
    cells[cell] = range_of(slopes(surface.places, first), slopes(ends_, first));
    for (int k = first + 1; k < first + triangles_per_cell; ++k)
      cells[cell].extend(range_of(slopes(surface.places, k), slopes(ends_, k)));
  }
}

// The square of the smaller singular value.
double SheetFlatness::least_stretch(const Slopes& slopes) {
  const Vec3 first = slopes.segment<3>(0), second = slopes.segment<3>(4);
  const double mean = 0.5 * (first.squaredNorm() + second.squaredNorm());
  const double differ = 0.5 * (first.squaredNorm() - second.squaredNorm());
  const double across = first.dot(second);
  return std::max(mean - std::sqrt(differ * differ + across * across), 0.0);
}

// All that F is on the way from one to the other.
SheetFlatness::Range SheetFlatness::range_of(const Slopes& begin, const Slopes& end) {
  return {begin.min(end), begin.max(end),
          std::min(least_stretch(begin), least_stretch(end)) -
              0.25 * (end - begin).matrix().squaredNorm()};
}

void SheetFlatness::join(const Level& finer, Level& level) {
  for (int j = 0; j < finer.rows; ++j)
    for (int i = 0; i < finer.columns; ++i) {
      Range& range = level.squares[level.at(i / 2, j / 2)];
      const Range& part = finer.squares[finer.at(i, j)];
      if (i % 2 == 0 && j % 2 == 0)
        range = part;
      else
        range.extend(part);
    }
}

// The part that each square keeps with those beside it, two by two, times what is apart at least
// of all that the squares within it do not tell.
void SheetFlatness::find_kept(std::size_t l) {
  Level& level = levels_[l];
  const double apart = l == 0 ? least_apart_ : std::max(least_apart_, cell_ * (1 << (l - 1)));
  const int right = level.columns > 1 ? 1 : 0, up = level.rows > 1 ? 1 : 0;
  parts_.resize(level.squares.size());
  for (int j = 0; j < level.rows - up; ++j)
    for (int i = 0; i < level.columns - right; ++i) {
      Range four = level.squares[level.at(i, j)];
      four.extend(level.squares[level.at(i + right, j)]);
      four.extend(level.squares[level.at(i, j + up)]);
      four.extend(level.squares[level.at(i + right, j + up)]);
      parts_[level.at(i, j)] = four.kept_part();
    }
  for (int j = 0; j < level.rows; ++j)
    for (int i = 0; i < level.columns; ++i) {
      double least = infinity;
      for (int y = std::max(j - up, 0); y <= std::min(j, level.rows - 1 - up); ++y)
        for (int x = std::max(i - right, 0); x <= std::min(i, level.columns - 1 - right); ++x)
          least = std::min(least, parts_[level.at(x, y)]);
      level.kept[level.at(i, j)] = apart * least;
    }
  if (l == 0) return;
  const Level& finer = levels_[l - 1];
  for (int j = 0; j < finer.rows; ++j)
    for (int i = 0; i < finer.columns; ++i) {
      double& kept = level.kept[level.at(i / 2, j / 2)];
      kept = std::min(kept, finer.kept[finer.at(i, j)]);
    }
}

void SheetFlatness::fit(const MovingSurface& surface, double h) {
  least_kept_ = infinity;
  fit_cells(surface, h);
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    if (l > 0) join(levels_[l - 1], levels_[l]);
    find_kept(l);
  }
}

// With G in the middle.
double SheetFlatness::Range::kept_part() const {
  const double off = 0.25 * (high - low).matrix().squaredNorm();
  const double mean = least_stretch(0.5 * (low + high)), further = shortest - off;
  if (further >= mean) return std::sqrt(further);
  return mean > 0 ? 0.5 * (mean + further) / std::sqrt(mean) : 0;
}

// The squares are so large that all of the other group is within one side of each of its cells.
bool SheetFlatness::keeps_apart(int group, int other, double margin) const {
  const Cells &a = cells_[group], &b = cells_[other];
  const auto farthest = static_cast<unsigned>(a.merged(b).sizes().maxCoeff());
  const int l = farthest > 1 ? std::bit_width(farthest - 1) : 0;
  if (l >= static_cast<int>(levels_.size())) return false;
  const Level& level = levels_[l];
  double kept = infinity;
  for (int j = a.min().y() >> l; j <= a.max().y() >> l; ++j)
    for (int i = a.min().x() >> l; i <= a.max().x() >> l; ++i)
      kept = std::min(kept, level.kept[level.at(i, j)]);
  if (!(kept > margin)) return false;
  least_kept_ = std::min(least_kept_, kept);
  return true;
}

}  // namespace abut::clock
