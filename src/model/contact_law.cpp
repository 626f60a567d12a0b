#include "model/contact_law.h"

#include <algorithm>

namespace abut::model {
namespace {

bool is_between(const ContactOverride& entry, const std::string& one, const std::string& other) {
  return (entry.between[0] == one && entry.between[1] == other) ||
         (entry.between[0] == other && entry.between[1] == one);
}

void apply(const ContactOverride& entry, ContactLaw& law) {
  if (entry.friction) law.friction = *entry.friction;
  if (entry.restitution) law.restitution = *entry.restitution;
}

// A sheet has a material, but no parts.
const Material& material_of(const Model& model, BodyIndex body, int part) {
  if (model.bodies[body].parts.empty() && model.bodies[body].bends())
    return model.materials[model.bodies[body].bending->material];
  return model.materials[model.bodies[body].parts[part].material];
}

}  // namespace

ContactLaw contact_law(const Model& model, BodyIndex a, int part_a, BodyIndex b, int part_b) {
  const Material& of_a = material_of(model, a, part_a);
  const Material& of_b = material_of(model, b, part_b);
  ContactLaw law;
  law.friction.static_coefficient =
      std::max(of_a.friction.static_coefficient, of_b.friction.static_coefficient);
  law.friction.dynamic_coefficient =
      std::max(of_a.friction.dynamic_coefficient, of_b.friction.dynamic_coefficient);
  law.restitution = std::min(of_a.restitution, of_b.restitution);
  for (const ContactOverride& entry : model.contacts)
    if (!of_a.name.empty() && !of_b.name.empty() && is_between(entry, of_a.name, of_b.name))
      apply(entry, law);
  for (const ContactOverride& entry : model.contacts)
    if (is_between(entry, model.bodies[a].name, model.bodies[b].name)) apply(entry, law);
  return law;
}

void set_friction(Model& model, const Friction& friction) {
  for (Material& material : model.materials) material.friction = friction;
  for (ContactOverride& entry : model.contacts) entry.friction.reset();
}

void set_restitution(Model& model, double restitution) {
  for (Material& material : model.materials) material.restitution = restitution;
  for (ContactOverride& entry : model.contacts) entry.restitution.reset();
}

}  // namespace abut::model
