#include "support/complementarity.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <vector>

namespace abut::test {

lcp::Matrix RandomProblems::matrix(Eigen::Index rows, Eigen::Index columns) {
  return lcp::Matrix::NullaryExpr(rows, columns, [&] { return normal(); });
}

lcp::Vector RandomProblems::vector(Eigen::Index size) {
  return matrix(size, 1);
}

lcp::Problem RandomProblems::contacts(Eigen::Index n, Eigen::Index freedoms) {
  lcp::Matrix j = matrix(n, freedoms);
  for (Eigen::Index i = 0; i < n; ++i) j.row(i) *= std::pow(10, whole(-3, 3));
  for (Eigen::Index k = 0; k < freedoms; ++k) j.col(k) *= std::pow(10, whole(-1, 1));
  return lcp::Problem::complementarity(j * j.transpose(), j * vector(freedoms));
}

lcp::Problem RandomProblems::degenerate(Eigen::Index n, Eigen::Index freedoms) {
  const auto small = [&] { return static_cast<double>(whole(-1, 1)); };
  const lcp::Matrix j = lcp::Matrix::NullaryExpr(n, freedoms, small);
  const lcp::Vector a = lcp::Vector::NullaryExpr(freedoms, small);
  return lcp::Problem::complementarity(j * j.transpose(), j * a);
}

void RandomProblems::mix_bounds(lcp::Problem& problem) {
  for (Eigen::Index i = 0; i < problem.size(); ++i) {
    const double a = normal(), b = normal();
    switch (whole(0, 7)) {
      case 0:
        problem.lower[i] = -infinite;
        break;
      case 1:
        problem.lower[i] = std::min(a, b);
        problem.upper[i] = std::max(a, b);
        break;
      case 2:
        problem.lower[i] = -infinite;
        problem.upper[i] = a;
        break;
      case 3:
        problem.lower[i] = problem.upper[i] = a;
        break;
      case 4:
        problem.lower[i] = -1;
        problem.upper[i] = 1;
        break;
      default:
        break;
    }
  }
}

lcp::Problem brick_wall(int bricks_per_course, int courses, const Eigen::Matrix3d& turn) {
  struct Contact {
    int above, below;  // bodies; -1: the floor
    Eigen::Vector3d point, normal;
  };
  const Eigen::Vector3d size(0.2, 0.1, 0.06);
  const double mass = 2, gravity = 9.81;
  const auto brick = [&](int course, int i) { return course * bricks_per_course + i; };
  const auto centre = [&](int course, int i) {
    const double shift = course % 2 == 0 ? 0 : 0.5;
    return Eigen::Vector3d((i + shift) * size.x(), 0, (course + 0.5) * size.z());
  };
  std::vector<Contact> contacts;
  const auto add_rectangle = [&](int above, int below, double x_from, double x_to, double z) {
    for (const double x : {x_from, x_to}) {
      for (const double y : {-size.y() / 2, size.y() / 2}) {
        contacts.push_back({above, below, {x, y, z}, Eigen::Vector3d::UnitZ()});
      }
    }
  };
  for (int course = 0; course < courses; ++course) {
    for (int i = 0; i < bricks_per_course; ++i) {
      const Eigen::Vector3d c = centre(course, i);
      const double left = c.x() - size.x() / 2, right = c.x() + size.x() / 2;
      const double bottom = c.z() - size.z() / 2;
      for (int k = 0; course > 0 && k < bricks_per_course; ++k) {
        const double x = centre(course - 1, k).x();
        const double from = std::max(left, x - size.x() / 2),
                     to = std::min(right, x + size.x() / 2);
        if (to - from < 0.25 * size.x()) continue;
        add_rectangle(brick(course, i), brick(course - 1, k), from, to, bottom);
      }
      if (course == 0) add_rectangle(brick(course, i), -1, left, right, bottom);
      if (i == 0) continue;
      for (const double y : {-size.y() / 2, size.y() / 2}) {
        for (const double z : {bottom, bottom + size.z()}) {
          contacts.push_back(
              {brick(course, i), brick(course, i - 1), {left, y, z}, Eigen::Vector3d::UnitX()});
        }
      }
    }
  }

  const auto n = static_cast<Eigen::Index>(contacts.size());
  const int bodies = bricks_per_course * courses;
  // Columns of J are divided by the square roots of masses and moments: A = J J^T.
  lcp::Matrix j = lcp::Matrix::Zero(n, 6 * bodies);
  lcp::Vector b = lcp::Vector::Zero(n);
  const Eigen::Vector3d moments =
      mass / 12 * (Eigen::Vector3d::Constant(size.squaredNorm()) - size.cwiseAbs2());
  for (Eigen::Index row = 0; row < n; ++row) {
    const Contact& contact = contacts[static_cast<std::size_t>(row)];
    for (const int side : {1, -1}) {
      const int body = side > 0 ? contact.above : contact.below;
      if (body < 0) continue;
      const Eigen::Vector3d middle =
          turn * centre(body / bricks_per_course, body % bricks_per_course);
      const Eigen::Vector3d normal = turn * contact.normal;
      const Eigen::Vector3d moment = (turn * contact.point - middle).cross(normal);
      j.block<1, 3>(row, 6 * body) = side / std::sqrt(mass) * normal.transpose();
      j.block<1, 3>(row, 6 * body + 3) =
          side * (turn.transpose() * moment).cwiseQuotient(moments.cwiseSqrt()).transpose();
      b[row] -= side * gravity * normal.dot(turn.col(2));
    }
  }
  return lcp::Problem::complementarity(j * j.transpose(), b);
}

}  // namespace abut::test
