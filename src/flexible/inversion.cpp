// Is det F positive everywhere on a solid?
//
// In a box of material points p = m + w t, |t_i| <= 1, the columns of F are f_i = a_i + sum_j t_j
// b_ij. Its determinant is a sum over the choices of one term in each column; the choice of all a
// is det F at the middle, and the others change it by no more than the sum of their sizes (gathered
// by powers of t first, so that those which cancel do). If the middle is above that, det F is
// positive in the whole box; if not, the box is cut. Boxes beyond the solid do not count.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/overloaded.h"
#include "flexible/basis.h"
#include "shape/extent.h"

namespace abut::flexible {
namespace {

/// Boxes looked at before the question is left open: 16 cuts along each axis.
constexpr int most_boxes = 4096;

struct MaterialBox {
  Vec3 middle;  ///< in the frame of a part
  Vec3 half;
};

/// The middle of the box, and the largest change of det F within.
struct DeterminantRange {
  double middle = 0;
  double change = 0;
};

/// `f` at the middle, `along[j]` = dF/dp_j times the half width along the part's axis j.
DeterminantRange determinant_range(const Mat3& f, const std::array<Mat3, 3>& along) {
  std::array<double, 64> by_powers{};  // of t_1, t_2, t_3, each below 4
  constexpr std::array<std::size_t, 4> place = {0, 1, 4, 16};
  const auto term = [&](std::size_t choice, int column) -> Vec3 {
    return choice == 0 ? f.col(column) : along[choice - 1].col(column);
  };
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t b = 0; b < 4; ++b) {
      const Vec3 cross = term(a, 0).cross(term(b, 1));
      for (std::size_t c = 0; c < 4; ++c)
        by_powers[place[a] + place[b] + place[c]] += cross.dot(term(c, 2));
    }
  DeterminantRange range;
  range.middle = by_powers[0];
  for (std::size_t i = 1; i < by_powers.size(); ++i) range.change += std::abs(by_powers[i]);
  return range;
}

/// The distance of a box from the point (or axis) 0 along each axis.
Vec3 nearest_in(const MaterialBox& box) {
  return (box.middle.cwiseAbs() - box.half).cwiseMax(0);
}

/// True only if no point of the box belongs to the solid.
bool is_beyond(const shape::Geometry& geometry, const MaterialBox& box) {
  const Vec3 near = nearest_in(box);
  const double across = near.head<2>().norm();
  return std::visit(
      base::Overloaded{
          [&](const shape::Sphere& s) { return near.norm() > s.radius; },
          [&](const shape::Ellipsoid& s) { return near.cwiseQuotient(s.radii).norm() > 1; },
          [&](const shape::Cylinder& s) { return across > s.radius; },
          [&](const shape::Cone& s) {
            const double lowest = box.middle.z() - box.half.z();
            return across > s.radius * (0.5 - lowest / s.height);
          },
          [&](const shape::Capsule& s) {
            return std::hypot(across, std::max(0.0, near.z() - s.height / 2)) > s.radius;
          },
          [&](const shape::Torus& s) {
            const double farthest = (box.middle.cwiseAbs() + box.half).head<2>().norm();
            return across > s.radius + s.tube || farthest < s.radius - s.tube;
          },
          [](const auto&) { return false; }},
      geometry);
}

class Search {
 public:
  Search(const BendingBody& body, const Columns& columns) : body_(body), columns_(columns) {}

  /// False where it ran out of boxes.
  bool prove(const shape::Part& part) {
    const geometry::Aabb around = shape::box_of(part.geometry);
    std::vector<MaterialBox> open = {
        {(around.lower + around.upper) / 2, (around.upper - around.lower) / 2}};
    while (!open.empty()) {
      if (--left_ < 0) return false;
      const MaterialBox box = open.back();
      open.pop_back();
      if (is_beyond(part.geometry, box) || is_positive(part, box)) continue;
      cut(box, open);
    }
    return true;
  }

 private:
  bool is_positive(const shape::Part& part, const MaterialBox& box) const {
    const Mat3 rotation = part.pose.orientation.toRotationMatrix();
    const Vec3 p = part.pose.position + rotation * box.middle;
    const Mat3 f = deformation_at(body_.kind, columns_, p);
    std::array<Mat3, 3> along;
    for (int j = 0; j < 3; ++j)
      along[static_cast<std::size_t>(j)] =
          deformation_at(body_.kind, columns_, p + box.half[j] * rotation.col(j)) - f;
    const DeterminantRange range = determinant_range(f, along);
    return range.middle > range.change;
  }

  /// Into two across its longest side.
  static void cut(const MaterialBox& box, std::vector<MaterialBox>& open) {
    Eigen::Index axis = 0;
    box.half.maxCoeff(&axis);
    MaterialBox part = box;
    part.half[axis] /= 2;
    for (const int side : {-1, 1}) {
      part.middle[axis] = box.middle[axis] + side * part.half[axis];
      open.push_back(part);
    }
  }

  const BendingBody& body_;
  const Columns& columns_;
  int left_ = most_boxes;
};

/// NaN counts as inverted.
bool is_inverted_at(const BendingBody& body, const Columns& columns, const Vec3& p) {
  return !(deformation_at(body.kind, columns, p).determinant() > 0);
}

}  // namespace

InversionFinding inversion(const BendingBody& body, const Columns& columns) {
  if (body.is_sheet()) return {};
  if (is_inverted_at(body, columns, body.centroid)) return {Inversion::inverted, body.centroid};
  if (body.kind == Kind::affine) return {};
  Search search(body, columns);
  bool proven = true;
  for (const shape::Part& part : body.parts) proven = proven && search.prove(part);
  if (proven) return {};
  for (const Vec3& p : body.boundary.rest())
    if (is_inverted_at(body, columns, p)) return {Inversion::inverted, p};
  return {Inversion::undecided, body.centroid};
}

}  // namespace abut::flexible
