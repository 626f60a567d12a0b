#include "integrate/island_path.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/limits.h"
#include "base/stop.h"
#include "integrate/island_report.h"

namespace abut::integrate {
namespace {

// Steps that are kept may take this much memory, bytes, and are at least and at most so many: a
// motion that needs more of them up to the next instant that is recorded is followed in portions.
constexpr std::size_t most_bytes_kept = 16'000'000;
constexpr std::size_t least_steps_kept = 16;
constexpr std::size_t most_steps_kept = 4096;

// Whether nothing changes within a step.
bool is_still(const ode::Piece& piece) {
  return (piece.coefficients.colwise() - piece.coefficients.col(0)).isZero(0);
}

}  // namespace

PathStart start_of(const model::Model& model, const Island& island) {
  PathStart start;
  for (const BodyIndex index : island.bodies) {
    const model::Body& body = model.bodies[index];
    const Pose central = body::central_from_body(body.mass, body.pose);
    start.states.push_back(
        {central.position, central.orientation, body.velocity,
         body::angular_momentum(body.mass, central.orientation, body.angular_velocity)});
  }
  start.coordinates.assign(island.joints.size(), 0);
  return start;
}

IslandPath::IslandPath(const model::Model& model, const Scripts& scripts, Island island,
                       const PathStart& start, std::vector<double> switches, double end)
    : equations_(model, scripts, std::move(island)),
      integration_(equations_, pieces_, std::move(switches), end),
      begin_(start.time),
      first_(start.states),
      fall_(fall()),
      carried_(start.carried),
      gaps_known_until_(start.time) {
  integration_.begin(start.time, equations_.applied().state_vector(start.states),
                     start.coordinates);
}

void IslandPath::cover(double t, ode::Workspace& workspace) {
  while (end_time() < t && !event() && !is_full()) {
    base::stop_if_wished();
    integration_.go_on(workspace);
  }
}

std::vector<force::ContactSpring> IslandPath::springs(double t) const {
  std::vector<force::ContactSpring> springs = island().springs;
  for (std::size_t i = 0; i < springs.size(); ++i)
    springs[i].phase = equations_.applied().springs().phase_at(static_cast<int>(i), t);
  return springs;
}

std::set<std::pair<BodyIndex, BodyIndex>> IslandPath::unproven(double t) const {
  std::set<std::pair<BodyIndex, BodyIndex>> pairs;
  for (const auto& [pair, from] : integration_.unproven())
    if (from < t) pairs.insert(pair);
  return pairs;
}

double IslandPath::least_spring_gap(double t) {
  double least = std::numeric_limits<double>::infinity();
  for (const ode::Piece& piece : pieces_)
    least = std::min(
        least, least_gap_of_springs(equations_, piece, std::max(piece.begin, gaps_known_until_),
                                    std::min(piece.end, t)));
  gaps_known_until_ = std::max(gaps_known_until_, t);
  return least;
}

bool IslandPath::is_full() const {
  const std::size_t bytes = static_cast<std::size_t>(integration_.cursor().y.size()) *
                            ode::Piece::columns * sizeof(double);
  return pieces_.size() >= std::clamp(most_bytes_kept / bytes, least_steps_kept, most_steps_kept);
}

void IslandPath::forget_before(double t) {
  const auto keep = std::find_if(pieces_.begin(), pieces_.end(),
                                 [t](const ode::Piece& piece) { return piece.end > t; });
  pieces_.erase(pieces_.begin(), keep);
}

// The step that leads on from t; none at the end.
const ode::Piece* IslandPath::piece_at(double t) const {
  const auto piece = std::find_if(pieces_.begin(), pieces_.end(),
                                  [t](const ode::Piece& one) { return one.end > t; });
  return piece == pieces_.end() ? nullptr : &*piece;
}

// What is told of a state in between satisfies contacts and joints as exactly as one at the end of
// a step.
const ode::Vector& IslandPath::state_at(double t) {
  const ode::Piece* piece = piece_at(t);
  if (piece == nullptr) return integration_.cursor().y;
  if (known_time_ == t) return known_;
  piece->evaluate(t, known_);
  if (!equations_.constraints().empty())
    equations_.project(piece->begin, piece->coefficients.col(0), t, known_);
  known_time_ = t;
  return known_;
}

bool IslandPath::rests(double from, double to) const {
  const ode::Piece* piece = piece_at(to);
  return piece != nullptr && piece->begin < from && is_still(*piece);
}

body::RigidState IslandPath::state_of(BodyIndex body, double t) {
  body::RigidState state = body_in(state_at(t), slot_of(body));
  state.attitude.normalize();  // between the ends of steps it is of unit length but for their error
  return state;
}

Coordinates IslandPath::coordinates(double t) {
  return followed(equations_, t, state_at(t), integration_.coordinates());
}

void IslandPath::take_snapshot(double t, motion::Side side, std::vector<BodyState>& bodies,
                               Snapshot& snapshot) {
  const ode::Vector& y = state_at(t);
  snapshot.contacts.clear();
  snapshot.joints.clear();
  write_states(equations_, t, side, y, bodies);
  report(equations_, t, side, y, snapshot.contacts, snapshot.joints);
  snapshot.balance = balance_of(t, y);
  snapshot.energy = energy_of(t, side, y);
  snapshot.momentum = momentum_of(equations_, y);
}

Energy IslandPath::energy(double t, motion::Side side) {
  if (equations_.applied().keeps_balance()) return energy_of(t, side, state_at(t));
  const double s = t - begin_;
  const double gained = s * (fall_.rate + s * fall_.growth);
  Energy energy;
  energy.kinetic = fall_.kinetic + gained;
  energy.potential = fall_.potential - gained;
  energy.dissipated = carried_.dissipated;
  energy.work = carried_.work;
  return energy;
}

Energy IslandPath::energy_of(double t, motion::Side side, const ode::Vector& y) {
  const Balance balance = balance_of(t, y);
  Energy energy = energy_at(equations_, t, side, y);
  energy.dissipated = balance.dissipated;
  energy.work = balance.work;
  return energy;
}

// With the weight w = m g and the velocity v = v0 + g s the power of gravity is w . v.
IslandPath::Fall IslandPath::fall() const {
  Fall fall;
  const Vec3& gravity = equations_.model().gravity;
  for (int i = 0; i < equations_.applied().body_count(); ++i) {
    const body::Mass& mass = equations_.applied().mass(i);
    const Vec3 weight = mass.mass * gravity;
    fall.kinetic += body::kinetic_energy(mass, first_[i]);
    fall.potential -= weight.dot(first_[i].centre);
    fall.rate += weight.dot(first_[i].velocity);
    fall.growth += 0.5 * weight.dot(gravity);
  }
  return fall;
}

Balance IslandPath::balance(double t) {
  return balance_of(t, state_at(t));
}

Balance IslandPath::balance_of(double t, const ode::Vector& y) const {
  Balance total =
      equations_.applied().keeps_balance() ? equations_.applied().balance(y) : fallen(t);
  total += carried_;
  return total;
}

// Where only gravity acts, its impulse is known in closed form: m g s after s seconds, and about
// the origin the integral of c x m g, with c = c0 + v0 s + g s^2 / 2.
Balance IslandPath::fallen(double t) const {
  Balance total;
  const double s = t - begin_;
  for (int i = 0; i < equations_.applied().body_count(); ++i) {
    const Vec3 weight = equations_.applied().mass(i).mass * equations_.model().gravity;
    total.impulse += s * weight;
    total.angular_impulse +=
        (s * first_[i].centre + 0.5 * s * s * first_[i].velocity).cross(weight);
  }
  return total;
}

motion::BodyPath IslandPath::body_path(BodyIndex body, int step) const {
  const ode::Piece& piece = pieces_[step];
  const auto rows = piece.coefficients.middleRows<7>(body_size * slot_of(body));
  return motion::BodyPath::moving(
      motion::PolynomialMotion(piece.begin, piece.end, rows.topRows<3>(), rows.bottomRows<4>()));
}

int IslandPath::slot_of(BodyIndex body) const {
  const auto& bodies = island().bodies;
  return static_cast<int>(std::lower_bound(bodies.begin(), bodies.end(), body) - bodies.begin());
}

bool IslandPath::depends_on(BodyIndex support) const {
  for (const force::ContactSpring& spring : island().springs)
    if (spring.contact.bodies[0] == support || spring.contact.bodies[1] == support) return true;
  const auto& supports = equations_.constraints().supports();
  return std::find(supports.begin(), supports.end(), support) != supports.end();
}

bool IslandPath::is_tied_to(BodyIndex support) const {
  if (depends_on(support)) return true;
  return std::any_of(island().forces.begin(), island().forces.end(), [&](int index) {
    const auto* spring = std::get_if<model::Spring>(&equations_.model().forces[index]);
    return spring != nullptr &&
           (spring->ends[0].body == support || spring->ends[1].body == support);
  });
}

}  // namespace abut::integrate
