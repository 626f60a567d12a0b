#include "integrate/cluster_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "abut/diagnostics.h"

namespace abut::integrate {

ClusterPath::ClusterPath(const model::Model& model, const Scripts& scripts, Cluster cluster,
                         std::vector<double> switches, double end)
    : model_(&model),
      system_(model, scripts, std::move(cluster)),
      switches_(std::move(switches)),
      end_(end) {
  cursor_.y = system_.initial_state();
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
  system_.begin_smooth_motion(cursor_.y, limit_);
  const ode::Vector y = cursor_.y;
  ode::restart(system_, cursor_, cursor_.t, y, statistics_);
}

void ClusterPath::cover(double t, ode::Workspace& workspace, const std::atomic<bool>* interrupt) {
  while (cursor_.t < t) {
    if (interrupt != nullptr && interrupt->load(std::memory_order_relaxed)) return;
    if (cursor_.t >= limit_) restart();
    ode::Piece piece;
    const ode::StepStatus status =
        ode::advance(system_, cursor_, limit_, workspace, piece, statistics_);
    if (status != ode::StepStatus::accepted) fail(status);
    pieces_.push_back(std::move(piece));
  }
}

void ClusterPath::forget_before(double t) {
  const auto keep = std::find_if(pieces_.begin(), pieces_.end(),
                                 [t](const ode::Piece& piece) { return piece.end > t; });
  pieces_.erase(pieces_.begin(), keep);
}

const ode::Vector& ClusterPath::state_at(double t) {
  const auto piece = std::find_if(pieces_.begin(), pieces_.end(),
                                  [t](const ode::Piece& one) { return one.end > t; });
  if (piece == pieces_.end()) return cursor_.y;
  piece->evaluate(t, scratch_);
  return scratch_;
}

void ClusterPath::write_states(double t, motion::Side side, std::vector<BodyState>& bodies) {
  system_.write_states(t, side, state_at(t), bodies);
}

Energy ClusterPath::energy(double t, motion::Side side) {
  Energy energy = system_.energy(t, side, state_at(t));
  const Balance in = balance(t);
  energy.dissipated = in.dissipated;
  energy.work = in.work;
  return energy;
}

Momentum ClusterPath::momentum(double t) {
  return system_.momentum(state_at(t));
}

Balance ClusterPath::balance(double t) {
  Balance total = system_.balance(state_at(t));
  total.dissipated += applied_.dissipated;
  total.work += applied_.work;
  total.impulse += applied_.impulse;
  total.angular_impulse += applied_.angular_impulse;
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

Vec3 ClusterPath::centre_at_end(BodyIndex body) const {
  return body_in(cursor_.y, slot_of(body)).centre;
}

double ClusterPath::apply_impulse(BodyIndex body, const Vec3& impulse, const Vec3& at) {
  const int slot = slot_of(body);
  const body::Mass& mass = system_.mass(slot);
  body::RigidState state = body_in(cursor_.y, slot);
  const double before = body::kinetic_energy(mass, state);
  state.velocity += impulse / mass.mass;
  state.angular_momentum += (at - state.centre).cross(impulse);
  const double gained = body::kinetic_energy(mass, state) - before;
  put_body(state, slot, cursor_.y);

  applied_.work += gained;
  applied_.impulse += impulse;
  applied_.angular_impulse += at.cross(impulse);
  restart();
  return gained;
}

void ClusterPath::fail(ode::StepStatus status) const {
  constexpr std::size_t listed = 4;
  std::string names;
  const auto& bodies = cluster().bodies;
  for (std::size_t i = 0; i < std::min(listed, bodies.size()); ++i)
    names += (i ? ", " : "") + model_->bodies[bodies[i]].name;
  if (bodies.size() > listed) names += fmt::format(" and {} more", bodies.size() - listed);
  const char* cause =
      status == ode::StepStatus::not_finite
          ? "the forces are not finite; look for overflowing stiffness, drag or formulas"
          : "the step shrank to the resolution of time; a force is too stiff or not smooth there: "
            "raise solver.tolerance, or soften the force";
  throw SimulationError(cursor_.t,
                        fmt::format("cannot continue the motion of {}: {}", names, cause));
}

}  // namespace abut::integrate
