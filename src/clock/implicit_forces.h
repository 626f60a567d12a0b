#pragma once
// Forces of the scene that are no part of what pushes rigid bodies explicitly: all those on bodies
// that bend, which act at material points, drag, and springs that are too stiff for steps.

#include <array>
#include <vector>

#include "flexible/bending_body.h"
#include "model/model.h"

namespace abut::clock {

/// Forces of springs are followed explicitly while they advance the phase of a vibration by no more
/// than this in a step, rad.
inline constexpr double followed_phase = 0.25;

/// Whether steps take a force of the scene implicitly; impulses are none of them.
bool is_implicit(const model::Model& model, const model::Force& force);

/// Of some forces of the model, the drag on a body.
std::vector<const model::Drag*> drags_on(const model::Model& model, const std::vector<int>& forces,
                                         BodyIndex body);

/// What a force gives a body that bends in a kick.
struct BentPush {
  flexible::Columns columns;            ///< generalised, N s
  Vec3 impulse = Vec3::Zero();          ///< N s
  Vec3 angular_impulse = Vec3::Zero();  ///< about the world's origin, N m s
  bool is_work = false;                 ///< all that it does is work
  Vec3 wind = Vec3::Zero();             ///< that blows with it: what it does at this speed is work
};

/// Adds those of a constant force or drag; springs are rows of the problem. Drag takes no more than
/// there is: however strong it is, nothing turns back.
void add_pushes(const model::Force& force, const flexible::BendingBody& body,
                const flexible::State& state, double kick, std::vector<BentPush>& pushes);

/// The two ends of a spring at an instant.
struct SpringEnds {
  std::array<Vec3, 2> places;
  std::array<Vec3, 2> velocities;
  /// By how much bodies that turn carry them off straight paths in the next step.
  std::array<Vec3, 2> bends = {Vec3::Zero(), Vec3::Zero()};

  Vec3 apart() const { return places[1] - places[0]; }
  Vec3 rate() const { return velocities[1] - velocities[0]; }
  Vec3 bend() const { return bends[1] - bends[0]; }
};

/// The force of a spring on its first end.
Vec3 spring_pull(const model::Spring& spring, const SpringEnds& ends);
double spring_energy(const model::Spring& spring, const SpringEnds& ends);

/// A spring over a step, as a law between the impulse p on its second end and the rate w of that
/// from its first, both along an axis: w + yield p + offset = 0. By the rule of bent_matrix.h
///     p = -kick (k (d + e - l) + h k (a w + b w-) + c (w + e / h)),
/// with e what the distance d gains in the step beyond h w-: ends go round, and each other by.
struct SpringRow {
  Vec3 axis = Vec3::UnitX();
  double yield = 0;   ///< 1/kg
  double offset = 0;  ///< m/s
};

/// Along the spring, and across it where its tension alone would swing its ends faster than a step
/// can follow. `give`: the inverse mass at its ends, 1/kg.
std::vector<SpringRow> spring_rows(const model::Spring& spring, const SpringEnds& ends, double give,
                                   double kick, double h);

}  // namespace abut::clock
