#pragma once
// How stiff the springs of penalty contact are where the scene does not say.
//
// A spring of stiffness k stops a mass m that comes at speed v at the depth v sqrt(m / k), and
// bears its weight at m g / k. For one depth D that holds for the hardest impact to be expected, at
// speed V, and for a body at rest, whatever the masses,
//     k = mu w^2,    w^2 = max(V^2 / D^2, g / D),
// with mu the reduced mass of the two bodies (that of the dynamic one, against a body that does not
// yield). An impact then takes about pi / w, which is also what the integrator has to resolve.
//
// V is what gravity adds to the speeds that the scene begins with: V = v0 + min(sqrt(2 g h), g T),
// h the largest distance that two bodies have to fall towards each other, T the duration. Forces
// and loads besides may go deeper: the depth is what it is, and is told.

#include "integrate/prescribed.h"
#include "model/model.h"

namespace abut::integrate {

struct SpringScale {
  double stiffness = 0;         ///< N/m of every spring; 0: by the frequency
  double square_frequency = 0;  ///< w^2, 1/s^2
  double depth = 0;             ///< D, m

  double stiffness_of(const model::Model& model, BodyIndex a, BodyIndex b) const;
  /// A body that rests on a spring of frequency w oscillates at speeds up to g / w. A spring that
  /// rests damps that about critically if it loses its force at that speed, and is not stiffer than
  /// the spring itself; but no faster than by the creep speed, m/s.
  double rest_speed_of(const model::Model& model, BodyIndex a, BodyIndex b) const;
};

SpringScale spring_scale(const model::Model& model, const Scripts& scripts);

}  // namespace abut::integrate
