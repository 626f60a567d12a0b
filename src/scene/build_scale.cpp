// What follows from the size of bodies, once they are known.
#include <fmt/format.h>

#include "model/contact_scale.h"
#include "scene/builder.h"

namespace abut::scene {

void build_scale(const Node& document, Builder& builder) {
  model::Model& model = builder.model;
  const Node* solver = document.find("solver");
  const Node* given = solver == nullptr ? nullptr : solver->find("contact_distance");
  if (given == nullptr) {
    model.solver.contact_distance = model::default_contact_distance(model);
    return;
  }
  const double least = model::least_contact_distance(model);
  if (model.solver.contact_distance >= least) return;
  builder.problems.error(
      given->mark,
      fmt::format("contact_distance is {:g} m, less than rounding can carry where bodies reach "
                  "{:.3g} m from the origin; give at least {:.1g} m, or leave it out",
                  model.solver.contact_distance, model::reach_of(model), 1.5 * least));
}

}  // namespace abut::scene
