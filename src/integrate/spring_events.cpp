#include "integrate/spring_events.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace abut::integrate {
namespace {

using force::SpringPhase;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Instants of a piece that are looked at. A piece is short enough for its motion to be a polynomial
// of degree 7 to within the tolerance: no gap turns more often than that.
constexpr int samples = 8;

// Brackets are halved this often: down to the resolution of time in a piece.
constexpr int halvings = 60;

// A signal must not fall below zero. It has fallen when it is below by more than a tolerance, and
// the event is located at half of that, so that it is not found again in the piece that is cut
// there. Of rates, the tolerance is this fraction of the creep speed (dimensionless); of gaps, this
// fraction of the contact distance.
constexpr double rate_rounding = 1e-9;
constexpr double parting_fraction = 0.1;

// In units of their tolerances.
struct Signals {
  double parts = 0;
  double turns = 0;

  double operator[](PathEventKind kind) const {
    return kind == PathEventKind::parts ? parts : turns;
  }
};

// A phase lasts while the rate of the gap has the right sign.
double phase_signal(SpringPhase phase, double rate, double creep) {
  switch (phase) {
    case SpringPhase::loading:
      return -rate;
    case SpringPhase::unloading:
      return rate;
    case SpringPhase::resting:
      break;
  }
  return creep - std::abs(rate);
}

class Search {
 public:
  Search(ClusterSystem& system, const ode::Piece& piece, const model::Model& model)
      : system_(system), piece_(piece), model_(model) {}

  std::optional<PathEvent> first() {
    for (int k = 1; k <= samples; ++k) {
      std::optional<PathEvent> found;
      for (int i = 0; i < system_.springs().size(); ++i) {
        const Signals now = at(i, time(k));
        for (const PathEventKind kind : {PathEventKind::parts, PathEventKind::turns})
          if (now[kind] < -1) found = earlier(found, located(i, kind, time(k - 1), time(k)));
      }
      if (found) return found;
    }
    return std::nullopt;
  }

 private:
  double time(int k) const {
    return k == samples ? piece_.end : piece_.begin + (piece_.end - piece_.begin) * k / samples;
  }

  Signals at(int i, double t) {
    piece_.evaluate(t, y_);
    const ContactSprings::Now now = system_.spring(i, t, y_);
    const double gap = now.contact.row.value;
    Signals signals;
    signals.parts = (1 - gap / model_.solver.contact_distance) / parting_fraction;
    // Bodies that do not overlap do not press: their phase does not matter.
    const double creep = model_.penalty.creep;
    signals.turns = system_.springs()[i].is_elastic() || gap >= 0
                        ? infinity
                        : phase_signal(system_.springs().phase_at(i, piece_.begin),
                                       now.contact.row.rate, creep) /
                              (rate_rounding * creep);
    return signals;
  }

  // Where a signal of spring i falls that has at `to`.
  PathEvent located(int i, PathEventKind kind, double from, double to) {
    if (at(i, from)[kind] < -1) to = from;
    for (int round = 0; round < halvings; ++round) {
      const double middle = 0.5 * (from + to);
      if (!(middle > from && middle < to)) break;
      (at(i, middle)[kind] < -0.5 ? to : from) = middle;
    }
    PathEvent event;
    event.time = to;
    event.kind = kind;
    event.index = i;
    return event;
  }

  ClusterSystem& system_;
  const ode::Piece& piece_;
  const model::Model& model_;
  ode::Vector y_;
};

}  // namespace

std::optional<PathEvent> first_spring_event(ClusterSystem& system, const ode::Piece& piece,
                                            const model::Model& model) {
  if (system.springs().empty()) return std::nullopt;
  return Search(system, piece, model).first();
}

std::optional<PathEvent> earlier(const std::optional<PathEvent>& a,
                                 const std::optional<PathEvent>& b) {
  if (!a || !b) return a ? a : b;
  return b->time < a->time ? b : a;
}

double least_gap_of_springs(ClusterSystem& system, const ode::Piece& piece, double from,
                            double to) {
  double least = infinity;
  if (!(from < to)) return least;
  ode::Vector y;
  const auto row = [&](int i, double t) {
    piece.evaluate(t, y);
    return system.spring(i, t, y).contact.row;
  };
  for (int i = 0; i < system.springs().size(); ++i) {
    body::ConstraintRow before = row(i, from);
    least = std::min(least, before.value);
    for (int k = 1; k <= samples; ++k) {
      double low = from + (to - from) * (k - 1) / samples, high = from + (to - from) * k / samples;
      const body::ConstraintRow now = row(i, high);
      least = std::min(least, now.value);
      if (before.rate < 0 && now.rate > 0) {
        for (int round = 0; round < halvings; ++round) {
          const double middle = 0.5 * (low + high);
          (row(i, middle).rate < 0 ? low : high) = middle;
        }
        least = std::min(least, row(i, low).value);
      }
      before = now;
    }
  }
  return least;
}

}  // namespace abut::integrate
