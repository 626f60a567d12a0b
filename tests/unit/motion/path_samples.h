#pragma once
// Random paths of every kind, drawn by rapidcheck.

#include <rapidcheck.h>

#include <string>
#include <variant>

#include "math/rotation.h"
#include "motion/polynomial_motion.h"
#include "motion/script_motion.h"

namespace samples {

using abut::Quat;
using abut::Vec3;

inline double number(double from, double to) {
  return from + (to - from) * *rc::gen::inRange(0, 1000001) / 1e6;
}
inline Vec3 vector(double size) {
  return Vec3(number(-size, size), number(-size, size), number(-size, size));
}
inline Quat orientation() {
  return abut::math::rotation_exp(vector(3));
}

inline abut::motion::PolynomialMotion random_polynomial() {
  abut::motion::PolynomialMotion::CentreCoefficients centre;
  abut::motion::PolynomialMotion::QuaternionCoefficients quaternion;
  const double turn = number(0, 0.6);  // how far the attitude wanders within a step
  const Eigen::Vector4d base = orientation().coeffs();
  for (int i = 0; i < 8; ++i) {
    centre.col(i) = vector(100);
    quaternion.col(i) = base;
    quaternion.col(i).head<3>() += turn * vector(1);
  }
  const double begin = number(0, 10);
  return abut::motion::PolynomialMotion(begin, begin + number(0.01, 5), centre, quaternion);
}

inline abut::body::KeyframeScript random_keyframes() {
  abut::body::KeyframeScript script;
  script.interpolation =
      *rc::gen::element(abut::body::Interpolation::cubic, abut::body::Interpolation::linear);
  const int count = *rc::gen::inRange(1, 6);
  double time = number(0, 1);
  for (int i = 0; i < count; ++i) {
    script.keyframes.push_back({time, {vector(5), orientation()}});
    time += number(0.05, 2);
  }
  return script;
}

inline abut::body::ExpressionScript random_formulas() {
  const auto formula = [](const std::string& text) {
    return std::get<abut::math::Expression>(abut::math::Expression::parse(text, "t"));
  };
  abut::body::ExpressionScript script;
  const std::string a = std::to_string(number(-3, 3)), b = std::to_string(number(0.1, 5));
  script.position = {formula(a + "*t^2 - t"), formula("sin(" + b + "*t)*exp(-t/3)"),
                     formula("sqrt(1 + t^2)/" + b)};
  script.angle = formula(a + "*sin(t)^3 + " + b + "*t");
  script.axis = vector(1).normalized();
  return script;
}

}  // namespace samples
