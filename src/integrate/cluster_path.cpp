#include "integrate/cluster_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/limits.h"
#include "base/stop.h"
#include "integrate/cluster_report.h"
#include "integrate/effort.h"
#include "integrate/rest.h"
#include "integrate/row_watch.h"

namespace abut::integrate {
namespace {

// Independence of the rows (dimensionless) below which a dead centre is taken to be the reason why
// a motion cannot be continued.
constexpr double dead_centre = 1e-3;

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

// Steps that are kept may take this much memory, bytes, and are at least and at most so many: a
// motion that needs more of them up to the next instant that is recorded is followed in portions.
constexpr std::size_t most_bytes_kept = 16'000'000;
constexpr std::size_t least_steps_kept = 16;
constexpr std::size_t most_steps_kept = 4096;

// How often forces are shared out anew where a step begins, before something must give way.
constexpr int most_sharings = 8;

}  // namespace

PathStart start_of(const model::Model& model, const Cluster& cluster) {
  PathStart start;
  for (const BodyIndex index : cluster.bodies) {
    const model::Body& body = model.bodies[index];
    const Pose central = body::central_from_body(body.mass, body.pose);
    start.states.push_back(
        {central.position, central.orientation, body.velocity,
         body::angular_momentum(body.mass, central.orientation, body.angular_velocity)});
  }
  start.coordinates.assign(cluster.joints.size(), 0);
  return start;
}

ClusterPath::ClusterPath(const model::Model& model, const Scripts& scripts, Cluster cluster,
                         const PathStart& start, std::vector<double> switches, double end)
    : model_(&model),
      equations_(model, scripts, std::move(cluster)),
      switches_(std::move(switches)),
      end_(end),
      begin_(start.time),
      first_(start.states),
      coordinates_(start.coordinates),
      carried_(start.carried),
      gaps_known_until_(start.time) {
  cursor_.t = start.time;
  cursor_.y = equations_.applied().state_vector(start.states);
  scratch_ = cursor_.y;
  restart();
}

double ClusterPath::next_limit() const {
  const auto next = std::upper_bound(switches_.begin(), switches_.end(), cursor_.t);
  return next == switches_.end() ? end_ : std::min(*next, end_);
}

// The motion is not smooth here: forget what was extrapolated from before.
void ClusterPath::restart() {
  limit_ = next_limit();
  equations_.begin_smooth_motion(cursor_.t, cursor_.y, limit_);
  equations_.holding().hold_rates(cursor_.t, cursor_.y, infinity);
  evaluate_anew(cursor_);
}

void ClusterPath::cover(double t, ode::Workspace& workspace) {
  while (cursor_.t < t && !event_ && !is_full()) {
    base::stop_if_wished();
    if (cursor_.t >= limit_) {
      // What acts on contacts and joints has changed: whoever drives decides which of them last.
      if (!equations_.constraints().empty() && cursor_.t > begin_) {
        event_ = PathEvent{cursor_.t, PathEventKind::shift, -1, false};
        return;
      }
      restart();
    }
    if (rests()) continue;
    const ode::Cursor before = cursor_;
    ode::Piece piece;
    const ode::StepStatus status =
        ode::advance(equations_, cursor_, limit_, workspace, piece, statistics_);
    if (status != ode::StepStatus::accepted) {
      cursor_ = before;
      return fail(status);
    }
    accept(before, std::move(piece));
    if (!event_ && is_dragging()) event_ = PathEvent{cursor_.t, PathEventKind::drags, -1, false};
  }
}

// Whether the motion has taken more work than all of the time it was followed for is worth.
bool ClusterPath::is_dragging() const {
  if (!model::may_step(model_->solver)) return false;
  const Effort taken = static_cast<double>(statistics_.accepted + statistics_.rejected) *
                       effort_of_step(cluster().contacts.size());
  return taken > worthwhile_effort + worthwhile_rate * (cursor_.t - begin_);
}

// At rest all but the balance stays as it is.
bool ClusterPath::rests() {
  if (!is_at_rest(equations_, cursor_.t, cursor_.y)) return false;
  stop(cluster(), cursor_.y, cursor_.rate);
  ode::Piece piece;
  piece.begin = cursor_.t;
  piece.end = limit_;
  piece.coefficients.resize(cursor_.y.size(), ode::Piece::columns);
  for (int i = 0; i < ode::Piece::columns; ++i)
    piece.coefficients.col(i) =
        cursor_.y + (limit_ - cursor_.t) * i / (ode::Piece::columns - 1) * cursor_.rate;
  cursor_.t = limit_;
  cursor_.y = piece.coefficients.col(ode::Piece::columns - 1);
  pieces_.push_back(std::move(piece));
  return true;
}

// A step is taken back where contacts stray from their gaps, to be tried shorter, and where an
// event lies within it, to be taken again up to there. A contact that was held without force, and
// would have to pull from the beginning, is no longer held.
void ClusterPath::accept(const ode::Cursor& before, ode::Piece piece) {
  const double length = piece.end - piece.begin;
  const double halfway = piece.begin + 0.5 * length;
  const bool is_shortest = !(halfway > piece.begin && halfway < piece.end);
  const HeldGaps gaps =
      keeps_rates(is_shortest) ? held_gaps(equations_, piece) : HeldGaps{false, {}};
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
  for (const UnprovenPair& pair : gaps.unproven) unproven_.emplace(pair.bodies, pair.from);
  coordinates_ = followed(equations_, piece.end, cursor_.y, coordinates_);
  pieces_.push_back(std::move(piece));
  follow_slip();
  sharings_ = 0;
  if (pending_ && cursor_.t >= pending_->time)
    reach_pending();
  else if (const int creeping = length < short_step && cursor_.t < limit_
                                    ? creeping_contact(equations_, cursor_.t, cursor_.y)
                                    : -1;
           creeping >= 0)
    event_ = PathEvent{cursor_.t, PathEventKind::creep, creeping, false};
  else if (implied_rows_awake(equations_, cursor_.t, cursor_.y) ||
           prefers_other_rows(equations_, cursor_.t, cursor_.y))
    event_ = PathEvent{cursor_.t, PathEventKind::shift, -1, false};
}

// On the way to an event slip has the direction that it is going to have there.
void ClusterPath::follow_slip() {
  if (!pending_)
    equations_.rows().follow_slip(cursor_.t, cursor_.y);
  else if (cursor_.t >= pending_->time)
    follow_slip_to(pending_->time, pieces_.back());
}

// Where a path ends slip may have stopped: there it has the direction that it had while it could be
// told.
void ClusterPath::follow_slip_to(double end, const ode::Piece& piece) {
  const double told = end - short_step;
  if (told <= piece.begin) return;
  piece.evaluate(told, scratch_);
  known_time_ = -1;
  equations_.rows().follow_slip(told, scratch_);
}

bool ClusterPath::keeps_rates(bool is_shortest) const {
  const double fraction = is_shortest ? most_rate_at_once : most_rate_fraction;
  return equations_.holding().rate_removed() <=
         most_rate_removed + fraction * equations_.applied().fastest(cursor_.y);
}

// Puts the cursor where `at` is, now that the forces there are others.
void ClusterPath::evaluate_anew(const ode::Cursor& at) {
  const double t = at.t;
  const ode::Vector y = at.y;  // may be the cursor's own
  ode::restart(equations_, cursor_, t, y, statistics_);
}

// Forces that are not unique may reach the end of what is allowed though others are allowed. Where
// something slides the motion depends on which, and goes on with those allowed a little later.
bool ClusterPath::shares_anew(const PathEvent& event, const ode::Piece& piece) {
  if (!is_end_of_force(event, equations_.constraints())) return false;
  if (!equations_.rows().modes().any_slides() || ++sharings_ > most_sharings) return false;
  piece.evaluate(event.seen, scratch_);
  known_time_ = -1;
  return equations_.rows().share_anew(event.seen, scratch_, piece.begin);
}

// A spring that changes its phase concerns only the path itself.
void ClusterPath::reach_pending() {
  if (pending_->kind != PathEventKind::turns) {
    event_ = pending_;
    return;
  }
  turn_spring(equations_, pending_->index, cursor_.t, cursor_.y);
  pending_.reset();
  restart();
}

std::vector<force::ContactSpring> ClusterPath::springs(double t) const {
  std::vector<force::ContactSpring> springs = cluster().springs;
  for (std::size_t i = 0; i < springs.size(); ++i)
    springs[i].phase = equations_.applied().springs().phase_at(static_cast<int>(i), t);
  return springs;
}

std::set<std::pair<BodyIndex, BodyIndex>> ClusterPath::unproven(double t) const {
  std::set<std::pair<BodyIndex, BodyIndex>> pairs;
  for (const auto& [pair, from] : unproven_)
    if (from < t) pairs.insert(pair);
  return pairs;
}

double ClusterPath::least_spring_gap(double t) {
  double least = std::numeric_limits<double>::infinity();
  for (const ode::Piece& piece : pieces_)
    least = std::min(
        least, least_gap_of_springs(equations_, piece, std::max(piece.begin, gaps_known_until_),
                                    std::min(piece.end, t)));
  gaps_known_until_ = std::max(gaps_known_until_, t);
  return least;
}

// A joint that does not hold cannot follow the motion. Where bars come to stand in line rows depend
// on each other, and forces cannot be told: a step may lead across such a place, not end there.
bool ClusterPath::joints_go_on(const ode::Cursor& before, const ode::Piece& piece) {
  if (equations_.constraints().joints().empty()) return true;
  if (!joints_hold(equations_, piece.end, cursor_.y)) return false;
  return piece.end >= limit_ ||
         independence(equations_, piece.end, cursor_.y) >= impulse::dependent_fraction ||
         independence(equations_, before.t, before.y) < impulse::dependent_fraction;
}

bool ClusterPath::is_full() const {
  const std::size_t bytes =
      static_cast<std::size_t>(cursor_.y.size()) * ode::Piece::columns * sizeof(double);
  return pieces_.size() >= std::clamp(most_bytes_kept / bytes, least_steps_kept, most_steps_kept);
}

void ClusterPath::forget_before(double t) {
  const auto keep = std::find_if(pieces_.begin(), pieces_.end(),
                                 [t](const ode::Piece& piece) { return piece.end > t; });
  pieces_.erase(pieces_.begin(), keep);
}

// What is told of a state in between satisfies contacts and joints as exactly as one at the end of
// a step.
const ode::Vector& ClusterPath::state_at(double t) {
  const auto piece = std::find_if(pieces_.begin(), pieces_.end(),
                                  [t](const ode::Piece& one) { return one.end > t; });
  if (piece == pieces_.end()) return cursor_.y;
  if (known_time_ == t) return scratch_;
  piece->evaluate(t, scratch_);
  if (!equations_.constraints().empty())
    equations_.project(piece->begin, piece->coefficients.col(0), t, scratch_);
  known_time_ = t;
  return scratch_;
}

body::RigidState ClusterPath::state_of(BodyIndex body, double t) {
  return body_in(state_at(t), slot_of(body));
}

Coordinates ClusterPath::coordinates(double t) {
  return followed(equations_, t, state_at(t), coordinates_);
}

void ClusterPath::take_snapshot(double t, motion::Side side, std::vector<BodyState>& bodies,
                                Snapshot& snapshot) {
  const ode::Vector& y = state_at(t);
  snapshot.contacts.clear();
  snapshot.joints.clear();
  write_states(equations_, t, side, y, bodies);
  report(equations_, t, side, y, snapshot.contacts, snapshot.joints);
  snapshot.balance = balance_of(t, y);
  snapshot.energy = energy(t, side);
  snapshot.momentum = momentum_of(equations_, y);
}

Energy ClusterPath::energy(double t, motion::Side side) {
  const ode::Vector& y = state_at(t);
  const Balance balance = balance_of(t, y);
  Energy energy = energy_at(equations_, t, side, y);
  energy.dissipated = balance.dissipated;
  energy.work = balance.work;
  return energy;
}

Balance ClusterPath::balance(double t) {
  return balance_of(t, state_at(t));
}

Balance ClusterPath::balance_of(double t, const ode::Vector& y) const {
  Balance total =
      equations_.applied().keeps_balance() ? equations_.applied().balance(y) : fallen(t);
  total += carried_;
  return total;
}

// Where only gravity acts, its impulse is known in closed form: m g s after s seconds, and about
// the origin the integral of c x m g, with c = c0 + v0 s + g s^2 / 2.
Balance ClusterPath::fallen(double t) const {
  Balance total;
  const double s = t - begin_;
  for (int i = 0; i < equations_.applied().body_count(); ++i) {
    const Vec3 weight = equations_.applied().mass(i).mass * model_->gravity;
    total.impulse += s * weight;
    total.angular_impulse +=
        (s * first_[i].centre + 0.5 * s * s * first_[i].velocity).cross(weight);
  }
  return total;
}

motion::BodyPath ClusterPath::body_path(BodyIndex body, int step) const {
  const ode::Piece& piece = pieces_[step];
  const auto rows = piece.coefficients.middleRows<7>(body_size * slot_of(body));
  return motion::BodyPath::moving(
      motion::PolynomialMotion(piece.begin, piece.end, rows.topRows<3>(), rows.bottomRows<4>()));
}

int ClusterPath::slot_of(BodyIndex body) const {
  const auto& bodies = cluster().bodies;
  return static_cast<int>(std::lower_bound(bodies.begin(), bodies.end(), body) - bodies.begin());
}

bool ClusterPath::depends_on(BodyIndex support) const {
  for (const force::ContactSpring& spring : cluster().springs)
    if (spring.contact.bodies[0] == support || spring.contact.bodies[1] == support) return true;
  const auto& supports = equations_.constraints().supports();
  return std::find(supports.begin(), supports.end(), support) != supports.end();
}

bool ClusterPath::is_tied_to(BodyIndex support) const {
  if (depends_on(support)) return true;
  return std::any_of(cluster().forces.begin(), cluster().forces.end(), [&](int index) {
    const auto* spring = std::get_if<model::Spring>(&model_->forces[index]);
    return spring != nullptr &&
           (spring->ends[0].body == support || spring->ends[1].body == support);
  });
}

bool ClusterPath::is_smooth_at(double t) const {
  return !std::binary_search(switches_.begin(), switches_.end(), t);
}

// Whether joints and contacts alone make steps short, as cables of which one more is taut than is
// needed do: what these do within a finite time is told by steps. Forces are stiff there too.
bool ClusterPath::is_stiff_by_constraints() const {
  return model::may_step(model_->solver) && cluster().forces.empty() && cluster().springs.empty() &&
         !equations_.constraints().empty();
}

void ClusterPath::fail(ode::StepStatus status) {
  const bool is_dead = status != ode::StepStatus::not_finite &&
                       independence(equations_, cursor_.t, cursor_.y) < dead_centre;
  if (status == ode::StepStatus::step_too_small && !is_dead && is_stiff_by_constraints()) {
    event_ = PathEvent{cursor_.t, PathEventKind::drags, -1, false};
    return;
  }
  constexpr std::size_t listed = 4;
  std::string names;
  const auto& bodies = cluster().bodies;
  for (std::size_t i = 0; i < std::min(listed, bodies.size()); ++i)
    names += (i ? ", " : "") + model_->bodies[bodies[i]].name;
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
  event_ = PathEvent{cursor_.t, PathEventKind::fails, -1, false};
}

}  // namespace abut::integrate
