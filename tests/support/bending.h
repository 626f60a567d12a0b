#pragma once
// Bodies that bend, for tests.

#include <memory>
#include <random>
#include <vector>

#include "flexible/make.h"

namespace abut::test {

inline shape::Part part_of(shape::Geometry geometry, double density = 1000, Pose pose = {}) {
  shape::Part part;
  part.geometry = std::move(geometry);
  part.density = density;
  part.pose = pose;
  return part;
}

inline flexible::SolidMaterial rubber(double damping = 0) {
  return {1e5, 0.3, damping};
}

inline std::shared_ptr<const flexible::BendingBody> bending_box(
    int order, const Vec3& size, const flexible::SolidMaterial& material = rubber()) {
  return flexible::make_solid(order, {part_of(shape::Box{size})}, material, {});
}

/// A union of two turned solids of different density, away from the body frame's origin.
inline std::vector<shape::Part> odd_parts() {
  return {part_of(shape::Box{{0.4, 0.6, 1}}, 800, {{0.3, 0.1, -0.2}, Quat(0.8, 0.6, 0, 0)}),
          part_of(shape::Cone{0.3, 0.7}, 2000, {{0.5, 0.4, 0.3}, Quat(0.6, 0, 0, 0.8)})};
}

inline flexible::Columns random_columns(Eigen::Index count, double size, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-size, size);
  flexible::Columns columns(3, count);
  for (Eigen::Index i = 0; i < columns.size(); ++i) columns.data()[i] = number(random);
  return columns;
}

/// At rest somewhere, turned, then deformed by about `strain`.
inline flexible::Columns deformed(const flexible::BendingBody& body, double strain,
                                  std::mt19937& random) {
  const Pose pose{{1, -2, 3}, Quat(0.5, 0.5, -0.5, 0.5)};
  return flexible::placed(body, pose) + random_columns(body.columns(), strain, random);
}

/// Of all numbers as one long vector: the work of forces along a way.
inline double dot(const flexible::Columns& a, const flexible::Columns& b) {
  return a.cwiseProduct(b).sum();
}

}  // namespace abut::test
