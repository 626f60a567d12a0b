#pragma once
// Bodies that bend: their boundaries, as recorded, meet neither other bodies nor themselves, and
// none of them is inside out.

#include <vector>

#include "geometry/exact_predicates.h"
#include "model/model.h"
#include "verify/check.h"
#include "verify/passing_pairs.h"
#include "verify/solid.h"

namespace abut::verify {

class BendingCheck : public Check {
 public:
  /// The model must outlive the check.
  explicit BendingCheck(const model::Model& model);

  void frame(const record::Frame& frame) override;
  std::string measured() const override;

 private:
  struct Surface {
    std::vector<Vec3> places;
    std::vector<geometry::Box3> boxes;  ///< of the triangles
  };
  void place(const record::Frame& frame);
  void compare_surfaces(std::size_t a, std::size_t b, double time);
  void compare_solid(std::size_t a, std::size_t b, const Solid& solid, const BodyState& state,
                     double time);
  void compare_curved(std::size_t a, std::size_t b, const Solid& solid, const BodyState& state,
                      double time);
  geometry::Triangle triangle(std::size_t body, std::size_t index) const;
  std::vector<bool> attached(std::size_t a, std::size_t b) const;
  std::vector<Vec3> places_off(std::size_t a, const std::vector<bool>& attached) const;
  void note_overlap(std::size_t a, std::size_t b, double time);

  const model::Model& model_;
  std::vector<std::vector<Solid>> solids_;  ///< of rigid bodies
  std::vector<Surface> surfaces_;           ///< of bodies that bend
  PassingPairs passing_;
  long frames_ = 0, compared_ = 0;
};

}  // namespace abut::verify
