#include "clock/implicit_springs.h"

#include <cmath>

#include "clock/block_side.h"
#include "flexible/material_frame.h"
#include "math/rotation.h"
#include "model/material.h"

namespace abut::clock {
namespace {

// A point of the body frame, as the motion frame carries it.
Vec3 carried_arm(const model::Model& model, const model::Anchor& anchor) {
  if (anchor.body == world || !model.bodies[anchor.body].is_dynamic()) return anchor.point;
  const Pose& central = model.bodies[anchor.body].mass.central;
  return central.orientation.conjugate() * (anchor.point - central.position);
}

struct SpringSide {
  PointSide point;
  Vec3 place = Vec3::Zero();
  Vec3 velocity = Vec3::Zero();  // before the kick
  Vec3 bend = Vec3::Zero();      // of its path in the step, with the spin before the kick
  double give = 0;               // inverse mass, 1/kg
};

SpringSide spring_side(const Attempt& attempt, const model::Anchor& anchor, double sign) {
  SpringSide side;
  const int place = attempt.island.place_of(anchor.body);
  if (place >= 0 && attempt.bodies[place].bent) {
    const BentState& bent = *attempt.stepped(place).bent;
    const auto weights = flexible::weights_at(bent.body(), anchor.point);
    side.point = point_side(attempt, anchor.body, Vec3::Zero(), weights, sign);
    side.place = flexible::combined(weights, bent.state.columns);
    side.velocity = flexible::combined(weights, bent.state.rates);
    side.give = bent.body().mass.mobility(weights, weights);
    return side;
  }
  side.point = point_side(attempt, anchor.body, carried_arm(attempt.model(), anchor), {}, sign);
  const Vec3& arm = side.point.arm;
  side.place = attempt.side_of(anchor.body).pose.position + arm;
  const impulse::Twist& twist = place >= 0 ? attempt.bodies[place].before : side.point.velocity;
  side.velocity = twist.linear + twist.angular.cross(arm);
  if (place >= 0) {
    const Vec3 turn = attempt.h * twist.angular;
    side.bend = math::rotation_exp(turn) * arm - arm - turn.cross(arm);
    const impulse::Inertia& inertia = attempt.bodies[place].inertia;
    side.give = inertia.inverse_mass + arm.squaredNorm() * inertia.inverse_inertia.norm();
  }
  return side;
}

// On the second end.
Vec3 impulse_of(const Attempt& attempt, const SpringRows& mine) {
  const int row = attempt.problem.blocks[mine.block].first;
  Vec3 impulse = Vec3::Zero();
  for (std::size_t i = 0; i < mine.axes.size(); ++i)
    impulse += attempt.problem.rows[row + static_cast<int>(i)].impulse * mine.axes[i];
  return impulse;
}

}  // namespace

void add_pushes_on(Attempt& attempt, int place) {
  const SteppedBody& body = attempt.stepped(place);
  AttemptBody& now = attempt.bodies[place];
  for (const int index : attempt.island.implicit_forces) {
    const model::Force& force = attempt.model().forces[index];
    if (integrate::bodies_of(force).front() != body.index) continue;
    add_pushes(force, body.bent->body(), body.bent->state, now.kick, now.bent->pushes);
  }
  for (const BentPush& push : now.bent->pushes) now.bent->pushed += push.columns;
}

void add_springs(Attempt& attempt) {
  law::StepProblem& problem = attempt.problem;
  attempt.first_yielding = static_cast<int>(problem.bodies.size());
  for (const int index : attempt.island.implicit_forces) {
    const auto* spring = std::get_if<model::Spring>(&attempt.model().forces[index]);
    if (spring == nullptr) continue;
    const SpringSide first = spring_side(attempt, spring->ends[0], -1);
    const SpringSide second = spring_side(attempt, spring->ends[1], 1);
    const int place = std::max(first.point.place, second.point.place);
    const std::vector<SpringRow> rows = spring_rows(
        *spring,
        {{first.place, second.place}, {first.velocity, second.velocity}, {first.bend, second.bend}},
        first.give + second.give, attempt.bodies[place].kick, attempt.h);
    if (rows.empty()) continue;
    SpringRows mine;
    mine.force = index;
    for (const SpringRow& row : rows) mine.axes.push_back(row.axis);
    std::array<BlockSide, 2> sides = {first.point.along(mine.axes), second.point.along(mine.axes)};
    BlockSide::Part& yielding = sides[1].parts.emplace_back();
    yielding.slot = static_cast<int>(problem.bodies.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      yielding.rows[i].linear[static_cast<Eigen::Index>(i)] = std::sqrt(rows[i].yield);
    problem.bodies.push_back({{1, Mat3::Identity()}, {}});
    law::StepBlock block;
    block.kind = law::StepBlock::Kind::equality;
    block.rows = static_cast<int>(rows.size());
    mine.block = append_block(problem, block, sides);
    for (std::size_t i = 0; i < rows.size(); ++i)
      problem.rows[problem.blocks[mine.block].first + static_cast<int>(i)].bias += rows[i].offset;
    attempt.spring_rows.push_back(std::move(mine));
  }
}

void book_springs(const Attempt& attempt, integrate::Balance& book) {
  for (const SpringRows& mine : attempt.spring_rows) {
    const auto& spring = std::get<model::Spring>(attempt.model().forces[mine.force]);
    const Vec3 impulse = impulse_of(attempt, mine);
    for (const int k : {0, 1}) {
      const SpringSide side = spring_side(attempt, spring.ends[k], 1);
      const Vec3 push = k == 0 ? Vec3(-impulse) : impulse;
      if (side.point.place < 0) {
        const double given = -push.dot(side.velocity);
        book.work += given;
        book.dissipated += given;
        continue;
      }
      // Internal forces have no resultant, but for a moment of those across the spring.
      book.impulse += push;
      book.angular_impulse += side.place.cross(push);
      if (side.point.bent != nullptr) continue;
      const AttemptBody& now = attempt.bodies[side.point.place];
      if (now.is_stopped) continue;
      book.dissipated -=
          push.dot(now.mean_velocity(attempt.h) + now.mean_spin(attempt.h).cross(side.point.arm));
    }
  }
}

void take_out_springs(const Attempt& attempt, BodyIndex body, flexible::Columns& given) {
  for (const SpringRows& mine : attempt.spring_rows) {
    const auto& spring = std::get<model::Spring>(attempt.model().forces[mine.force]);
    for (const int k : {0, 1})
      if (spring.ends[k].body == body)
        flexible::add_force(spring_side(attempt, spring.ends[k], 1).point.weights,
                            (k == 0 ? 1 : -1) * impulse_of(attempt, mine), given);
  }
}

void book_pushes(const AttemptBent& bent, integrate::Balance& book) {
  for (const BentPush& push : bent.pushes) {
    book.impulse += push.impulse;
    book.angular_impulse += push.angular_impulse;
    double work = push.impulse.dot(push.wind);
    if (push.is_work) work += 0.5 * push.columns.cwiseProduct(bent.before + bent.moved).sum();
    book.work += work;
    book.dissipated += work;
  }
}

}  // namespace abut::clock
