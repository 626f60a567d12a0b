#include "clock/bent_flight.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/limits.h"
#include "clock/step_attempt.h"

namespace abut::clock {
namespace {

using flexible::Columns;

// Errors are allowed the tolerance of the way of a step, and this fraction of it of the body's size
// (dimensionless): vibrations may be small.
constexpr double rest_fraction = 1e-6;

// Places cannot be told more exactly than this, relative to themselves (dimensionless).
constexpr double place_rounding = 8 * std::numeric_limits<double>::epsilon();

// Bodies that vibrate faster than by this phase in a step (rad) are stepped also while nothing is
// near: to follow them would cost tens of steps in each.
constexpr double most_phase = 50;

// Of the kept gap (dimensionless): by how much the way of a vertex may leave the chord that is
// proven apart from everything.
constexpr double chord_part = 0.25;

// Chords in a step, beyond which it is not proven as a flight.
constexpr int most_chords = 64;

class FreeMotion final : public ode::System {
 public:
  FreeMotion(const flexible::BendingBody& body, const Vec3& gravity, double tolerance)
      : body_(body), gravity_(gravity), tolerance_(tolerance), reach_(body.columns()) {
    reach_.setZero();
    for (int v = 0; v < body.boundary.vertex_count(); ++v)
      for (const flexible::ColumnWeight& w : body.boundary.weights(v))
        reach_[w.column] = std::max(reach_[w.column], std::abs(w.weight));
  }

  int dimension() const override { return 6 * body_.columns() + 1; }

  void derivative(double /*t*/, const ode::Vector& y, ode::Vector& rate) override {
    const int n = body_.columns();
    const flexible::State state = {columns_in(y, 0), columns_in(y, n)};
    Columns force = gravity_ * body_.mass.share().transpose();
    body_.elasticity->add_force(state.columns, force);
    body_.elasticity->add_damping(state, force);
    Eigen::Map<Columns>(rate.data(), 3, n) = state.rates;
    Eigen::Map<Columns>(rate.data() + 3 * n, 3, n) = body_.mass.divided(force);
    rate[6 * n] = body_.elasticity->dissipation(state);
  }

  // Against the way of the farthest points, as for rigid bodies.
  double error_norm(const ode::Vector& y0, const ode::Vector& y1, const ode::Vector& error,
                    double h) const override {
    const int n = body_.columns();
    const double way = h * std::max(size(columns_in(y0, n)), size(columns_in(y1, n)));
    const double unit = tolerance_ * (way + rest_fraction * body_.extent) +
                        place_rounding * size(columns_in(y1, 0));
    const double worst =
        std::max(size(columns_in(error, 0)), h * size(columns_in(error, n))) / unit;
    return worst < infinity ? worst : infinity;
  }

 private:
  Columns columns_in(const ode::Vector& y, int first) const {
    return Eigen::Map<const Columns>(y.data() + 3 * first, 3, body_.columns());
  }
  // No vertex is farther from the origin than this.
  double size(const Columns& columns) const {
    return (columns.colwise().norm() * reach_.asDiagonal()).sum();
  }

  const flexible::BendingBody& body_;
  const Vec3 gravity_;
  const double tolerance_;
  Eigen::VectorXd reach_;  // by column: the largest weight that a vertex has of it
};

}  // namespace

flexible::State BentFlight::at(double t) const {
  ode::Vector y;
  piece.evaluate(t, y);
  return {Eigen::Map<const Columns>(y.data(), 3, columns),
          Eigen::Map<const Columns>(y.data() + 3 * columns, 3, columns)};
}

double BentFlight::dissipated(double t) const {
  ode::Vector y;
  piece.evaluate(t, y);
  return y[6 * columns];
}

// The second derivative of a polynomial in Bernstein form of degree n lies within the hull of
// n (n - 1) times the second differences of its coefficients, over the square of the time.
double BentFlight::most_acceleration(const flexible::Boundary& boundary) const {
  constexpr int degree = ode::Piece::columns - 1;
  const double scale = degree * (degree - 1) / std::pow(piece.end - piece.begin, 2);
  double most = 0;
  std::vector<Vec3> vertices;
  for (int i = 0; i + 2 <= degree; ++i) {
    const Eigen::VectorXd second = piece.coefficients.col(i + 2) -
                                   2 * piece.coefficients.col(i + 1) + piece.coefficients.col(i);
    boundary.places(Eigen::Map<const Columns>(second.data(), 3, columns), vertices);
    for (const Vec3& vertex : vertices) most = std::max(most, scale * vertex.norm());
  }
  return most;
}

std::vector<std::shared_ptr<const BentFlight>> fly(const flexible::BendingBody& body,
                                                   const flexible::State& start,
                                                   const Vec3& gravity, double tolerance, double t,
                                                   double h, double& step) {
  FreeMotion motion(body, gravity, tolerance);
  const int n = body.columns();
  ode::Vector y(motion.dimension());
  y << Eigen::Map<const Eigen::VectorXd>(start.columns.data(), 3 * n),
      Eigen::Map<const Eigen::VectorXd>(start.rates.data(), 3 * n), 0;
  ode::Cursor cursor;
  cursor.next_step = step;
  ode::Workspace workspace;
  workspace.resize(motion.dimension());
  ode::StepStatistics statistics;
  ode::restart(motion, cursor, t, y, statistics);
  std::vector<std::shared_ptr<const BentFlight>> flights;
  while (cursor.t < t + h) {
    BentFlight flight;
    flight.columns = n;
    if (ode::advance(motion, cursor, t + h, workspace, flight.piece, statistics) !=
        ode::StepStatus::accepted)
      return {};
    flights.push_back(std::make_shared<const BentFlight>(std::move(flight)));
  }
  step = cursor.next_step;
  return flights;
}

// Whether a body is alone and free, so that its equations of motion can be followed.
bool StepIsland::may_fly(double h) const {
  if (slots_.size() != 1 || !outside_impulses_.empty() || !implicit_forces_.empty() ||
      !joints_.empty())
    return false;
  const std::optional<BentState>& bent = scene_.bodies[slots_[0]].bent;
  return bent && !bent->touched && !bent->body().is_sheet() &&
         bent->fastest_vibration * h <= most_phase;
}

// The chords of a flight that its vertices leave by no more than allowed (m), and by how much they
// do; empty if these would be too many.
std::vector<BentPiece> StepIsland::chords_of(
    const std::vector<std::shared_ptr<const BentFlight>>& flights, double allowed,
    double& leave) const {
  const flexible::Boundary& boundary = scene_.bodies[slots_[0]].bent->body().boundary;
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
bool StepIsland::is_free(const BentPiece& chord, double leave) {
  const flexible::BendingBody& body = scene_.bodies[slots_[0]].bent->body();
  MovingSurface surface;
  surface.body = &body;
  body.boundary.places(chord.start, surface.places);
  body.boundary.places(chord.drift, surface.velocities);
  for (const BentPair* pair : bent_pairs_) {
    Attempt nobody_else;
    nobody_else.t = chord.begin;
    nobody_else.h = chord.end - chord.begin;
    const bool is_itself = pair->a() == pair->b();
    OtherSide other;
    if (is_itself)
      other.surface = &surface;
    else
      other.path = path_of(nobody_else, pair->b());
    const BentPair::Proof proof =
        pair->prove(surface, other, chord.begin, nobody_else.h, is_itself ? 2 * leave : leave);
    if (!proof.failures.empty()) return false;
    statistics_.gap_bound = std::min(statistics_.gap_bound, proof.gap_bound);
  }
  return flexible::inversion(body, chord.start).verdict != flexible::Inversion::inverted;
}

// The chords of a flight along which nothing is met: few, or such as are no farther from it than
// the kept gaps allow. Empty if there are none.
std::vector<BentPiece> StepIsland::free_chords(
    const std::vector<std::shared_ptr<const BentFlight>>& flights) {
  double kept = infinity;
  for (const BentPair* pair : bent_pairs_) kept = std::min(kept, pair->kept_gap());
  const IslandStatistics before = statistics_;
  for (const double allowed : {infinity, chord_part * kept}) {
    double leave = 0;
    std::vector<BentPiece> chords = chords_of(flights, allowed, leave);
    if (std::all_of(chords.begin(), chords.end(),
                    [&](const BentPiece& chord) { return is_free(chord, leave); }))
      return chords;
    statistics_ = before;
  }
  return {};
}

// Follows a body that nothing touches from t to t + h: whether that can be done.
bool StepIsland::take_flight(double t, double h) {
  if (!may_fly(h)) return false;
  SteppedBody& body = scene_.bodies[slots_[0]];
  BentState& state = *body.bent;
  const flexible::ColumnMass& mass = state.body().mass;
  const auto flights = fly(state.body(), state.end, scene_.model.gravity,
                           scene_.model.solver.tolerance, t, h, state.flight_step);
  std::vector<BentPiece> chords = free_chords(flights);
  if (chords.empty()) return false;
  ++statistics_.steps;
  // Where steps come before it, what is told of their end is what goes on.
  BookEntry caught_up;
  caught_up.time = t;
  const Columns lag = state.end.rates - state.state.rates;
  caught_up.balance.impulse = mass.momentum(lag);
  caught_up.balance.angular_impulse = mass.angular_momentum({state.end.columns, lag});
  book_.push_back(caught_up);
  for (BentPiece& chord : chords) {
    book_.push_back({chord.end, flight_balance(scene_.model, state.body(), chord, chord.end)});
    state.pieces.push_back(std::move(chord));
  }
  state.state = state.end = flights.back()->at(t + h);
  state.last_change.resize(3, 0);
  body.last_step = 0;
  body.drive = scene_.model.gravity.norm();
  fit_rigid(scene_.model.bodies[body.index].mass, body);
  return true;
}

// What gravity and damping do from the beginning of a piece to t.
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
