#pragma once
// How near bodies count as touching, by their size and by what numbers can tell.

#include "model/model.h"

namespace abut::model {

/// The contact distance of a scene that gives none, m: that of SolverSettings for bodies from a
/// millimetre to ten metres, in proportion to smaller and larger ones, and no less than the least,
/// as long as that is small beside the bodies.
double default_contact_distance(const Model& model);

/// The least contact distance, m, that positions of the model's dynamic bodies can carry.
double least_contact_distance(const Model& model);

/// How far the dynamic bodies reach from the origin, m.
double reach_of(const Model& model);

}  // namespace abut::model
