#include "record/playback_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace abut::record {
namespace {

/// Vertices of bodies that bend, 12 bytes each, that take the room of a pose.
constexpr std::size_t vertices_per_pose = 4;

/// Rounding of compact positions as a fraction of the smallest body's radius: far below a pixel
/// unless that body fills several screens.
constexpr double compact_fraction = 1e-3;
/// Rounding of compact velocities per rounding of positions, 1/s.
constexpr double compact_rate = 10;

/// Every k-th element, and the last one.
std::vector<std::size_t> thinned(const std::vector<std::size_t>& all, std::size_t most) {
  if (all.size() <= most) return all;
  const std::size_t k = (all.size() + most - 1) / std::max<std::size_t>(most, 1);
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < all.size(); i += k) kept.push_back(all[i]);
  if (kept.back() != all.back()) kept.push_back(all.back());
  return kept;
}

double smallest_radius(const model::Model& model) {
  double least = INFINITY;
  for (const model::Body& body : model.bodies)
    if (body.bounding_radius > 0) least = std::min(least, body.bounding_radius);
  return std::isfinite(least) ? least : 1;
}

void choose_frames(PlaybackPlan& plan, const std::vector<FrameStamp>& stamps, std::size_t bodies,
                   std::size_t most) {
  std::vector<std::size_t> all(stamps.size()), whole, samples;
  for (std::size_t i = 0; i < stamps.size(); ++i) {
    all[i] = i;
    if (stamps[i].states == bodies) whole.push_back(i);
    if (stamps[i].kind == FrameKind::sample) samples.push_back(i);
  }
  if (all.size() <= most) {
    plan.frames = all;
    return;
  }
  plan.has_event_frames = false;
  // Where the events crowd out the grid, as in a run that is all events, they are all there is.
  plan.frames = thinned(samples.size() * 2 < std::min(most, whole.size()) ? whole : samples, most);
  plan.thinning.push_back(fmt::format("{} of {} recorded frames", plan.frames.size(), all.size()));
}

void choose_contacts(PlaybackPlan& plan, const std::vector<FrameStamp>& stamps, std::size_t most) {
  // Frames of some bodies are filled with the contacts of the others.
  std::vector<std::size_t> held;
  std::size_t whole = 0, states = 0;
  for (const FrameStamp& stamp : stamps) {
    states = std::max(states, stamp.states);
    if (stamp.states == states) whole = stamp.contacts;
    held.push_back(std::max(whole, stamp.contacts));
  }
  std::size_t total = 0;
  for (const std::size_t frame : plan.frames) total += held[frame];
  const std::size_t k = std::max<std::size_t>((total + most - 1) / most, 1);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < plan.frames.size(); ++i) {
    plan.with_contacts.push_back(i % k == 0);
    if (i % k == 0) ++kept;
  }
  if (k > 1)
    plan.thinning.push_back(fmt::format("contacts at {} of {} frames", kept, plan.frames.size()));
}

}  // namespace

std::vector<std::size_t> moving_bodies(const model::Model& model) {
  std::vector<std::size_t> moving;
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    if (!std::holds_alternative<model::Fixed>(model.bodies[i].motion)) moving.push_back(i);
  return moving;
}

std::vector<BendingSurface> bending_surfaces(const model::Model& model) {
  std::vector<BendingSurface> surfaces;
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    if (model.bodies[i].bends()) surfaces.push_back({i, model.bodies[i].bending->body});
  return surfaces;
}

PlaybackPlan plan_playback(const RunReader& run, const model::Model& model,
                           const PlaybackLimits& limits) {
  PlaybackPlan plan;
  plan.moving = moving_bodies(model);
  plan.bending = bending_surfaces(model);
  std::size_t columns = std::max<std::size_t>(plan.moving.size(), 1);
  for (const BendingSurface& surface : plan.bending)
    columns +=
        static_cast<std::size_t>(surface.bending->boundary.vertex_count()) / vertices_per_pose;
  const std::vector<FrameStamp> stamps = run.stamps();

  choose_frames(plan, stamps, model.bodies.size(),
                std::max<std::size_t>(limits.poses / columns, 2));
  choose_contacts(plan, stamps, limits.contacts);
  plan.compact = plan.frames.size() * columns > limits.exact_poses;
  if (plan.compact) {
    plan.position_step = compact_fraction * smallest_radius(model);
    plan.velocity_step = compact_rate * plan.position_step;
    plan.thinning.push_back(fmt::format("positions to {:.1g} m, velocities to {:.1g} m/s",
                                        plan.position_step, plan.velocity_step));
  }
  std::vector<std::size_t> all(stamps.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  const bool affordable = stamps.size() * model.bodies.size() <= limits.states_read;
  plan.series_frames = thinned(affordable ? all : plan.frames, limits.series_frames);
  if (plan.series_frames.size() < all.size())
    plan.thinning.push_back(
        fmt::format("plots have {} of {} points", plan.series_frames.size(), all.size()));
  plan.events = std::min(run.event_count(), limits.events);
  if (plan.events < run.event_count())
    plan.thinning.push_back(
        fmt::format("the first {} of {} events", plan.events, run.event_count()));
  return plan;
}

}  // namespace abut::record
