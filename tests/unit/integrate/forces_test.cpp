// Force laws, checked through the equations of motion they enter and the books they keep.

#include "integrate/forces.h"

#include "integrate/island_path.h"
#include "integrate/island_report.h"
#include "math/rotation.h"
#include "support/models.h"

namespace abut::integrate {
namespace {

double number(double from, double to) {
  return from + (to - from) * *rc::gen::inRange(0, 1000001) / 1e6;
}
Vec3 vector(double size) {
  return Vec3(number(-size, size), number(-size, size), number(-size, size));
}

model::Body random_body() {
  const Pose part{vector(0.5), math::rotation_exp(vector(2))};
  model::Body body =
      test::body_of(shape::Box{Vec3(number(0.2, 1), number(0.2, 1), number(0.2, 1))}, 500, part);
  body.pose = {vector(3), math::rotation_exp(vector(2))};
  body.velocity = vector(4);
  body.angular_velocity = vector(4);
  return body;
}

// Two dynamic bodies, a scripted one and every kind of force, all at random.
model::Model random_model() {
  model::Model model = test::empty_model(1);
  model.gravity = vector(10);
  model.bodies = {random_body(), random_body(), random_body()};
  body::ExpressionScript script;
  const auto formula = [](const char* text) {
    return std::get<math::Expression>(math::Expression::parse(text, "t"));
  };
  script.position = {formula("sin(3*t)"), formula("2*t"), formula("t^2 - 1")};
  script.angle = formula("2*t + 1");
  model.bodies[2].motion = body::Script(script);
  const auto spring = [](BodyIndex a, BodyIndex b) {
    return model::Spring{{model::Anchor{a, vector(1)}, model::Anchor{b, vector(1)}},
                         number(0, 1),
                         number(0, 200),
                         number(0, 20)};
  };
  model.forces = {spring(0, 1), spring(1, world), spring(2, 0),
                  model::Drag{0, number(0, 5), number(0, 3), number(0, 2), vector(3)},
                  model::ConstantForce{{1, vector(1)}, vector(20), vector(5)}};
  return model;
}

struct Scenario {
  explicit Scenario(const model::Model& m) : scripts(make_scripts(m)), islands(find_islands(m)) {}
  Scripts scripts;
  std::vector<Island> islands;
};

ode::Vector state_at_start(Equations& equations, const model::Model& model) {
  return equations.applied().state_vector(start_of(model, equations.island()).states);
}

// d/dt (kinetic + potential + elastic) = work rate - dissipation rate, and likewise for linear and
// angular momentum: the rates of the books against differences along the equations of motion.
RC_GTEST_PROP(Forces, BooksBalanceInstantaneously, ()) {
  const model::Model model = random_model();
  const Scenario scenario(model);
  RC_ASSERT(scenario.islands.size() == 1u);
  Equations equations(model, scenario.scripts, scenario.islands[0]);
  const ode::Vector y = state_at_start(equations, model);
  equations.begin_smooth_motion(0, y, 10);
  const double t = 0.3, h = 1e-6;
  ode::Vector rate(y.size());
  equations.derivative(t, y, rate);

  const auto energy = [&](double dt) {
    return energy_at(equations, t + dt, motion::Side::after, y + dt * rate).mechanical();
  };
  const Balance rates = balance_in(rate, equations.applied().body_count());
  const double power = (energy(h) - energy(-h)) / (2 * h);
  const double scale = 1 + std::abs(rates.work) + std::abs(rates.dissipated) + std::abs(energy(0));
  RC_ASSERT(std::abs(power - (rates.work - rates.dissipated)) < 1e-6 * scale);

  const auto momentum = [&](double dt) { return momentum_of(equations, y + dt * rate); };
  const Vec3 force = (momentum(h).linear - momentum(-h).linear) / (2 * h);
  const Vec3 torque = (momentum(h).angular - momentum(-h).angular) / (2 * h);
  RC_ASSERT((force - rates.impulse).norm() <
            1e-6 * (1 + rates.impulse.norm() + momentum(0).linear_scale));
  RC_ASSERT((torque - rates.angular_impulse).norm() <
            1e-6 * (1 + rates.angular_impulse.norm() + momentum(0).angular_scale));
}

RC_GTEST_PROP(Forces, DampersAndStillMediaOnlyTakeEnergy, ()) {
  model::Model model = random_model();
  std::get<model::Drag>(model.forces[3]).wind = Vec3::Zero();
  const Scenario scenario(model);
  Equations equations(model, scenario.scripts, scenario.islands[0]);
  const ode::Vector y = state_at_start(equations, model);
  ode::Vector rate(y.size());
  equations.derivative(0.1, y, rate);
  RC_ASSERT(balance_in(rate, equations.applied().body_count()).dissipated >= 0);
}

TEST(Forces, ASpringOfNoLengthIsSmoothWhereItsEndsMeet) {
  model::Model model = test::empty_model(1);
  model.bodies = {test::body_of(shape::Sphere{0.1})};
  model.bodies[0].velocity = Vec3(1, 0, 0);
  model.forces = {model::Spring{
      {model::Anchor{world, Vec3::Zero()}, model::Anchor{0, Vec3::Zero()}}, 0, 10, 2}};
  const Scenario scenario(model);
  Equations equations(model, scenario.scripts, scenario.islands[0]);
  const ode::Vector y = state_at_start(equations, model);
  ode::Vector rate(y.size());
  equations.derivative(0, y, rate);
  EXPECT_NEAR(rate[7], -2 / model.bodies[0].mass.mass, 1e-15);
}

TEST(Forces, KnowWhichBodiesTheyTurn) {
  model::Model model = test::empty_model(1);
  model.bodies = {test::body_of(shape::Sphere{0.1}), test::body_of(shape::Sphere{0.1})};
  model.forces = {
      model::Spring{{model::Anchor{0, Vec3::Zero()}, model::Anchor{1, Vec3(0.1, 0, 0)}}, 1, 10, 2},
      model::Drag{0, 1, 1, 0, Vec3::Zero()}};
  const Scenario scenario(model);
  const ForceLaws laws(model, scenario.scripts, scenario.islands[0]);
  EXPECT_FALSE(laws.exerts_torque_on(0));
  EXPECT_TRUE(laws.exerts_torque_on(1));
}

}  // namespace
}  // namespace abut::integrate
