// The search for a first touch of parts that rest against each other: what they hold each other by
// is left out, and everything else of them is watched.

#include <algorithm>

#include "base/limits.h"
#include "base/stop.h"
#include "toi/cell_pairs.h"
#include "toi/first_contact.h"

namespace abut::toi {
namespace {

using motion::BodyPath;

// Of a ring or a body in a bowl, the nearest places are those that touch already. Another place is
// taken for a touch at this multiple of the gap of a touch, so that it is never mistaken for one of
// them: a contact that lasts stays below, and the contacts found reach beyond.
constexpr double distinct_multiple = 4;

// An angle that is left to turn is used up below this, rad.
constexpr double least_valid_turn = 1e-6;

// Halvings of an interval of time, down to roundings.
constexpr int time_halvings = 60;

// When a gap that is above the band at `above` comes down to it, if at `below` it is beneath. What
// touches is left out of a watch by samples: next to it a place may come into view only where it
// has come down already. It was above, and is looked for at the time when it was not.
template <class Gap>
double first_below(const GapBand& band, double above, double below, const Gap& gap) {
  for (int i = 0; i < time_halvings; ++i) {
    const double middle = 0.5 * (above + below);
    const double now = gap(middle);
    if (band.contains(now)) return middle;
    (now > band.upper ? above : below) = middle;
  }
  return below;
}

}  // namespace

void FirstContact::hold(PartPair& pair, const std::vector<PartHold>& holds) {
  pair.held.clear();
  pair.held_at.reset();
  pair.places = {};
  for (const PartHold& hold : holds) {
    if (hold.part_a != pair.part_a || hold.part_b != pair.part_b) continue;
    pair.held = hold.planes;
    pair.places = hold.places;
  }
}

void FirstContact::hold(const std::vector<PartHold>& holds) {
  for (PartPair& pair : pairs_) hold(pair, holds);
  for (const auto& cells : meshes_) cells->hold(holds);
}

// The plane that reaches farthest is followed; where none leads on, the point that has come down to
// it is taken for a touch, and whoever asks looks at what really touches there.
SearchResult FirstContact::search_held(PartPair& pair, const BodyPath& a, const BodyPath& b,
                                       double from, double to) {
  SearchResult result;
  result.gap_bound = infinity;
  result.free_until = to;
  if (!(from < to)) return result;
  std::vector<const GapBand*> bands;
  const auto add_band = [&](double height) {
    const bool leaving = height <= leaving_multiple * settings_.touch.upper;
    bands.push_back(leaving ? &settings_.leaving : &settings_.touch);
  };
  const auto look = [&](double t) {
    return pair.watch ? pair.watch->at(a, b, t, pair.places) : nullptr;
  };
  std::unique_ptr<CloseLook> now = look(from);
  for (const HeldPlane& plane : pair.held) add_band(lowest_height(plane, a, b, from));
  if (now) add_band(now->lowest_gap());
  const GapBand distinct{settings_.touch.lower, distinct_multiple * settings_.touch.upper};
  double t = from;
  for (long left = settings_.advance_limit;; --left) {
    base::stop_if_wished();
    if (left == 0) {
      ++statistics_.limits_met;
      break;
    }
    if (now && now->lowest_gap() > distinct.upper) bands.back() = &distinct;
    const double best = advanced(pair, a, b, t, to, bands, now.get());
    if (!(best > t)) break;
    const double before = t;
    t = std::min(best, to);
    now = look(t);
    if (now && now->lowest_gap() < bands.back()->lower) {
      t = first_below(*bands.back(), before, t, [&](double s) { return look(s)->lowest_gap(); });
      now = look(t);
    } else if (t >= to) {
      return result;
    }
  }
  result.free_until = t;
  result.touch = Touch{t, separation(pair, a.pose(t), b.pose(t))};
  return result;
}

// Up to when the bodies have certainly not turned by more than a plane allows.
double FirstContact::valid_until(PartPair& pair, const HeldPlane& plane, const BodyPath& a,
                                 const BodyPath& b, double t, double to) const {
  if (!(plane.valid_turn < infinity)) return to;
  const Quat now = a.pose(t).orientation.conjugate() * b.pose(t).orientation;
  if (!pair.held_at) pair.held_at = now;
  const double left = plane.valid_turn - pair.held_at->angularDistance(now);
  const double speed = Outlook::of(a, t, to).speed.angular + Outlook::of(b, t, to).speed.angular;
  if (left < least_valid_turn) return t;
  return speed * (to - t) <= left ? to : t + left / speed;
}

// How far from t on what is not held stays apart.
double FirstContact::advanced(PartPair& pair, const BodyPath& a, const BodyPath& b, double t,
                              double to, const std::vector<const GapBand*>& bands,
                              const CloseLook* now) {
  double best = t;
  const auto consider = [&](double height, const GapBand& band, const auto& certificate) {
    if (!(height > band.upper)) return;
    const double clearance = std::max(band.lower, kept_fraction * height);
    best = std::max(best, certificate(clearance).until);
    ++statistics_.advances;
  };
  for (std::size_t k = 0; k < pair.held.size(); ++k)
    consider(lowest_height(pair.held[k], a, b, t), *bands[k], [&](double clearance) {
      const double until = valid_until(pair, pair.held[k], a, b, t, to);
      return free_interval(pair.held[k], a, b, t, until, clearance);
    });
  if (now != nullptr)
    consider(now->lowest_gap(), *bands.back(),
             [&](double clearance) { return now->free_interval(to, clearance); });
  return best;
}

}  // namespace abut::toi
