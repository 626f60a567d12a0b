#include "clock/step_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "abut/diagnostics.h"
#include "base/limits.h"
#include "clock/bent_books.h"
#include "law/step_problem.h"

namespace abut::clock {
namespace {

// Of the contact distance (dimensionless): bodies that begin nearer are moved apart to twice that.
constexpr double start_gap = 0.2;
constexpr int start_rounds = 50;

// Of the kept gap (dimensionless): bodies that begin nearer than the first, which cannot be proven
// apart, are shifted to the second, as often as the third says at most.
constexpr double least_start = 1.5 * proven_lower, opened_start = 0.1;
constexpr int bent_start_rounds = 50;

MovingSurface resting_surface(const SteppedBody& body) {
  MovingSurface surface;
  surface.body = &body.bent->body();
  surface.body->boundary.places(body.bent->state.columns, surface.places);
  surface.velocities.assign(surface.places.size(), Vec3::Zero());
  return surface;
}

void add_start_row(const SteppedState& state, const broad::Pair& found, const StepContact& contact,
                   double wanted, law::StepProblem& mend) {
  law::StepBlock block;
  block.slots = {state.slot_of[found.a], state.slot_of[found.b]};
  block.upper = infinity;
  mend.begin_block(block);
  law::StepRow row;
  const auto arm = [&](BodyIndex body, int side) -> Vec3 {
    return state.motion_at(body, state.time).pose.orientation * contact.arms[side];
  };
  row.sides = {body::RowSide{contact.normal, arm(found.a, 0).cross(contact.normal)},
               body::RowSide{-contact.normal, -arm(found.b, 1).cross(contact.normal)}};
  row.bias = contact.gap - wanted;
  mend.rows.push_back(row);
}

}  // namespace

void begin_bent(const model::Model& all, SteppedBody& body) {
  const model::Body& model = all.bodies[body.index];
  BentState bent;
  bent.bending = &*model.bending;
  bent.state = bent.end = model.bending->initial;
  std::vector<bool> held(bent.body().columns(), false);
  for (const model::Hold& hold : model.bending->holds)
    if (hold.body == world || !all.bodies[hold.body].is_dynamic()) held[hold.column] = true;
  bent.matrix = std::make_shared<BentMatrix>(bent.body(), held);
  const flexible::Periods periods = flexible::natural_periods(bent.body());
  bent.fastest_vibration = periods.shortest > 0 ? 2 * std::numbers::pi / periods.shortest : 0;
  body.bent = std::move(bent);
  fit_rigid(model.mass, body);
}

void open_start_gaps(SteppedState& state, StepNeighbours& neighbours,
                     const std::vector<bool>& joins) {
  const double least = start_gap * state.model.solver.contact_distance;
  for (int round = 0; round < start_rounds; ++round) {
    neighbours.place_boxes(0, {});
    law::StepProblem mend;
    for (const SteppedBody& body : state.bodies)
      mend.bodies.push_back(
          {impulse::Inertia::of(state.model.bodies[body.index].mass, body.state.attitude), {}});
    bool is_any_short = false;
    const auto gap_of = [&](const broad::Pair& found) {
      return neighbours.pair_of(found).gap(state.motion_at(found.a, state.time).pose,
                                           state.motion_at(found.b, state.time).pose, 2 * least);
    };
    std::vector<broad::Pair> pairs = neighbours.pairs();
    std::erase_if(pairs, [&](const broad::Pair& found) { return state.bends(found); });
    if (round == 0 && std::none_of(pairs.begin(), pairs.end(), [&](const broad::Pair& found) {
          return (joins[found.a] || joins[found.b]) && gap_of(found) < least;
        }))
      return;
    for (const broad::Pair& found : pairs) {
      NearPair& pair = neighbours.pair_of(found);
      const Pose a = state.motion_at(found.a, state.time).pose,
                 b = state.motion_at(found.b, state.time).pose;
      const double gap = gap_of(found);
      if (gap >= 2 * least) continue;
      is_any_short = is_any_short || gap < least;
      for (const StepContact& contact : pair.contacts_found(a, b, 2 * least))
        add_start_row(state, found, contact, 2 * least, mend);
    }
    if (!is_any_short) return;
    law::solve(mend, 0.1 * least, 0.1 * least);
    for (std::size_t i = 0; i < state.bodies.size(); ++i) {
      const motion::SteadyMotion shift{0, 1, state.bodies[i].pose(), mend.bodies[i].velocity.linear,
                                       mend.bodies[i].velocity.angular};
      const Pose end = shift.pose(1);
      state.bodies[i].state.centre = end.position;
      state.bodies[i].state.attitude = end.orientation;
    }
  }
}

void open_bent_start_gaps(SteppedState& state, StepNeighbours& neighbours) {
  for (int round = 0; round < bent_start_rounds; ++round) {
    bool any = false;
    neighbours.place_boxes(0, {});
    for (const broad::Pair& found : neighbours.pairs()) {
      if (!state.bends(found)) continue;
      const BentPair& pair = neighbours.bent_pair_of(found);
      SteppedBody& body = state.bodies[state.slot_of[pair.a()]];
      const MovingSurface surface = resting_surface(body);
      MovingSurface other_surface;
      OtherSide other;
      if (state.model.bodies[pair.b()].bends()) {
        other_surface = resting_surface(state.bodies[state.slot_of[pair.b()]]);
        other.surface = &other_surface;
      } else {
        other.path = motion::BodyPath::resting(state.time, state.time,
                                               state.motion_at(pair.b(), state.time).pose);
      }
      const double kept = pair.kept_gap();
      const StepContact* nearest = nullptr;
      const std::vector<StepContact> contacts =
          pair.contacts_within(surface, other, state.time, least_start * kept);
      for (const StepContact& contact : contacts)
        if (nearest == nullptr || contact.gap < nearest->gap) nearest = &contact;
      if (nearest == nullptr) continue;
      if (nearest->gap < -state.model.solver.contact_distance)
        throw SimulationError(
            state.time,
            fmt::format("bodies {} and {} overlap; move one of them, or list the pair under "
                        "no_collide",
                        state.model.bodies[pair.a()].name, state.model.bodies[pair.b()].name));
      any = true;
      const Vec3 shift = (opened_start * kept - nearest->gap) * nearest->normal;
      body.bent->state.columns += shift * body.bent->body().mass.one().transpose();
      body.bent->end = body.bent->state;
      fit_rigid(state.model.bodies[body.index].mass, body);
    }
    if (!any) return;
  }
}

}  // namespace abut::clock
