#pragma once
// A tree of boxes around the triangles of a surface that moves. Which triangles are together is
// decided once, by the surface at rest: neighbours stay neighbours. Only the boxes follow the
// motion.

#include <array>
#include <vector>

#include "clock/moving_surface.h"
#include "clock/sheet_flatness.h"

namespace abut::clock {

class SurfaceTree {
 public:
  using Pair = std::array<int, 2>;

  explicit SurfaceTree(const flexible::Boundary& boundary);

  /// Boxes around all that the triangles pass in the first h of a step.
  void fit(const MovingSurface& surface, double h);

  /// Appends the pairs of triangles, of this surface and of the other, whose boxes are nearer than
  /// `margin` (m) along each axis; in no particular order.
  void find_pairs(const SurfaceTree& other, double margin, std::vector<Pair>& found) const;
  /// Within this surface: each pair once, the smaller number first; but for what keeps apart by
  /// itself, if that is known.
  void find_own_pairs(double margin, std::vector<Pair>& found,
                      const SheetFlatness* flatness = nullptr) const;

  /// Appends the triangles whose boxes meet this one, or are no higher than this along n.
  void find_near(const geometry::Box3& around, std::vector<int>& found) const;
  void find_below(const Vec3& n, double height, std::vector<int>& found) const;

  /// Triangles by node of the tree.
  std::vector<std::vector<int>> groups() const;

 private:
  // Four numbers each, the last one 0, as processors like it.
  struct Box {
    Eigen::Array4d low, high;
    void extend(const Box& other) {
      low = low.min(other.low);
      high = high.max(other.high);
    }
    bool is_near(const Box& other, double margin) const {
      return (low - other.high).max(other.low - high).maxCoeff() <= margin;
    }
  };
  struct Node {
    Box box;
    int first = 0;  // of the leaf's triangles, or of its two children
    int count = 0;  // of the leaf's triangles; 0 for an inner node
  };

  void split(int node, int first, int count, const std::vector<Vec3>& middles);
  template <class IsNear>
  void find_if(int node, const IsNear& is_near, std::vector<int>& found) const;
  void find_within(int node, double margin, const SheetFlatness* flatness,
                   std::vector<Pair>& found) const;
  static void find_between(const SurfaceTree& a, int i, const SurfaceTree& b, int j, double margin,
                           const SheetFlatness* flatness, std::vector<Pair>& found);

  std::vector<int> order_;  // of triangles, leaf by leaf
  std::vector<Node> nodes_;
  std::vector<Box> boxes_;  // by triangle
  std::vector<Box> ways_;   // by vertex
};

}  // namespace abut::clock
