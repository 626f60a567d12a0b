#pragma once
// Runs of scenes with contact, and what must hold of every one of them.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "body/rigid.h"
#include "model/contact_law.h"
#include "narrow/body_shape.h"
#include "narrow/pair.h"
#include "scene/loader.h"
#include "support/models.h"

namespace abut::test {

/// A scene that has been run, with everything it said.
struct ContactRun {
  model::Model model;
  KeepingSink sink;
  record::Summary summary;

  BodyIndex body(std::string_view name) const {
    for (std::size_t i = 0; i < model.bodies.size(); ++i)
      if (model.bodies[i].name == name) return static_cast<BodyIndex>(i);
    ADD_FAILURE() << "no body " << name;
    return 0;
  }
  std::vector<Event> events(EventKind kind) const {
    std::vector<Event> found;
    for (const Event& event : sink.events)
      if (event.kind == kind) found.push_back(event);
    return found;
  }
  /// The last frame that is not later than t.
  const record::Frame& frame_at(double t) const {
    const record::Frame* last = &sink.frames.front();
    for (const record::Frame& frame : sink.frames)
      if (frame.time <= t) last = &frame;
    return *last;
  }
  /// The states just before and just after the events at exactly t.
  const record::Frame& frame_of(double t, record::FrameKind kind) const {
    for (const record::Frame& frame : sink.frames)
      if (frame.time == t && frame.kind == kind) return frame;
    ADD_FAILURE() << "no such frame at " << t;
    return sink.frames.front();
  }
  const record::Frame& before(double t) const { return frame_of(t, record::FrameKind::before); }
  const record::Frame& after(double t) const { return frame_of(t, record::FrameKind::after); }
};

inline ContactRun run_model(model::Model model, int threads = 0) {
  ContactRun run;
  run.model = std::move(model);
  loop::RunOptions options;
  options.threads = threads;
  run.summary = loop::run(run.model, run.sink, options);
  return run;
}

inline ContactRun run_text(const std::string& text, const std::vector<std::string>& set = {}) {
  return run_model(scene::load_scene_text(text, "test.yaml", set).model);
}

/// A scene that ships.
inline ContactRun run_shipped(const std::string& name, const std::vector<std::string>& set = {}) {
  return run_model(
      scene::load_scene_file(std::string(ABUT_SCENES_DIR) + "/" + name + ".yaml", set).model);
}

/// The scene's head: version, name, duration, a rate of recording, and solver settings if any.
inline std::string head(double duration, double rate, const std::string& solver = "") {
  std::string text = "abut: 1\nname: test\nduration: " + std::to_string(duration) +
                     "\nrecord: {rate: " + std::to_string(rate) + "}\n";
  if (!solver.empty()) text += "solver: {" + solver + "}\n";
  return text;
}

/// A number as a scene gives it, to the last bit.
inline std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

inline const char* floor_plane =
    "  - {name: floor, shape: {plane: {normal: [0, 0, 1], offset: 0}}, motion: fixed}\n";

/// Velocity of the body's material point at x.
inline Vec3 velocity_at(const BodyState& state, const Vec3& x) {
  return state.velocity + state.angular_velocity.cross(x - state.centre_of_mass);
}

/// Rate of the gap at an event's point, from the states of a frame.
inline double gap_rate(const Event& event, const record::Frame& frame) {
  const auto velocity = [&](BodyIndex body) -> Vec3 {
    return body == world ? Vec3::Zero() : velocity_at(frame.bodies[body], event.point);
  };
  return event.normal.dot(velocity(event.body_a) - velocity(event.body_b));
}

/// No two bodies overlap in any recorded state. What the scene itself puts in touch may overlap by
/// rounding, until the run has begun.
inline void expect_disjoint(const ContactRun& run) {
  const auto& bodies = run.model.bodies;
  std::vector<std::shared_ptr<const narrow::BodyShape>> shapes;
  for (const model::Body& body : bodies)
    shapes.push_back(std::make_shared<narrow::BodyShape>(body));
  for (std::size_t a = 0; a < bodies.size(); ++a)
    for (std::size_t b = a + 1; b < bodies.size(); ++b) {
      if (!bodies[a].is_dynamic() && !bodies[b].is_dynamic()) continue;
      narrow::PairQuery query(shapes[a], shapes[b]);
      for (const record::Frame& frame : run.sink.frames) {
        if (frame.time == 0 && frame.kind == record::FrameKind::before) continue;
        const BodyState &x = frame.bodies[a], &y = frame.bodies[b];
        const auto found =
            query.separation({x.position, x.orientation}, {y.position, y.orientation});
        ASSERT_GT(found.gap, 0) << bodies[a].name << " and " << bodies[b].name << " at "
                                << frame.time;
      }
    }
}

/// Mechanical energy less the work of scripts never grows, beyond rounding.
inline void expect_no_energy_gain(const ContactRun& run) {
  double scale = 0;
  for (const record::Frame& frame : run.sink.frames)
    scale = std::max({scale, frame.energy.kinetic, std::abs(frame.energy.potential)});
  double least = std::numeric_limits<double>::infinity();
  for (const record::Frame& frame : run.sink.frames) {
    if (frame.time == 0 && frame.kind == record::FrameKind::before) continue;
    const double now = frame.energy.mechanical() - frame.energy.work;
    ASSERT_LT(now - least, 1e-9 * scale) << "at " << frame.time;
    least = std::min(least, now);
  }
}

/// What the rate of a gap may be off by because its place is known to a contact distance, m/s.
inline double rate_of_misplacement(const ContactRun& run, const Event& event,
                                   const record::Frame& frame) {
  double spin = 0;
  for (const BodyIndex body : {event.body_a, event.body_b})
    if (body != world) spin += frame.bodies[body].angular_velocity.norm();
  return run.model.solver.contact_distance * spin;
}

/// Where a single point collides, the rate of its gap turns round by its restitution; among several
/// at once, each one leaves at least as fast as asked.
inline void expect_restitution(const ContactRun& run, double tolerance = 1e-10) {
  std::map<double, std::vector<const Event*>> instants;
  for (const Event& event : run.sink.events)
    if (event.kind == EventKind::impact) instants[event.time].push_back(&event);
  for (const auto& [time, events] : instants)
    for (const Event* event : events) {
      const double before = gap_rate(*event, run.before(time));
      const double after = gap_rate(*event, run.after(time));
      const double e =
          -before < run.model.solver.rest_speed
              ? 0
              : model::contact_law(run.model, event->body_a, 0, event->body_b, 0).restitution;
      const double slack = rate_of_misplacement(run, *event, run.after(time));
      if (events.size() == 1) {
        ASSERT_NEAR(after, -e * before, tolerance * std::max(1.0, -before) + slack) << time;
      } else {
        ASSERT_GT(after, -tolerance - slack) << time;
      }
    }
}

/// The impulses that are told of at an instant make up all that changes there: of every dynamic
/// body the momentum, and the angular momentum about the centre of mass. For scenes without joints.
inline void expect_impulses_add_up(const ContactRun& run) {
  // Bodies that rock to and fro more slowly than this are brought to rest without a word.
  const double untold = run.model.solver.rest_speed;
  std::map<double, std::vector<const Event*>> instants;
  for (const Event& event : run.sink.events) instants[event.time].push_back(&event);
  for (const auto& [time, events] : instants) {
    for (std::size_t i = 0; i < run.model.bodies.size(); ++i) {
      if (!run.model.bodies[i].is_dynamic()) continue;
      const body::Mass& mass = run.model.bodies[i].mass;
      const double radius = run.model.bodies[i].bounding_radius;
      const BodyState &before = run.before(time).bodies[i], &after = run.after(time).bodies[i];
      const auto angular_momentum = [&](const BodyState& state) {
        return body::angular_momentum(mass, state.orientation * mass.central.orientation,
                                      state.angular_velocity);
      };
      Vec3 linear = mass.mass * (after.velocity - before.velocity);
      Vec3 angular = angular_momentum(after) - angular_momentum(before);
      double size = 0;
      for (const Event* event : events) {
        if (event->body_a != static_cast<int>(i) && event->body_b != static_cast<int>(i)) continue;
        const Vec3 impulse =
            event->body_a == static_cast<int>(i) ? event->impulse : Vec3(-event->impulse);
        linear -= impulse;
        angular -= (event->point - after.centre_of_mass).cross(impulse);
        size += impulse.norm();
      }
      const double tolerance = 1e-9 * size + untold * mass.mass;
      ASSERT_LT(linear.norm(), tolerance) << run.model.bodies[i].name << " at " << time;
      ASSERT_LT(angular.norm(), tolerance * radius) << run.model.bodies[i].name << " at " << time;
    }
  }
}

/// All of the above, and the certificate.
inline void expect_sound(const ContactRun& run, double energy_error = 1e-9) {
  EXPECT_EQ(run.summary.status, record::RunStatus::complete) << run.summary.message;
  EXPECT_GT(run.summary.min_gap, 0);
  EXPECT_EQ(run.summary.unresolved, 0);
  EXPECT_LT(run.summary.lcp_residual_max, 1e-9);
  EXPECT_LT(run.summary.energy_error, energy_error);
  EXPECT_LT(run.summary.momentum_error, 1e-9);
  expect_disjoint(run);
  expect_no_energy_gain(run);
  if (run.model.joints.empty()) expect_impulses_add_up(run);
}

}  // namespace abut::test
