#pragma once
// A body that bends near another body, or near itself: where triangles of its boundary could touch
// within a step, and the proof that they do not overlap.

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "clock/moving_surface.h"
#include "clock/near_pair.h"
#include "clock/surface_tree.h"

namespace abut::clock {

/// What a body that bends may meet in a step: a rigid body on its path, or another that bends.
struct OtherSide {
  const MovingSurface* surface = nullptr;
  std::optional<motion::BodyPath> path;  ///< of the motion frame
};

class BentPair : public TouchingPair {
 public:
  /// The body `a` bends; `shape_b` is that of a rigid body b.
  BentPair(const model::Model& model, BodyIndex a, BodyIndex b,
           std::shared_ptr<const narrow::BodyShape> shape_b);

  /// Whether every part of a rigid body can be compared with triangles.
  static bool supports(const narrow::BodyShape& shape);

  /// Everything within `reach` (m) of each other at t.
  std::vector<StepContact> contacts_within(const MovingSurface& a, const OtherSide& b, double t,
                                           double reach) const;
  /// Everything that the motion over a step from t to t + h closes, with the impulses that the same
  /// features exchanged in the last one, for a kick of length `kick`.
  std::vector<StepContact> contacts(const MovingSurface& a, const OtherSide& b, double t, double h,
                                    double kick) const;

  /// A triangle and what it meets.
  struct Approach {
    int triangle = 0;
    int other = 0;    ///< a solid or cell of the rigid body, or a triangle
    double time = 0;  ///< after the step begins, s
  };
  struct Proof {
    std::vector<Approach> failures;
    double gap_bound = 0;  ///< of all gaps in the step, m
  };
  /// `leave`: by how much the ways of both may leave what the surfaces tell (m).
  Proof prove(const MovingSurface& a, const OtherSide& b, double t, double h,
              double leave = 0) const;
  /// Where a triangle and what it meets are near at a time.
  std::vector<StepContact> contacts_at(const MovingSurface& a, const OtherSide& b, double t,
                                       const Approach& approach) const;

 private:
  using Visit = std::function<void(int triangle, int other, const MovingObstacle& obstacle)>;
  double for_near(const MovingSurface& a, const OtherSide& b, double t, double h, double margin,
                  const Visit& visit) const;
  double for_near_triangles(const MovingSurface& a, const MovingSurface& b, double h, double apart,
                            const Visit& visit) const;
  double for_near_cells(const MovingSurface& a, const OtherSide& b, double t, double h,
                        double apart, int mesh, const Visit& visit) const;
  /// Where a triangle and an obstacle are near.
  struct Place {
    int triangle = 0, other = 0;
    CornerGap gap;
    contact::ContactLabel label;
  };
  void add_places(const MovingSurface& a, const OtherSide& b, double s, double reach, int triangle,
                  int other, const MovingObstacle& obstacle, const CornerGap& nearest,
                  const Memory* pressed, std::vector<Place>& found) const;
  contact::ContactLabel label_of(int triangle, int other, const CornerGap& gap) const;
  Vec3 rate_of(const MovingSurface& a, const OtherSide& b, double t, double h,
               const Place& place) const;
  std::vector<StepContact> contacts_of(const MovingSurface& a, const OtherSide& b, double t,
                                       double s, std::vector<Place>& places) const;
  StepContact contact_of(const MovingSurface& a, const OtherSide& b, double t, double s,
                         const Place& place) const;
  std::optional<double> first_approach(const Corners& start, const Corners& rates,
                                       const MovingObstacle& obstacle, double from, double to,
                                       int depth, double leave, double& bound) const;
  void find_neighbours();
  bool are_neighbours(int triangle, int other) const;
  bool is_held(int triangle) const { return !held_.empty() && held_[triangle]; }

  const model::Model& model_;
  std::shared_ptr<const narrow::BodyShape> shape_b_;
  const flexible::BendingBody* body_a_;
  const flexible::BendingBody* body_b_ = nullptr;
  std::vector<bool> held_;  // by triangle of a sheet: b holds a corner of it, and they may touch
  double thickness_;        // of both, half and half, m
  mutable SurfaceTree tree_a_;
  mutable std::optional<SurfaceTree> tree_b_;      // of another body that bends
  mutable std::optional<SheetFlatness> flatness_;  // of one sheet
  mutable std::vector<SurfaceTree::Pair> near_;    // memory
  mutable std::vector<int> near_triangles_;        // memory
  std::vector<std::vector<int>> neighbours_;       // by triangle, of one body: others after it
  std::vector<std::unique_ptr<geometry::BoxTree>> cells_;  // by solid that is a mesh: in the body
};

}  // namespace abut::clock
