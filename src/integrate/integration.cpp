#include "integrate/integration.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "integrate/effort.h"
#include "integrate/rest.h"
#include "integrate/row_watch.h"
#include "integrate/spring_events.h"

namespace abut::integrate {
namespace {

// Steps shorter than this, s, where slip is slow, are so because of it.
constexpr double short_step = 3 * force::creep_time;

// Integration errors leave held contacts with rates far below this, m/s, and this part of the
// fastest velocity (dimensionless), and so do places that go over a flat spot, whose energy is off
// by the third power of it: a faster one means that a contact's place or normal has jumped. On the
// flattest of spots the place is known no better than by a hundredth of that velocity; a step that
// cannot be shorter may leave so much.
constexpr double most_rate_removed = 1e-5;
constexpr double most_rate_fraction = 1e-4;
constexpr double most_rate_at_once = 1e-2;

// How often forces are shared out anew where a step begins, before something must give way.
constexpr int most_sharings = 8;

}  // namespace

Integration::Integration(Equations& equations, std::vector<ode::Piece>& pieces,
                         std::vector<double> switches, double end)
    : equations_(equations), pieces_(pieces), switches_(std::move(switches)), end_(end) {}

void Integration::begin(double t, ode::Vector y, Coordinates coordinates) {
  begin_ = t;
  cursor_.t = t;
  cursor_.y = std::move(y);
  coordinates_ = std::move(coordinates);
  restart();
}

bool Integration::is_smooth_at(double t) const {
  return !std::binary_search(switches_.begin(), switches_.end(), t);
}

void Integration::end_by(PathEventKind kind, int index) {
  event_ = PathEvent{cursor_.t, kind, index, false};
}

// The motion is not smooth here: forget what was extrapolated from before.
void Integration::restart() {
  const auto next = std::upper_bound(switches_.begin(), switches_.end(), cursor_.t);
  limit_ = next == switches_.end() ? end_ : std::min(*next, end_);
  // What begins where the run ends is told as what follows that instant.
  equations_.begin_smooth_motion(cursor_.t, cursor_.y, limit_ > cursor_.t ? limit_ : infinity);
  equations_.holding().hold_rates(cursor_.t, cursor_.y, infinity);
  evaluate_anew(cursor_);
}

void Integration::go_on(ode::Workspace& workspace) {
  if (cursor_.t >= limit_) {
    // What acts on contacts and joints has changed: whoever drives decides which of them last.
    if (!equations_.constraints().empty() && cursor_.t > begin_)
      return end_by(PathEventKind::shift);
    restart();
  }
  if (rests()) return;
  const ode::Cursor before = cursor_;
  const long tried_before = tried();
  ode::Piece piece;
  const ode::StepStatus status =
      ode::advance(equations_, cursor_, limit_, workspace, piece, statistics_);
  if (status != ode::StepStatus::accepted) {
    cursor_ = before;
    return fail(status);
  }
  accept(before, std::move(piece));
  if (!has_turned_since(before.t)) stiff_steps_ += tried() - tried_before;
  if (!event_ && is_dragging()) end_by(PathEventKind::drags);
}

bool Integration::has_turned_since(double t) const {
  const AppliedForces& applied = equations_.applied();
  for (int i = 0; i < applied.body_count(); ++i) {
    const body::RigidState state = body_in(cursor_.y, i);
    const Vec3 spin =
        body::angular_velocity(applied.mass(i), state.attitude, state.angular_momentum);
    if (spin.norm() * (cursor_.t - t) > little_turn) return true;
  }
  return false;
}

bool Integration::is_too_stiff() const {
  if (!model::may_step(equations_.model().solver)) return false;
  const Island& island = equations_.island();
  double rate = 0;
  for (const int force : island.forces)
    rate = std::max(rate, force_rate(equations_.model(), equations_.model().forces[force]));
  return rate / phase_of_step * effort_of_stiff_step(island.bodies.size()) > worthwhile_rate;
}

// Whether the motion has taken more work than all of the time it was followed for is worth.
bool Integration::is_dragging() const {
  if (!model::may_step(equations_.model().solver)) return false;
  if (is_too_stiff()) return true;
  const Island& island = equations_.island();
  const Effort taken =
      static_cast<double>(tried()) * effort_of_step(island.contacts.size()) +
      static_cast<double>(stiff_steps_) * effort_of_stiff_step(island.bodies.size());
  return taken > worthwhile_effort + worthwhile_rate * (cursor_.t - begin_);
}

// At rest everything stays as it is, the balance too: what is left of forces is rounding.
bool Integration::rests() {
  if (!is_at_rest(equations_, cursor_.t, cursor_.y)) return false;
  stop(equations_.island(), cursor_.y, cursor_.rate);
  ode::Piece piece;
  piece.begin = cursor_.t;
  piece.end = limit_;
  piece.coefficients = cursor_.y.replicate(1, ode::Piece::columns);
  cursor_.t = limit_;
  pieces_.push_back(std::move(piece));
  return true;
}

// A step is taken back where contacts stray from their gaps, to be tried shorter, and where an
// event lies within it, to be taken again up to there. A contact that was held without force, and
// would have to pull from the beginning, is no longer held.
void Integration::accept(const ode::Cursor& before, ode::Piece piece) {
  const double length = piece.end - piece.begin;
  const double halfway = piece.begin + 0.5 * length;
  const bool is_shortest = !(halfway > piece.begin && halfway < piece.end);
  const HeldGaps gaps =
      keeps_rates(is_shortest) ? held_gaps(equations_, piece, unproven_) : HeldGaps{false, {}};
  if (!gaps.are_kept || !joints_go_on(before, piece)) {
    cursor_ = before;
    cursor_.next_step = 0.5 * length;
    if (is_shortest) fail(ode::StepStatus::step_too_small);
    return;
  }
  // Up to an event that was found within a longer step there is no other.
  const bool is_known = pending_ && piece.end <= pending_->time;
  const std::optional<PathEvent> found =
      earlier(is_known ? std::nullopt : first_event(equations_, piece, coordinates_, begin_),
              first_spring_event(equations_, piece));
  if (found && found->kind == PathEventKind::release && found->time <= before.t &&
      equations_.rows().let_go(found->index)) {
    evaluate_anew(before);
    return;
  }
  if (found && found->changes.only_shares && shares_anew(*found, piece)) {
    evaluate_anew(before);
    cursor_.next_step = found->seen - before.t;
    return;
  }
  if (found && found->time < piece.end) {
    pending_ = found;
    follow_slip_to(found->time, piece);
    limit_ = std::max(found->time, before.t);
    cursor_ = before;
    if (limit_ <= before.t) reach_pending();
    return;
  }
  if (found) pending_ = found;
  keep(std::move(piece), gaps);
  look_what_is_due(length);
}

// On the way to an event slip has the direction that it is going to have there.
void Integration::keep(ode::Piece piece, const HeldGaps& gaps) {
  for (const UnprovenPair& pair : gaps.unproven) unproven_.emplace(pair.bodies, pair.from);
  coordinates_ = followed(equations_, piece.end, cursor_.y, coordinates_);
  pieces_.push_back(std::move(piece));
  if (!pending_)
    equations_.rows().follow_slip(cursor_.t, cursor_.y);
  else if (cursor_.t >= pending_->time)
    follow_slip_to(pending_->time, pieces_.back());
  sharings_ = 0;
}

void Integration::look_what_is_due(double length) {
  const double t = cursor_.t;
  const ode::Vector& y = cursor_.y;
  if (pending_ && t >= pending_->time) return reach_pending();
  const int creeping = length < short_step && t < limit_ ? creeping_contact(equations_, t, y) : -1;
  if (creeping >= 0)
    end_by(PathEventKind::creep, creeping);
  else if (implied_rows_awake(equations_, t, y) || prefers_other_rows(equations_, t, y))
    end_by(PathEventKind::shift);
}

// Where a path ends slip may have stopped: there it has the direction that it had while it could be
// told.
void Integration::follow_slip_to(double end, const ode::Piece& piece) {
  const double told = end - short_step;
  if (told <= piece.begin) return;
  ode::Vector y;
  piece.evaluate(told, y);
  equations_.rows().follow_slip(told, y);
}

bool Integration::keeps_rates(bool is_shortest) const {
  const double fraction = is_shortest ? most_rate_at_once : most_rate_fraction;
  return equations_.holding().rate_removed() <=
         most_rate_removed + fraction * equations_.applied().fastest(cursor_.y);
}

// Puts the cursor where `at` is, now that the forces there are others.
void Integration::evaluate_anew(const ode::Cursor& at) {
  const double t = at.t;
  const ode::Vector y = at.y;  // may be the cursor's own
  ode::restart(equations_, cursor_, t, y, statistics_);
}

// Forces that are not unique may reach the end of what is allowed though others are allowed. Where
// something slides the motion depends on which, and goes on with those allowed a little later.
bool Integration::shares_anew(const PathEvent& event, const ode::Piece& piece) {
  if (!is_end_of_force(event, equations_.constraints())) return false;
  if (!equations_.rows().modes().any_slides() || ++sharings_ > most_sharings) return false;
  ode::Vector y;
  piece.evaluate(event.seen, y);
  return equations_.rows().share_anew(event.seen, y, piece.begin);
}

// A spring that changes its phase concerns only the path itself.
void Integration::reach_pending() {
  if (pending_->kind != PathEventKind::turns) {
    event_ = pending_;
    return;
  }
  turn_spring(equations_, pending_->index, cursor_.t, cursor_.y);
  pending_.reset();
  restart();
}

// A joint that does not hold cannot follow the motion. Where bars come to stand in line rows depend
// on each other, and forces cannot be told: a step may lead across such a place, not end there.
bool Integration::joints_go_on(const ode::Cursor& before, const ode::Piece& piece) {
  if (equations_.constraints().joints().empty()) return true;
  if (!joints_hold(equations_, piece.end, cursor_.y)) return false;
  return piece.end >= limit_ ||
         independence(equations_, piece.end, cursor_.y) >= impulse::dependent_fraction ||
         independence(equations_, before.t, before.y) < impulse::dependent_fraction;
}

// What cannot be followed as a path can be stepped, but for what leads nowhere.
void Integration::fail(ode::StepStatus status) {
  const bool is_dead = status != ode::StepStatus::not_finite &&
                       independence(equations_, cursor_.t, cursor_.y) < poor_independence;
  if (status == ode::StepStatus::step_too_small && !is_dead &&
      model::may_step(equations_.model().solver))
    return end_by(PathEventKind::drags);
  constexpr std::size_t listed = 4;
  std::string names;
  const auto& bodies = equations_.island().bodies;
  for (std::size_t i = 0; i < std::min(listed, bodies.size()); ++i)
    names += (i ? ", " : "") + equations_.model().bodies[bodies[i]].name;
  if (bodies.size() > listed) names += fmt::format(" and {} more", bodies.size() - listed);
  const char* cause =
      "the step shrank to the resolution of time; a force is too stiff or not smooth there: "
      "raise solver.tolerance, or soften the force";
  if (status == ode::StepStatus::not_finite)
    cause = "the forces are not finite; look for overflowing stiffness, drag or formulas";
  else if (is_dead)
    cause =
        "the joints cannot follow: they have reached a dead centre, in which they do not tell how "
        "to go on, or a position beyond which they do not reach; give limits, or a motor of "
        "limited force, or other lengths";
  failure_ = fmt::format("cannot continue the motion of {}: {}", names, cause);
  end_by(PathEventKind::fails);
}

}  // namespace abut::integrate
