#include "verify/event_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/limits.h"
#include "verify/sound_state.h"
#include "verify/surface_distance.h"

namespace abut::verify {
namespace {

/// How far recorded impulses may be from what they must be, relative (dimensionless): the same
/// numbers, summed in another order.
constexpr double impulse_tolerance = 1e-9;

/// How far an event's point may be from the surfaces of its bodies, relative to the distances from
/// the origin and between the bodies (dimensionless): curved contacts are located to less.
constexpr double place_tolerance = 1e-7;

/// How far places that are the same may be apart, relative to their distance from the origin
/// (dimensionless): rounding.
constexpr double same_place = 1e-12;

using Pair = record::BodyPair;

bool is_of_contacts(EventKind kind) {
  switch (kind) {
    case EventKind::touch:
    case EventKind::impact:
    case EventKind::separate:
    case EventKind::slip:
    case EventKind::stick:
    case EventKind::reverse:
    case EventKind::support:
    case EventKind::rest:
      return true;
    default:
      return false;
  }
}

bool has_impulse(EventKind kind) {
  return kind == EventKind::impact || kind == EventKind::impulse || kind == EventKind::limit;
}

Pair pair_of_bodies(BodyIndex a, BodyIndex b) {
  return std::minmax(a, b);
}

std::set<Pair> touching_pairs(const record::Frame& frame) {
  std::set<Pair> pairs;
  for (const ContactState& contact : frame.contacts)
    pairs.insert(pair_of_bodies(contact.body_a, contact.body_b));
  return pairs;
}

bool is_of_friction(EventKind kind) {
  return kind == EventKind::slip || kind == EventKind::stick || kind == EventKind::reverse;
}

}  // namespace

EventCheck::EventCheck(const record::RunReader& run, const model::Model& model,
                       SteppedTimes stepped)
    : InstantCheck("events", run),
      model_(model),
      stepped_(std::move(stepped)),
      impulses_told_(model.forces.size(), 0),
      contacts_(record::are_dynamic(run.facts().bodies)) {
  for (const model::Body& body : model.bodies) solids_.push_back(solids_of(body));
}

void EventCheck::stray(const Event& event) {
  ++events_;
  if (stepped_.covers(event.body_a, event.body_b, event.time)) return;
  fault(event.time, fmt::format("no frames tell of a `{}`", to_string(event.kind)));
}

/// Contacts begin and end at events only.
void EventCheck::between(const record::Frame& frame) {
  if (last_time_ >= 0 && frame.kind != record::FrameKind::after) expect_same_contacts(frame);
  last_time_ = frame.time;
  contacts_.take(frame);
}

void EventCheck::expect_same_contacts(const record::Frame& frame) {
  const auto was = contacts_.pairs_told_of(frame), is = touching_pairs(frame);
  if (was == is) return;
  std::vector<Pair> changed;
  std::set_symmetric_difference(was.begin(), was.end(), is.begin(), is.end(),
                                std::back_inserter(changed));
  std::erase_if(changed, [&](const Pair& pair) {
    return stepped_.covers(pair.first, pair.second, frame.time) ||
           stepped_.covers(pair.first, pair.second, last_time_);
  });
  if (changed.empty()) return;
  const auto& [a, b] = changed.front();
  fault(frame.time, fmt::format("a contact of {} begins or ends without an event", names_of(a, b)));
}

void EventCheck::instant(const Instant& now) {
  for (const Event& event : now.events) {
    ++events_;
    if (!is_sound_event(event) || !is_told(event, now.after)) continue;
    check_impulse(event);
    check_place(event, now.after);
    check_kind(event, now);
    if (event.kind == EventKind::impulse) check_outside_impulse(event, now.before);
  }
  check_changes(now);
}

bool EventCheck::is_sound_event(const Event& event) {
  const auto count = static_cast<BodyIndex>(model_.bodies.size());
  const auto exists = [count](BodyIndex i) { return i >= world && i < count; };
  const bool bodies =
      exists(event.body_a) && exists(event.body_b) && (event.body_a != event.body_b) &&
      (!is_of_contacts(event.kind) || (event.body_a != world && event.body_b != world));
  if (!bodies) {
    fault(event.time, fmt::format("a `{}` is of bodies {} and {}", to_string(event.kind),
                                  event.body_a, event.body_b));
    return false;
  }
  const bool finite = event.point.allFinite() && event.normal.allFinite() &&
                      std::isfinite(event.normal_impulse) && event.impulse.allFinite();
  if (!finite) fault(event.time, fmt::format("a `{}` is not finite", to_string(event.kind)));
  return finite;
}

/// Frames of an event tell of its bodies, but for those that never move.
bool EventCheck::is_told(const Event& event, const record::Frame& frame) {
  for (const BodyIndex body : {event.body_a, event.body_b}) {
    if (body == world || frame.tells_of(body) ||
        std::holds_alternative<model::Fixed>(model_.bodies[body].motion))
      continue;
    fault(event.time, fmt::format("the frames of a `{}` do not tell of {}", to_string(event.kind),
                                  model_.bodies[body].name));
    return false;
  }
  return true;
}

void EventCheck::check_impulse(const Event& event) {
  const double size = event.impulse.norm() + std::abs(event.normal_impulse);
  const auto complain = [&](const char* what) {
    fault(event.time, fmt::format("a `{}` of {} {}", to_string(event.kind),
                                  names_of(event.body_a, event.body_b), what));
  };
  if (event.normal_impulse < 0) complain("pulls");
  if (!has_impulse(event.kind) && size > 0) complain("has an impulse");
  if (has_impulse(event.kind) && !(event.normal_impulse > 0)) complain("has no impulse");
  if (is_of_contacts(event.kind) && std::abs(event.normal.norm() - 1) > impulse_tolerance)
    complain("has a normal that is not of unit length");
  if (event.kind == EventKind::impact &&
      std::abs(event.impulse.dot(event.normal) - event.normal_impulse) > impulse_tolerance * size)
    complain("has a normal impulse that is not that of its impulse");
}

/// Where bodies touch is on the surface of both.
void EventCheck::check_place(const Event& event, const record::Frame& frame) {
  if (!is_of_contacts(event.kind) || model_.solver.contact == model::ContactModel::penalty) return;
  double size = event.point.norm();
  for (const BodyIndex body : {event.body_a, event.body_b}) {
    if (!is_sound(frame.bodies[body])) return;
    size += (event.point - frame.bodies[body].centre_of_mass).norm();
  }
  const double allowed = 2 * model_.solver.contact_distance + place_tolerance * size;
  for (const BodyIndex body : {event.body_a, event.body_b}) {
    const auto distance = surface_distance(solids_[body], frame.bodies[body], event.point);
    if (!distance || *distance <= allowed) continue;
    fault(event.time,
          fmt::format("a `{}` of {} is {:.3g} m from the surface of {}", to_string(event.kind),
                      names_of(event.body_a, event.body_b), *distance, model_.bodies[body].name));
  }
}

/// Impulses are those of the scene.
void EventCheck::check_outside_impulse(const Event& event, const record::Frame& frame) {
  for (std::size_t i = 0; i < model_.forces.size(); ++i) {
    const auto* outside = std::get_if<model::Impulse>(&model_.forces[i]);
    if (outside == nullptr || outside->body != event.body_a || outside->time != event.time ||
        outside->impulse != event.impulse || impulses_told_[i] > 0)
      continue;
    const Vec3 at = outside->at_centre ? frame.bodies[event.body_a].centre_of_mass : outside->at;
    if ((at - event.point).norm() > place_tolerance * (1 + at.norm())) continue;
    ++impulses_told_[i];
    return;
  }
  fault(event.time,
        fmt::format("the scene has no such impulse on {}", model_.bodies[event.body_a].name));
}

/// Where one thing happened to a pair, the frames before and after show it.
void EventCheck::check_kind(const Event& event, const Instant& now) {
  if (!is_of_contacts(event.kind) || stepped_.covers(event.body_a, event.body_b, now.time)) return;
  if (is_of_friction(event.kind)) return check_mode(event, now);
  const Pair pair = pair_of_bodies(event.body_a, event.body_b);
  const auto same_pair = std::count_if(now.events.begin(), now.events.end(), [&](const Event& e) {
    return pair_of_bodies(e.body_a, e.body_b) == pair;
  });
  if (same_pair > 1) return;
  const bool was = touching_pairs(now.before).contains(pair);
  const bool is = touching_pairs(now.after).contains(pair);
  bool shown = true;
  switch (event.kind) {
    case EventKind::touch:
      shown = is && (!was || now.time == 0);
      break;
    case EventKind::support:
      shown = is && was;
      break;
    case EventKind::separate:
      shown = was;
      break;
    default:
      break;
  }
  if (shown) return;
  fault(event.time, fmt::format("a `{}` of {} is not what the frames before and after it show",
                                to_string(event.kind), names_of(event.body_a, event.body_b)));
}

/// The last that is told of the friction mode of a contact at an instant is what the frame after
/// shows.
void EventCheck::check_mode(const Event& event, const Instant& now) {
  const Pair pair = pair_of_bodies(event.body_a, event.body_b);
  const double near = 4 * model_.solver.contact_distance + same_place * event.point.norm();
  const auto is_here = [&](BodyIndex a, BodyIndex b, const Vec3& point) {
    return pair_of_bodies(a, b) == pair && (point - event.point).norm() <= near;
  };
  for (const Event* later = &event + 1; later < now.events.data() + now.events.size(); ++later)
    if (is_of_contacts(later->kind) && is_here(later->body_a, later->body_b, later->point)) return;
  const ContactMode told = event.kind == EventKind::stick ? ContactMode::stick : ContactMode::slide;
  bool any = false;
  for (const ContactState& contact : now.after.contacts) {
    if (!is_here(contact.body_a, contact.body_b, contact.point)) continue;
    if (contact.mode == told) return;
    any = true;
  }
  if (any)
    fault(event.time, fmt::format("a `{}` of {} is not what the frame after it shows",
                                  to_string(event.kind), names_of(event.body_a, event.body_b)));
}

/// Pairs that begin or cease to touch have an event that says so.
void EventCheck::check_changes(const Instant& now) {
  const auto was = touching_pairs(now.before), is = touching_pairs(now.after);
  std::vector<Pair> changed;
  std::set_symmetric_difference(was.begin(), was.end(), is.begin(), is.end(),
                                std::back_inserter(changed));
  for (const Pair& pair : changed) {
    const bool told = std::any_of(now.events.begin(), now.events.end(), [&](const Event& e) {
      return is_of_contacts(e.kind) && pair_of_bodies(e.body_a, e.body_b) == pair;
    });
    const auto& [a, b] = pair;
    if (!told && !stepped_.covers(a, b, now.time))
      fault(now.time,
            fmt::format("a contact of {} begins or ends, but no event says so", names_of(a, b)));
  }
}

void EventCheck::finish() {
  InstantCheck::finish();
  for (std::size_t i = 0; i < model_.forces.size(); ++i) {
    const auto* outside = std::get_if<model::Impulse>(&model_.forces[i]);
    if (outside == nullptr || outside->time >= last_time_ || impulses_told_[i] > 0) continue;
    fault(outside->time, fmt::format("no event tells of the scene's impulse on {}",
                                     model_.bodies[outside->body].name));
  }
}

std::string EventCheck::names_of(BodyIndex a, BodyIndex b) const {
  const auto name = [this](BodyIndex i) {
    if (i == world) return std::string("the world");
    const bool exists = i >= 0 && i < static_cast<BodyIndex>(model_.bodies.size());
    return exists ? model_.bodies[i].name : fmt::format("body {}", i);
  };
  return name(a) + " and " + name(b);
}

std::string EventCheck::measured() const {
  return fmt::format("{} events, compared with the frames before and after", events_);
}

}  // namespace abut::verify
