// The document itself: settings, materials, contacts.
#include "model/settings.h"
#include "scene/format.h"

namespace abut::scene::format {
namespace {

Record penalty_record() {
  return {"penalty",
          "The springs of `contact: penalty`, one at each contact point.",
          {
              optional("stiffness", number(dimension::stiffness, positive(1e18)),
                       "stiffness of each spring", "from the scene"),
              optional("depth", number(dimension::length, positive(1e6)),
                       "how deep the hardest impact to be expected goes, where `stiffness` is not "
                       "given",
                       "a thousandth of the radius of the smallest dynamic body"),
              optional("creep", number(dimension::velocity, positive(1e3)),
                       "speed below which sliding is not told from sticking, nor receding from "
                       "rest",
                       "1e-3"),
          },
          true};
}

Record solver_record() {
  return {
      "solver",
      "How the motion is computed.",
      {
          optional("clock", choice({"auto", "event", "step"}),
                   "whether time advances from event to event, in fixed steps, or from event to "
                   "event as long as that leads on and in steps from there",
                   "auto"),
          optional("tolerance",
                   number(dimension::none, at_least(model::SolverSettings::smallest_tolerance,
                                                    model::SolverSettings::largest_tolerance)),
                   "relative local error of the motion", "1e-9"),
          optional("contact_distance", number(dimension::length, positive(1)),
                   "gap up to which bodies count as touching. By default in proportion to bodies "
                   "with a radius of less than a millimetre or more than ten metres; never less "
                   "than rounding can carry, 2.3e-12 of how far bodies are from the origin",
                   "1e-9"),
          optional("impact", choice({"auto", "newton", "sequential", "moore-wilhelms", "routh"}),
                   "who collides with whom where several points touch", "auto"),
          optional("restitution_law", choice({"energetic", "poisson", "newton"}),
                   "what the coefficient of restitution is the share of, where there is friction",
                   "energetic"),
          optional("contact", choice({"constraint", "penalty"}),
                   "whether contacts are rigid constraints, or stiff springs that bodies overlap "
                   "to compress",
                   "constraint"),
          optional("penalty", record(share(penalty_record())), "the springs of `contact: penalty`"),
          optional("rest_speed", number(dimension::velocity, at_least(0, 1e3)),
                   "approach speed under which impacts are inelastic", "1e-3"),
          optional("unsupported", choice({"error", "ignore"}),
                   "whether pairs of shapes whose contact cannot be computed are refused, or pass "
                   "through each other in a run that ends as `suspect`",
                   "error"),
          optional("step", number(dimension::time, positive(1e3)),
                   "length of a time step; with `clock: auto` the longest", "1/240"),
          optional(
              "step_tolerance",
              number(dimension::none, at_least(model::SolverSettings::smallest_step_tolerance,
                                               model::SolverSettings::largest_step_tolerance)),
              "aim for the local error of stepped motion, relative to the extent of a body, for "
              "`clock: auto`: below 1e-4, gaps are smaller by the ratio, steps by its square root",
              "1e-4"),
          optional("step_gap", number(dimension::length, positive(1)),
                   "gap that stepped contacts are kept at",
                   "a thousandth of the radius of the smaller body, less with `step_tolerance`"),
      },
      true};
}

Record contact_record() {
  return {"contact",
          "Overrides friction or restitution for a pair of materials or of bodies.",
          {
              required("between", tuple_of(2, text("the name of a material or body")),
                       "the two materials, or the two bodies; a pair of bodies beats a pair of "
                       "materials"),
              optional("friction", friction_type(), "friction of the pair", "as mixed"),
              optional("restitution", number(dimension::none, at_least(0, 1)),
                       "restitution of the pair", "as mixed"),
          },
          true};
}

Record friction_record() {
  return {"friction",
          "Coefficients of static and sliding friction.",
          {
              required("static", number(dimension::none, at_least(0, largest_friction)),
                       "coefficient up to which a contact sticks"),
              required("dynamic", number(dimension::none, at_least(0, largest_friction)),
                       "coefficient while it slides, at most `static`"),
          },
          true};
}

Record record_record() {
  return {"record",
          "What is recorded.",
          {optional("rate", number(dimension::frequency, positive(1e6)),
                    "samples per second; events are always recorded exactly", "60")},
          true};
}

Record document() {
  return {"scene",
          "A scene file.",
          {
              required("abut", integer(1, 1), "version of the format; this is version 1"),
              optional("name", text(), "title of the scene", "the file's name"),
              optional("gravity", vector_of(3, dimension::acceleration, any()),
                       "acceleration of free fall", "[0, 0, -9.81]"),
              required("duration", number(dimension::time, positive(1e9)), "simulated time"),
              optional("record", record(share(record_record())), "what is recorded"),
              optional("solver", record(share(solver_record())), "how the motion is computed"),
              optional("materials", named(record(material_record())),
                       "materials by name, for use in bodies and contacts"),
              optional("contacts", list_of(record(share(contact_record()))),
                       "overrides for pairs of materials or bodies"),
              optional("bodies", list_of(record(body_record())), "the bodies"),
              optional("joints", list_of(joint_type()), "connections between bodies"),
              optional("forces", list_of(force_type()), "forces besides gravity and contact"),
              optional("no_collide", list_of(tuple_of(2, text("the name of a body"))),
                       "pairs of bodies that pass through each other"),
          },
          true};
}

}  // namespace

Type friction_type() {
  return one_of(
      "a number, or {static: number, dynamic: number}",
      {number(dimension::none, at_least(0, largest_friction)), record(share(friction_record()))});
}

std::shared_ptr<const Record> material_record() {
  static const auto shared = share(Record{
      "material",
      "What a body is made of. Two materials in contact have the larger friction and the smaller "
      "restitution of the two, unless `contacts` says otherwise.",
      {
          optional("density", number(dimension::density, positive(largest_number)),
                   "mass per volume", "1000"),
          optional("friction", friction_type(), "coefficient of friction", "0"),
          optional("restitution", number(dimension::none, at_least(0, 1)),
                   "share of the approach speed that an impact gives back", "0"),
      },
      true});
  return shared;
}

std::shared_ptr<const Record> scene_record() {
  static const auto shared = share(document());
  return shared;
}

}  // namespace abut::scene::format
