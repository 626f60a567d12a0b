#include "clock/bent_books.h"

#include <algorithm>

#include "clock/bent_joints.h"
#include "clock/bent_rows.h"
#include "clock/implicit_springs.h"
#include "clock/step_books.h"

namespace abut::clock {
namespace {

using flexible::Columns;

// Of what contacts do in this step and in the last one, that which they share: what they do
// steadily is told within a step, but not what strikes once.
Vec3 lasting_part(const Vec3& now, const Vec3& before) {
  if (!(now.dot(before) > 0)) return Vec3::Zero();
  return now.squaredNorm() < before.squaredNorm() ? now : before;
}

Columns lasting_parts(const Columns& now, const Columns& before) {
  Columns kept = Columns::Zero(3, now.cols());
  if (before.cols() != now.cols()) return kept;
  for (int k = 0; k < now.cols(); ++k) kept.col(k) = lasting_part(now.col(k), before.col(k));
  return kept;
}

Vec3 impulse_of(const Attempt& attempt, const HoldRows& mine) {
  const int first = attempt.problem.blocks[mine.block].first;
  return {attempt.problem.rows[first].impulse, attempt.problem.rows[first + 1].impulse,
          attempt.problem.rows[first + 2].impulse};
}

// Of the momenta that nodes got, what neither forces nor contacts, joints and springs gave them:
// where nodes are held what holds them, elsewhere what the solution is not exact by.
Columns unexplained(const Attempt& attempt, int place) {
  const SteppedBody& body = attempt.stepped(place);
  const AttemptBent& bent = *attempt.bodies[place].bent;
  Columns given = bent.matrix->times(bent.moved) - bent.pushed;
  for (const ContactRows& mine : attempt.contact_rows) {
    if (mine.pair < attempt.island.pairs.size()) continue;
    const StepContact& contact = attempt.contacts[mine.pair][mine.contact];
    const Vec3 impulse = impulse_of(attempt, mine);
    for (const int side : {0, 1})
      if (attempt.island.touching(mine.pair).bodies()[side] == body.index)
        flexible::add_force(contact.weights[side], side == 0 ? Vec3(-impulse) : impulse, given);
  }
  take_out_joints(attempt, body.index, given);
  take_out_springs(attempt, body.index, given);
  return given;
}

// What holds columns of a sheet to the world, or to bodies that do not yield.
void book_holds(const Attempt& attempt, int place, const Columns& given, integrate::Balance& book) {
  BentState& state = *attempt.stepped(place).bent;
  const AttemptBent& bent = *attempt.bodies[place].bent;
  const Columns& r = state.state.columns;
  state.hold_impulses.assign(state.bending->holds.size(), Vec3::Zero());
  state.hold_kick = attempt.bodies[place].kick;
  for (std::size_t i = 0; i < state.bending->holds.size(); ++i) {
    const int column = state.bending->holds[i].column;
    if (!bent.matrix->is_held(column)) continue;
    state.hold_impulses[i] = given.col(column);
    book.impulse += given.col(column);
    book.angular_impulse += Vec3(r.col(column)).cross(Vec3(given.col(column)));
    const double work = given.col(column).dot(bent.held.col(column));
    book.work += work;
    book.dissipated += work;
  }
  for (const HoldRows& mine : attempt.hold_rows)
    if (mine.place == place) state.hold_impulses[mine.hold] = impulse_of(attempt, mine);
}

}  // namespace

double bent_energy(const model::Model& model, const flexible::BendingBody& body,
                   const flexible::State& state) {
  return body.mass.kinetic_energy(state.rates) + body.elasticity->energy(state.columns) -
         body.mass.total() * model.gravity.dot(body.mass.centre(state.columns));
}

void fit_rigid(const body::Mass& mass, SteppedBody& body) {
  const flexible::BendingBody& bending = body.bent->body();
  const flexible::State& state = body.bent->state;
  const flexible::RigidFit fit = flexible::rigid_fit(bending, state);
  body.state.centre = fit.centre;
  body.state.attitude = (fit.rotation * mass.central.orientation).normalized();
  body.state.velocity = fit.velocity;
  body.state.angular_momentum =
      bending.mass.angular_momentum(state) - bending.mass.total() * fit.centre.cross(fit.velocity);
}

void accept_bent(Attempt& attempt, int place, bool touched) {
  SteppedBody& body = attempt.stepped(place);
  BentState& state = *body.bent;
  const AttemptBody& now = attempt.bodies[place];
  const AttemptBent& bent = *now.bent;
  BentPiece piece;
  piece.begin = attempt.t;
  piece.end = attempt.t + attempt.h;
  piece.start = state.state.columns;
  piece.drift = bent.drift;
  piece.rates = bent.moved;
  piece.acceleration = piece.driven = Columns::Zero(3, bent.moved.cols());
  if (now.kick > 0 && !now.is_stopped) {
    const Columns change = (bent.moved - bent.before) / now.kick;
    const Columns drive = drive_on(attempt, body.index) / now.kick;
    piece.acceleration = touched ? lasting_parts(change, state.last_change) : change;
    piece.driven = lasting_parts(drive, state.last_drive);
    state.last_change = change;
    state.last_drive = drive;
    if (bent.is_sheet()) state.free_change = (bent.free_rates - bent.before) / now.kick;
  }
  const flexible::State begin = piece.at(piece.begin), end = piece.at(piece.end);
  attempt.account.book.back().balance.dissipated +=
      bent_energy(attempt.model(), state.body(), state.end) -
      bent_energy(attempt.model(), state.body(), begin);
  BookEntry way;
  way.time = piece.end;  // up to there the frames tell it themselves
  way.balance.dissipated = bent_energy(attempt.model(), state.body(), begin) -
                           bent_energy(attempt.model(), state.body(), end);
  attempt.account.book.push_back(way);
  std::swap(attempt.account.book[attempt.account.book.size() - 2], attempt.account.book.back());
  state.touched = touched;
  state.state = {end.columns, bent.moved};
  state.end = end;
  state.pieces.push_back(std::move(piece));
  body.last_step = attempt.h;
  fit_rigid(attempt.model().bodies[body.index].mass, body);
}

void book_bent(const Attempt& attempt, int place, integrate::Balance& book) {
  const SteppedBody& body = attempt.stepped(place);
  BentState& state = *attempt.stepped(place).bent;
  const flexible::ColumnMass& mass = state.body().mass;
  const AttemptBody& now = attempt.bodies[place];
  const AttemptBent& bent = *now.bent;
  const Columns& r = state.state.columns;
  state.owed.resize(3, 0);
  if (now.is_stopped) {
    book.impulse += mass.momentum(bent.moved) - mass.momentum(bent.before);
    book.angular_impulse +=
        mass.angular_momentum({r, bent.moved}) - mass.angular_momentum({r, bent.before});
    return;
  }
  const Vec3 weight = now.kick * mass.total() * attempt.model().gravity;
  book.impulse += weight;
  book.angular_impulse += mass.centre(r).cross(weight);
  book.angular_impulse +=
      mass.angular_momentum({attempt.h * (bent.drift - bent.moved), bent.moved});
  book_pushes(bent, book);
  for (const impulse::OutsideImpulse& outside : attempt.island.outside_impulses) {
    if (outside.body != body.index) continue;
    const std::vector<flexible::ColumnWeight> at = weights_near(state.body(), r, outside.at);
    const double work = outside.impulse.dot(
        0.5 * (flexible::combined(at, bent.before) + flexible::combined(at, bent.moved)));
    book.impulse += outside.impulse;
    book.angular_impulse += flexible::combined(at, r).cross(outside.impulse);
    book.work += work;
    book.dissipated += work;
  }
  if (!bent.is_sheet()) return;
  const Columns given = unexplained(attempt, place);
  state.owed = -given;
  for (int k = 0; k < given.cols(); ++k)
    if (bent.matrix->is_held(k)) state.owed.col(k).setZero();
  if (!state.bending->holds.empty()) book_holds(attempt, place, given, book);
}

void book_bent_rows(const Attempt& attempt, integrate::Balance& book) {
  const auto push_rigid = [&](int place, const Vec3& arm, const Vec3& impulse) {
    const AttemptBody& now = attempt.bodies[place];
    if (now.is_stopped) return;
    const Vec3 turned = attempt.stepped(place).state.attitude * arm;
    book.dissipated -=
        impulse.dot(now.mean_velocity(attempt.h) + now.mean_spin(attempt.h).cross(turned));
  };
  for (const ContactRows& mine : attempt.contact_rows) {
    if (mine.pair < attempt.island.pairs.size()) continue;
    const BentPair& pair = *attempt.island.bent_pairs[mine.pair - attempt.island.pairs.size()];
    const StepContact& contact = attempt.contacts[mine.pair][mine.contact];
    const Vec3 impulse = impulse_of(attempt, mine);
    const int place = attempt.island.place_of(pair.b());
    const SteppedBody& body = attempt.stepped(attempt.island.place_of(pair.a()));
    const AttemptBent& bent = *attempt.bodies[attempt.island.place_of(pair.a())].bent;
    Vec3 slip = flexible::combined(contact.weights[0], bent.moved);
    if (place < 0) {
      const Vec3 at = flexible::combined(contact.weights[0], body.bent->state.columns);
      book.impulse += impulse;
      book.angular_impulse += at.cross(impulse);
      const Vec3 carried = attempt.side_of(pair.b()).velocity_at(contact.arms[1]);
      slip -= carried;
      book.work += impulse.dot(carried);
      book.dissipated += impulse.dot(carried);
    } else if (attempt.bodies[place].bent) {
      slip -= flexible::combined(contact.weights[1], attempt.bodies[place].bent->moved);
    } else {
      push_rigid(place, contact.arms[1], -impulse);
      slip -= attempt.side_of(pair.b()).velocity_at(contact.arms[1]);
    }
    const Vec3 friction = impulse - contact.normal.dot(impulse) * contact.normal;
    book.rubbed -= friction.dot(slip);
  }
  for (const HoldRows& mine : attempt.hold_rows) {
    const model::Bending& bending = *attempt.stepped(mine.place).bent->bending;
    const model::Hold& hold = bending.holds[mine.hold];
    const Side holder = attempt.side_of(hold.body);
    const Vec3 at = hold_place(attempt.model(), bending, hold, holder.pose);
    push_rigid(attempt.island.place_of(hold.body),
               holder.pose.orientation.conjugate() * (at - holder.pose.position),
               -impulse_of(attempt, mine));
  }
}

}  // namespace abut::clock
