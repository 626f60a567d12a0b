// What two materials make of their contact.

#include "model/contact_law.h"

#include <gtest/gtest.h>

#include "support/models.h"

namespace abut::model {
namespace {

/// Bodies `block` of ice with a second part of an inline material, `ramp` of rubber.
Model two_bodies() {
  Model model = test::empty_model(1);
  model.materials = {{"ice", 900, {0.1, 0.05}, 0.3},
                     {"rubber", 1100, {0.9, 0.8}, 0.7},
                     {"", 1000, {0.4, 0.4}, 0.1}};
  model.bodies = {test::body_of(shape::Box{Vec3(1, 1, 1)}), test::body_of(shape::Sphere{1})};
  model.bodies[0].name = "block";
  model.bodies[0].parts.push_back(model.bodies[0].parts[0]);
  model.bodies[0].parts[1].material = 2;
  model.bodies[1].name = "ramp";
  model.bodies[1].parts[0].material = 1;
  return model;
}

void expect_law(const ContactLaw& law, double fixed, double sliding, double restitution) {
  EXPECT_EQ(law.friction.static_coefficient, fixed);
  EXPECT_EQ(law.friction.dynamic_coefficient, sliding);
  EXPECT_EQ(law.restitution, restitution);
}

TEST(ContactLaw, TheLargerFrictionAndTheSmallerRestitution) {
  const Model model = two_bodies();
  expect_law(contact_law(model, 0, 0, 1, 0), 0.9, 0.8, 0.3);
  expect_law(contact_law(model, 1, 0, 0, 0), 0.9, 0.8, 0.3);
  expect_law(contact_law(model, 0, 1, 1, 0), 0.9, 0.8, 0.1);
}

TEST(ContactLaw, AnEntryForTwoMaterialsHoldsEitherWayRound) {
  Model model = two_bodies();
  model.contacts = {{{"rubber", "ice"}, Friction{0.2, 0.1}, 0.5}};
  expect_law(contact_law(model, 0, 0, 1, 0), 0.2, 0.1, 0.5);
  expect_law(contact_law(model, 1, 0, 0, 0), 0.2, 0.1, 0.5);
  // The other part is of no material of that name.
  expect_law(contact_law(model, 0, 1, 1, 0), 0.9, 0.8, 0.1);
}

TEST(ContactLaw, AnEntryChangesOnlyWhatItGives) {
  Model model = two_bodies();
  model.contacts = {{{"rubber", "ice"}, std::nullopt, 0.5}};
  expect_law(contact_law(model, 0, 0, 1, 0), 0.9, 0.8, 0.5);
  model.contacts = {{{"rubber", "ice"}, Friction{0.2, 0.1}, std::nullopt}};
  expect_law(contact_law(model, 0, 0, 1, 0), 0.2, 0.1, 0.3);
}

TEST(ContactLaw, AMaterialMayBeGivenAgainstItself) {
  Model model = two_bodies();
  model.bodies[1].parts[0].material = 0;
  model.contacts = {{{"ice", "ice"}, Friction{0, 0}, 0.9}};
  expect_law(contact_law(model, 0, 0, 1, 0), 0, 0, 0.9);
  expect_law(contact_law(model, 0, 1, 1, 0), 0.4, 0.4, 0.1);
}

// Wherever the entries stand, and for all parts of the bodies, inline materials included.
TEST(ContactLaw, APairOfBodiesBeatsAPairOfMaterials) {
  Model model = two_bodies();
  const ContactOverride materials{{"ice", "rubber"}, Friction{0.2, 0.1}, 0.5};
  const ContactOverride bodies{{"ramp", "block"}, Friction{0.6, 0.5}, std::nullopt};
  for (const auto& entries : {std::vector{materials, bodies}, std::vector{bodies, materials}}) {
    model.contacts = entries;
    expect_law(contact_law(model, 0, 0, 1, 0), 0.6, 0.5, 0.5);
    expect_law(contact_law(model, 1, 0, 0, 0), 0.6, 0.5, 0.5);
    expect_law(contact_law(model, 0, 1, 1, 0), 0.6, 0.5, 0.1);
  }
}

// Inline materials have no name that an entry could mean.
TEST(ContactLaw, InlineMaterialsAreNamedByNothing) {
  Model model = two_bodies();
  model.bodies[1].parts[0].material = 2;
  model.contacts = {{{"", ""}, Friction{7, 7}, 0.9}};
  expect_law(contact_law(model, 0, 1, 1, 0), 0.4, 0.4, 0.1);
}

}  // namespace
}  // namespace abut::model
