#include "toi/first_contact.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "base/stop.h"
#include "toi/cell_pairs.h"

namespace abut::toi {
namespace {

using motion::BodyPath;
using narrow::Separation;

// Of a predicted time to contact, how much further to look for an instant at which it has happened.
constexpr double overshoot = 1.5;

// A root is looked for when it is predicted within this multiple of the certified interval.
constexpr double worthwhile = 3;

// Roundings of the coordinates of nearest points.
constexpr double nearest_point_rounding = 256 * epsilon;

// Roundings of the time within which a gap cannot be told, relative to the time: a fast body passes
// through the band of a touch between two numbers.
constexpr double time_rounding = 16 * epsilon;

// The part of a body alone, so that every pair of parts has a witness of its own.
model::Body body_of_part(const model::Body& body, const shape::Part& part) {
  model::Body alone;
  alone.name = body.name;
  alone.parts = {part};
  alone.motion = body.motion;
  alone.mass = body.mass;
  return alone;
}

using Shape = std::shared_ptr<const narrow::BodyShape>;

Shape shape_of_part(const model::Body& body, const shape::Part& part, const Shape& of_body) {
  if (of_body && body.parts.size() == 1) return of_body;
  const model::Body alone = body_of_part(body, part);
  if (!narrow::BodyShape::supports(alone)) return nullptr;
  return std::make_shared<const narrow::BodyShape>(alone);
}

// What all pairs of a part share.
struct PartSide {
  std::optional<Core> core;
  Ball ball;
  std::shared_ptr<const narrow::BodyShape> shape;
};

std::vector<PartSide> sides_of(const model::Body& body, const Shape& shape) {
  std::vector<PartSide> sides;
  for (const shape::Part& part : body.parts) {
    const std::optional<Core> core = core_of(body, part);
    sides.push_back({core, Ball::around(core), shape_of_part(body, part, shape)});
  }
  return sides;
}

}  // namespace

FirstContact::FirstContact(const model::Body& a, const model::Body& b,
                           const SearchSettings& settings, const Shape& shape_a,
                           const Shape& shape_b)
    : a_(&a), b_(&b), settings_(settings) {
  const std::vector<PartSide> sides_a = sides_of(a, shape_a), sides_b = sides_of(b, shape_b);
  for (std::size_t i = 0; i < a.parts.size(); ++i)
    for (std::size_t j = 0; j < b.parts.size(); ++j) {
      const PartSide &side_a = sides_a[i], &side_b = sides_b[j];
      if (are_cells(side_a.shape, side_b.shape)) {
        meshes_.push_back(
            std::make_unique<CellPairs>(PartSides{{&a, &b},
                                                  {static_cast<int>(i), static_cast<int>(j)},
                                                  {side_a.shape, side_b.shape},
                                                  {side_a.core, side_b.core}}));
        continue;
      }
      PartPair pair;
      pair.part_a = static_cast<int>(i);
      pair.part_b = static_cast<int>(j);
      pair.core_a = side_a.core;
      pair.core_b = side_b.core;
      pair.balls = {side_a.ball, side_b.ball};
      pair.plane_a = std::get_if<shape::Plane>(&a.parts[i].geometry);
      pair.plane_b = std::get_if<shape::Plane>(&b.parts[j].geometry);
      if (side_a.shape && side_b.shape &&
          narrow::PairQuery::supports(*side_a.shape, *side_b.shape)) {
        pair.query.emplace(side_a.shape, side_b.shape);
        pair.watch =
            make_close_watch(carried_solid(a, *side_a.shape), carried_solid(b, *side_b.shape));
      } else {
        supported_ = false;
      }
      // Without a core on one side and a core or a plane on the other nothing can be said.
      const bool comparable = pair.watch ||
                              (pair.core_a && (pair.core_b || pair.plane_b != nullptr)) ||
                              (pair.core_b && pair.plane_a != nullptr);
      // What is in a bowl has no plane that it stands on.
      const bool is_above_plane =
          (pair.core_a && pair.plane_b != nullptr) || (pair.core_b && pair.plane_a != nullptr);
      if (settings.proves_steps && is_above_plane) {
        const MovingHalfSpace half = half_space(pair, nullptr);
        pair.standing = StandingPlane{pair.core_a ? 1 : 0, half.normal, half.offset};
      }
      if (comparable)
        pairs_.push_back(std::move(pair));
      else
        ++statistics_.unresolved;
    }
}

FirstContact::FirstContact(FirstContact&&) noexcept = default;
FirstContact::~FirstContact() = default;

narrow::PairStatistics FirstContact::pair_statistics() const {
  narrow::PairStatistics total;
  for (const auto& cells : meshes_) total += cells->statistics();
  for (const PartPair& pair : pairs_)
    if (pair.query) total += pair.query->statistics();
  return total;
}

// The pair that came nearest in the last search first: its gap rules out most others.
std::optional<Separation> FirstContact::separation(const Pose& motion_a, const Pose& motion_b) {
  std::optional<Separation> nearest;
  Rivals rivals{infinity, {Outlook{motion_a, {}}, Outlook{motion_b, {}}}};
  const auto consider = [&](PartPair& pair) {
    if (!pair.query || stays_beyond(pair, rivals, 0) || balls_stay_beyond(pair, rivals, 0)) return;
    const Separation now = separation(pair, motion_a, motion_b);
    pair.seen = SeenGap{motion_a, motion_b, now.gap};
    if (nearest && now.gap >= nearest->gap) return;
    nearest = now;
    rivals.gap = now.gap;
  };
  if (nearest_ < pairs_.size()) consider(pairs_[nearest_]);
  for (std::size_t k = 0; k < pairs_.size(); ++k)
    if (k != nearest_) consider(pairs_[k]);
  for (const auto& cells : meshes_) {
    const Separation now = cells->separation(motion_a, motion_b);
    if (!nearest || now.gap < nearest->gap) nearest = now;
  }
  return nearest;
}

Separation FirstContact::separation(PartPair& pair, const Pose& motion_a, const Pose& motion_b,
                                    bool tells_depth) {
  const Pose frame_a = body_pose(*a_, motion_a), frame_b = body_pose(*b_, motion_b);
  Separation found = tells_depth ? pair.query->separation(frame_a, frame_b)
                                 : pair.query->separation_or_overlap(frame_a, frame_b);
  found.part_a = pair.part_a;
  found.part_b = pair.part_b;
  return found;
}

// The pair that came nearest last time is searched first: what it leaves as the smallest gap, most
// others stay beyond.
SearchResult FirstContact::search(const BodyPath& a, const BodyPath& b, double from, double to) {
  SearchResult first;
  first.free_until = to;
  first.gap_bound = infinity;
  Rivals rivals{infinity, {Outlook::of(a, from, to), Outlook::of(b, from, to)}};
  const std::size_t begin = nearest_;
  const auto consider = [&](std::size_t k) {
    PartPair& pair = pairs_[k];
    // Nothing after the first touch so far is of interest.
    const double end = first.free_until;
    if (!pair.is_held() && stays_beyond(pair, rivals, end - from)) {
      ++statistics_.remembered;
      return;
    }
    if (!pair.is_held() && pair.seen && settings_.remembered_fraction < 1) {
      const double gap = remembered_gap(pair, rivals, end - from);
      if (gap > std::max(sharp_bound(settings_.remembered_fraction, pair.seen->gap),
                         leaving_multiple * settings_.touch.upper)) {
        ++statistics_.remembered;
        first.gap_bound = rivals.gap = std::min(first.gap_bound, gap);
        return;
      }
    }
    if (!pair.is_held() && balls_stay_beyond(pair, rivals, end - from)) return;
    const SearchResult one =
        pair.is_held() ? search_held(pair, a, b, from, end) : search(pair, a, b, from, end, rivals);
    if (one.gap_bound < first.gap_bound) nearest_ = k;
    first.gap_bound = rivals.gap = std::min(first.gap_bound, one.gap_bound);
    if (!one.touch) return;
    first.touch = one.touch;
    first.free_until = one.free_until;
  };
  if (begin < pairs_.size()) consider(begin);
  for (std::size_t k = 0; k < pairs_.size(); ++k)
    if (k != begin) consider(k);
  for (const auto& cells : meshes_) {
    const SearchResult one = search_cells(*cells, a, b, from, first.free_until, rivals);
    first.gap_bound = rivals.gap = std::min(first.gap_bound, one.gap_bound);
    if (!one.touch) continue;
    first.touch = one.touch;
    first.free_until = one.free_until;
  }
  return first;
}

// Whether parts stay farther apart than others come anyway: then they change neither the bound of
// the gap nor the first touch.
bool FirstContact::stays_beyond(const PartPair& pair, const Rivals& rivals, double duration) const {
  if (!pair.seen || !(rivals.gap < infinity)) return false;
  return remembered_gap(pair, rivals, duration) >
         std::max(rivals.gap, leaving_multiple * settings_.touch.upper);
}

// What the gap that was seen last still proves.
double FirstContact::remembered_gap(const PartPair& pair, const Rivals& rivals,
                                    double duration) const {
  const auto reach = [](const std::optional<Core>& core) {
    return core ? core->reach + core->radius : infinity;
  };
  return gap_bound(*pair.seen, rivals.outlooks[0], reach(pair.core_a), rivals.outlooks[1],
                   reach(pair.core_b), duration);
}

// The same by balls around the parts where they are now: it is remembered in place of a gap that
// was seen too long ago.
bool FirstContact::balls_stay_beyond(PartPair& pair, const Rivals& rivals, double duration) const {
  if (!pair.query) return false;
  const std::optional<SeenGap> before = pair.seen;
  pair.seen =
      seen_gap(pair.balls[0], pair.balls[1], rivals.outlooks[0].pose, rivals.outlooks[1].pose);
  if (stays_beyond(pair, rivals, duration)) return true;
  pair.seen = before;
  return false;
}

SearchResult FirstContact::search(PartPair& pair, const BodyPath& a, const BodyPath& b, double from,
                                  double to, const Rivals& rivals) {
  if (const auto proven = by_standing_plane(pair, a, b, from, to)) return *proven;
  if (const auto proven = by_crossing_edges(pair, a, b, from, to)) return *proven;
  SearchResult result;
  result.gap_bound = infinity;
  Separation now;
  GapSample open = sample(pair, a, b, from, &now);
  if (stays_beyond(pair, rivals, to - from)) {
    result.free_until = to;
    return result;
  }
  const double apart = leaving_multiple * settings_.touch.upper;
  bool leaving = open.gap <= apart;
  long left = settings_.advance_limit;
  for (; left > 0 && open.gap > band_of(leaving).upper; --left) {
    base::stop_if_wished();
    const double clearance = std::max(band_of(leaving).lower, sharp_bound(kept_fraction, open.gap));
    // Parts that leave are followed until they are apart, and then approach anew.
    const double limit =
        leaving && open.rate > 0 ? std::min(to, open.time + 2 * apart / open.rate) : to;
    const FreeInterval free = certify_best(pair, a, b, now, open.time, limit, clearance);
    // Where no time is free, the gap that is there is all there is to tell.
    result.gap_bound =
        std::min(result.gap_bound, free.until > open.time ? free.gap_bound : open.gap);
    if (free.until >= to) {
      result.free_until = to;
      return result;
    }
    if (!(free.until > open.time)) break;  // as near as rounding allows
    if (pair.query && !leaving) {
      result.touch = touch_by_root(pair, a, b, open, free.until, to, now);
      if (result.touch) break;
    }
    open = sample(pair, a, b, free.until, &now);
    leaving = leaving && open.gap <= apart;
  }
  // The gap has closed, down to the touch or to what rounding lets be told apart. Anything else
  // (enclosures that met, a script without bounds) cannot be resolved.
  const double rounding = nearest_point_rounding * (now.point_a.norm() + now.point_b.norm()) +
                          time_rounding * std::abs(open.time * open.rate);
  const bool closed = open.gap <= band_of(leaving).upper + rounding;
  const bool stopped = left == 0 && !closed;
  if (stopped) ++statistics_.limits_met;
  if (!result.touch && pair.query && (closed || stopped)) result.touch = Touch{open.time, now};
  if (!result.touch) ++statistics_.unresolved;
  result.free_until = result.touch ? result.touch->time : to;
  result.gap_bound =
      std::min(result.gap_bound, result.touch ? result.touch->separation.gap : open.gap);
  return result;
}

// Parts that leave each other have a band of their own, which only the search itself knows.
std::optional<SearchResult> FirstContact::by_standing_plane(PartPair& pair, const BodyPath& a,
                                                            const BodyPath& b, double from,
                                                            double to) {
  if (!pair.standing) return std::nullopt;
  const bool below_is_a = pair.standing->carrier == 0;
  const CertainHeight height =
      certain_height(*pair.standing, below_is_a ? a : b, below_is_a ? *pair.core_b : *pair.core_a,
                     below_is_a ? b : a, from, to);
  if (!(height.now > leaving_multiple * settings_.touch.upper) ||
      !(height.least >= std::max(settings_.touch.upper, sharp_bound(kept_fraction, height.now))))
    return std::nullopt;
  ++statistics_.standing;
  return SearchResult{std::nullopt, to, height.least};
}

// The same by two edges that cross: no plane that one body carries stays between them while they
// turn.
std::optional<SearchResult> FirstContact::by_crossing_edges(PartPair& pair, const BodyPath& a,
                                                            const BodyPath& b, double from,
                                                            double to) {
  if (!pair.crossing) return std::nullopt;
  const Pose pose = b.pose(from);
  Separation before;
  before.feature_a = pair.crossing->a;
  before.feature_b = pair.crossing->b;
  before.normal = pose.orientation * pair.crossing->normal;
  before.point_b = pose.position + pose.orientation * pair.crossing->point;
  const FreeInterval free =
      between_lines(pair, a, b, before, from, to, leaving_multiple * settings_.touch.upper);
  if (!(free.until >= to)) return std::nullopt;
  ++statistics_.standing;
  return SearchResult{std::nullopt, to, free.gap_bound};
}

// Of parts that are only enclosed: the separation of the enclosures.
Separation FirstContact::enclosure_separation(const PartPair& pair, const Pose& a,
                                              const Pose& b) const {
  const auto centre = [](const Core& core, const Pose& pose) -> Vec3 {
    return pose.position +
           pose.orientation * (core.surface ? core.surface.position : core.points.front());
  };
  const auto radius = [](const Core& core) {
    return core.surface ? core.surface.surface->outer_radius() + core.radius : core.radius;
  };
  Separation found;
  if (pair.core_a && pair.core_b) {
    const Vec3 pa = centre(*pair.core_a, a), pb = centre(*pair.core_b, b);
    const double distance = (pa - pb).norm();
    if (distance > 0) found.normal = (pa - pb) / distance;
    found.point_a = pa - radius(*pair.core_a) * found.normal;
    found.point_b = pb + radius(*pair.core_b) * found.normal;
  } else {
    const bool plane_is_b = pair.core_a.has_value();
    const Core& core = plane_is_b ? *pair.core_a : *pair.core_b;
    const MovingHalfSpace plane = half_space(pair, nullptr);
    const Pose& pose = plane_is_b ? b : a;
    const Vec3 up = pose.orientation * plane.normal;
    const Vec3 point = centre(core, plane_is_b ? a : b) - radius(core) * up;
    const Vec3 foot = point - (up.dot(point - pose.position) - plane.offset) * up;
    found.normal = plane_is_b ? up : Vec3(-up);
    found.point_a = plane_is_b ? point : foot;
    found.point_b = plane_is_b ? foot : point;
  }
  found.gap = found.normal.dot(found.point_a - found.point_b);
  return found;
}

// The rate is exact. The acceleration counts the turning of the normal where a face carries it
// (n fixed in that body: chi'' = n.(a_a - a_b) + 2 n'.(v_a - v_b)) and is a good guess otherwise.
GapSample FirstContact::sample(PartPair& pair, const BodyPath& a, const BodyPath& b, double t,
                               Separation* found) {
  const motion::Kinematics ka = a.kinematics(t), kb = b.kinematics(t);
  // How deep bodies would be that go on too far is nothing that a root needs to be found.
  const Separation now = pair.query ? separation(pair, ka.pose, kb.pose, false)
                                    : enclosure_separation(pair, ka.pose, kb.pose);
  *found = now;
  if (pair.query) pair.seen = SeenGap{ka.pose, kb.pose, now.gap};
  const auto carried = [](const motion::Kinematics& k, const Vec3& point) {
    return motion::carried(k, k.pose.orientation.conjugate() * (point - k.pose.position));
  };
  const motion::Kinematics a_point = carried(ka, now.point_a), b_point = carried(kb, now.point_b);
  const Vec3 velocity = a_point.velocity - b_point.velocity;
  Vec3 turning = Vec3::Zero();
  if (now.feature_b.kind == narrow::FeatureKind::face)
    turning = kb.angular_velocity.cross(now.normal);
  else if (now.feature_a.kind == narrow::FeatureKind::face)
    turning = ka.angular_velocity.cross(now.normal);
  return {t, now.gap, now.normal.dot(velocity),
          now.normal.dot(a_point.acceleration - b_point.acceleration) + 2 * turning.dot(velocity)};
}

std::optional<Touch> FirstContact::touch_by_root(PartPair& pair, const BodyPath& a,
                                                 const BodyPath& b, const GapSample& open,
                                                 double free_until, double to,
                                                 const Separation& now) {
  const GapBand& band = settings_.touch;
  const double step = predicted_step(open, band.target());
  // Worth a try only once the certificate reaches a good part of the way (false for NaN too).
  if (!(open.time + step < to && step < worthwhile * (free_until - open.time))) return std::nullopt;
  Separation found;
  const GapFunction gap = [&](double t) {
    ++statistics_.root_iterations;
    return sample(pair, a, b, t, &found);
  };
  GapSample ahead = gap(open.time + step);
  if (ahead.gap > band.upper) ahead = gap(std::min(to, open.time + overshoot * step));
  if (ahead.gap > band.upper) return std::nullopt;
  if (!band.contains(ahead.gap)) {
    const Root root = find_root(settings_.method, gap, open, ahead, band);
    if (!root.converged) return std::nullopt;
    ahead = root.sample;
  }
  const FreeInterval free = certify_best(pair, a, b, now, open.time, ahead.time, 0);
  if (free.until < ahead.time) return std::nullopt;
  return Touch{ahead.time, found};
}

}  // namespace abut::toi
