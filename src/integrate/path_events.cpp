#include "integrate/path_events.h"

#include <algorithm>

#include "integrate/path_signals.h"

namespace abut::integrate {
namespace {

// Instants of a piece that are looked at. A piece is short enough for its motion to be a polynomial
// of degree 7 to within the tolerance: no function of it turns more often than that.
constexpr int samples = 8;

// Brackets of events are narrowed to this fraction of a piece (dimensionless), in at most so many
// rounds.
constexpr double time_resolution = 1e-15;
constexpr int rounds = 200;

// Who slips where is asked at instants that come nearer to an event by this factor (dimensionless),
// at most so often: what directions turn by until then is a millionth of what they turn by in a
// piece.
constexpr double approach = 0.1;
constexpr int approaches = 6;

// Where a signal, open at `from` and fallen at `to`, passes: by the Illinois variant of regula
// falsi.
template <class At>
double located(const At& at, double from, double to, double resolution) {
  double open = at(from), fallen = at(to);
  if (!(open > 0)) return from;
  for (int i = 0; i < rounds && to - from > resolution; ++i) {
    double t = from + (to - from) * open / (open - fallen);
    if (!(t > from && t < to)) t = 0.5 * (from + to);
    if (!(t > from && t < to)) break;
    const double value = at(t);
    if (value == 0) return t;
    if (value > 0) {
      from = t;
      open = value;
      fallen *= 0.5;
    } else {
      to = t;
      fallen = value;
      open *= 0.5;
    }
  }
  return to;
}

double sample_time(const ode::Piece& piece, int i) {
  return i == samples ? piece.end : piece.begin + (piece.end - piece.begin) * i / samples;
}

bool concern_the_same(const Changes& x, const Changes& y) {
  return x.opening == y.opening && x.only_shares == y.only_shares &&
         std::equal(x.slipping.begin(), x.slipping.end(), y.slipping.begin(), y.slipping.end(),
                    [](const auto& one, const auto& other) { return one.first == other.first; });
}

// The search for the first event of a piece.
class EventSearch {
 public:
  EventSearch(Equations& equations, const ode::Piece& piece, const Coordinates& coordinates,
              double begun)
      : equations_(equations), piece_(piece), signals_(equations, coordinates), begun_(begun) {}

  std::optional<PathEvent> first() {
    if (!signals_.any()) return std::nullopt;
    for (int i = 1; i <= samples; ++i) {
      const double before = sample_time(piece_, i - 1);
      std::optional<PathEvent> event = first_between(before, sample_time(piece_, i));
      if (!event) continue;
      // Forces may pass what is allowed and come back between two instants that are looked at:
      // where slip stops its direction turns within no time. Where something happens nothing else
      // may have happened.
      for (int k = 0; k < samples && !may_be_shared(*event); ++k) {
        const std::optional<PathEvent> earlier = first_between(before, event->time);
        if (!earlier || !(earlier->time < event->time)) break;
        event = earlier;
      }
      note_who_changes(*event);
      return event;
    }
    return std::nullopt;
  }

 private:
  std::vector<Signal> at(double t) {
    piece_.evaluate(t, y_);
    return signals_.at(t, y_);
  }
  // What signal k is located by. Without the forces of the island where it does not depend on
  // them.
  double located_at(std::size_t k, const PathEvent& event, double t) {
    piece_.evaluate(t, y_);
    if (const auto alone = signals_.without_forces(event, t, y_)) return alone->located();
    return signals_.at(t, y_)[k].located();
  }
  double resolution() const { return time_resolution * (piece_.end - piece_.begin); }

  // With friction, forces at the end of what is allowed may give way to others; where nothing
  // slides, at any time.
  bool may_be_shared(const PathEvent& event) const {
    return !equations_.rows().modes().any_slides() && equations_.constraints().has_friction() &&
           is_end_of_force(event, equations_.constraints());
  }

  bool share_anew(double t) {
    piece_.evaluate(t, y_);
    return equations_.rows().share_anew(t, y_, piece_.begin);
  }

  std::optional<PathEvent> first_between(double before, double now) {
    std::vector<Signal> signals = at(now);
    bool shared = true;
    if (std::any_of(signals.begin(), signals.end(), [&](const Signal& signal) {
          return signal.is_fallen() && may_be_shared(signal.event);
        })) {
      shared = share_anew(now);
      if (shared) signals = at(now);
    }
    std::optional<PathEvent> first;
    for (std::size_t k = 0; k < signals.size(); ++k) {
      if (!signals[k].is_fallen()) continue;
      PathEvent event = signals[k].event;
      if (may_be_shared(event)) {
        if (shared) continue;
        event.time = end_of_sharing(before, now);
        shared = true;  // the end for one is the end for all
      } else {
        const auto value = [&](double t) { return located_at(k, event, t); };
        // What has not happened when something else does happens later.
        const double until = first ? first->time : now;
        if (first && value(until) > 0) continue;
        event.time = located(value, before, until, resolution());
      }
      if (!first || event.time < first->time) first = event;
    }
    if (first) first->seen = now;
    return first;
  }

  // Where a force passes zero no gap accelerates yet: who leaves or slips shows a little later.
  void note_who_changes(PathEvent& event) {
    event.is_at_once = event.time - begun_ <= no_time;
    if (event.kind == PathEventKind::release || event.kind == PathEventKind::slip)
      note_changes(event);
  }

  Changes changes(double t) {
    piece_.evaluate(t, y_);
    return changes_at(equations_, t, y_);
  }

  // Directions of slip turn: of all instants at which the same contacts leave or slip, they are
  // taken from one that is as near to the event as can be told.
  Changes changes_after(const PathEvent& event) {
    Changes found = changes(event.seen);
    double later = event.seen;
    for (int i = 0; i < approaches && !found.slipping.empty(); ++i) {
      later = event.time + approach * (later - event.time);
      if (!(later > event.time)) break;
      Changes nearer = changes(later);
      if (!concern_the_same(nearer, found)) break;
      found = std::move(nearer);
    }
    return found;
  }

  void note_changes(PathEvent& event) {
    event.changes = changes_after(event);
    if (event.kind == PathEventKind::slip && event.changes.slipping.empty() &&
        (event.is_at_once || !event.changes.only_shares))
      event.changes.slipping.emplace_back(event.index, direction_of_slip(event.index, event.seen));
  }

  // A contact that cannot stick any more slips against its friction, though it accelerates too
  // little yet for this to be told.
  Vec3 direction_of_slip(int contact, double t) {
    piece_.evaluate(t, y_);
    const HeldNow held = held_now(equations_, t, y_);
    const int tangent = equations_.constraints().tangent_of(contact);
    Vec3 friction = Vec3::Zero();
    for (const int k : {tangent, tangent + 1})
      friction += held.forces[k] * held.rows.rows[k].row.sides[0].linear;
    return -friction.normalized();
  }

  // The instant after which no forces hold all that is held, by bisection.
  double end_of_sharing(double from, double to) {
    if (!share_anew(from)) return from;
    while (to - from > resolution()) {
      const double middle = 0.5 * (from + to);
      if (!(middle > from && middle < to)) break;
      (share_anew(middle) ? from : to) = middle;
    }
    return to;
  }

  Equations& equations_;
  const ode::Piece& piece_;
  Signals signals_;
  double begun_;
  ode::Vector y_;
};

}  // namespace

bool is_end_of_force(const PathEvent& event, const impulse::ConstraintSet& set) {
  return event.kind == PathEventKind::slip ||
         (event.kind == PathEventKind::release && event.index < set.contact_count());
}

std::optional<PathEvent> first_event(Equations& equations, const ode::Piece& piece,
                                     const Coordinates& coordinates, double begun) {
  if (equations.constraints().empty()) return std::nullopt;
  return EventSearch(equations, piece, coordinates, begun).first();
}

Coordinates followed(Equations& equations, double t, const ode::Vector& y,
                     const Coordinates& near) {
  Coordinates now = near;
  const impulse::BodiesNow bodies = equations.applied().evaluate(t, y).placed();
  const impulse::ConstraintSet& set = equations.constraints();
  for (std::size_t j = 0; j < now.size(); ++j)
    if (joint::has_coordinate(equations.model().joints[set.joints()[j]].type))
      now[j] = set.coordinate(static_cast<int>(j), bodies, near[j]).value;
  return now;
}

}  // namespace abut::integrate
