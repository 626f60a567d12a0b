#pragma once
// The forces of contacts, limits, motors and joints at an instant: what find_forces (active_set.h)
// finds.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "impulse/constraint_set.h"
#include "lcp/lcp.h"

namespace abut::force {

/// Accelerations are known to this fraction of the terms that they are made of (dimensionless).
/// Under a load of a thousand times its weight those of a block cancel to 1e-12 of themselves.
inline constexpr double acceleration_rounding = 1e-11;

/// Forces and accelerations of rows are found to this fraction of the largest (dimensionless): the
/// accuracy of the solvers on badly conditioned islands.
inline constexpr double row_accuracy = 1e-9;

using impulse::BodiesNow;
using impulse::ConstraintSet;
using impulse::Inertia;
using impulse::Twist;
using impulse::Vector;

/// What friction does at a contact.
enum class FrictionMode : std::uint8_t {
  none,    ///< nothing: there is no friction, or no force
  sticks,  ///< keeps the slip at zero
  slides   ///< acts against the slip
};

struct ContactMode {
  FrictionMode mode = FrictionMode::none;
  Vec3 along = Vec3::Zero();  ///< where it slides: the unit direction of the slip of a against b
  bool begins = false;        ///< where it slides: from rest
  bool creeps = false;        ///< where it slides: so slowly only because others drive it
  /// Where it begins to slide: slip that is left of its rest, m/s. Slip is counted from there.
  Vec3 leftover = Vec3::Zero();
  /// Where it slides, not from rest: slowly, and with nothing that turns its direction.
  bool is_straight = false;
};

struct ContactForces {
  lcp::Status status = lcp::Status::solved;
  /// By row of the set, N (N m for angular rows). Of a contact that slides the force of its first
  /// row brings the friction with it (SystemRow::leaning).
  Vector forces;
  Vector accelerations;    ///< of the rows: the second derivatives of their gaps
  Vector free;             ///< what they would be without the forces
  Vector rounding;         ///< by which rounding may change them: they are sums of large terms
  std::vector<int> basis;  ///< rows to be held; independent of each other, ascending
  /// With friction: the rows that forces come from, ascending, and what contacts do. Where there
  /// are more of them than rows to be held, forces are not unique.
  std::vector<int> carriers;
  std::vector<int> guides;         ///< of the carriers those that only guide, ascending
  std::vector<ContactMode> modes;  ///< by contact
  std::vector<Vec3> on_a;          ///< by contact: the whole force on its first body
  /// A contact that slides opens here, and yet would press itself shut by its own friction if it
  /// had a force: there are two solutions (Baraff 1993, section 7), and the one without force is
  /// taken.
  bool is_one_of_two = false;
  double residual = 0;
  /// Relative acceleration that redundant joints contradict each other by.
  double joint_residual = 0;
  long pivots = 0;

  /// Whether nothing keeps a contact or limit closed, and it opens: its acceleration is more than
  /// rounding and than a tolerance.
  bool opens(int row, double tolerance) const {
    return forces[row] <= 0 && accelerations[row] > std::max(tolerance, rounding[row]);
  }
  bool slides() const {
    return std::any_of(modes.begin(), modes.end(),
                       [](const ContactMode& mode) { return mode.mode == FrictionMode::slides; });
  }
};

}  // namespace abut::force
