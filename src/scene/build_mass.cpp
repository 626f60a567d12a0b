// Mass properties: from the shape, or as the scene says.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "scene/builder.h"
#include "scene/read.h"
#include "shape/moments.h"

namespace abut::scene {
namespace {

/// Principal moments satisfy a + b >= c, with equality for flat bodies. The allowance covers the
/// rounding of the eigenvalues and of numbers written with a dozen digits.
constexpr double triangle_allowance = 1e-12;

Mat3 read_inertia(const Node& node) {
  const auto at = [&](std::size_t i) { return node.items[i].number; };
  Mat3 inertia;
  inertia << at(0), at(3), at(4),  //
      at(3), at(1), at(5),         //
      at(4), at(5), at(2);
  return inertia;
}

/// A tensor that some distribution of mass could have.
bool is_possible(const Mat3& inertia, const Node& node, Builder& builder) {
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(inertia, Eigen::EigenvaluesOnly);
  const Vec3& p = solver.eigenvalues();  // ascending
  const std::string values = fmt::format("{:g}, {:g} and {:g}", p[0], p[1], p[2]);
  if (!(p[0] > 0)) {
    builder.problems.error(
        node.mark, fmt::format("inertia is not positive definite: its principal moments are "
                               "{} kg m^2; all must be positive",
                               values));
    return false;
  }
  if (p[0] + p[1] < p[2] * (1 - triangle_allowance)) {
    builder.problems.error(
        node.mark,
        fmt::format("inertia violates the triangle inequality: its principal moments are "
                    "{} kg m^2, and the largest must not exceed the sum of the others",
                    values));
    return false;
  }
  return true;
}

}  // namespace

std::optional<body::Mass> build_mass(const Node& body, std::vector<shape::Part>& parts,
                                     Builder& builder) {
  const Node* mass = body.valid_at("mass");
  const Node* density = body.find("density");
  if (mass != nullptr && density != nullptr) {
    builder.problems.error(density->mark,
                           "both `mass` and `density` are given; one follows from the other, "
                           "remove one");
    return std::nullopt;
  }
  shape::Moments moments = shape::moments_of(parts);
  if (!(moments.mass > 0) || !std::isfinite(moments.mass) ||
      !std::isfinite(moments.inertia.norm())) {
    builder.problems.error(body.mark, fmt::format("the body's mass comes out as {:g} kg; check its "
                                                  "sizes and density",
                                                  moments.mass));
    return std::nullopt;
  }
  if (mass != nullptr) {
    for (shape::Part& part : parts) part.density *= mass->number / moments.mass;
    moments = shape::scaled_to_mass(moments, mass->number);
  }
  if (const Node* com = body.valid_at("com")) moments.centre = read_vec3(*com);
  if (const Node* inertia = body.valid_at("inertia")) {
    moments.inertia = read_inertia(*inertia);
    if (!is_possible(moments.inertia, *inertia, builder)) return std::nullopt;
  }
  return body::mass_from(moments);
}

}  // namespace abut::scene
