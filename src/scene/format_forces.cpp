// Forces.
#include "scene/format.h"

namespace abut::scene::format {
namespace {

Key name() {
  return optional("name", text("a name"), "name, for messages and overrides");
}
Key body() {
  return required("body", text("the name of a body"), "the body it acts on");
}

Record spring() {
  return {"spring",
          "Pulls two points together with stiffness * (distance - length) + damping * rate.",
          {name(), bodies_key(),
           optional("at",
                    one_of("a point [x, y, z], or two points",
                           {position_type(), tuple_of(2, position_type())}),
                    "world points at time 0 where it is fastened: both, or the one on the first "
                    "body",
                    "the bodies' positions"),
           optional("length", number(dimension::length, at_least(0, largest_number)),
                    "length without force", "the distance at time 0"),
           required("stiffness", number(dimension::stiffness, at_least(0, largest_number)),
                    "force per elongation"),
           optional("damping", number(dimension::damping, at_least(0, largest_number)),
                    "force per rate of elongation", "0")},
          true};
}

Record drag() {
  return {"drag",
          "Resistance of a medium: force -(linear + quadratic |u|) u with u the velocity against "
          "it, torque -angular * angular velocity.",
          {name(), body(),
           optional("linear", number(dimension::damping, at_least(0, largest_number)),
                    "force per speed", "0"),
           optional("quadratic", number(dimension::quadratic_drag, at_least(0, largest_number)),
                    "force per square of the speed", "0"),
           optional("angular", number(dimension::angular_damping, at_least(0, largest_number)),
                    "torque per angular speed", "0"),
           optional("wind", vector_of(3, dimension::velocity, any()), "velocity of the medium",
                    "[0, 0, 0]")},
          true};
}

Record constant() {
  return {"constant",
          "A force and torque that keep their world direction.",
          {name(), body(),
           optional("force", vector_of(3, dimension::force, any()), "force", "[0, 0, 0]"),
           optional("torque", vector_of(3, dimension::torque, any()), "torque", "[0, 0, 0]"),
           optional("at", position_type(),
                    "world point at time 0 where the force acts, carried by the body",
                    "the centre of mass")},
          true};
}

Record impulse() {
  return {"impulse",
          "An impulse at a given time.",
          {name(), body(), required("time", number(dimension::time, at_least(0, 1e9)), "when"),
           required("impulse", vector_of(3, dimension::impulse, any()), "change of momentum"),
           optional("at", position_type(), "world point at that time", "the centre of mass")},
          true};
}

}  // namespace

Type force_type() {
  return tagged({share(spring()), share(drag()), share(constant()), share(impulse())});
}

}  // namespace abut::scene::format
