#include "impulse/curved_slip.h"

#include <limits>
#include <numbers>
#include <optional>

#include "base/stop.h"
#include "impulse/accuracy.h"
#include "impulse/hodograph.h"

namespace abut::impulse {
namespace {

using enum Hodograph::Unknown;

// A turning rate below this part of the terms in it is rounding (dimensionless).
constexpr double turning_rounding = 4 * std::numeric_limits<double>::epsilon();

// A direction this near to one that slip keeps, and which attracts it, has arrived there, rad: the
// errors of steps keep it from coming nearer.
constexpr double settled_turn = 10 * accuracy_of_one;

// Steps are asked for in spans in which a direction could turn by this much at most, rad, and a
// curve that takes more than the given number of steps is given up. Fewer than 200 have been seen.
constexpr double longest_turn = 20;
constexpr long step_limit = 100000;

// Bisection on the dense output: a step is resolved to 2^-60 of itself.
constexpr int bisections = 60;

enum class Happening { compressed, parted_enough, stopped_parting };
struct Event {
  double tau = 0;
  Happening what = Happening::compressed;
};

class CurvedSlip {
 public:
  CurvedSlip(const SlipFlow& flow, double mu, ImpactProgress& progress)
      : flow_(flow),
        mu_(mu),
        progress_(progress),
        curve_(flow, mu, progress.slip_speed, progress.normal_speed) {
    // Directions in which the normal rate changes its sign.
    const Vec2& c = flow.coupling();
    if (mu * c.norm() > flow.normal()) {
      const double centre = std::atan2(c.y(), c.x());
      const double half = std::acos(flow.normal() / (mu * c.norm()));
      borders_ = {centre - half, centre + half};
    }
    ode::Vector y = ode::Vector::Zero(unknowns);
    y[theta] = std::atan2(progress.direction.y(), progress.direction.x());
    booked_ = y;
    ode::restart(curve_, cursor_, 0, y, statistics_);
  }

  CurvedEnd run(double stopped_speed) {
    const double span = longest_turn / flow_.slip_scale(mu_);
    for (long step = 0; step < step_limit; ++step) {
      base::stop_if_wished();
      const ode::Vector begin = cursor_.y;
      const double tau = cursor_.t;
      if (!take_step(tau + span)) return CurvedEnd::failed;
      if (const std::optional<Event> event = first_event()) {
        if (!go_to(*event, tau, begin)) return CurvedEnd::failed;
        handle(event->what);
        if (progress_.is_over) return CurvedEnd::over;
      }
      const bool has_stopped = curve_.slip_speed(cursor_.y) <= stopped_speed;
      if (has_stopped || settles()) {
        book();
        return has_stopped ? CurvedEnd::stopped : CurvedEnd::settled;
      }
    }
    return CurvedEnd::failed;
  }

 private:
  bool take_step(double limit) {
    return ode::advance(curve_, cursor_, limit, workspace_, piece_, statistics_) ==
           ode::StepStatus::accepted;
  }

  // Moves the direction to the one that attracts it, if it is nearly there: by Newton's method,
  // with b' = -(a + mu s'.T s').
  bool settles() {
    const Vec2 s = Hodograph::direction(cursor_.y);
    const double b = flow_.turning_rate(mu_, s), slope = flow_.turning_slope(mu_, s);
    if (!(slope < 0) || std::abs(b) > settled_turn * -slope) return false;
    cursor_.y[theta] -= b / slope;
    return true;
  }

  ode::Vector at(double tau) const {
    ode::Vector y;
    piece_.evaluate(tau, y);
    return y;
  }
  // Where f, negative at `low`, has become positive by `high`.
  template <class F>
  double crossing(const F& f, double low, double high) const {
    for (int i = 0; i < bisections; ++i) {
      const double middle = 0.5 * (low + high);
      (f(at(middle)) < 0 ? low : high) = middle;
    }
    return high;
  }
  // What restitution has still to give there, and what it gives per normal impulse.
  double missing(const ode::Vector& y) const {
    switch (progress_.law) {
      case model::RestitutionLaw::poisson:
        return progress_.due() - (y[normal] - booked_[normal]);
      case model::RestitutionLaw::newton:
        return progress_.due() - (curve_.normal_speed(y) - progress_.normal_speed);
      case model::RestitutionLaw::energetic:
        break;
    }
    return progress_.due() - (y[work] - booked_[work]);
  }
  double giving_rate(const ode::Vector& y) const {
    switch (progress_.law) {
      case model::RestitutionLaw::poisson:
        return 1;
      case model::RestitutionLaw::newton:
        return curve_.normal_rate(y);
      case model::RestitutionLaw::energetic:
        break;
    }
    return curve_.normal_speed(y);
  }

  // Ends of intervals in the last step within which the normal rate keeps its sign.
  std::vector<double> monotonic_ends() const {
    std::vector<double> ends;
    const double from = piece_.coefficients(theta, 0), to = piece_.coefficients(theta, 7);
    const double turn = 2 * std::numbers::pi, sense = to > from ? 1 : -1;
    for (const double border : borders_) {
      const double ahead = sense * (border - from);
      const double distance = ahead - turn * std::floor(ahead / turn);
      if (distance > 0 && distance < sense * (to - from))
        ends.push_back(
            crossing([&](const ode::Vector& y) { return sense * (y[theta] - from) - distance; },
                     piece_.begin, piece_.end));
    }
    std::sort(ends.begin(), ends.end());
    ends.push_back(piece_.end);
    return ends;
  }

  std::optional<Event> first_event() const {
    const auto speed = [&](const ode::Vector& y) { return curve_.normal_speed(y); };
    double begin = piece_.begin;
    for (const double end : monotonic_ends()) {
      const ode::Vector y = at(end);
      if (!progress_.parts && speed(y) > 0)
        return Event{crossing(speed, begin, end), Happening::compressed};
      if (progress_.parts) {
        double last = end;
        if (speed(y) < 0)
          last = crossing([&](const ode::Vector& x) { return -speed(x); }, begin, end);
        if (missing(at(last)) <= 0)
          return Event{crossing([&](const ode::Vector& x) { return -missing(x); }, begin, last),
                       Happening::parted_enough};
        if (last < end) return Event{last, Happening::stopped_parting};
      }
      begin = end;
    }
    return std::nullopt;
  }

  // Takes the step again, to the event, and corrects for what the dense output is less exact than
  // the steps.
  bool go_to(const Event& event, double tau, const ode::Vector& begin) {
    const double usual_step = cursor_.next_step;
    ode::restart(curve_, cursor_, tau, begin, statistics_);
    cursor_.next_step = event.tau - tau;
    while (cursor_.t < event.tau)
      if (!take_step(event.tau)) return false;
    const double u = curve_.normal_speed(cursor_.y), k = curve_.normal_rate(cursor_.y);
    const double dp = event.what == Happening::parted_enough
                          ? missing(cursor_.y) / giving_rate(cursor_.y)
                          : -u / k;
    // A grazing event is less well defined than that, and needs no correction.
    ode::Vector y = cursor_.y;
    if (std::abs(dp) <= std::sqrt(accuracy_of_one) * y[normal]) curve_.nudge(y, dp);
    ode::restart(curve_, cursor_, event.tau, y, statistics_);
    cursor_.next_step = usual_step;
    return true;
  }

  void handle(Happening what) {
    book();
    switch (what) {
      case Happening::compressed:
        return progress_.begin_restitution();
      case Happening::stopped_parting:
        return progress_.resume_compression();
      case Happening::parted_enough:
        return progress_.finish();
    }
  }

  // Tells the progress of what has happened since it was last told.
  void book() {
    const ode::Vector& y = cursor_.y;
    const ode::Vector change = y - booked_;
    progress_.spend(Slip::slides, change[normal], change[work]);
    progress_.tangential_impulse -= mu_ * Vec2(change[tangent_x], change[tangent_y]);
    progress_.friction_work += change[friction];
    progress_.normal_speed = curve_.normal_speed(y);
    progress_.slip_speed = curve_.slip_speed(y);
    progress_.direction = Hodograph::direction(y);
    booked_ = y;
  }

  const SlipFlow& flow_;
  double mu_;
  ImpactProgress& progress_;
  Hodograph curve_;
  std::vector<double> borders_;
  ode::Vector booked_;
  ode::Cursor cursor_;
  ode::Workspace workspace_;
  ode::Piece piece_;
  ode::StepStatistics statistics_;
};

}  // namespace

bool keeps_direction(const SlipFlow& flow, double mu, const Vec2& s) {
  return std::abs(flow.turning_rate(mu, s)) <= turning_rounding * flow.slip_scale(mu);
}

CurvedEnd slip_in_a_curve(const SlipFlow& flow, double mu, double stopped_speed,
                          ImpactProgress& progress) {
  return CurvedSlip(flow, mu, progress).run(stopped_speed);
}

}  // namespace abut::impulse
