#include "integrate/spring_events.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "base/limits.h"

namespace abut::integrate {
namespace {

using force::SpringPhase;

// Instants of a piece that are looked at. Steps are short against the oscillations of the springs,
// which they follow to the tolerance: between two of these instants no gap turns twice.
constexpr int spring_samples = 4;

// Brackets are halved this often: down to the resolution of time in a piece.
constexpr int halvings = 60;

// A signal must not fall below zero. It is in units of its tolerance, and has fallen when it is
// below by more than that, and the event is located at half of that, so that it is not found again
// in the piece that is cut there. Of gaps, the tolerance is this fraction of the contact distance
// (dimensionless); of rates, it is a small part of what counts as zero, so that points that turn
// together are turned together.
constexpr double parting_fraction = 0.1;
constexpr double turning_fraction = 1e-3;

// A phase lasts while the rate of the gap has the right sign. Unloading begins from rates that
// count as zero.
double phase_signal(const force::ContactSpring& spring, SpringPhase phase, double rate,
                    double zero_rate) {
  switch (phase) {
    case SpringPhase::loading:
      return -rate;
    case SpringPhase::unloading:
      return rate + 2 * zero_rate;
    case SpringPhase::resting:
      break;
  }
  return spring.rest_speed - std::abs(rate);
}

class SpringEventSearch {
 public:
  SpringEventSearch(Equations& equations, const ode::Piece& piece)
      : equations_(equations), springs_(equations.applied().springs()), piece_(piece) {}

  std::optional<PathEvent> first() {
    for (int k = 1; k <= spring_samples; ++k) {
      piece_.evaluate(time(k), y_);
      const std::vector<ContactSprings::Now> springs = springs_at(equations_, time(k), y_);
      std::optional<PathEvent> found;
      for (int i = 0; i < springs_.size(); ++i) {
        if (turning(i, springs[i]) < -1)
          found = earlier(found, located(i, PathEventKind::turns, time(k - 1), time(k)));
        if (is_first_of_pair(i) && parting(i, springs) < -1)
          found = earlier(found, located(i, PathEventKind::parts, time(k - 1), time(k)));
      }
      if (found) return found;
    }
    return std::nullopt;
  }

 private:
  double time(int k) const {
    return k == spring_samples ? piece_.end
                               : piece_.begin + (piece_.end - piece_.begin) * k / spring_samples;
  }

  // Bodies that do not overlap do not press: their phase does not matter.
  double turning(int i, const ContactSprings::Now& now) const {
    const force::ContactSpring& spring = springs_[i];
    if (spring.is_elastic() || now.contact.row.value >= 0) return infinity;
    const double zero_rate = springs_.zero_rate();
    return phase_signal(spring, springs_.phase_at(i, piece_.begin), now.contact.row.rate,
                        zero_rate) /
           (turning_fraction * zero_rate);
  }

  const std::array<BodyIndex, 2>& bodies_of(int i) const { return springs_[i].contact.bodies; }
  bool is_first_of_pair(int i) const {
    for (int k = 0; k < i; ++k)
      if (bodies_of(k) == bodies_of(i)) return false;
    return true;
  }
  // Two bodies separate when the last of their points does.
  double parting(int i, const std::vector<ContactSprings::Now>& springs) const {
    double nearest = infinity;
    for (int k = i; k < springs_.size(); ++k)
      if (bodies_of(k) == bodies_of(i)) nearest = std::min(nearest, springs[k].contact.row.value);
    return (1 - nearest / equations_.model().solver.contact_distance) / parting_fraction;
  }

  double signal(int i, PathEventKind kind, double t) {
    piece_.evaluate(t, y_);
    return kind == PathEventKind::turns ? turning(i, spring_at(equations_, i, t, y_))
                                        : parting(i, springs_at(equations_, t, y_));
  }

  // Where a signal of spring i falls that has at `to`.
  PathEvent located(int i, PathEventKind kind, double from, double to) {
    if (signal(i, kind, from) < -1) to = from;
    for (int round = 0; round < halvings; ++round) {
      const double middle = 0.5 * (from + to);
      if (!(middle > from && middle < to)) break;
      (signal(i, kind, middle) < -0.5 ? to : from) = middle;
    }
    PathEvent event;
    event.time = to;
    event.kind = kind;
    event.index = i;
    return event;
  }

  Equations& equations_;
  const ContactSprings& springs_;
  const ode::Piece& piece_;
  ode::Vector y_;
};

}  // namespace

std::optional<PathEvent> first_spring_event(Equations& equations, const ode::Piece& piece) {
  if (equations.applied().springs().empty()) return std::nullopt;
  return SpringEventSearch(equations, piece).first();
}

std::optional<PathEvent> earlier(const std::optional<PathEvent>& a,
                                 const std::optional<PathEvent>& b) {
  if (!a || !b) return a ? a : b;
  return b->time < a->time ? b : a;
}

double least_gap_of_springs(Equations& equations, const ode::Piece& piece, double from, double to) {
  double least = infinity;
  if (!(from < to) || equations.applied().springs().empty()) return least;
  ode::Vector y;
  const auto all = [&](double t) {
    piece.evaluate(t, y);
    return springs_at(equations, t, y);
  };
  const auto row = [&](int i, double t) {
    piece.evaluate(t, y);
    return spring_at(equations, i, t, y).contact.row;
  };
  std::vector<ContactSprings::Now> before = all(from);
  for (int k = 0; k < spring_samples; ++k) {
    const double begin = from + (to - from) * k / spring_samples;
    const double end = from + (to - from) * (k + 1) / spring_samples;
    std::vector<ContactSprings::Now> now = all(end);
    for (int i = 0; i < equations.applied().springs().size(); ++i) {
      least = std::min({least, before[i].contact.row.value, now[i].contact.row.value});
      if (!(before[i].contact.row.rate < 0 && now[i].contact.row.rate > 0)) continue;
      double low = begin, high = end;
      for (int round = 0; round < halvings && low < high; ++round) {
        const double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high)) break;
        (row(i, middle).rate < 0 ? low : high) = middle;
      }
      least = std::min(least, row(i, low).value);
    }
    before = std::move(now);
  }
  return least;
}

}  // namespace abut::integrate
