#pragma once
// Problems with Coulomb's law for tests and benchmarks: random bodies, and walls of bricks.

#include <Eigen/Geometry>
#include <cmath>
#include <vector>

#include "lcp/cone_problem.h"
#include "support/complementarity.h"

namespace abut::test {

/// A contact between bodies; -1 is the ground. Points are relative to the centres of mass.
struct RoughContact {
  int first, second;
  Eigen::Vector3d normal, on_first, on_second;
  double friction;
};

/// Masses and moments of inertia, and what acts on the bodies: accelerations, or velocities.
struct RoughBody {
  double mass;
  Eigen::Vector3d moments, linear, angular;
};

/// A = J M^-1 J^T, b = J a. Columns of J are divided by the roots of masses and moments. If asked
/// for, the rows as they are made of bodies.
inline lcp::ConeProblem rough_problem(const std::vector<RoughBody>& bodies,
                                      const std::vector<RoughContact>& contacts,
                                      lcp::BodyRows* body_rows = nullptr) {
  if (body_rows != nullptr) *body_rows = {static_cast<int>(bodies.size()), {}};
  const auto rows = static_cast<Eigen::Index>(3 * contacts.size());
  const auto columns = static_cast<Eigen::Index>(6 * bodies.size());
  lcp::Matrix j = lcp::Matrix::Zero(rows, columns);
  lcp::Vector motion(columns);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(6 * i);
    motion.segment<3>(at) = bodies[i].linear * std::sqrt(bodies[i].mass);
    motion.segment<3>(at + 3) = bodies[i].angular.cwiseProduct(bodies[i].moments.cwiseSqrt());
  }
  lcp::ConeProblem problem;
  Eigen::Index row = 0;
  for (const RoughContact& contact : contacts) {
    const Eigen::Vector3d tangent = contact.normal.unitOrthogonal();
    for (const Eigen::Vector3d& axis :
         {contact.normal, tangent, Eigen::Vector3d(contact.normal.cross(tangent))}) {
      lcp::BodyRow body_row{{contact.first, contact.second}, {}, {}};
      for (const double sign : {1.0, -1.0}) {
        const int body = sign > 0 ? contact.first : contact.second;
        if (body < 0) continue;
        const Eigen::Vector3d& point = sign > 0 ? contact.on_first : contact.on_second;
        const RoughBody& b = bodies[static_cast<std::size_t>(body)];
        j.block<1, 3>(row, 6 * body) = sign * axis.transpose() / std::sqrt(b.mass);
        j.block<1, 3>(row, 6 * body + 3) =
            sign * point.cross(axis).cwiseQuotient(b.moments.cwiseSqrt()).transpose();
        const std::size_t side = sign > 0 ? 0 : 1;
        body_row.along[side] = body_row.answers[side] = j.block<1, 6>(row, 6 * body).transpose();
      }
      if (body_rows != nullptr) body_rows->rows.push_back(body_row);
      ++row;
    }
    problem.blocks.push_back(lcp::ConeBlock::contact(contact.friction));
  }
  problem.a = j * j.transpose();
  problem.b = j * motion;
  return problem;
}

struct RoughOptions {
  int contacts = 10;
  int bodies = 4;
  double mass_ratio = 1;
  double most_friction = 1;
  bool has_gravity_only = false;  ///< what acts is the same on all bodies
};

/// Bodies that touch each other and the ground at random points: more contacts than freedoms where
/// there are few bodies.
inline lcp::ConeProblem rough_bodies(RandomProblems& random, const RoughOptions& options,
                                     lcp::BodyRows* body_rows = nullptr) {
  const auto uniform = [&](double from, double to) {
    return from + (to - from) * random.whole(0, 1 << 20) / (1 << 20);
  };
  const auto normal3 = [&] { return Eigen::Vector3d(random.vector(3)); };
  std::vector<RoughBody> bodies;
  for (int i = 0; i < options.bodies; ++i) {
    const double mass = std::pow(options.mass_ratio, uniform(0, 1));
    const Eigen::Vector3d shape(uniform(0.3, 1), uniform(0.3, 1), uniform(0.3, 1));
    const bool falls = options.has_gravity_only;
    bodies.push_back({mass, 0.4 * mass * shape,
                      falls ? Eigen::Vector3d(0, 0, -9.81) : Eigen::Vector3d(3 * normal3()),
                      falls ? Eigen::Vector3d(0, 0, 0) : normal3()});
  }
  std::vector<RoughContact> contacts;
  for (int k = 0; k < options.contacts; ++k) {
    const int first = random.whole(0, options.bodies - 1);
    int second = random.whole(-1, options.bodies - 1);
    if (second == first) second = -1;
    Eigen::Vector3d n = normal3().normalized();
    if (second < 0) n = (Eigen::Vector3d::UnitZ() + 0.3 * normal3()).normalized();
    const double friction = random.whole(0, 9) == 0 ? 0 : uniform(0, options.most_friction);
    contacts.push_back({first, second, n, -uniform(0.5, 1.5) * n + 0.3 * normal3(),
                        uniform(0.5, 1.5) * n + 0.3 * normal3(), friction});
  }
  return rough_problem(bodies, contacts, body_rows);
}

/// The wall of brick_wall() with friction, on ground that is tilted along it.
inline lcp::ConeProblem rough_wall(int bricks_per_course, int courses, double friction,
                                   double tilt) {
  const Eigen::Vector3d size(0.2, 0.1, 0.06);
  const double mass = 2;
  const auto centre = [&](int brick) {
    const int course = brick / bricks_per_course, i = brick % bricks_per_course;
    const double shift = course % 2 == 0 ? 0 : 0.5;
    return Eigen::Vector3d((i + shift) * size.x(), 0, (course + 0.5) * size.z());
  };
  const Eigen::Vector3d moments =
      mass / 12 * (Eigen::Vector3d::Constant(size.squaredNorm()) - size.cwiseAbs2());
  const Eigen::Vector3d gravity(9.81 * std::sin(tilt), 0, -9.81 * std::cos(tilt));
  std::vector<RoughBody> bodies(static_cast<std::size_t>(bricks_per_course * courses),
                                RoughBody{mass, moments, gravity, Eigen::Vector3d::Zero()});
  std::vector<RoughContact> contacts;
  const auto touch = [&](int first, int second, const Eigen::Vector3d& point,
                         const Eigen::Vector3d& normal) {
    const Eigen::Vector3d below = second < 0 ? point : Eigen::Vector3d(point - centre(second));
    contacts.push_back({first, second, normal, point - centre(first), below, friction});
  };
  for (int brick = 0; brick < bricks_per_course * courses; ++brick) {
    const Eigen::Vector3d low = centre(brick) - size / 2, high = centre(brick) + size / 2;
    const int course = brick / bricks_per_course;
    for (int k = 0; k < bricks_per_course; ++k) {
      const int below = course > 0 ? brick - brick % bricks_per_course - bricks_per_course + k : -1;
      if (below < 0 && k > 0) continue;
      const double x = below < 0 ? centre(brick).x() : centre(below).x();
      const double from = std::max(low.x(), x - size.x() / 2);
      const double to = std::min(high.x(), x + size.x() / 2);
      if (to - from < 0.25 * size.x()) continue;
      for (const double end : {from, to}) {
        for (const double y : {low.y(), high.y()})
          touch(brick, below, {end, y, low.z()}, Eigen::Vector3d::UnitZ());
      }
    }
    if (brick % bricks_per_course == 0) continue;
    for (const double y : {low.y(), high.y()}) {
      for (const double z : {low.z(), high.z()})
        touch(brick, brick - 1, {low.x(), y, z}, Eigen::Vector3d::UnitX());
    }
  }
  return rough_problem(bodies, contacts);
}

}  // namespace abut::test
