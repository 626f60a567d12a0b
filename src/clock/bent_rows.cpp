#include "clock/bent_rows.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "abut/diagnostics.h"
#include "base/limits.h"
#include "clock/block_side.h"
#include "clock/implicit_springs.h"
#include "clock/step_solution.h"
#include "law/sheet_newton.h"
#include "toi/core.h"

namespace abut::clock {
namespace {

using flexible::Columns;
using flexible::ColumnWeight;
using law::StepBlock;
using law::StepRow;

// Of the accuracy of a step (dimensionless): that of free motion, from which contacts are looked
// for. Without contacts the step begins with it, and is solved as exactly as any.
constexpr double free_accuracy = 5;

void set_twist(law::StepBody& body, const Eigen::VectorXd& u, int slot) {
  body.velocity = {u.segment<3>(6 * slot), u.segment<3>(6 * slot + 3)};
}

// Rates if they go on to change as they did in the last step.
Columns expected_rates(const Columns& before, const Columns& change, double kick) {
  if (change.cols() != before.cols()) return before;
  return before + kick * change;
}

// What forces do to the nodes of a sheet that are not held, by their mass: the root of the mean
// square, m/s.
double mean_change(const AttemptBent& bent) {
  const flexible::ColumnMass& mass = bent.surface.body->mass;
  Columns change = mass.divided(bent.pushed) - bent.before;
  for (int k = 0; k < change.cols(); ++k)
    if (bent.matrix->is_held(k)) change.col(k).setZero();
  return std::sqrt(2 * mass.kinetic_energy(change) / mass.total());
}

// The weights of the difference of two points of one body.
std::vector<ColumnWeight> difference(std::vector<ColumnWeight> a,
                                     const std::vector<ColumnWeight>& b) {
  for (const ColumnWeight& weight : b) {
    const auto same = std::find_if(a.begin(), a.end(), [&](const ColumnWeight& other) {
      return other.column == weight.column;
    });
    if (same != a.end())
      same->weight -= weight.weight;
    else
      a.push_back({weight.column, -weight.weight});
  }
  return a;
}

// What the body does without impulses. That of a sheet is looked for from what is expected.
void find_free_rates(const Attempt& attempt, BodyIndex body, const Columns& expected,
                     AttemptBent& bent) {
  bent.momenta = bent.pushed;
  if (!bent.held.isZero(0)) bent.momenta -= bent.matrix->times(bent.held);
  if (!bent.is_sheet()) {
    bent.free = bent.matrix->scaled(bent.momenta);
    bent.free_rates = bent.matrix->rates(bent.free) + bent.held;
    return;
  }
  math::NodeVector momenta(bent.momenta.cols()), v(bent.momenta.cols());
  for (int k = 0; k < bent.momenta.cols(); ++k) {
    if (bent.matrix->is_held(k)) bent.momenta.col(k).setZero();
    momenta[k] = math::quad(bent.momenta.col(k));
    v[k] = math::quad(bent.matrix->is_held(k) ? Vec3(Vec3::Zero()) : Vec3(expected.col(k)));
  }
  law::solve_sheet(bent.matrix->nodes(), bent.surface.body->mass.total(),
                   free_accuracy * sheet_accuracy(attempt, bent, body), momenta, v);
  bent.free_rates = bent.held;
  for (int k = 0; k < bent.momenta.cols(); ++k) bent.free_rates.col(k) += v[k].head<3>();
}

OtherSide other_side(const Attempt& attempt, BodyIndex body) {
  const int place = attempt.island.place_of(body);
  OtherSide other;
  if (place >= 0 && attempt.bodies[place].bent)
    other.surface = &attempt.bodies[place].bent->surface;
  else
    other.path = attempt.path_of(body);
  return other;
}

// How the two sides of a contact move apart.
Vec3 drift_between(const Attempt& attempt, const BentPair& pair, const StepContact& contact) {
  const Vec3 of_a = flexible::combined(
      contact.weights[0], attempt.bodies[attempt.island.place_of(pair.a())].bent->drift);
  const int place = attempt.island.place_of(pair.b());
  if (place >= 0 && attempt.bodies[place].bent)
    return of_a - flexible::combined(contact.weights[1], attempt.bodies[place].bent->drift);
  return of_a - attempt.side_of(pair.b()).drift_at(contact.arms[1]);
}

}  // namespace

void AttemptBent::follow_drift() {
  surface.body->boundary.places(drift, surface.velocities);
}

void AttemptBent::stop() {
  moved = drift = held;
  follow_drift();
}

std::vector<ColumnWeight> weights_near(const flexible::BendingBody& body, const Columns& columns,
                                       const Vec3& x) {
  Vec3 p;
  if (!body.is_sheet() && flexible::material_point(body, columns, x, p))
    return flexible::weights_at(body.kind, p);
  std::vector<Vec3> places;
  body.boundary.places(columns, places);
  const auto nearest = std::min_element(
      places.begin(), places.end(),
      [&](const Vec3& a, const Vec3& b) { return (a - x).squaredNorm() < (b - x).squaredNorm(); });
  const flexible::Weights weights =
      body.boundary.weights(static_cast<int>(nearest - places.begin()));
  return {weights.begin(), weights.end()};
}

void set_free(const AttemptBody& body, int place, law::StepProblem& problem) {
  const AttemptBent& bent = *body.bent;
  if (bent.is_sheet()) {
    // What contacts let the nodes do before is nearer to what they will than free motion is.
    const Columns& guess = problem.blocks.empty() ? bent.free_rates : bent.before;
    for (int k = 0; k < bent.held.cols(); ++k) {
      problem.node_velocities[bent.first_node + k] =
          bent.matrix->is_held(k) ? Vec3(Vec3::Zero()) : Vec3(guess.col(k));
      problem.node_momenta[bent.first_node + k] = bent.momenta.col(k);
    }
    return;
  }
  for (int slot = 0; slot < bent.matrix->slots(); ++slot)
    set_twist(problem.bodies[bent.slot(place, slot)], bent.free, slot);
}

Vec3 hold_place(const model::Model& model, const model::Bending& bending, const model::Hold& hold,
                const Pose& motion_pose) {
  Vec3 start = bending.initial.columns.col(hold.column);
  if (hold.body == world) return start;
  const model::Body& body = model.bodies[hold.body];
  const Vec3 local = body.pose.orientation.conjugate() * (start - body.pose.position);
  const Pose pose = toi::body_pose(body, motion_pose);
  return pose.position + pose.orientation * local;
}

void predict_bent(Attempt& attempt, int place) {
  const model::Model& model = attempt.model();
  SteppedBody& body = attempt.stepped(place);
  BentState& state = *body.bent;
  const flexible::BendingBody& bending = state.body();
  AttemptBody& now = attempt.bodies[place];
  now.inertia = {1, Mat3::Identity()};
  now.bent = std::make_shared<AttemptBent>();
  AttemptBent& bent = *now.bent;
  bent.matrix = state.matrix.get();
  bent.before = state.state.rates;
  const Columns& r = state.state.columns;
  const double h = attempt.h, kick = now.kick;

  bent.held = Columns::Zero(3, r.cols());
  for (const model::Hold& hold : state.bending->holds) {
    if (!bent.matrix->is_held(hold.column)) continue;
    const Pose pose =
        hold.body == world ? Pose{} : attempt.island.prescribed_pose(hold.body, attempt.t + h);
    bent.held.col(hold.column) =
        (hold_place(model, *state.bending, hold, pose) - r.col(hold.column)) / h;
  }

  const double damped = damped_part(state.fastest_vibration, h);
  const double a = 0.25 + 0.75 * damped, b = -0.25 * (1 - damped);
  if (!bent.matrix->assemble(r, kick * a * h, kick))
    throw SimulationError(attempt.t, fmt::format("the elastic forces of body {} are not finite any "
                                                 "more",
                                                 model.bodies[body.index].name));
  Columns force = Columns::Zero(3, r.cols());
  bending.elasticity->add_force(r, force);
  // Turning as a whole is no deformation: what the stiffness makes of it would slow it down.
  const flexible::RigidFit fit = flexible::rigid_fit(bending, state.state);
  const Columns turning = flexible::rigid_rates(bending, r, fit.velocity, fit.angular_velocity);
  force += h * bent.matrix->stiffness_times((a + b) * turning - b * bent.before);
  force += model.gravity * bending.mass.share().transpose();
  bent.pushed = bending.mass.times(bent.before) + kick * force;
  // Steps are solved to an accuracy; what adds up from step to step is exact.
  if (state.owed.cols() == r.cols()) bent.pushed += state.owed;
  add_pushes_on(attempt, place);
  for (const impulse::OutsideImpulse& outside : attempt.island.outside_impulses)
    if (outside.body == body.index)
      flexible::add_force(weights_near(bending, r, outside.at), outside.impulse, bent.pushed);
  bent.surface.body = &bending;
  if (bent.is_sheet()) bent.task = std::max(kick * model.gravity.norm(), mean_change(bent));
  find_free_rates(attempt, body.index, expected_rates(bent.before, state.free_change, kick), bent);
  bent.moved = bent.drift = bent.free_rates;

  now.force = bending.mass.total() * model.gravity;
  bending.boundary.places(r, bent.surface.places);
  bent.follow_drift();
  // What sweeps may leave is measured by the weight, and without it by what comes of elasticity.
  body.drive =
      std::max(model.gravity.norm(),
               kick > 0 ? bending.mass.centre(bent.moved - bent.before).norm() / kick : 0.0);
}

void read_bent(Attempt& attempt, int place, const law::StepProblem& problem) {
  AttemptBent& bent = *attempt.bodies[place].bent;
  if (bent.is_sheet()) {
    for (int k = 0; k < bent.held.cols(); ++k)
      bent.drift.col(k) = problem.node_velocities[bent.first_node + k] + bent.held.col(k);
    bent.follow_drift();
    return;
  }
  Eigen::VectorXd u(6 * bent.matrix->slots());
  for (int slot = 0; slot < bent.matrix->slots(); ++slot) {
    const impulse::Twist& twist = problem.bodies[bent.slot(place, slot)].velocity;
    u.segment<3>(6 * slot) = twist.linear;
    u.segment<3>(6 * slot + 3) = twist.angular;
  }
  bent.drift = bent.matrix->rates(u) + bent.held;
  bent.follow_drift();
}

void collect_bent_contacts(Attempt& attempt) {
  for (std::size_t p = attempt.island.pairs.size(); p < attempt.island.pair_count(); ++p) {
    const BentPair& pair = *attempt.island.bent_pairs[p - attempt.island.pairs.size()];
    const AttemptBody& a = attempt.bodies[attempt.island.place_of(pair.a())];
    attempt.contacts[p] =
        pair.contacts(a.bent->surface, other_side(attempt, pair.b()), attempt.t, attempt.h, a.kick);
  }
}

void add_bent_contact(Attempt& attempt, std::size_t p, std::size_t c) {
  const BentPair& pair = *attempt.island.bent_pairs[p - attempt.island.pairs.size()];
  const StepContact& contact = attempt.contacts[p][c];
  const Vec3& n = contact.normal;
  const Vec3 first = n.unitOrthogonal();
  const std::array<Vec3, 3> axes = {n, first, n.cross(first)};
  std::array<PointSide, 2> sides = {
      point_side(attempt, pair.a(), contact.arms[0], contact.weights[0], 1),
      point_side(attempt, pair.b(), contact.arms[1], contact.weights[1], -1)};
  if (pair.a() == pair.b()) {
    sides[0].weights = difference(contact.weights[0], contact.weights[1]);
    sides[1] = {};
  }
  StepBlock block;
  const double friction = contact.slides ? contact.law.friction.dynamic_coefficient
                                         : contact.law.friction.static_coefficient;
  block.kind = friction > 0 ? StepBlock::Kind::contact : StepBlock::Kind::bounded;
  block.rows = friction > 0 ? 3 : 1;
  block.friction = friction;
  block.upper = infinity;
  const int index = append_point_block(attempt, block, axes, sides);
  const int row = attempt.problem.blocks[index].first;
  attempt.contact_rows.push_back({p, c, index, attempt.problem.rows[row].bias});
  for (int i = 0; i < block.rows; ++i)
    attempt.problem.rows[row + i].impulse = axes[i].dot(contact.impulse);
  StepRow& normal = attempt.problem.rows[row];
  normal.impulse = std::max(normal.impulse, 0.0);
  const double kept = pair.kept_gap();
  if (contact.found_late)
    normal.bias += std::max(0.0, contact.gap - late_fraction * kept) / contact.within;
  else if (contact.gap > kept)
    normal.bias += (contact.gap - kept) / attempt.h;
}

void add_holds(Attempt& attempt, int place) {
  const SteppedBody& body = attempt.stepped(place);
  const model::Bending& bending = *body.bent->bending;
  for (std::size_t i = 0; i < bending.holds.size(); ++i) {
    const model::Hold& hold = bending.holds[i];
    if (attempt.bodies[place].bent->matrix->is_held(hold.column)) continue;
    const Side holder = attempt.side_of(hold.body);
    const Vec3 at = hold_place(attempt.model(), bending, hold, holder.pose);
    const Vec3 arm = holder.pose.orientation.conjugate() * (at - holder.pose.position);
    const std::array<Vec3, 3> axes = {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
    StepBlock block;
    block.kind = StepBlock::Kind::equality;
    block.rows = 3;
    const int index =
        append_point_block(attempt, block, axes,
                           {point_side(attempt, body.index, Vec3::Zero(), {{hold.column, 1.0}}, 1),
                            point_side(attempt, hold.body, arm, {}, -1)});
    const Vec3 open = (body.bent->state.columns.col(hold.column) - at) / attempt.h;
    for (int k = 0; k < 3; ++k)
      attempt.problem.rows[attempt.problem.blocks[index].first + k].bias += open[k];
    attempt.hold_rows.push_back({place, static_cast<int>(i), index});
  }
}

void prove_bent(Attempt& attempt, std::vector<Failure>& failures) {
  for (std::size_t p = attempt.island.pairs.size(); p < attempt.island.pair_count(); ++p) {
    const BentPair& pair = *attempt.island.bent_pairs[p - attempt.island.pairs.size()];
    const BentPair::Proof proof =
        pair.prove(attempt.bodies[attempt.island.place_of(pair.a())].bent->surface,
                   other_side(attempt, pair.b()), attempt.t, attempt.h);
    attempt.gap_bound = std::min(attempt.gap_bound, proof.gap_bound);
    for (const BentPair::Approach& approach : proof.failures)
      failures.push_back({p, attempt.t + approach.time, approach});
  }
}

// As for rigid bodies: the gap where the step begins is the one that the motion tried would have
// brought down to what was found.
void add_late_bent_contacts(Attempt& attempt, const Failure& failure) {
  const BentPair& pair = *attempt.island.bent_pairs[failure.pair - attempt.island.pairs.size()];
  const AttemptBent& a = *attempt.bodies[attempt.island.place_of(pair.a())].bent;
  const OtherSide other = other_side(attempt, pair.b());
  const double s = std::max(failure.approach.time, attempt.island.shortest);
  ++attempt.account.statistics.added;
  for (StepContact contact : pair.contacts_at(a.surface, other, attempt.t, failure.approach)) {
    const Vec3 velocity = drift_between(attempt, pair, contact);
    contact.gap -= failure.approach.time * contact.normal.dot(velocity);
    contact.within = s;
    contact.found_late = true;
    std::vector<StepContact>& contacts = attempt.contacts[failure.pair];
    const auto same = std::find_if(contacts.begin(), contacts.end(), [&](const StepContact& one) {
      return one.label == contact.label;
    });
    if (same != contacts.end())
      *same = contact;
    else
      contacts.push_back(contact);
  }
}

bool is_inside_out(const Attempt& attempt) {
  for (std::size_t i = 0; i < attempt.island.slots.size(); ++i) {
    if (!attempt.bodies[i].bent) continue;
    const SteppedBody& body = attempt.stepped(i);
    const Columns end = body.bent->state.columns + attempt.h * attempt.bodies[i].bent->drift;
    if (flexible::inversion(body.bent->body(), end).verdict != flexible::Inversion::inverted)
      continue;
    if (attempt.h > attempt.island.shortest) return true;
    throw SimulationError(attempt.t,
                          fmt::format("body {} is turned inside out; it is too soft for what "
                                      "presses on it",
                                      attempt.model().bodies[body.index].name));
  }
  return false;
}

}  // namespace abut::clock
