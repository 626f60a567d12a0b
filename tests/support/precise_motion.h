#pragma once
// Motions of rigid bodies with 50 digits, so that derivatives along them can be taken numerically
// and still be exact to more digits than a double has.

#include <array>
#include <boost/multiprecision/eigen.hpp>
#include <boost/multiprecision/mpfr.hpp>
#include <vector>

#include "body/constraint.h"

namespace abut::test {

/// By a compiled library: numbers that are templates are ten times slower in tests, which are not
/// optimised.
using Real = boost::multiprecision::number<
    boost::multiprecision::mpfr_float_backend<50, boost::multiprecision::allocate_stack>,
    boost::multiprecision::et_off>;
using RealVec = Eigen::Matrix<Real, 3, 1>;
using RealMat = Eigen::Matrix<Real, 3, 3>;

struct RealPose {
  RealVec position;
  RealMat axes;

  RealVec operator()(const Vec3& local) const { return position + axes * local.cast<Real>(); }
  RealVec turned(const Vec3& local) const { return axes * local.cast<Real>(); }
};

/// Of unit length to all digits: rounding to double left the quaternion a little off.
RealMat matrix_of(const Quat& q);

struct Accelerations {
  Vec3 linear = Vec3::Zero();
  Vec3 angular = Vec3::Zero();
};

/// Where the body is at time t. Turned by exp(omega t + alpha t^2/2), it has the angular velocity
/// omega + alpha t + O(t^2): the two vectors' cross product enters only with t^2.
RealPose body_at(const body::RigidMotion& motion, const Accelerations& change, const Real& t);

struct Derivatives {
  double value, first, second;
};

/// Of functions of the poses of two bodies, `values(a, b)`, by central differences. The error is of
/// the order of the step's square, 1e-24, and of the rounding over that square, 1e-26.
template <class Values>
std::vector<Derivatives> derivatives(const Values& values,
                                     const std::array<body::RigidMotion, 2>& motions,
                                     const std::array<Accelerations, 2>& changes) {
  const Real step("1e-12");
  const auto at = [&](const Real& t) {
    return values(body_at(motions[0], changes[0], t), body_at(motions[1], changes[1], t));
  };
  const auto before = at(-step), now = at(Real(0)), after = at(step);
  std::vector<Derivatives> rows;
  for (std::size_t i = 0; i < now.size(); ++i) {
    rows.push_back({static_cast<double>(now[i]),
                    static_cast<double>((after[i] - before[i]) / (2 * step)),
                    static_cast<double>((after[i] - 2 * now[i] + before[i]) / (step * step))});
  }
  return rows;
}

/// Of a row's value, with the accelerations of both bodies.
inline double second_derivative(const body::ConstraintRow& row,
                                const std::array<Accelerations, 2>& changes) {
  return row.sides[0](changes[0].linear, changes[0].angular) +
         row.sides[1](changes[1].linear, changes[1].angular) + row.bias;
}

}  // namespace abut::test
