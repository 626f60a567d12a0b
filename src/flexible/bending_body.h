#pragma once
// A body that bends, at rest: everything about it that never changes. What changes is a State.

#include <memory>
#include <vector>

#include "flexible/boundary.h"
#include "flexible/column_mass.h"
#include "flexible/columns.h"
#include "flexible/elasticity.h"
#include "shape/shape.h"

namespace abut::flexible {

enum class Kind { affine, quadratic, sheet };

/// The grid of a sheet's nodes; node (i, j) is the column i + j (cells_x + 1).
struct Grid {
  int cells_x = 0, cells_y = 0;
  int node(int i, int j) const { return i + j * (cells_x + 1); }
  int nodes() const { return (cells_x + 1) * (cells_y + 1); }
};

struct BendingBody {
  Kind kind = Kind::affine;
  ColumnMass mass;
  std::shared_ptr<const Elasticity> elasticity;
  Boundary boundary;
  double half_thickness = 0;       ///< m: contact is this far from the boundary; 0 but for sheets
  bool closed = true;              ///< the boundary encloses the body; false for sheets
  Vec3 centroid = Vec3::Zero();    ///< material point at the middle of the volume
  double extent = 0;               ///< m: half the longest side of the box around the body at rest
  std::vector<shape::Part> parts;  ///< a solid at rest, in its body frame; a sheet has none
  Grid grid;                       ///< of sheets

  int columns() const { return mass.columns(); }
  bool is_sheet() const { return kind == Kind::sheet; }
};

/// Z(p) as weights on columns; p in body frame coordinates. Not for sheets.
std::vector<ColumnWeight> weights_at(Kind kind, const Vec3& p);
/// The gradients of Z at p: dx/dp = F = sum_k r_k gradient.row(k). Not for sheets.
Mat3 deformation_at(Kind kind, const Columns& columns, const Vec3& p);

/// The columns of the body at rest with its body frame at `pose`, and the rates of a rigid motion
/// given by the velocity of the centre of mass and the angular velocity.
Columns placed(const BendingBody& body, const Pose& pose);
Columns rigid_rates(const BendingBody& body, const Columns& columns, const Vec3& velocity,
                    const Vec3& angular_velocity);

/// What `states.csv` tells: the rigid motion that fits best. Of solids the rotation is the polar
/// rotation of F at the middle of the volume (the mean of F), of sheets that of the least sum of
/// squares weighted by mass; the angular velocity is the rate of that rotation.
struct RigidFit {
  Vec3 centre = Vec3::Zero();    ///< of mass
  Vec3 velocity = Vec3::Zero();  ///< of the centre of mass
  Quat rotation = Quat::Identity();
  Vec3 angular_velocity = Vec3::Zero();
};
RigidFit rigid_fit(const BendingBody& body, const State& state);

/// Whether a solid is turned inside out somewhere: det F <= 0. Sheets never are.
enum class Inversion { none, inverted, undecided };
struct InversionFinding {
  Inversion verdict = Inversion::none;
  Vec3 point = Vec3::Zero();  ///< material point with det F <= 0, where inverted
};
InversionFinding inversion(const BendingBody& body, const Columns& columns);

/// The material point p of a solid with x(p) = x, by Newton's method from the boundary vertex
/// nearest to x (and the centroid); nothing where that does not converge.
bool material_point(const BendingBody& body, const Columns& columns, const Vec3& x, Vec3& p);

/// The longest and the shortest period of small vibrations about rest (s); infinite and 0 without.
struct Periods {
  double longest = 0;
  double shortest = 0;
};
Periods natural_periods(const BendingBody& body);

}  // namespace abut::flexible
