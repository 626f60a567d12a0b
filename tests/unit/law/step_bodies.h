#pragma once
// Bodies and contacts of step problems as the tests of their solvers give them, and a judge of what
// these find.

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "law/step_problem.h"

namespace step_testing {

using abut::Vec3;
using abut::law::StepBlock;
using abut::law::StepBody;
using abut::law::StepProblem;
using abut::law::StepRow;
using abut::law::Twist;
namespace body = abut::body;
namespace impulse = abut::impulse;

/// A cube of 1 m that does not turn.
inline StepBody cube(double mass, const Vec3& velocity) {
  StepBody body;
  body.inertia.inverse_mass = 1 / mass;
  body.inertia.inverse_inertia = 6 / mass * abut::Mat3::Identity();
  body.velocity.linear = velocity;
  return body;
}

inline void add_rows(StepProblem& problem, const std::vector<Vec3>& axes, const Vec3& arm_a,
                     const Vec3& arm_b) {
  for (const Vec3& axis : axes) {
    StepRow row;
    row.sides = {body::RowSide{axis, arm_a.cross(axis)}, body::RowSide{-axis, -arm_b.cross(axis)}};
    problem.rows.push_back(row);
  }
}

inline void begin_contact(StepProblem& problem, int a, int b, double friction) {
  StepBlock block;
  block.kind = StepBlock::Kind::contact;
  block.slots = {a, b};
  block.rows = 3;
  block.friction = friction;
  problem.begin_block(block);
}

inline void add_support(StepProblem& problem, int a, int b, double friction, double tilt) {
  const Vec3 n = Vec3(tilt, 0, 1).normalized();
  for (const double x : {-0.5, 0.5})
    for (const double y : {-0.5, 0.5}) {
      begin_contact(problem, a, b, friction);
      add_rows(problem, {n, n.unitOrthogonal(), n.cross(n.unitOrthogonal())}, Vec3(x, y, -0.5),
               Vec3(x, y, 0.5));
    }
}

/// A tower that slides, tilts and sticks, of cubes whose masses differ by up to so many powers of
/// ten either way.
inline StepProblem random_tower(unsigned seed, int count, double powers) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  StepProblem problem;
  for (int i = 0; i < count; ++i) {
    problem.bodies.push_back(cube(std::pow(10.0, 0.5 + powers * uniform(random)),
                                  Vec3(uniform(random), uniform(random), -1)));
    problem.bodies.back().velocity.angular =
        Vec3(uniform(random), uniform(random), uniform(random));
  }
  for (int i = 0; i < count; ++i)
    add_support(problem, i, i == 0 ? impulse::immovable : i - 1, 0.5 + 0.4 * uniform(random),
                0.3 * uniform(random));
  return problem;
}

/// Judges a solution by Coulomb's law itself: `error` is what velocities may be off by.
inline void expect_lawful(const StepProblem& solved, const StepProblem& asked, double error) {
  std::vector<Twist> v;
  for (const StepBody& body : asked.bodies) v.push_back(body.velocity);
  for (const StepBlock& block : solved.blocks)
    for (int i = block.first; i < block.first + block.rows; ++i)
      for (const int side : {0, 1}) {
        const int slot = block.slots[side];
        if (slot == impulse::immovable) continue;
        const StepRow& row = solved.rows[i];
        const impulse::Inertia& inertia = asked.bodies[slot].inertia;
        v[slot].linear += row.impulse * inertia.inverse_mass * row.sides[side].linear;
        v[slot].angular += row.impulse * (inertia.inverse_inertia * row.sides[side].angular);
      }
  for (std::size_t i = 0; i < v.size(); ++i)
    EXPECT_LT((v[i].linear - solved.bodies[i].velocity.linear).norm(), error);
  for (const StepBlock& block : solved.blocks) {
    const auto w = [&](int i) { return solved.motion(block, block.first + i); };
    const auto p = [&](int i) { return solved.rows[block.first + i].impulse; };
    if (block.kind == StepBlock::Kind::equality) {
      for (int i = 0; i < block.rows; ++i) EXPECT_LT(std::abs(w(i)), error);
    } else if (block.kind == StepBlock::Kind::bounded) {
      EXPECT_GE(p(0), block.lower);
      EXPECT_LE(p(0), block.upper);
    } else {
      const Eigen::Vector2d slip(w(1), w(2)), friction(p(1), p(2));
      EXPECT_GT(w(0), -error);
      EXPECT_GE(p(0), 0);
      EXPECT_LE(friction.norm(), block.friction * p(0) * (1 + 1e-9));
      if (slip.norm() > 10 * error && p(0) > 0) {
        EXPECT_NEAR(friction.dot(slip) / slip.norm(), -block.friction * p(0),
                    1e-2 * block.friction * p(0) + error);
      }
    }
  }
}

}  // namespace step_testing
