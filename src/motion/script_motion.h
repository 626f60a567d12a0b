#pragma once
// Prescribed motion as a function of time, with the same questions answered as for computed motion.
// The frame that moves is the body frame.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "body/script.h"
#include "geometry/aabb.h"
#include "math/bernstein.h"
#include "motion/kinematics.h"

namespace abut::motion {

/// Which limit to take at an instant where the motion is not smooth.
enum class Side { before, after };

/// An instant at which the motion is not smooth.
struct ScriptSwitch {
  double time = 0;
  bool velocity_jumps = false;  ///< otherwise only a higher derivative does
  std::string what;             ///< for the event list
};

/// A motion of polynomials that a script keeps near to over an interval of time: centre and unit
/// quaternion (x, y, z, w) as polynomials of degree 12 over it.
struct ScriptPiece {
  math::BernsteinCoefficients<3, 13> centre;
  math::BernsteinCoefficients<4, 13> quaternion;
  double centre_error = 0;      ///< how far the centre may be from there, m
  double quaternion_error = 0;  ///< how far the quaternion may be from there (dimensionless)
};

class ScriptMotion {
 public:
  virtual ~ScriptMotion() = default;

  virtual Kinematics kinematics(double t, Side side = Side::after) const = 0;
  /// Holds over all of [from, to].
  virtual SpeedBound speed_bound(double from, double to) const = 0;
  /// Holds over all of [from, to], instants at which the velocity jumps excepted.
  virtual AccelerationBound acceleration_bound(double from, double to) const = 0;
  /// A box in which the origin of the body frame is over all of [from, to]; unbounded where none is
  /// known.
  virtual geometry::Aabb place_bound(double from, double to) const = 0;
  /// In increasing order of time.
  virtual const std::vector<ScriptSwitch>& switches() const = 0;
  /// Over [from, to], in which nothing switches; empty where no bound is known.
  virtual std::optional<ScriptPiece> piece(double from, double to) const = 0;
};

std::unique_ptr<ScriptMotion> make_script_motion(const body::Script& script);

}  // namespace abut::motion
