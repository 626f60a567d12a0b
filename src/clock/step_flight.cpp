#include "clock/step_flight.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "clock/bent_books.h"
#include "clock/bent_rows.h"

namespace abut::clock {
namespace {

using flexible::Columns;

// Bodies that vibrate faster than by this phase in a step (rad) are stepped also while nothing is
// near: to follow them would cost tens of steps in each.
constexpr double most_phase = 50;

// Of the kept gap (dimensionless): by how much the way of a vertex may leave the chord that is
// proven apart from everything.
constexpr double chord_part = 0.25;

// Chords in a step, beyond which it is not proven as a flight.
constexpr int most_chords = 64;

// Whether a body is alone and free, so that its equations of motion can be followed.
bool may_fly(const IslandMembers& island, double h) {
  if (island.slots.size() != 1 || !island.implicit_forces.empty() || !island.joints.empty())
    return false;
  const std::optional<BentState>& bent = island.body(0).bent;
  return bent && !bent->touched && !bent->body().is_sheet() &&
         bent->fastest_vibration * h <= most_phase;
}

// The chords of a flight that its vertices leave by no more than allowed (m), and by how much they
// do; empty if these would be too many.
std::vector<BentPiece> chords_of(const IslandMembers& island,
                                 const std::vector<std::shared_ptr<const BentFlight>>& flights,
                                 double allowed, double& leave) {
  const flexible::Boundary& boundary = island.body(0).bent->body().boundary;
  std::vector<BentPiece> chords;
  leave = 0;
  for (const auto& flight : flights) {
    const double begin = flight->piece.begin, length = flight->piece.end - begin;
    const double bend = flight->most_acceleration(boundary) * length * length / 8;
    const double parts = std::max(1.0, std::ceil(std::sqrt(bend / allowed)));
    if (!(static_cast<double>(chords.size()) + parts <= most_chords)) return {};
    leave = std::max(leave, bend / (parts * parts));
    for (int i = 0; i < static_cast<int>(parts); ++i) {
      BentPiece chord;
      chord.begin = begin + i / parts * length;
      chord.end =
          i + 1 == static_cast<int>(parts) ? flight->piece.end : begin + (i + 1) / parts * length;
      chord.flight = flight;
      chord.start = flight->at(chord.begin).columns;
      chord.drift = (flight->at(chord.end).columns - chord.start) / (chord.end - chord.begin);
      chords.push_back(std::move(chord));
    }
  }
  return chords;
}

// Whether nothing is met along a chord, which the way may leave by so much.
bool is_free(const IslandMembers& island, IslandAccount& account, const BentPiece& chord,
             double leave) {
  const flexible::BendingBody& body = island.body(0).bent->body();
  MovingSurface surface;
  surface.body = &body;
  body.boundary.places(chord.start, surface.places);
  body.boundary.places(chord.drift, surface.velocities);
  for (const BentPair* pair : island.bent_pairs) {
    const bool is_itself = pair->a() == pair->b();
    OtherSide other;
    if (is_itself)
      other.surface = &surface;
    else
      other.path = island.prescribed_path(pair->b(), chord.begin, chord.end);
    const BentPair::Proof proof = pair->prove(surface, other, chord.begin, chord.end - chord.begin,
                                              is_itself ? 2 * leave : leave);
    if (!proof.failures.empty()) return false;
    account.statistics.gap_bound = std::min(account.statistics.gap_bound, proof.gap_bound);
  }
  return flexible::inversion(body, chord.start).verdict != flexible::Inversion::inverted;
}

// The chords of a flight along which nothing is met: few, or such as are no farther from it than
// the kept gaps allow. Empty if there are none.
std::vector<BentPiece> free_chords(const IslandMembers& island, IslandAccount& account,
                                   const std::vector<std::shared_ptr<const BentFlight>>& flights) {
  double kept = infinity;
  for (const BentPair* pair : island.bent_pairs) kept = std::min(kept, pair->kept_gap());
  const IslandStatistics before = account.statistics;
  for (const double allowed : {infinity, chord_part * kept}) {
    double leave = 0;
    std::vector<BentPiece> chords = chords_of(island, flights, allowed, leave);
    if (std::all_of(chords.begin(), chords.end(),
                    [&](const BentPiece& chord) { return is_free(island, account, chord, leave); }))
      return chords;
    account.statistics = before;
  }
  return {};
}

// The body as it flies on from outside impulses: these change the rates at once, by f m^-1, and do
// work on their average.
flexible::State struck(const IslandMembers& island, const BentState& state, BodyIndex index,
                       integrate::Balance& book) {
  const flexible::BendingBody& body = state.body();
  flexible::State now = state.end;
  for (const impulse::OutsideImpulse& outside : island.outside_impulses) {
    if (outside.body != index) continue;
    const auto at = weights_near(body, now.columns, outside.at);
    Columns given = Columns::Zero(3, body.columns());
    flexible::add_force(at, outside.impulse, given);
    const Columns change = body.mass.divided(given);
    const double work =
        outside.impulse.dot(flexible::combined(at, Columns(now.rates + 0.5 * change)));
    now.rates += change;
    book.work += work;
    book.impulse += outside.impulse;
    book.angular_impulse += flexible::combined(at, now.columns).cross(outside.impulse);
  }
  return now;
}

}  // namespace

bool take_flight(const IslandMembers& island, IslandAccount& account, double t, double h) {
  if (!may_fly(island, h)) return false;
  SteppedBody& body = island.body(0);
  BentState& state = *body.bent;
  const flexible::ColumnMass& mass = state.body().mass;
  BookEntry caught_up;
  caught_up.time = t;
  const flexible::State start = struck(island, state, body.index, caught_up.balance);
  const auto flights = fly(state.body(), start, island.model().gravity,
                           island.model().solver.tolerance, t, h, state.flight_step);
  std::vector<BentPiece> chords = free_chords(island, account, flights);
  if (chords.empty()) return false;
  ++account.statistics.steps;
  // Where steps come before it, what is told of their end is what goes on.
  const Columns lag = state.end.rates - state.state.rates;
  caught_up.balance.impulse += mass.momentum(lag);
  caught_up.balance.angular_impulse += mass.angular_momentum({state.end.columns, lag});
  account.book.push_back(caught_up);
  for (BentPiece& chord : chords) {
    account.book.push_back(
        {chord.end, flight_balance(island.model(), state.body(), chord, chord.end)});
    state.pieces.push_back(std::move(chord));
  }
  state.state = state.end = flights.back()->at(t + h);
  state.last_change.resize(3, 0);
  body.last_step = 0;
  body.drive = island.model().gravity.norm();
  fit_rigid(island.model().bodies[body.index].mass, body);
  return true;
}

integrate::Balance flight_balance(const model::Model& model, const flexible::BendingBody& body,
                                  const BentPiece& piece, double t) {
  const flexible::State begin = piece.flight->at(piece.begin);
  const double s = t - piece.begin, m = body.mass.total();
  integrate::Balance balance;
  balance.dissipated = piece.flight->dissipated(t) - piece.flight->dissipated(piece.begin);
  balance.impulse = s * m * model.gravity;
  balance.angular_impulse =
      m * (s * body.mass.centre(begin.columns) + 0.5 * s * s * body.mass.centre(begin.rates))
              .cross(model.gravity);
  return balance;
}

}  // namespace abut::clock
