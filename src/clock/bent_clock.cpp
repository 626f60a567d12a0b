// Bodies that bend among those that the step clock moves.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "abut/diagnostics.h"
#include "base/limits.h"
#include "clock/bent_books.h"
#include "clock/bent_joints.h"
#include "clock/bent_rows.h"
#include "clock/step_attempt.h"
#include "clock/step_clock.h"
#include "clock/step_flight.h"

namespace abut::clock {
namespace {

using flexible::Columns;

// Of the kept gap (dimensionless): bodies that begin nearer than the first, which cannot be proven
// apart, are shifted to the second, as often as the third says at most.
constexpr double least_start = 1.5 * proven_lower, opened_start = 0.1;
constexpr int bent_start_rounds = 50;

const BentPiece* bent_piece_at(const SteppedBody& body, double t) {
  for (const BentPiece& piece : body.bent->pieces)
    if (t <= piece.end) return &piece;
  return body.bent->pieces.empty() ? nullptr : &body.bent->pieces.back();
}

MovingSurface resting_surface(const SteppedBody& body) {
  MovingSurface surface;
  surface.body = &body.bent->body();
  surface.body->boundary.places(body.bent->state.columns, surface.places);
  surface.velocities.assign(surface.places.size(), Vec3::Zero());
  return surface;
}

}  // namespace

// Columns that a body holds which does not yield are given, and no unknowns.
void StepClock::begin_bent(SteppedBody& body) {
  const model::Body& model = model_.bodies[body.index];
  BentState state;
  state.bending = &*model.bending;
  state.state = state.end = model.bending->initial;
  std::vector<bool> held(state.body().columns(), false);
  for (const model::Hold& hold : model.bending->holds)
    if (hold.body == world || !model_.bodies[hold.body].is_dynamic()) held[hold.column] = true;
  state.matrix = std::make_shared<BentMatrix>(state.body(), held);
  const flexible::Periods periods = flexible::natural_periods(state.body());
  state.fastest_vibration = periods.shortest > 0 ? 2 * std::numbers::pi / periods.shortest : 0;
  body.bent = std::move(state);
  fit_rigid(model.mass, body);
}

bool StepClock::bends(const broad::Pair& pair) const {
  return model_.bodies[pair.a].bends() || model_.bodies[pair.b].bends();
}

BentPair& StepClock::bent_pair_of(const broad::Pair& found) {
  std::unique_ptr<BentPair>& pair = bent_pairs_[found];
  if (pair) return *pair;
  const bool first = model_.bodies[found.a].bends();
  const BodyIndex a = first ? found.a : found.b, b = first ? found.b : found.a;
  std::shared_ptr<const narrow::BodyShape> shape;
  if (!model_.bodies[b].bends()) shape = shape_of(b);
  pair = std::make_unique<BentPair>(model_, a, b, std::move(shape));
  return *pair;
}

// Those whose boxes meet, and every body that can be folded upon itself.
void StepClock::find_near_bent_pairs(const std::vector<broad::Pair>& all) {
  near_bent_.clear();
  std::map<broad::Pair, std::unique_ptr<BentPair>> kept;
  const auto keep = [&](const broad::Pair& found) {
    BentPair& pair = bent_pair_of(found);
    kept[found] = std::move(bent_pairs_[found]);
    const auto awake = [&](BodyIndex body) {
      return slot_of_[body] >= 0 && !bodies_[slot_of_[body]].asleep;
    };
    if (!awake(found.a) && !awake(found.b)) return;
    pair.steps.clear();
    near_bent_.push_back(&pair);
  };
  for (const broad::Pair& found : all)
    if (bends(found)) keep(found);
  for (const SteppedBody& body : bodies_)
    if (body.bent && body.bent->body().kind != flexible::Kind::affine)
      keep({body.index, body.index});
  bent_pairs_ = std::move(kept);
}

// Nothing can be proven of bodies without a gap: those that bend are shifted as a whole.
void StepClock::open_bent_start_gaps() {
  for (int round = 0; round < bent_start_rounds; ++round) {
    bool any = false;
    place_boxes(0, {});
    for (const broad::Pair& found : broad_.find_pairs()) {
      if (!bends(found)) continue;
      const BentPair& pair = bent_pair_of(found);
      SteppedBody& body = bodies_[slot_of_[pair.a()]];
      const MovingSurface surface = resting_surface(body);
      MovingSurface other_surface;
      OtherSide other;
      if (model_.bodies[pair.b()].bends()) {
        other_surface = resting_surface(bodies_[slot_of_[pair.b()]]);
        other.surface = &other_surface;
      } else {
        other.path = motion::BodyPath::resting(time_, time_, motion_at(pair.b(), time_).pose);
      }
      const double kept = pair.kept_gap();
      const StepContact* nearest = nullptr;
      const std::vector<StepContact> contacts =
          pair.contacts_within(surface, other, time_, least_start * kept);
      for (const StepContact& contact : contacts)
        if (nearest == nullptr || contact.gap < nearest->gap) nearest = &contact;
      if (nearest == nullptr) continue;
      if (nearest->gap < -model_.solver.contact_distance)
        throw SimulationError(
            time_, fmt::format("bodies {} and {} overlap; move one of them, or list the pair under "
                               "no_collide",
                               model_.bodies[pair.a()].name, model_.bodies[pair.b()].name));
      any = true;
      const Vec3 shift = (opened_start * kept - nearest->gap) * nearest->normal;
      body.bent->state.columns += shift * body.bent->body().mass.one().transpose();
      body.bent->end = body.bent->state;
      fit_rigid(model_.bodies[body.index].mass, body);
    }
    if (!any) return;
  }
}

geometry::Aabb StepClock::bent_box(const SteppedBody& body) const {
  std::vector<Vec3> places;
  body.bent->body().boundary.places(body.bent->state.columns, places);
  geometry::Aabb box;
  for (const Vec3& place : places) box = geometry::merged(box, {place, place});
  return geometry::inflated(box, body.bent->body().half_thickness);
}

double StepClock::fastest_point(const SteppedBody& body) const {
  std::vector<Vec3> rates;
  body.bent->body().boundary.places(body.bent->state.rates, rates);
  double fastest = 0;
  for (const Vec3& rate : rates) fastest = std::max(fastest, rate.norm());
  return fastest;
}

double StepClock::bent_way(const SteppedBody& body) const {
  double way = 0;
  std::vector<Vec3> rates;
  for (const BentPiece& piece : body.bent->pieces) {
    body.bent->body().boundary.places(piece.drift, rates);
    double fastest = 0;
    for (const Vec3& rate : rates) fastest = std::max(fastest, rate.norm());
    way += (piece.end - piece.begin) * fastest;
  }
  return way;
}

flexible::State StepClock::bent_state(const SteppedBody& body, double t) const {
  const BentPiece* piece = body.asleep ? nullptr : bent_piece_at(body, t);
  return piece != nullptr ? piece->at(t) : body.bent->state;
}

// A point of it, of which nothing else is asked for.
Vec3 StepClock::bent_place(const SteppedBody& body, flexible::Weights weights, double t) const {
  const BentPiece* piece = body.asleep ? nullptr : bent_piece_at(body, t);
  if (piece == nullptr) return flexible::combined(weights, body.bent->state.columns);
  if (piece->flight) return flexible::combined(weights, piece->at(t).columns);
  return flexible::combined(weights, piece->start) +
         (t - piece->begin) * flexible::combined(weights, piece->drift);
}

void StepClock::write_bending(double t, std::vector<flexible::State>& bending) const {
  bending.resize(model_.bodies.size());
  for (const SteppedBody& body : bodies_)
    if (body.bent) bending[body.index] = bent_state(body, t);
}

void StepClock::write_bent(const SteppedBody& body, double t, BodyState& state) const {
  const flexible::BendingBody& bending = body.bent->body();
  const body::Mass& mass = model_.bodies[body.index].mass;
  const flexible::RigidFit fit = flexible::rigid_fit(bending, bent_state(body, t));
  const Quat before = state.orientation;
  state.orientation = fit.rotation.normalized();
  if (state.orientation.coeffs().dot(before.coeffs()) < 0)
    state.orientation.coeffs() = -state.orientation.coeffs();
  state.centre_of_mass = fit.centre;
  state.position = fit.centre - state.orientation * mass.central.position;
  state.velocity = fit.velocity;
  state.angular_velocity = fit.angular_velocity;
  state.acceleration = state.angular_acceleration = Vec3::Zero();
}

namespace {

// How much momentum is in motion within a body that bends, whatever of it adds up to nothing: by
// Cauchy and Schwarz, with T the kinetic energy, c the centre of mass and v its velocity,
//     integral of rho |x'|          <= sqrt(m 2 T)
//     integral of rho |(x - c) x x'| <= sqrt(integral of rho |x - c|^2 (2 T - m v^2)),
// both with equality where it flies, or spins about the normal of its plane, as a whole.
integrate::Momentum momentum_of(const flexible::ColumnMass& mass, const flexible::State& state) {
  const Vec3 centre = mass.centre(state.columns);
  integrate::Momentum momentum;
  momentum.linear = mass.momentum(state.rates);
  momentum.angular = mass.angular_momentum(state);
  momentum.linear_scale = std::sqrt(mass.total() * 2 * mass.kinetic_energy(state.rates));
  const double spread = state.columns.cwiseProduct(mass.times(state.columns)).sum() -
                        mass.total() * centre.squaredNorm();
  const double inner =
      2 * mass.kinetic_energy(state.rates) - momentum.linear.squaredNorm() / mass.total();
  momentum.angular_scale = centre.norm() * momentum.linear_scale +
                           std::sqrt(std::max(0.0, spread) * std::max(0.0, inner));
  momentum.reach = centre.norm();
  return momentum;
}

}  // namespace

void StepClock::book_bent(const SteppedBody& body, double t, integrate::Snapshot& snapshot) const {
  const flexible::BendingBody& bending = body.bent->body();
  const flexible::State state = bent_state(body, t);
  const Vec3 centre = bending.mass.centre(state.columns);
  snapshot.momentum += momentum_of(bending.mass, state);
  snapshot.energy.kinetic += bending.mass.kinetic_energy(state.rates);
  snapshot.energy.elastic += bending.elasticity->energy(state.columns);
  snapshot.energy.potential -= bending.mass.total() * model_.gravity.dot(centre);
  const BentPiece* piece = body.asleep ? nullptr : bent_piece_at(body, t);
  if (piece == nullptr) return;
  if (piece->flight) {
    snapshot.balance += flight_balance(model_, bending, *piece, t);
    return;
  }
  // Rates that motors change between the kicks belong to work that they do there.
  const double driven = piece->drive_work(t);
  snapshot.balance.work += driven;
  snapshot.balance.dissipated += bent_energy(model_, bending, piece->at(piece->begin)) -
                                 bent_energy(model_, bending, state) + driven;
  const flexible::State more{state.columns, piece->since_middle(t) * piece->acceleration};
  snapshot.balance.impulse += bending.mass.momentum(more.rates);
  snapshot.balance.angular_impulse += bending.mass.angular_momentum(more);
}

body::RigidMotion StepClock::joint_motion_at(const joint::Joint& joint, int side, double t) const {
  const BodyIndex body = joint.bodies[side];
  if (body == world || !model_.bodies[body].bends()) return motion_at(body, t);
  return {carrier_pose(model_, joint, side, bent_state(bodies_[slot_of_[body]], t).columns)};
}

// Rates of rigid ends are those of their momentum.
SpringEnds StepClock::spring_ends(const model::Spring& spring, double t) const {
  SpringEnds ends;
  for (const int k : {0, 1}) {
    const auto& [body, point] = spring.ends[k];
    if (body != world && model_.bodies[body].bends()) {
      const flexible::State state = bent_state(bodies_[slot_of_[body]], t);
      const auto weights = flexible::weights_at(*model_.bodies[body].bending->body, point);
      ends.places[k] = flexible::combined(weights, state.columns);
      ends.velocities[k] = flexible::combined(weights, state.rates);
      continue;
    }
    if (contains(body)) {
      BodyState state;
      write_body(bodies_[slot_of_[body]], t, state);
      ends.places[k] = state.position + state.orientation * point;
      ends.velocities[k] = state.velocity + state.angular_velocity.cross(
                                                Vec3(ends.places[k] - state.centre_of_mass));
      continue;
    }
    const body::RigidMotion motion = motion_at(body, t);
    const Vec3 arm = motion.pose.orientation * point;
    ends.places[k] = motion.pose.position + arm;
    ends.velocities[k] = motion.velocity + motion.angular_velocity.cross(arm);
  }
  return ends;
}

// What acts on bodies that bend, and on those that hold them, besides contacts and joints.
void StepClock::push_bent(double t, const std::vector<BodyState>& bodies,
                          const integrate::Snapshot& snapshot, const Push& push) const {
  for (const int index : implicit_forces_) {
    const model::Force& force = model_.forces[index];
    if (const auto* spring = std::get_if<model::Spring>(&force)) {
      const SpringEnds ends = spring_ends(*spring, t);
      const Vec3 pull = spring_pull(*spring, ends);
      push(spring->ends[0].body, pull, ends.places[0], Vec3::Zero());
      push(spring->ends[1].body, -pull, ends.places[1], Vec3::Zero());
    } else if (const auto* drag = std::get_if<model::Drag>(&force)) {
      const BodyState& body = bodies[drag->body];
      const Vec3 against = body.velocity - drag->wind;
      push(drag->body, -(drag->linear + drag->quadratic * against.norm()) * against,
           body.centre_of_mass, -drag->angular * body.angular_velocity);
    } else if (const auto* constant = std::get_if<model::ConstantForce>(&force)) {
      const BodyState& body = bodies[constant->at.body];
      push(constant->at.body, constant->force, body.centre_of_mass, constant->torque);
    }
  }
  auto state =
      std::find_if(snapshot.joints.begin(), snapshot.joints.end(), [this](const JointState& joint) {
        return static_cast<std::size_t>(joint.joint) >= model_.joints.size();
      });
  for (const SteppedBody& body : bodies_) {
    if (!body.bent) continue;
    const Columns columns = bent_state(body, t).columns;
    for (const model::Hold& hold : body.bent->bending->holds) {
      const Vec3 at = columns.col(hold.column), force = (state++)->force;
      push(body.index, force, at, Vec3::Zero());
      push(hold.body, -force, at, Vec3::Zero());
    }
  }
}

// What springs and constant forces on bodies that bend hold.
Energy StepClock::bent_force_energy(double t) const {
  Energy energy;
  for (const int index : implicit_forces_) {
    if (const auto* spring = std::get_if<model::Spring>(&model_.forces[index]))
      energy.elastic += spring_energy(*spring, spring_ends(*spring, t));
    const auto* constant = std::get_if<model::ConstantForce>(&model_.forces[index]);
    if (constant == nullptr) continue;
    const flexible::State state = bent_state(bodies_[slot_of_[constant->at.body]], t);
    energy.potential -= constant->force.dot(flexible::combined(
        flexible::weights_at(*model_.bodies[constant->at.body].bending->body, constant->at.point),
        state.columns));
  }
  return energy;
}

// Nodes of sheets that are held are told as joints, numbered after those of the scene.
void StepClock::report_holds(double t, integrate::Snapshot& snapshot) const {
  auto number = static_cast<JointIndex>(model_.joints.size());
  for (const SteppedBody& body : bodies_) {
    if (!body.bent) continue;
    const std::vector<model::Hold>& holds = body.bent->bending->holds;
    const Columns columns = bent_state(body, t).columns;
    for (std::size_t i = 0; i < holds.size(); ++i) {
      JointState state;
      state.joint = number++;
      if (body.bent->hold_kick > 0)
        state.force = body.bent->hold_impulses[i] / body.bent->hold_kick;
      const Pose pose = holds[i].body == world ? Pose{} : motion_at(holds[i].body, t).pose;
      state.gap =
          (hold_place(model_, *body.bent->bending, holds[i], pose) - columns.col(holds[i].column))
              .norm();
      snapshot.joints.push_back(state);
    }
  }
}

Vec3 StepClock::contact_place(BodyIndex body, const Vec3& arm,
                              const std::vector<flexible::ColumnWeight>& weights, double t) const {
  if (!weights.empty()) return bent_place(bodies_[slot_of_[body]], weights, t);
  const Pose pose = motion_at(body, t).pose;
  return pose.position + pose.orientation * arm;
}

}  // namespace abut::clock
