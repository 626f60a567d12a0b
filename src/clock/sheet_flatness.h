#pragma once
// Where a sheet is so flat that its triangles keep apart from each other.
//
// A sheet takes the point u of its plane to x(u), linearly in each triangle: dx = F du. On the
// straight way from u to v, all of which lies in a rectangle around both, F stays near some matrix
// G, |F - G| <= d for each triangle of that rectangle, and makes no direction shorter than f. With
// e the direction of the way, a = G e and y = F e, every part of the way leads on along a by
//     y . a / |a| = (|a|^2 + |y|^2 - |y - a|^2) / (2 |a|) >= (|a|^2 + f^2 - d^2) / (2 |a|),
// which is sqrt(f^2 - d^2) at least where f > d; from there on it grows with |a|, which is no less
// than the smaller singular value of G. What is apart at rest is apart by that part of it. Where a
// sheet is wound F turns and shortens nothing: d may come near to f, an eighth of a turn and more.
// Corners move steadily, so that F does, and what holds of G where a step begins and where it ends
// holds in between. Of F it is
//     |(1 - t) F0 e + t F1 e|^2 >= min(|F0 e|^2, |F1 e|^2) - |F1 e - F0 e|^2 / 4.
//
// Squares of cells, of two along each side, of four and so on, with the squares beside them, two by
// two, tell this for all that is up to one side off one of them. What is nearer than half of that
// is told by the squares within it, and by cells in the end: the farther two places are apart, the
// more may F change between them. So all triangles of a square keep apart from those around it, if
// they do for each square within it and if the part that is kept in its surroundings is large
// enough for what is farther off.

#include <algorithm>
#include <functional>
#include <vector>

#include "clock/moving_surface.h"

namespace abut::clock {

class SheetFlatness {
 public:
  /// Of the sheet's triangles by groups; `may_touch` says whether two triangles, the smaller number
  /// first, are looked at, as neighbours are not.
  SheetFlatness(const flexible::BendingBody& sheet, const std::vector<std::vector<int>>& groups,
                const std::function<bool(int, int)>& may_touch);

  /// For the first h of a step.
  void fit(const MovingSurface& surface, double h);

  /// Whether all triangles of two groups that may touch are farther apart than this, m.
  bool keeps_apart(int group, int other, double margin) const;
  /// What all of those are apart at least that were found to be since the last fit, m.
  double least_kept() const { return least_kept_; }

 private:
  using Slopes = Eigen::Array<double, 8, 1>;  // F, column by column; the last of each is 0
  struct Range {
    Slopes low, high;
    double shortest = 0;  ///< f^2; may be negative
    void extend(const Range& other) {
      low = low.min(other.low);
      high = high.max(other.high);
      shortest = std::min(shortest, other.shortest);
    }
    double kept_part() const;
  };
  using Cells = Eigen::AlignedBox<int, 2>;  // the first and the last of a rectangle
  struct Level {
    int columns = 0, rows = 0;
    std::vector<Range> squares;
    std::vector<double> kept;  ///< by square: what it keeps apart from all around it, m

    std::size_t at(int i, int j) const { return i + static_cast<std::size_t>(j) * columns; }
  };

  static double least_stretch(const Slopes& slopes);
  static Range range_of(const Slopes& begin, const Slopes& end);
  double least_apart(const std::function<bool(int, int)>& may_touch) const;
  Slopes slopes(const std::vector<Vec3>& places, int triangle) const;
  void fit_cells(const MovingSurface& surface, double h);
  static void join(const Level& finer, Level& level);
  void find_kept(std::size_t level);

  const flexible::BendingBody& sheet_;
  double cell_ = 0;                        // its shorter side at rest, m
  std::vector<Cells> cells_;               // around each group
  std::vector<Eigen::Matrix2d> inverses_;  // by triangle: of its sides at rest
  std::vector<Level> levels_;              // over the step; the first has a square for each cell
  std::vector<double> parts_;              // memory: what four squares keep, by the first of them
  double least_apart_ = 0;                 // at rest, of all that may touch, m
  std::vector<Vec3> ends_;                 // of vertices
  mutable double least_kept_ = 0;
};

}  // namespace abut::clock
