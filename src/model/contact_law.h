#pragma once
// What the materials of two bodies make of their contact.

#include "model/model.h"

namespace abut::model {

struct ContactLaw {
  Friction friction;
  double restitution = 0;
};

/// Of a part of one body against a part of another. An entry for the two bodies beats one for the
/// two materials; without any, friction is the larger and restitution the smaller of the two.
ContactLaw contact_law(const Model& model, BodyIndex a, int part_a, BodyIndex b, int part_b);

/// Gives all contacts the same law, instead of what materials and pairs have.
void set_friction(Model& model, const Friction& friction);
void set_restitution(Model& model, double restitution);

}  // namespace abut::model
