#pragma once
// Where a sheet is so flat that its triangles keep apart from each other.
//
// A sheet takes the point u of its plane to x(u), linearly in each triangle: dx = F du. On the
// straight way from u to v, all of which lies in a rectangle around both, F stays near some matrix
// G: |F - G| <= d for each triangle of that rectangle. So
//     |x(v) - x(u)| = |integral of F| >= |G (v - u)| - d |v - u| >= (s - d) |v - u|
// with s the smaller singular value of G: what is apart at rest is apart by the part s - d of it.
// Corners move steadily, so that F does, and what holds where a step begins and where it ends holds
// in between. Triangles are taken by groups, the leaves of a tree, of which those that are near
// each other at rest are known: nearly all that a tree finds are such, and few have to be looked
// at.

#include <functional>
#include <span>
#include <vector>

#include "clock/moving_surface.h"

namespace abut::clock {

class SheetFlatness {
 public:
  /// `groups` of triangles, of which `near` (m) says how near those are at rest that are looked at;
  /// `may_touch` says whether two triangles are looked at, as neighbours are not.
  SheetFlatness(const flexible::Boundary& boundary, std::vector<std::vector<int>> groups,
                double near, const std::function<bool(int, int)>& may_touch);

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
  };
  struct Near {
    int group = 0;
    double apart = 0;                  // at rest, of those that may touch, m
    int first_around = 0, around = 0;  // triangles of the rectangle around both groups
  };

  void find_near(double near, const std::function<bool(int, int)>& may_touch);
  double least_apart(int group, int other, const std::function<bool(int, int)>& may_touch) const;
  double kept_part(std::span<const int> triangles) const;

  const flexible::Boundary& boundary_;
  std::vector<std::vector<int>> groups_;
  std::vector<int> first_near_;            // by group, and the end
  std::vector<Near> near_;                 // others from it on
  std::vector<int> around_;                // of all of these
  std::vector<Eigen::Matrix2d> inverses_;  // by triangle: of its sides at rest
  std::vector<Range> ranges_;              // by triangle, over the step
  std::vector<Vec3> ends_;                 // of vertices
  mutable double least_kept_ = 0;
};

}  // namespace abut::clock
