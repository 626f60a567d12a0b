// The integrator against the usual choice, a method of order 5, on one tumbling box over 60 s.
//
// Both integrate the same equations (attitude and angular momentum) with error control. Compare the
// evaluations of the derivative, `evaluations`, at equal `energy_error`: that ratio does not depend
// on the machine.

#include <benchmark/benchmark.h>

#include <boost/numeric/odeint.hpp>
#include <cmath>

#include "body/rigid.h"
#include "math/rotation.h"
#include "ode/dormand_prince_853.h"
#include "shape/moments.h"

namespace abut {
namespace {

constexpr double duration = 60;

// y = attitude (x, y, z, w), then angular momentum, which is constant.
class TumblingBox final : public ode::System {
 public:
  explicit TumblingBox(double tolerance) : tolerance_(tolerance) {}
  int dimension() const override { return 4; }
  void derivative(double, const ode::Vector& y, ode::Vector& rate) override {
    ++evaluations;
    const Quat q(y[3], y[0], y[1], y[2]);
    rate = math::quaternion_rate(body::angular_velocity(mass, q, momentum), q);
  }
  double error_norm(const ode::Vector&, const ode::Vector&, const ode::Vector& error,
                    double) const override {
    return error.norm() / tolerance_;
  }
  double relative_energy_error(const Quat& q) const {
    const double exact = body::rotational_energy(mass, Quat::Identity(), momentum);
    return std::abs(body::rotational_energy(mass, q, momentum) / exact - 1);
  }

  const body::Mass mass = body::mass_from(shape::moments_of(shape::Box{Vec3(1, 2, 3)}, 1000));
  const Vec3 momentum = mass.principal.cwiseProduct(Vec3(0.01, 5, 0.01));
  long evaluations = 0;

 private:
  double tolerance_;
};

void report(benchmark::State& state, const TumblingBox& box, const Quat& q, double tolerance) {
  state.counters["tolerance"] = tolerance;
  state.counters["evaluations"] = static_cast<double>(box.evaluations) / state.iterations();
  state.counters["energy_error"] = box.relative_energy_error(q);
}

void order_8(benchmark::State& state) {
  const double tolerance = std::pow(10.0, -static_cast<double>(state.range(0)));
  TumblingBox box(tolerance);
  ode::Cursor cursor;
  for (auto _ : state) {
    cursor = {};
    ode::Workspace workspace;
    ode::Piece piece;
    ode::StepStatistics statistics;
    ode::restart(box, cursor, 0, ode::Vector(Eigen::Vector4d(0, 0, 0, 1)), statistics);
    while (cursor.t < duration) ode::advance(box, cursor, duration, workspace, piece, statistics);
  }
  report(state, box, Quat(cursor.y[3], cursor.y[0], cursor.y[1], cursor.y[2]), tolerance);
}
BENCHMARK(order_8)->DenseRange(8, 14, 2)->Unit(benchmark::kMillisecond);

void order_5(benchmark::State& state) {
  namespace odeint = boost::numeric::odeint;
  using State = std::array<double, 4>;
  const double tolerance = std::pow(10.0, -static_cast<double>(state.range(0)));
  TumblingBox box(tolerance);
  State y{};
  ode::Vector in(4), out(4);
  const auto rhs = [&](const State& x, State& rate, double t) {
    std::copy(x.begin(), x.end(), in.data());
    box.derivative(t, in, out);
    std::copy(out.data(), out.data() + 4, rate.begin());
  };
  for (auto _ : state) {
    y = {0, 0, 0, 1};
    odeint::integrate_adaptive(
        odeint::make_controlled<odeint::runge_kutta_dopri5<State>>(tolerance, 0.0), rhs, y, 0.0,
        duration, 0.01);
  }
  report(state, box, Quat(y[3], y[0], y[1], y[2]), tolerance);
}
BENCHMARK(order_5)->DenseRange(8, 14, 2)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace abut
