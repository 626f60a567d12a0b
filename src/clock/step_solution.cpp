#include "clock/step_solution.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "clock/bent_rows.h"
#include "clock/step_rows.h"
#include "math/rotation.h"
#include "model/promises.h"

namespace abut::clock {
namespace {

// How much of what a step has to do sweeps may leave (dimensionless), and of the velocities
// themselves, which is rounding.
constexpr double task_fraction = 5e-3;
constexpr double rounding_fraction = 1e-9;

// How much of the kept gap sweeps may use up in a step at most (dimensionless): the rest is for the
// proof.
constexpr double used_fraction = 0.25;

// How much of the kept gap, and of what forces do to a sheet, sweeps may leave in a step with
// sheets (dimensionless), and that of the fastest motion which single precision may leave: the
// linear systems of sheets are solved in it.
constexpr double kept_fraction = 0.02;
constexpr double forces_fraction = 0.02;
constexpr double single_rounding = 1e-6;

// How far joints may be left open by a step, as a part of the radius of the smallest body
// (dimensionless): a tenth of what is promised.
constexpr double open_fraction = 0.1 * model::promised_joint_gap(true);

// What bodies turn by within a step at most, rad: half of it is the factor by which looking for the
// spin of the middle converges.
constexpr double most_turn = 0.5;

// Twice what the nodes of a sheet gain in the metric of its matrix, J.
double energy_gained(const AttemptBent& bent, const law::StepProblem& problem) {
  flexible::Columns after(3, bent.held.cols());
  for (int k = 0; k < after.cols(); ++k)
    after.col(k) = problem.node_velocities[bent.first_node + k];
  const flexible::Columns before = bent.free_rates - bent.held;
  return after.cwiseProduct(bent.matrix->times(after)).sum() -
         before.cwiseProduct(bent.matrix->times(before)).sum();
}

// What rows may be off by so that all gaps are still there where the step ends, m/s.
double enough_for_proof(const Attempt& attempt) {
  double kept = infinity;
  for (const std::vector<StepContact>& contacts : attempt.contacts)
    for (const StepContact& contact : contacts) kept = std::min(kept, contact.kept);
  return kept < infinity ? used_fraction * kept / attempt.h : 0;
}

// That of all sheets, m/s; 0 without any.
double sheet_accuracy_of_all(const Attempt& attempt) {
  double accuracy = 0;
  for (std::size_t i = 0; i < attempt.bodies.size(); ++i)
    if (const AttemptBent* bent = attempt.bodies[i].bent.get(); bent != nullptr && bent->is_sheet())
      accuracy = std::max(accuracy, sheet_accuracy(attempt, *bent, attempt.stepped(i).index));
  return accuracy;
}

// What velocities of rows may be off by, m/s: a part of what the step has to do, which is what
// forces do within it and the approach that its contacts have to stop.
double accuracy_of(const Attempt& attempt) {
  double task = 0, fastest = 0;
  for (std::size_t i = 0; i < attempt.island.slots.size(); ++i) {
    const SteppedBody& body = attempt.stepped(i);
    const AttemptBody& now = attempt.bodies[i];
    if (now.bent) {
      task = std::max(task, now.kick * body.drive);
      fastest = std::max(fastest, now.bent->surface.fastest());
      continue;
    }
    const Vec3 turned = now.kick * (now.inertia.inverse_inertia * now.torque);
    task = std::max(task,
                    (now.free_velocity - body.state.velocity).norm() + body.radius * turned.norm());
    fastest = std::max(
        fastest, now.free_velocity.norm() + body.radius * (now.moved.angular - now.turning).norm());
  }
  for (const ContactRows& mine : attempt.contact_rows) {
    const law::StepBlock& block = attempt.problem.blocks[mine.block];
    task = std::max(task, -attempt.problem.motion(block, block.first));
  }
  double accuracy = task_fraction * task + rounding_fraction * fastest;
  return std::max(accuracy, sheet_accuracy_of_all(attempt));
}

// What the bodies would do without the impulses of the problem.
void set_free_velocities(Attempt& attempt) {
  for (std::size_t i = 0; i < attempt.island.slots.size(); ++i) {
    const AttemptBody& now = attempt.bodies[i];
    if (now.bent) {
      set_free(now, static_cast<int>(i), attempt.problem);
      continue;
    }
    attempt.problem.bodies[i].velocity = {
        now.free_velocity, now.inertia.inverse_inertia * now.free_momentum + now.turning};
  }
  for (std::size_t i = attempt.first_yielding; i < attempt.problem.bodies.size(); ++i)
    attempt.problem.bodies[i].velocity = {};
}

// At what rate a joint may still be missing its closure where the step ends, m/s.
double closing_rate(const Attempt& attempt) {
  double radius = infinity;
  for (const int slot : attempt.island.slots)
    radius = std::min(radius, attempt.island.scene.bodies[slot].radius);
  return open_fraction * radius / attempt.h;
}

// If no shorter step can be taken, bodies go on as if no contact and no joint acted.
void let_go(Attempt& attempt) {
  for (law::StepRow& row : attempt.problem.rows) row.impulse = 0;
  for (AttemptBody& now : attempt.bodies) {
    if (now.bent) {
      now.bent->moved = now.bent->drift = now.bent->free_rates;
      now.bent->follow_drift();
      continue;
    }
    const Vec3 spin = now.inertia.inverse_inertia * now.free_momentum;
    now.moved = now.drift = {now.free_velocity, spin + now.turning};
  }
}

// A ball that no joint and no stiff spring holds may turn as it likes.
bool turns_too_far(const Attempt& attempt) {
  for (std::size_t i = 0; i < attempt.island.slots.size(); ++i) {
    const AttemptBody& now = attempt.bodies[i];
    const Vec3& moments = attempt.model().bodies[attempt.stepped(i).index].mass.principal;
    const bool is_round = moments.maxCoeff() <= (1 + rounding_fraction) * moments.minCoeff();
    if (now.bent || (is_round && attempt.island.joints.empty() && attempt.spring_rows.empty()))
      continue;
    if (attempt.h * now.moved.angular.norm() > most_turn) return true;
  }
  return false;
}

// Whether impulses of the problem give energy to the bodies, of those that bend in the metric of
// their matrices, and of those in a medium in that of what impulses find. A solution obeys p . w <=
// 0 with w = J v+ + b, so that it gains -p . b at most: what supports that move, gaps that close
// and springs give.
bool gains_energy(const Attempt& attempt) {
  double gained = 0, given = 0;
  bool any_gives = !attempt.spring_rows.empty();
  for (std::size_t i = 0; i < attempt.island.slots.size(); ++i) {
    const AttemptBody& now = attempt.bodies[i];
    if (now.bent) {
      any_gives = true;
      if (now.bent->is_sheet()) {
        gained += energy_gained(*now.bent, attempt.problem);
        continue;
      }
      gained -= now.bent->free.squaredNorm();
      for (int slot = 0; slot < now.bent->matrix->slots(); ++slot) {
        const impulse::Twist& after =
            attempt.problem.bodies[now.bent->slot(static_cast<int>(i), slot)].velocity;
        gained += after.linear.squaredNorm() + after.angular.squaredNorm();
      }
      continue;
    }
    const impulse::Twist& after = attempt.problem.bodies[i].velocity;
    const Vec3 spin = now.inertia.inverse_inertia * now.free_momentum;
    const Vec3 turned = after.angular - now.turning;
    const impulse::Inertia& yields = now.yields();
    const Mat3 inertia = yields.inverse_inertia.inverse();
    gained += (after.linear.squaredNorm() - now.free_velocity.squaredNorm()) / yields.inverse_mass +
              turned.dot(inertia * turned) - spin.dot(inertia * spin);
  }
  if (any_gives)
    for (const law::StepRow& row : attempt.problem.rows) given -= 2 * row.impulse * row.bias;
  return gained > std::max(0.0, given);
}

// Impulses change how bodies turn on their way through the step. The largest change, m/s.
double turn_middles(Attempt& attempt) {
  double largest = 0;
  for (std::size_t i = 0; i < attempt.island.slots.size(); ++i) {
    const SteppedBody& body = attempt.stepped(i);
    AttemptBody& now = attempt.bodies[i];
    if (now.bent) continue;
    const Vec3 momentum = now.momentum_after();
    const Vec3 turning = middle_spin(attempt.model().bodies[body.index].mass, body.state.attitude,
                                     momentum, attempt.h) -
                         now.inertia.inverse_inertia * momentum;
    const Vec3 change = turning - now.turning;
    largest = std::max(largest, body.radius * change.norm());
    now.turning = turning;
    now.moved.angular += change;
    now.drift.angular = now.moved.angular;
  }
  return largest;
}

}  // namespace

Vec3 middle_spin(const body::Mass& mass, const Quat& attitude, const Vec3& momentum, double h) {
  constexpr int rounds = 4;  // each gains a factor of the angle turned
  Vec3 spin = body::angular_velocity(mass, attitude, momentum);
  for (int k = 0; k < rounds; ++k)
    spin = body::angular_velocity(
        mass, (math::rotation_exp(0.5 * h * spin) * attitude).normalized(), momentum);
  return spin;
}

double sheet_accuracy(const Attempt& attempt, const AttemptBent& bent, BodyIndex body) {
  double kept = 0;
  for (const BentPair* pair : attempt.island.bent_pairs)
    if (pair->a() == body) kept = std::max(kept, pair->kept_gap());
  return std::min(
      kept > 0 ? kept_fraction * kept / attempt.h : infinity,
      forces_fraction * bent.task + single_rounding * bent.before.colwise().norm().maxCoeff());
}

bool solve_problem(Attempt& attempt) {
  set_free_velocities(attempt);
  const double accuracy = accuracy_of(attempt);
  const double enough = std::max(accuracy, enough_for_proof(attempt));
  constexpr int most_refinements = 3;
  if (turns_too_far(attempt)) return false;
  const double closing = closing_rate(attempt);
  double first = 0, left = 0, open = 0;
  for (int round = 0; round < most_refinements; ++round) {
    if (round > 0) set_free_velocities(attempt);
    const law::StepSolution solution =
        law::solve(attempt.problem, std::max(accuracy, 1e-300), enough);
    attempt.account.statistics.sweeps += solution.sweeps;
    if (solution.exact) ++attempt.account.statistics.exact;
    if (!solution.solved) {
      ++attempt.account.statistics.unsolved;
      if (!attempt.problem.sheets.empty() || gains_energy(attempt)) {
        let_go(attempt);
        return false;
      }
    }
    for (std::size_t i = 0; i < attempt.island.slots.size(); ++i) {
      attempt.bodies[i].moved = attempt.bodies[i].drift = attempt.problem.bodies[i].velocity;
      if (!attempt.bodies[i].bent) continue;
      read_bent(attempt, static_cast<int>(i), attempt.problem);
      attempt.bodies[i].bent->moved = attempt.bodies[i].bent->drift;
    }
    if (turns_too_far(attempt)) return false;
    left = turn_middles(attempt);
    open = mend_joints(attempt);
    left = std::max(left, open);
    if (left <= accuracy && open <= closing) return true;
    if (round == 0) first = left;
  }
  return left < first && open <= closing;
}

}  // namespace abut::clock
