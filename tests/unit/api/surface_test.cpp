// Surfaces given by code, as users of the library see them. docs/guide/library.md shows the egg.

#include "abut/surface.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>

#include "abut/abut.h"

namespace {

// [egg]
/// A ball of radius 1 whose upper half is drawn out.
struct Egg : abut::ImplicitFunction {
  abut::FieldSample at(const abut::Vec3& p) const override {
    const double z = p.z();
    abut::FieldSample f;
    f.value = p.x() * p.x() + p.y() * p.y() + z * z * (1 - 0.2 * z) - 1;
    f.gradient = {2 * p.x(), 2 * p.y(), 2 * z - 0.6 * z * z};
    f.hessian.diagonal() = abut::Vec3(2, 2, 2 - 1.2 * z);
    return f;
  }
};

abut::Model rolling_egg() {
  abut::Model model;
  model.set_duration(0.3);
  abut::BodyDescription floor;
  floor.name = "floor";
  floor.parts = {{abut::Shape::plane({0, 0, 1}, 0)}};
  floor.motion = abut::Motion::fixed;
  model.add_body(floor);
  abut::BodyDescription egg;
  egg.name = "egg";
  egg.parts = {
      {abut::Shape::implicit(std::make_shared<Egg>(), {-1.2, -1.2, -1.1}, {1.2, 1.2, 1.4})}};
  egg.pose.position = {0, 0, 1.5};
  egg.angular_velocity = {1, 0.5, 0};
  model.add_body(egg);
  return model;
}
// [egg]

struct Ball : abut::ParametricFunction {
  abut::SurfaceSample at(double u, double v) const override {
    const double cu = std::cos(u), su = std::sin(u), cv = std::cos(v), sv = std::sin(v);
    return {{cu * sv, su * sv, cv},  {-su * sv, cu * sv, 0}, {cu * cv, su * cv, -sv},
            {-cu * sv, -su * sv, 0}, {-su * cv, cu * cv, 0}, {-cu * sv, -su * sv, -cv}};
  }
};

TEST(Surface, AFunctionObjectIsTheSameAsItsFormula) {
  const abut::Model model = rolling_egg();
  const abut::MassProperties mass = model.mass(model.body("egg"));
  const abut::Shape formula =
      abut::Shape::implicit("x^2 + y^2 + z^2*(1 - 0.2*z) - 1", {-1.2, -1.2, -1.1}, {1.2, 1.2, 1.4});
  abut::Model other;
  abut::BodyDescription egg;
  egg.name = "egg";
  egg.parts = {{formula}};
  other.add_body(egg);
  EXPECT_NEAR(mass.volume, other.mass(0).volume, 1e-11);
  EXPECT_LT((mass.inertia - other.mass(0).inertia).norm(), 1e-10 * mass.inertia.norm());
}

TEST(Surface, AParametricFunctionObjectWeighsWhatItEncloses) {
  abut::Model model;
  abut::BodyDescription ball;
  ball.name = "ball";
  ball.parts = {{abut::Shape::parametric(std::make_shared<Ball>(), {0, 2 * M_PI}, {0, M_PI})}};
  model.add_body(ball);
  EXPECT_NEAR(model.mass(0).volume, 4.0 / 3 * M_PI, 1e-11);
}

std::string refused(const std::function<void()>& make) {
  try {
    make();
  } catch (const abut::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Surface, WhatIsWrongIsThrown) {
  using abut::Shape;
  const abut::Vec3 low(-2, -2, -2), high(2, 2, 2);
  EXPECT_NE(refused([&] { Shape::implicit("x^2 + w", low, high); }).find("`w` is not known"),
            std::string::npos);
  EXPECT_NE(refused([&] { Shape::implicit("x^2 + y^2 - 1", low, high); }).find("not closed"),
            std::string::npos);
  EXPECT_NE(refused([&] {
              Shape::implicit(std::shared_ptr<const abut::ImplicitFunction>(), low, high);
            }).find("needs a function"),
            std::string::npos);
  EXPECT_NE(refused([&] {
              Shape::parametric({"u", "v", "0"}, {0, 1}, {0, 1});
            }).find("not closed"),
            std::string::npos);
}

}  // namespace
