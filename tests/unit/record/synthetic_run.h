#pragma once
// A made-up run whose every number is a simple function of frame and body, for round trips.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "record/frame.h"

namespace synthetic {

/// A directory of its own for a test, removed with it.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "abut-record-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline abut::model::Model model_with(std::size_t bodies) {
  abut::model::Model model;
  model.name = "synthetic";
  model.source = "abut: 1\nname: synthetic\n";
  model.duration = 1;
  for (std::size_t i = 0; i < bodies; ++i) {
    abut::model::Body body;
    body.name = fmt::format("body[{}]", i);
    body.mass.mass = 1.0 + static_cast<double>(i);
    body.mass.volume = 0.5;
    body.mass.central.position = abut::Vec3(0.1, 0.2, 0.3);
    body.mass.inertia << 1, 2, 3, 2, 4, 5, 3, 5, 6;
    model.bodies.push_back(body);
  }
  return model;
}

/// A number that differs for every frame, body, quantity and component.
inline double value(std::size_t frame, std::size_t body, int quantity, int component) {
  return static_cast<double>(frame) + 1e-3 * static_cast<double>(body) + 1e4 * quantity +
         1e5 * component + 1.0 / 3.0;
}

inline abut::record::Frame frame_at(std::size_t index, std::size_t bodies) {
  abut::record::Frame frame;
  frame.time = static_cast<double>(index) / 60;
  frame.kind = static_cast<abut::record::FrameKind>(index % 3);
  for (std::size_t b = 0; b < bodies; ++b) {
    const auto vector = [&](int quantity) {
      return abut::Vec3(value(index, b, quantity, 0), value(index, b, quantity, 1),
                        value(index, b, quantity, 2));
    };
    abut::BodyState state;
    state.position = vector(0);
    state.orientation = abut::Quat(value(index, b, 1, 0), value(index, b, 1, 1),
                                   value(index, b, 1, 2), value(index, b, 1, 3));
    state.velocity = vector(2);
    state.angular_velocity = vector(3);
    state.centre_of_mass = vector(4);
    state.acceleration = vector(5);
    state.angular_acceleration = vector(6);
    frame.bodies.push_back(state);
  }
  const double t = static_cast<double>(index);
  frame.energy = {t, -t, 0.5 * t, 0.25 * t, 0.125 * t};
  return frame;
}

inline abut::Event event_at(std::size_t index) {
  const double t = static_cast<double>(index);
  abut::Event event;
  event.time = t / 60;
  event.kind = static_cast<abut::EventKind>(index % 12);
  event.body_a = static_cast<int>(index % 3) - 1;
  event.body_b = 0;
  event.point = abut::Vec3(t, t + 1, t + 2);
  event.normal = abut::Vec3(0, 0, 1);
  event.normal_impulse = t + 0.1;
  event.impulse = abut::Vec3(-t, t, 0.5);
  event.detail = fmt::format("event {}", index);
  return event;
}

inline void expect_same(const abut::record::Frame& a, const abut::record::Frame& b) {
  ASSERT_EQ(a.time, b.time);
  ASSERT_EQ(a.kind, b.kind);
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    const auto &s = a.bodies[i], &t = b.bodies[i];
    ASSERT_EQ(s.position, t.position);
    ASSERT_EQ(s.orientation.coeffs(), t.orientation.coeffs());
    ASSERT_EQ(s.velocity, t.velocity);
    ASSERT_EQ(s.angular_velocity, t.angular_velocity);
    ASSERT_EQ(s.centre_of_mass, t.centre_of_mass);
    ASSERT_EQ(s.acceleration, t.acceleration);
    ASSERT_EQ(s.angular_acceleration, t.angular_acceleration);
  }
  ASSERT_EQ(a.energy.kinetic, b.energy.kinetic);
  ASSERT_EQ(a.energy.potential, b.energy.potential);
  ASSERT_EQ(a.energy.elastic, b.energy.elastic);
  ASSERT_EQ(a.energy.dissipated, b.energy.dissipated);
  ASSERT_EQ(a.energy.work, b.energy.work);
}

inline void expect_same(const abut::Event& a, const abut::Event& b) {
  ASSERT_EQ(a.time, b.time);
  ASSERT_EQ(a.kind, b.kind);
  ASSERT_EQ(a.body_a, b.body_a);
  ASSERT_EQ(a.body_b, b.body_b);
  ASSERT_EQ(a.point, b.point);
  ASSERT_EQ(a.normal, b.normal);
  ASSERT_EQ(a.normal_impulse, b.normal_impulse);
  ASSERT_EQ(a.impulse, b.impulse);
  ASSERT_EQ(a.detail, b.detail);
}

}  // namespace synthetic
