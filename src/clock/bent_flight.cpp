#include "clock/bent_flight.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/limits.h"

namespace abut::clock {
namespace {

using flexible::Columns;

// Errors are allowed the tolerance of the way of a step, and this fraction of it of the body's size
// (dimensionless): vibrations may be small.
constexpr double rest_fraction = 1e-6;

// Places cannot be told more exactly than this, relative to themselves (dimensionless).
constexpr double place_rounding = 8 * std::numeric_limits<double>::epsilon();

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

}  // namespace abut::clock
